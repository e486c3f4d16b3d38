package irtest_test

import (
	"strings"
	"testing"

	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

const source = `kernel void k(global int *o, global float *f, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) { if (o[i] > 3) { s += o[i]; continue; } f[i] = s * 0.5f; s -= 1; }
  o[0] = s;
}`

// change makes the first addition a subtraction.
func change(f *ir.Func) {
	done := false
	f.Body.Walk(func(in *ir.Instr) {
		if in.Op == lower.Add && in.Args[0].Name == "s" && !done {
			in.Op, done = lower.Sub, true
		}
	})
}

// TestExpect: other code is found by what it leaves in memory, the same code is not.
func TestExpect(t *testing.T) {
	f := irtest.Build(t, irtest.Config("k.cl", source))[0]
	e := irtest.Expect(f, 3)
	if e.Executed != 2 { // sums of extreme numbers overflow
		t.Errorf("%d executions", e.Executed)
	}
	g, err := irtest.Clone(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Check(g); err != nil {
		t.Error(err)
	}
	change(g)
	if err := e.Check(g); err == nil || !strings.Contains(err.Error(), "o[0] is") {
		t.Error(err)
	}
}

// TestReduce: a kernel becomes as small as shows that a change is one.
func TestReduce(t *testing.T) {
	f := irtest.Build(t, irtest.Config("k.cl", source))[0]
	small := irtest.Reduce(f, func(f *ir.Func) bool {
		e := irtest.Expect(f, 3)
		change(f)
		return irverify.Verify(f) == nil && e.Check(f) != nil
	})
	n := 0
	small.Body.Walk(func(*ir.Instr) { n++ })
	if n > 12 {
		t.Errorf("%d instructions are left:\n%v", n, small)
	}
}
