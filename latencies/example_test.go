package latencies_test

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// Where an addition executes on a device, how many cycles it occupies the pipeline (CPI) and
// after how many its result is there (latency); then with another latency, as by --set.
func ExampleMapper_Map() {
	d, err := latencies.Builtin("gtx1060")
	if err != nil {
		fmt.Println(err)
		return
	}
	b := idg.NewBuilder()
	b.Begin(0)
	add := b.Instr(idg.Instr{Op: "add.f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 1}})
	b.Add(add)
	g, err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{1, 1, 1},
		WarpSize: 32}})
	if err != nil {
		fmt.Println(err)
		return
	}
	slow, err := latencies.ParseRule("add.f32:latency=20")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rules := range [][]latencies.Rule{nil, {slow}} {
		mapper, err := latencies.NewMapper(d, rules)
		if err != nil {
			fmt.Println(err)
			return
		}
		m, err := mapper.Map(g)
		if err != nil {
			fmt.Println(err)
			return
		}
		e := m.Entry(add)
		fmt.Println(m.Subsystems[e.Subsystem], e.Timing)
	}
	// Output:
	// alu {0.25 6}
	// alu {0.25 20}
}
