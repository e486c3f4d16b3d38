package resolve

import (
	"fmt"
	"strings"
	"testing"
)

func TestLaunchDirectives(t *testing.T) {
	u := mustParse(t, OpenCL, `
#define SIDE 8
__constant int DEPTH = 3;
enum { MANY = 7 };
// idgen: local=SIDE,SIDE*2 groups=DEPTH+1,2,MANY
// idgen: dynamic-local=4*SIDE*SIDE arg.n=SIDE/3 arg.f=1/2 arg.b=300 arg.g=0.1
__kernel void k(__global float *a, int n, float f, uchar b, double g) { a[n] = f; }
// idgen: global=1<<20
__kernel void other(__global float *a) { a[0] = 1; }
__kernel void none(__global float *a) { a[0] = 1; }
`)
	l := u.Kernel("k").Launch
	if got, want := fmt.Sprint(l.Local, l.Groups, l.Global, l.DynamicLocal, l.Pos), "[8 16] [4 2 7] [] 256 k:5:11"; got != want {
		t.Errorf("k: got %s, want %s", got, want)
	}
	// Values have the parameters' types.
	if got, want := fmt.Sprint(l.Args), "[{n 2} {f 0.0f} {b (uchar)44} {g 0.1}]"; got != want {
		t.Errorf("k: arguments %s, want %s", got, want)
	}
	if got := fmt.Sprint(u.Kernel("other").Launch.Global); got != "[1048576]" {
		t.Errorf("other: global %s", got)
	}
	if u.Kernel("none").Launch != nil {
		t.Error("none has a directive")
	}
}

func TestWrongLaunchDirectives(t *testing.T) {
	for _, c := range []struct{ directive, want string }{
		{"local=8,COUNT", "COUNT is not declared"},
		{"local=4-4", "local=0 is not positive"},
		{"dynamic-local=-1", "dynamic-local=-1 is not positive"},
		{"local=1.5", "local= must be an integer, this is double"},
		{"local=1/0", "division by zero in local="},
		{"arg.m=1", "kernel k has no argument m\n\tthe arguments: a, n"},
		{"arg.a=1", "argument a is a __global float *; only scalars can be given"},
	} {
		text := "// idgen: " + c.directive + "\n__kernel void k(__global float *a, int n) { a[0] = n; }"
		_, err := Parse(Config{File: "k.cl", Text: text, Dialect: OpenCL})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "k.cl:1:") {
			t.Errorf("%s: got %v, want %q on line 1", c.directive, err, c.want)
		}
	}
}
