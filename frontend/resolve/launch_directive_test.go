package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/resolve"
)

// one kernel's launch: comments above it, past functions that are not kernels.
func TestLaunchDirectives(t *testing.T) {
	u, err := resolve.Parse(resolve.Config{File: "k", Dialect: ast.OpenCL, Text: `
__constant int DEPTH = 3;
enum { MANY = 7 };
// idgen: local=SIDE,SIDE*2 groups=DEPTH+1,2,MANY
// idgen: dynamic-local=4*SIDE*SIDE arg.n=SIDE/3 arg.f=1/2 arg.b=300 arg.g=0.1
float helper(float x) { return x; }
__kernel void k(__global float *a, int n, float f, uchar b, double g) { a[n] = helper(f); }
struct s { float4 pos[2]; int n; };
// idgen: global=1<<20 local=16x8 arg.v.y=DEPTH arg.s.pos[1].w=1 arg.s.n=2
__kernel void other(__global float *a, int2 v, struct s s) { a[0] = 1; }
__kernel void none(__global float *a) { a[0] = 1; }
#define SIDE 8
// idgen:
// idgen: local=4 global=8
`})
	if err != nil {
		t.Fatal(err)
	}
	l := u.Kernel("k").Launch
	if got, want := fmt.Sprint(l.Local, l.Groups, l.Global, l.DynamicLocal, l.Pos),
		"[8 16] [4 2 7] [] 256 k:4:11"; got != want {
		t.Errorf("k: got %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(l.Args), "[{n 2} {f 0.0f} {b (uchar)44} {g 0.1}]"; got != want {
		t.Errorf("k: arguments %s, want %s", got, want)
	}
	if l := u.Kernel("other").Launch; fmt.Sprint(l.Global, l.Local, l.Args) !=
		"[1048576] [16 8] [{v.y 3} {s.pos[1].w 1.0f} {s.n 2}]" {
		t.Errorf("other: %v", l)
	}
	if u.Kernel("none").Launch != nil {
		t.Error("none has a directive")
	}
	const want = "k:13:1: warning[DIRECTIVE]: empty directive\n\twrite local=8,8 global=1024,1024, say\n" +
		"k:14:11: warning[DIRECTIVE]: no kernel follows this directive"
	var got []string
	for _, w := range u.Warnings {
		got = append(got, w.Error())
	}
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
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
		{"arg.a=1", "argument a is a __global float *; only scalars, and those of vectors and structs, can be given"},
		{"arg.n.x=1", "argument n, a int, has no part .x"},
		{"local=8, 8", `"8" is no KEY=VALUE` + "\n\ta value holds no blanks: local=8,8 arg.n=N*2"},
		{"local=", `"local=" is no KEY=VALUE`},
		{"lokal=8", "unknown key \"lokal\"\n\tdid you mean local?"},
		{"local=8,8,8,8", "local takes at most 3 values, not 4"},
		{"local=8 local=4", "local is given twice for kernel k"},
		{"reference=3", "reference= takes the name of a kernel of this file"},
		{"local=8+", "an expression is expected"},
	} {
		text := "// idgen: " + c.directive + "\n__kernel void k(__global float *a, int n) { a[0] = n; }"
		_, err := resolve.Parse(resolve.Config{File: "k.cl", Text: text, Dialect: ast.OpenCL})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "k.cl:1:") {
			t.Errorf("%s: got %v, want %q on line 1", c.directive, err, c.want)
		}
	}
}
