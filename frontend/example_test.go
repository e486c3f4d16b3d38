package frontend_test

import (
	"fmt"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
)

// The typed tree of a kernel: conversions are written out, macros replaced.
func ExampleParse() {
	u, err := frontend.Parse(frontend.Config{
		File: "scale.cl", Dialect: ast.OpenCL, Defines: []string{"FACTOR=2"},
		Text: "kernel void scale(global float *a) { a[get_global_id(0)] *= FACTOR; }",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(u)
	// Output:
	// kernel void scale(__global float * a)
	// {
	//   a[get_global_id.ulong(0)] *= 2.0f;
	// }
}

// Errors have a position, a code and, where there is one, a way out.
func ExampleParse_error() {
	_, err := frontend.Parse(frontend.Config{
		File: "scale.cl", Dialect: ast.OpenCL,
		Text: "kernel void scale(global float *a) { a[0] *= factor; }",
	})
	fmt.Println(err)
	// Output:
	// scale.cl:1:46: error[UNDECLARED]: factor is not declared
	// 	if the host program defines it when it builds the kernel, add -D factor=...
}
