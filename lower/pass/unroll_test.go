package pass_test

import (
	"fmt"
	"testing"

	"gpupipe/frontend"
	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
)

// TestUnrollEveryLoop verifies what the passes leave of all kernels with all loops by three.
func TestUnrollEveryLoop(t *testing.T) {
	three := map[int]int{}
	for i := range 100 {
		three[i] = 3
	}
	irtest.Corpus(t, func(t *testing.T, c frontend.Config) {
		for _, f := range irtest.Build(t, c) {
			err := pass.Run(f, &profile.Context{Profile: profileNamed(""), Unroll: three}, "",
				irverify.After)
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	})
}

// TestCountable: which loops nvcc counts in front, and so unrolls by four, by the types of counter and bound, the step,
// and where the counter begins (PTX of nvcc 11.8 and 12.4; long from threadIdx.x by 64 to an unsigned long is
// decided wrongly). What is no constant, of a signed type, or compared as wide as it is may wrap around.
func TestCountable(t *testing.T) {
	types := []string{"int", "unsigned", "long", "unsigned long"}
	cases := []struct{ step, start string }{{"1", "0"}, {"1", "threadIdx.x"}, {"64", "0"}, {"64", "threadIdx.x"}}
	// by counter, then by bound, then by case: x is unrolled, - is not
	want := [][]string{
		{"xxxx", "xxx-", "x---", "x-x-"},
		{"xx--", "xx--", "----", "----"},
		{"xxxx", "xxxx", "xxxx", "xxx?"},
		{"xx--", "xxxx", "xx--", "xx--"},
	}
	for i, counter := range types {
		for k, bound := range types {
			got := ""
			for n, c := range cases {
				f := irtest.Build(t, irtest.Config("k.cu", fmt.Sprintf("__global__ void k(float* o, const float* in, %s n)"+
					" { float s = 0; for (%s i = %s; i < n; i += %s) s += in[i]; o[threadIdx.x] = s; }",
					bound, counter, c.start, c.step)))[0]
				if err := pass.Run(f, &profile.Context{Profile: profileNamed("nvcc-11.8")}, "unroll again",
					irverify.After); err != nil {
					t.Fatal(err)
				}
				loads := 0
				f.Body.Walk(func(in *ir.Instr) {
					if in.Op == lower.Load {
						loads++
					}
				})
				mark := map[int]string{1: "-", 5: "x"}[loads]
				if want[i][k][n] == '?' {
					mark = "?"
				}
				got += mark
			}
			if got != want[i][k] {
				t.Errorf("%s to %s: %s, want %s", counter, bound, got, want[i][k])
			}
		}
	}
}
