package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"strings"
	"testing"
)

// TestForeignNames: names of the other language are told what they are called in this one,
// instead of macros to define.
func TestForeignNames(t *testing.T) {
	for _, c := range []struct {
		dialect    ast.Dialect
		text, want string
	}{
		{ast.OpenCL, "__kernel void k(__global float *a) { a[threadIdx.x + blockIdx.x] = sqrtf(2); }",
			`k:1:40: error[UNDECLARED]: threadIdx is not declared
	threadIdx is CUDA C; in OpenCL C it is get_local_id
k:1:54: error[UNDECLARED]: blockIdx is not declared
	blockIdx is CUDA C; in OpenCL C it is get_group_id
k:1:68: error[UNDECLARED]: function sqrtf is not declared
	sqrtf is CUDA C; in OpenCL C it is sqrt`},
		{ast.CUDA, "__global__ void k(float *a) { a[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); }",
			`k:1:33: error[UNDECLARED]: function get_local_id is not declared
	get_local_id is OpenCL C; in CUDA C it is threadIdx
k:1:55: error[UNDECLARED]: function barrier is not declared
	barrier is OpenCL C; in CUDA C it is __syncthreads()
k:1:63: error[UNDECLARED]: CLK_LOCAL_MEM_FENCE is not declared
	CLK_LOCAL_MEM_FENCE is OpenCL C; in CUDA C it is __syncthreads()`},
	} {
		_, err := Parse(Config{File: "k", Text: c.text, Dialect: c.dialect})
		if err == nil || strings.TrimSpace(err.Error()) != c.want {
			t.Errorf("%s:\n%v\nwant\n%s", c.text, err, c.want)
		}
	}
}

// TestForeignNamesDoNotExist: what is told to be the other language's is not known in this one.
func TestForeignNamesDoNotExist(t *testing.T) {
	for _, c := range []struct {
		dialect ast.Dialect
		names   map[string]string
		head    string
	}{
		{ast.OpenCL, builtins.Foreign(false), "__kernel void k(__global float *a) { "},
		{ast.CUDA, builtins.Foreign(true), "__global__ void k(float *a) { "},
	} {
		for name := range c.names {
			_, err := Parse(Config{File: "k", Text: c.head + name + "(1); }", Dialect: c.dialect})
			if err == nil || !strings.Contains(err.Error(), name+" is not declared") {
				t.Errorf("%v knows %s: %v", c.dialect, name, err)
			}
		}
	}
}
