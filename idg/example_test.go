package idg_test

import (
	"fmt"
	"os"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/export"

	"gonum.org/v1/gonum/graph/flow"
	"gonum.org/v1/gonum/graph/topo"
)

// The graph of one warp that loads a value, doubles it and stores it.
func ExampleBuilder() {
	b := idg.NewBuilder()
	offsets := func() []int64 {
		var o []int64
		for lane := range int64(32) {
			o = append(o, 4*lane)
		}
		return o
	}
	in := b.Access(idg.Access{Space: idg.SpaceGlobal, Width: 4, Buffer: "x", Offsets: offsets()})
	out := b.Access(idg.Access{Space: idg.SpaceGlobal, Width: 4, Buffer: "y", Offsets: offsets(), Store: true})
	at := idg.Pos{File: "double.cl", Line: 3, Column: 12}

	b.Begin(0)
	ld := b.Add(b.Instr(idg.Instr{Op: "ld.global", Type: "f32", Access: in, Lanes: 32, Pos: at}))
	add := b.Add(b.Instr(idg.Instr{Op: "add.f32", Lanes: 32, Pos: at}), idg.Edge{From: ld, Kind: idg.Data})
	b.Add(b.Instr(idg.Instr{Op: "st.global", Type: "f32", Access: out, Lanes: 32, Pos: at}),
		idg.Edge{From: add, Kind: idg.Data})
	g, err := b.Build(idg.Header{
		Source: idg.Source{File: "double.cl"},
		Kernel: "twice",
		Launch: idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{64, 1, 1}, WarpSize: 32},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := export.Text(os.Stdout, g); err != nil {
		fmt.Println(err)
	}
	// Output:
	// kernel twice of double.cl
	// launch 64 groups of 32 work items, 1 warp of 32 lanes a group
	//
	// warp 0: 3 instructions, 2 dependences
	//       0  ld.global f32        double.cl:3:12                            x: 32 lanes x 4 B, stride 4 B (contiguous)
	//       1  add.f32              double.cl:3:12   data 0
	//       2  st.global f32        double.cl:3:12   data 1                   y: 32 lanes x 4 B, stride 4 B (contiguous)
}

// What is wrong with a document is said with its place.
func ExampleDecode() {
	_, err := idg.Decode(strings.NewReader(`{"format":"idg","version":3}`), "graph.json")
	fmt.Println(err)
	// Output:
	// graph.json:1:27: error[IDG_VERSION]: version 3 of the IDG format; this program reads version 1
	// 	make the graph again with the idgen that came with this program
}

// gonum's algorithms work on the graph of a warp: which instruction everything behind it waits for, and the order.
func ExampleView() {
	b := idg.NewBuilder()
	op := func(name string) idg.InstrID { return b.Instr(idg.Instr{Op: name, Type: "f32", Lanes: 32}) }
	wait := func(nodes ...idg.Executed) (edges []idg.Edge) {
		for _, n := range nodes {
			edges = append(edges, idg.Edge{From: n, Kind: idg.Data})
		}
		return edges
	}
	b.Begin(0)
	load := b.Add(op("ld.global"))
	double := b.Add(op("add.f32"), wait(load)...)
	square := b.Add(op("mul.f32"), wait(load)...)
	sum := b.Add(op("fma.f32"), wait(double, square)...)
	b.Add(op("st.global"), wait(sum)...)
	g, err := b.Build(idg.Header{Launch: idg.Launch{Local: [3]int64{32, 1, 1}, Groups: [3]int64{1, 1, 1}, WarpSize: 32}})
	if err != nil {
		fmt.Println(err)
		return
	}
	view, err := idg.NewView(g, g.Programs()[0], idg.MaxExpanded)
	if err != nil {
		fmt.Println(err)
		return
	}
	order, err := topo.SortStabilized(view, nil)
	fmt.Println(len(order), err, topo.PathExistsIn(view, order[0], order[4]))
	dominators := flow.DominatorsSLT(view.Node(0), view)
	fmt.Println("waits for", dominators.DominatorOf(4).(idg.ViewNode).Attributes()[0].Value)
	fmt.Println(view.Edge(0, 2).(idg.ViewEdge).Attributes()[0].Value, view.Edge(2, 0) == nil)
	// Output:
	// 5 <nil> true
	// waits for fma.f32
	// data true
}
