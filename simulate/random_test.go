package simulate

import (
	"math/rand/v2"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// randomRun makes a small graph, device and configuration.
func randomRun(t *testing.T, r *rand.Rand) (*fixture, *idg.Graph, Config) {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	names := []string{"a", "b", "c"}[:1+r.IntN(3)]
	f := newFixture(t, 1+r.IntN(4), names...)
	d := f.mapping.Device
	d.Partitions = 1
	if r.IntN(3) == 0 {
		d.Partitions = 2 + r.IntN(3)
	}
	for i := range d.Subsystems {
		d.Subsystems[i].Partitioned = r.IntN(2) == 0
		if r.IntN(4) == 0 {
			d.Subsystems[i].Queue = 1 + r.IntN(3)
		}
	}
	// One family of denominators each, to keep the steps of the oracle few.
	spans := []string{"1", "2", "3", "4", "7", "12"}
	switch r.IntN(3) {
	case 0:
		spans = append(spans, "1/2", "1/4", "3/4", "5/2")
	case 1:
		spans = append(spans, "1/3", "2/3", "4/3")
	}
	if r.IntN(2) == 0 {
		d.IssueLimit = cycles(t, pick("1", "2", "4", "1/2", "4/3"))
	}
	if r.IntN(3) == 0 {
		d.IssueInterval = cycles(t, pick(spans...))
	}
	if r.IntN(3) == 0 {
		d.RegisterReads = cycles(t, pick("1/4", "1/2", "1", "2"))
	}
	if r.IntN(3) == 0 {
		d.GroupReplacement = cycles(t, pick(spans...))
	}
	if r.IntN(4) == 0 {
		d.GroupStart = cycles(t, pick(spans...))
	}
	if r.IntN(3) == 0 {
		// The capacity of every window is a whole number of bytes.
		d.Memory.Contention = &latencies.Contention{
			Unloaded: cycles(t, "1"), Queueing: cycles(t, pick(spans...)),
			Capacity: cycles(t, pick("1536", "12", "96", "192")),
		}
	}
	var classes []idg.InstrID
	for _, op := range []string{"add.f32", pick("fma.f32", "branch", "loop"), "ld.global", "st.global", "barrier",
		"barrier"}[:3+r.IntN(4)] {
		classes = append(classes, f.class(op, pick(names...), pick(spans...), pick(spans...)))
	}
	randomPairs(f, r, spans)
	if r.IntN(2) == 0 {
		for i := range f.mapping.Entries {
			f.mapping.Entries[i].MoreSlots = []int{-1, 0, 0, 1, 2}[r.IntN(5)]
		}
	}
	randomPrograms(f, r, classes)
	cfg := Config{
		Groups: 1 + r.Int64N(6), Concurrent: 1 + r.Int64N(4), Profile: true, Full: true,
		Scheduler: Scheduler(1 + r.IntN(len(latencies.Schedulers()))), Issue: IssueMode(1 + r.IntN(3)),
	}
	return f, f.graph(cfg.Groups), cfg
}

// randomPairs gives some classes of half of the fixtures with several subsystems a second charge.
func randomPairs(f *fixture, r *rand.Rand, spans []string) {
	n := len(f.mapping.Subsystems)
	if n == 1 || r.IntN(2) == 0 {
		return
	}
	for i := range f.mapping.Entries {
		if r.IntN(2) > 0 {
			continue
		}
		e := &f.mapping.Entries[i]
		other := latencies.SubsystemID(r.IntN(n - 1))
		if other >= e.Subsystem {
			other++
		}
		e.Second = latencies.Charge{Subsystem: other, CPI: cycles(f.t, spans[r.IntN(len(spans))])}
		f.pairs++
	}
}

// firstBarrier is the first class of randomRun that is a barrier.
const firstBarrier = idg.InstrID(5)

// randomPrograms gives each warp one of up to two programs. Later instructions
// mostly wait for a barrier, as idgen's graphs do, but need not.
func randomPrograms(f *fixture, r *rand.Rand, classes []idg.InstrID) {
	split := uint32(r.IntN(int(f.warps)))
	if r.IntN(2) == 0 {
		split = 0
	}
	for _, half := range [][2]uint32{{0, split}, {split, f.warps}} {
		if half[0] == half[1] {
			continue
		}
		var warps []uint32
		for w := half[0]; w < half[1]; w++ {
			warps = append(warps, w)
		}
		f.builder.Begin(warps...)
		n := r.IntN(12)
		if half[1] == f.warps {
			n++ // at least one instruction in the group
		}
		barrier := -1
		for v := range n {
			var edges []idg.Edge
			for u := range v {
				if r.IntN(3+v/2) == 0 {
					edges = append(edges, idg.Edge{From: idg.Executed(u), Kind: idg.EdgeKind(1 + r.IntN(3))})
				}
			}
			if barrier >= 0 && r.IntN(8) > 0 {
				edges = append(edges, control(idg.Executed(barrier)))
			}
			c := classes[r.IntN(len(classes))]
			if c >= firstBarrier {
				barrier = v
			}
			f.builder.Add(c, edges...)
		}
	}
}
