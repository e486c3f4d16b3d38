package main

import (
	"fmt"
	"strconv"

	"gpupipe/latencies"
	"gpupipe/simulate/sweep"
)

// occupancies counts what a sweep lists for groups of 32, 64, ... 1024 work items (P19 IV.A): combinations of
// group size and resident groups, and different numbers of resident warps.
func occupancies(device string) (combinations, warpCounts int, err error) {
	d, err := latencies.Builtin(device)
	if err != nil {
		return 0, 0, err
	}
	s := &sweep.Space{Devices: []*latencies.Device{d}, Occupancies: sweep.ReachableOccupancies}
	for warps := 1; warps <= 32; warps *= 2 {
		b := newBench("alu")
		b.chain(warps, b.class("add.f32", 0, "1", "1"))
		g, err := b.graph(warps, 1<<20)
		if err != nil {
			return 0, 0, err
		}
		name := strconv.Itoa(warps)
		s.Graphs = append(s.Graphs, sweep.Graph{Name: name, Graph: g, Digest: name})
	}
	p, err := sweep.New(s, sweep.Shard{})
	if err != nil {
		return 0, 0, err
	}
	counts := map[int]bool{}
	for k := range p.Len() {
		var warps, groups int
		values := p.Configuration(k).Values // graph, gpu, concurrent
		if _, err := fmt.Sscan(values[0]+" "+values[2], &warps, &groups); err != nil {
			return 0, 0, err
		}
		counts[warps*groups] = true
	}
	return p.Len(), len(counts), nil
}

// occupancyEntries are the two counts of P19's GPUs.
func occupancyEntries() []entry {
	var list []entry
	for _, c := range []struct {
		device, gpu, combinations, warps string
	}{{"c2050", "C2050", "34", "18"}, {"gtx1060", "GTX 1060", "78", "43"}} {
		list = append(list,
			entry{source: "P19 IV.A", origin: simulation,
				what: c.gpu + ": group sizes x resident groups that local memory reaches", printed: c.combinations,
				ours: func() (float64, error) { n, _, err := occupancies(c.device); return float64(n), err }},
			entry{source: "P19 IV.A", origin: simulation, what: c.gpu + ": numbers of resident warps among them",
				printed: c.warps,
				ours:    func() (float64, error) { _, n, err := occupancies(c.device); return float64(n), err }})
	}
	return list
}
