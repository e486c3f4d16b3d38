package latencies

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"gpupipe/idg"
)

// L1, L2 and device memory work at the same time: a launch takes as long as the busiest of them. Accesses are charged
// to two.
// A100: a pass over L1 takes 1.02, over L2 3.61, over device memory 13.08. A strided store has
// 16 sectors, four accesses' worth.
func TestLimitingPipe(t *testing.T) {
	g := idg.SpaceGlobal
	cold := seen{space: g, stride: 4, l: idg.Locality{Cold: 4}}
	inL2 := seen{space: g, stride: 4, l: idg.Locality{Groups: earlier(100, 4)}}
	// L1 serves all but one of 16 sectors, which it takes 4 cycles to look up.
	mostlyL1 := seen{space: g, stride: 16, l: idg.Locality{Warp: reuse(kib, 15), Cold: 1}}
	column := seen{space: g, store: true, stride: 16, l: idg.Locality{Cold: 1, Groups: earlier(1, 15)}}
	for _, c := range []struct {
		name     string
		accesses []seen
		charged  []string // λ and subsystem
	}{
		{"memory limits, then L2: 13.08 against 7.22 and 2.04", []seen{cold, inL2},
			[]string{"13.08 global, 3.61 l2", "3.61 l2, 1.02 local"}},
		{"L2, which all pass, then memory: 14.44, 13.08", []seen{cold, inL2, inL2, inL2},
			[]string{"13.08 global, 3.61 l2", "3.61 l2, 1.02 local", "3.61 l2, 1.02 local", "3.61 l2, 1.02 local"}},
		{"a sixteenth (0.063) passes memory, which limits, then L1", []seen{cold, mostlyL1},
			[]string{"13.08 global, 1.02 local", "4 local, 3.3 global"}},
		{"L1 limits, then memory", []seen{mostlyL1, mostlyL1}, []string{"4 local, 3.3 global", "4 local, 3.3 global"}},
		{"part of a column: L2 takes 32.8, memory 17.19", []seen{cold, column},
			[]string{"13.73 global, 3.61 l2", "29.2 l2, 3.46 global"}},
	} {
		f := &idg.Footprint{}
		for _, a := range c.accesses {
			if a.store {
				f.LaunchWrittenBytes += 100_000 * 32 * a.l.Cold
			} else {
				f.LaunchReadBytes += 100_000 * 32 * a.l.Cold
			}
		}
		graph := launchOf(t, 32, 100_000, 0, f, c.accesses...)
		m := mapWith(t, "a100", graph, Options{ConcurrentGroups: 8})
		for i, want := range c.charged {
			e := m.Entry(idg.InstrID(i + 1))
			var charges []string
			for _, x := range e.Charges() {
				charges = append(charges, x.CPI.String()+" "+m.Subsystems[x.Subsystem])
			}
			if got := strings.Join(charges, ", "); got != want {
				t.Errorf("%s: access %d is charged %s, want %s (%s)", c.name, i+1, got, want, e.Served)
			}
		}
	}
}

// A second charge is shown beside the first, and must be of another subsystem that there is.
func TestSecondCharge(t *testing.T) {
	access := seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Cold: 4}}
	graph := launchOf(t, 32, 100_000, 0, &idg.Footprint{LaunchReadBytes: 100_000 * 128}, access)
	m := mapWith(t, "a100", graph, Options{ConcurrentGroups: 8})
	var text strings.Builder
	if err := m.Explain(&text, graph); err != nil {
		t.Fatal(err)
	}
	if lines := regexp.MustCompile(` global +13\.08 .*\n +l2 +3\.61 *\n`); !lines.MatchString(text.String()) {
		t.Errorf("no %v in\n%s", lines, text.String())
	}
	for _, wrong := range []SubsystemID{m.Entries[0].Subsystem, SubsystemID(len(m.Subsystems))} {
		m.Entries[0].Second.Subsystem = wrong
		if err := m.Verify(graph); err == nil {
			t.Errorf("subsystem %d is accepted", wrong)
		}
	}
}

// Whatever is charged where, no pipe is busy for less time than the launch's busiest has
// work: what passes L2, L3 and device memory at their rates is a least time.
func TestPipesHaveTheirWork(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		f := &idg.Footprint{LaunchReadBytes: rng.Int64N(1 << 32), LaunchWrittenBytes: rng.Int64N(1 << 26)}
		var accesses []seen
		for range 1 + rng.IntN(6) {
			accesses = append(accesses, seen{space: idg.SpaceGlobal, store: rng.IntN(3) == 0, stride: 4,
				l: idg.Locality{
					Cold: rng.Int64N(3), Warp: reuse(32<<rng.IntN(24), rng.Int64N(9)),
					Groups: earlier(1+rng.Int64N(1<<rng.IntN(16)), 1+rng.Int64N(9))}})
		}
		for _, gpu := range []string{"a100", "gtx1060", "w6600", "mi300x"} {
			g := launchOf(t, builtin(t, gpu).WarpSize, 1+rng.Int64N(1<<16), 0, f, accesses...)
			m := mapWith(t, gpu, g, Options{ConcurrentGroups: 1 + rng.Int64N(32)})
			charged := map[string]float64{}
			most := 0.0
			var work path
			h := newHierarchy(m.Device, g, Options{ConcurrentGroups: 1, ComputeUnits: m.Device.ComputeUnits}, nil, nil)
			h.atWork, h.units = m.UnitsAtWork, int64(m.Device.ComputeUnits)
			h.mixing = mixing(float64(m.Traffic.ReadBytes), float64(m.Traffic.WrittenBytes), m.Device.Memory.CopyCost)
			for i := range m.Entries {
				e := &m.Entries[i]
				for _, x := range e.Charges() {
					charged[m.Subsystems[x.Subsystem]] += x.CPI.Float()
					most = max(most, charged[m.Subsystems[x.Subsystem]])
				}
				x := exact{}
				passing := e.Served.passing()
				for p, cpi := range h.pipeCPI(entry(t, m.Device, "ld.global").Timing) {
					work[p] = x.add(work[p], x.bounded(x.mul(permille(passing[p], e.Served.Total()), cpi),
						entry(t, m.Device, "ld.global").Timing))
				}
			}
			for p, least := range work {
				if least.Float() > 1.001*most {
					t.Fatalf("%s: pipe %d has work for %v cycles, the busiest subsystem for %v (%v)", gpu, p, least,
						most, charged)
				}
			}
			// The busiest below L1 is one of the two busiest.
			name := map[pipe]string{memoryPipe: "global", l2Pipe: "l2", l3Pipe: "l3"}[work.longest()]
			if least := work[work.longest()]; least.Float() > 1.001*charged[name] {
				t.Fatalf("%s: %s has work for %v cycles and is charged %v", gpu, name, least, charged)
			}
		}
	}
}
