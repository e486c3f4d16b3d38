package simulate_test

import (
	"context"
	"fmt"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// A chain of ten dependent additions, on one warp and on 32 warps of a compute unit: one warp
// waits for the latency of each, 32 share the pipeline.
func ExampleRun() {
	d, err := latencies.Builtin("gtx1060")
	if err != nil {
		fmt.Println(err)
		return
	}
	b := idg.NewBuilder()
	b.Begin(0)
	add := b.Instr(idg.Instr{Op: "add.f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 1}})
	var last []idg.Edge
	for range 10 {
		last = []idg.Edge{{From: b.Add(add, last...), Kind: idg.Data}}
	}
	g, err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{64, 1, 1},
		WarpSize: 32}})
	if err != nil {
		fmt.Println(err)
		return
	}
	mapper, err := latencies.NewMapper(d, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := mapper.Map(g)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, groups := range []int64{1, 32} {
		r, err := simulate.Run(context.Background(), g, m, simulate.Config{Groups: groups, Concurrent: groups})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("warps: %d, cycles: %v, bound by %v\n", groups, r.Cycles, r.Bound.Kind)
	}
	// Output:
	// warps: 1, cycles: 60, bound by latency
	// warps: 32, cycles: 85.75, bound by throughput
}
