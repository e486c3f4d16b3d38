package unroll_test

import (
	"testing"

	"gpupipe/unroll"
)

// TestBackEdges: what ends an iteration of a rolled loop is one instruction, and in machine code an
// increment, a comparison and a branch, the first two of twice the words with a counter of 64 bits;
// likewise sums of 64 bits, of which the upper half waits for the lower one. What the device has a
// measurement of stays one.
func TestBackEdges(t *testing.T) {
	const trips = 9
	all := func(of string) func(string) bool { return func(op string) bool { return op == of } }
	for _, c := range []struct {
		name, statement string
		opt             unroll.Options
		want            map[string]int
	}{
		{"PTX", "for (int i = 0; i < n; i++) t = t * t;", unroll.Options{}, map[string]int{"loop": trips}},
		{"machine code", "for (int i = 0; i < n; i++) t = t * t;",
			unroll.Options{Target: unroll.Target{MachineCode: true}},
			map[string]int{"add.s32": trips, "setp.s32": 1 + trips, "branch.loop": trips}},
		{"64 bits", "for (long i = 0; i < q; i++) t = t * t;", unroll.Options{Target: unroll.Target{MachineCode: true}},
			map[string]int{"add.s32": 2 * trips, "setp.s32": 2 + 2*trips, "branch.loop": trips}},
		{"downwards", "for (int i = n; i > 0; i--) t = t * t;",
			unroll.Options{Target: unroll.Target{MachineCode: true}},
			map[string]int{"add.s32": trips, "branch.loop": trips}},
		{"halved", "for (int i = 1 << (n - 1); i > 0; i >>= 1) t = t * t;",
			unroll.Options{Target: unroll.Target{MachineCode: true}},
			map[string]int{"shr.s32": trips, "branch.loop": trips}},
		{"left half-way", "\n#pragma unroll 4\nfor (int i = 0; i < 9; i++) t = t * t;",
			unroll.Options{Target: unroll.Target{MachineCode: true}},
			map[string]int{"add.s32": 2, "setp.s32": 3, "branch.loop": 3}},
		{"measured", "for (int i = 0; i < n; i++) t = t * t;",
			unroll.Options{Target: unroll.Target{MachineCode: true, Measured: all("loop")}},
			map[string]int{"loop": trips}},
		{"sum", "q += l[threadIdx.x]; l[threadIdx.x] = q;", unroll.Options{Target: unroll.Target{MachineCode: true}},
			map[string]int{"add.s32": 2, "add.s64": 0}},
		{"sum, measured", "q += l[threadIdx.x]; l[threadIdx.x] = q;",
			unroll.Options{Target: unroll.Target{MachineCode: true, Measured: all("add.s64")}},
			map[string]int{"add.s32": 0, "add.s64": 1}},
	} {
		if c.statement[0] == 'f' {
			c.statement = "\n#pragma unroll 1\n" + c.statement
		}
		k := lowerSource(t, "k.cu", "__global__ void k(float *c, long *l, int n, long q, float t) {"+c.statement+
			"\nc[threadIdx.x] = t; }")[0]
		c.opt.Local, c.opt.Args = [3]int64{32}, map[string]unroll.ArgValue{"n": {Int: trips}, "q": {Int: trips}}
		g := resolve(t, k, c.opt).Graph
		if err := g.Verify(); err != nil {
			t.Error(err)
		}
		has := ops(g)
		for op, n := range c.want {
			if has[op] != n {
				t.Errorf("%s: %d of %s, want %d: %v", c.name, has[op], op, n, has)
			}
		}
	}
}
