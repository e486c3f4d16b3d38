package translate_test

import (
	"fmt"
	"os"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower"
	"gpupipe/lower/translate"
)

// The intermediate representation of a kernel: typed operations on registers, loops and branches
// in their structure.
func ExampleKernel() {
	u, err := frontend.Parse(frontend.Config{
		File: "sum.cl", Dialect: ast.OpenCL,
		Text: "kernel void sum(global float *a, int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i]; " +
			"a[0] = s; }",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := translate.Kernel(u, u.Kernel("sum"))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := lower.Format(os.Stdout, k); err != nil {
		fmt.Println(err)
	}
	// Output:
	// kernel sum  ; sum.cl:1:13
	// param a ptr -> @a  ; __global float *
	// param n s32  ; int
	// object @a global f32  ; 1:31
	//   region L1 sum  ; 1:13
	//     s = mov.f32 0.0  ; 1:49
	//     i = mov.s32 0  ; 1:65
	//     for L2 (i < n)  ; loop 1 depth 1  ; 1:56
	//     counted by i
	//     cond
	//       %5 = lt.s32 i, n  ; 1:74
	//     while %5
	//     body
	//       %6 = ptradd.s32 a, i * 4 [subscript]  ; 1:90
	//       %7 = load.global.f32 %6  ; 1:90
	//       s = add.f32 s, %7  ; 1:86
	//     post
	//       i = add.s32 i, 1  ; 1:80
	//     store.global.f32 a, s  ; 1:100
}
