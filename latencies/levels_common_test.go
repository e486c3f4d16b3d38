package latencies

import (
	"math"
	"math/rand/v2"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/test/tools"
)

// What all groups touch, worked out by hand: 16 KiB of it on an A100, whose L1 has 184 KiB
// beside 8 groups and of which each unit's first group of 100,000 finds nothing.
func TestCommonInL1(t *testing.T) {
	const groups, sectors = 100_000, 512
	later := 1 - 108.0/groups
	for _, c := range []struct {
		name   string
		own    int64 // bytes
		m      int64
		store  bool
		shared int64
		want   float64 // of the sectors
	}{
		{"2·8·4 + 16 KiB fit", 4 * kib, 8, false, sectors, later},
		{"half of the class", 4 * kib, 8, false, sectors / 2, later / 2},
		{"2·8·12 + 16 KiB do not, 12 + 16 do", 12 * kib, 8, false, sectors, 7.0 / 8},
		{"180 + 16 KiB do not", 180 * kib, 8, false, sectors, 0},
		{"nobody beside", 100 * kib, 1, false, sectors, 0},
		{"the group before", 80 * kib, 1, false, sectors, later},
		{"stores pass L1 by", 4 * kib, 8, true, sectors, 0},
	} {
		f := &idg.Footprint{ReadBytes: c.own + 16*kib, SharedBytes: 16 * kib, LaunchReadBytes: groups*c.own + 16*kib}
		own := seen{space: idg.SpaceGlobal, stride: 4, l: idg.Locality{Cold: c.own / 32}}
		common := seen{space: idg.SpaceGlobal, stride: 4, store: c.store,
			l: idg.Locality{Groups: earlier(1, sectors), Shared: c.shared}}
		m := mapWith(t, "a100", launchOf(t, 32, groups, 0, f, own, common), Options{ConcurrentGroups: c.m})
		s := m.Entry(2).Served
		if math.Abs(s.L1-c.want*sectors) > 1e-6 || math.Abs(s.Total()-sectors) > 1e-6 {
			t.Errorf("%s: served %+v, want %v in L1", c.name, s, c.want*sectors)
		}
		if !c.store && m.Traffic.ReadBytes != f.LaunchReadBytes {
			t.Errorf("%s: %d bytes read, want %d", c.name, m.Traffic.ReadBytes, f.LaunchReadBytes)
		}
	}
}

// foundInL1 is no more than what a list of a cache's sectors shows, in step and, on the average, at
// different places.
func TestCommonAgainstList(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, inStep := range []bool{true, false} {
		var claimed, found float64
		for n := range tools.Cases(400, 80) {
			trace, m := randomTrace(r), 1+r.IntN(6)
			if n%3 == 0 {
				trace = layers(2 + r.IntN(30))
			}
			own, common := trace.parts()
			if common == 0 {
				continue
			}
			const waves = 12
			h := hierarchy{own: own, common: common, perUnit: int64(m), units: 1,
				l1: 1 + r.Int64N(2*(int64(m)*own+common)), atWork: UnitsAtWork{Groups: int64(waves * m)}}
			var cache lru
			var first, hits float64
			group, at, next := make([]int, m), make([]int, m), m
			touched := make([]map[int]bool, m)
			for k := range m {
				group[k], touched[k] = k, map[int]bool{}
				if !inStep {
					at[k] = k * len(trace) / m
				}
			}
			for range waves * len(trace) {
				for k := range m {
					x := trace[at[k]]
					d := cache.touch(group[k], x)
					if x < 0 && !touched[k][x] {
						touched[k][x] = true
						if first++; d > 0 && d <= h.l1 {
							hits++
						}
					}
					if at[k]++; at[k] == len(trace) {
						at[k], group[k], touched[k] = 0, next, map[int]bool{}
						next++
					}
				}
			}
			claimed, found = claimed+h.foundInL1(), found+hits/first
			if inStep && h.foundInL1() > hits/first+1e-9 {
				t.Errorf("trace %d, %d groups in step: %.3f are found, %.3f expected", n, m, hits/first, h.foundInL1())
			}
		}
		t.Logf("in step %v: %.2f found, %.2f expected", inStep, found, claimed)
		if claimed > found {
			t.Errorf("in step %v: %.2f found, %.2f expected", inStep, found, claimed)
		}
	}
}
