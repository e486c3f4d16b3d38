package latencies

import (
	"math/rand/v2"
	"testing"

	"gpupipe/idg"
)

// L2 and device memory work at the same time: a launch takes as long as the busier of them.
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
		{"memory limits: 13.08 against 3.61 and 7.22", []seen{cold, inL2}, []string{"13.08 global", "3.61 l2"}},
		{"L2 limits, which all pass: 14.44", []seen{cold, inL2, inL2, inL2}, []string{"3.61 l2", "3.61 l2", "3.61 l2", "3.61 l2"}},
		{"a sixteenth (0.063) passes memory, which limits", []seen{cold, mostlyL1}, []string{"13.08 global", "3.3 global"}},
		{"L1 limits", []seen{mostlyL1, mostlyL1}, []string{"4 local", "4 local"}},
		{"part of a column: L2 takes 18.05, memory 16.35", []seen{cold, column}, []string{"3.61 l2", "14.44 l2"}},
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
			if got := e.Timing.CPI.String() + " " + m.Subsystems[e.Subsystem]; got != want {
				t.Errorf("%s: access %d is charged %s, want %s (%s)", c.name, i+1, got, want, e.Served)
			}
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
			accesses = append(accesses, seen{space: idg.SpaceGlobal, store: rng.IntN(3) == 0, stride: 4, l: idg.Locality{
				Cold: rng.Int64N(3), Warp: reuse(32<<rng.IntN(24), rng.Int64N(9)), Groups: earlier(1+rng.Int64N(1<<rng.IntN(16)), 1+rng.Int64N(9))}})
		}
		for _, gpu := range []string{"a100", "gtx1060", "w6600", "mi300x"} {
			g := launchOf(t, builtin(t, gpu).WarpSize, 1+rng.Int64N(1<<16), 0, f, accesses...)
			m := mapWith(t, gpu, g, Options{ConcurrentGroups: 1 + rng.Int64N(32)})
			charged := map[string]float64{}
			most := 0.0
			var work path
			h := newHierarchy(m.Device, g, Options{ConcurrentGroups: 1, ComputeUnits: m.Device.ComputeUnits})
			h.atWork, h.units = m.UnitsAtWork, int64(m.Device.ComputeUnits)
			h.mixing = mixing(float64(m.Traffic.ReadBytes), float64(m.Traffic.WrittenBytes), m.Device.Memory.CopyCost)
			for i := range m.Entries {
				e := &m.Entries[i]
				charged[m.Subsystems[e.Subsystem]] += e.Timing.CPI.Float()
				most = max(most, charged[m.Subsystems[e.Subsystem]])
				x := exact{}
				passing := e.Served.passing()
				for p, cpi := range h.pipeCPI(entry(t, m.Device, "ld.global").Timing) {
					work[p] = x.add(work[p], x.bounded(x.mul(permille(passing[p], e.Served.Total()), cpi), entry(t, m.Device, "ld.global").Timing))
				}
			}
			for p, least := range work {
				if least.Float() > 1.001*most {
					t.Fatalf("%s: pipe %d has work for %v cycles, the busiest subsystem for %v (%v)", gpu, p, least, most, charged)
				}
			}
		}
	}
}
