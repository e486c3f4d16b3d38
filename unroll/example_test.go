package unroll_test

import (
	"fmt"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower"
	"gpupipe/unroll"
)

const sum = `kernel void sum(global float *a) {
	float s = 0;
	#pragma unroll 4
	for (int i = 0; i < 8; i++)
		s += a[32 * i + get_global_id(0)];
	a[get_global_id(0)] = s;
}`

// The graph of one warp's instructions: of eight iterations, unrolled by four, two loop
// instructions are left.
func ExampleResolve() {
	u, err := frontend.Parse(frontend.Config{File: "sum.cl", Dialect: ast.OpenCL, Text: sum})
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := lower.Lower(u, u.Kernel("sum"))
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := unroll.Resolve(k, unroll.Options{Local: [3]int64{32}, Groups: [3]int64{10}})
	if err != nil {
		fmt.Println(err)
		return
	}
	counts := map[string]int{}
	for id, times := range r.Graph.Programs()[0].Tally(len(r.Graph.Instrs())) {
		counts[r.Graph.Instrs()[id].Op] += int(times)
	}
	fmt.Println(counts["ld.global"], counts["add.f32"], counts["loop"], counts["st.global"])
	// Output: 8 8 2 1
}
