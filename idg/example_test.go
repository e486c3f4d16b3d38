package idg_test

import (
	"fmt"
	"os"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/export"
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
