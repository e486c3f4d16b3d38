package translate_test

import (
	"fmt"
	"os"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
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
	if err := ir.Format(os.Stdout, build.Build(k)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// kernel sum relaxed  ; sum.cl:1:13
	// param a ptr -> @a ctype "__global float *"  ; 1:31
	// param n s32 ctype "int"  ; 1:38
	// object @a global f32  ; 1:31
	// {
	//   region.sum L1 {  ; 1:13
	//     s:f32 = loop.for L2 (s#2:f32 = 0.0, i:s32 = 0) source 1 bound "i < n" {  ; 1:56
	//       %1 = lt.s32 i, n  ; 1:74
	//       if.loop %1 {  ; 1:56
	//         yield  ; 1:56
	//       } else {
	//         leave L2 s#2  ; 1:56
	//       }
	//       %2 = ptradd.s32 a, i * 4 of "float" subscript  ; 1:90
	//       %3 = load.global.f32 %2  ; 1:90
	//       s#3 = add.f32 s#2, %3  ; 1:86
	//       i#2 = add.s32 i, 1  ; 1:80
	//       continue L2 s#3, i#2  ; 1:56
	//     }
	//     store.global.f32 a, s  ; 1:100
	//     yield  ; 1:13
	//   }
	//   yield  ; 1:13
	// }
}
