package unroll

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/lower"
)

// TestParseRoutine: the notation, and what is wrong in it.
func TestParseRoutine(t *testing.T) {
	for text, want := range map[string]string{
		"a = mul.f32 x y":                                 "{[{mul.f32 [0 1]}] [2] false}",
		"a = mov.u32; a = fma.f32 x a; b = off a":         "{[{mov.u32 []} {fma.f32 [0 2]} {off [3]}] [4] false}",
		"branch; a = setp.f32 x; branch a; branch":        "{[{branch []} {setp.f32 [0]} {branch [3]} {branch []}] [3] true}",
		"a = native_sin.f32 x; b = neg.f32 x; return a b": "{[{native_sin.f32 [0]} {neg.f32 [0]}] [2 3] false}",
		"a = mul.f32 z":                                   "needs z, which is not there",
		"a = mul.f32 x;":                                  "an empty instruction",
		"mul.f32 x":                                       "has no result",
		"a = mul.f32 a":                                   "needs a, which is not there",
	} {
		r, err := parseRoutine(text)
		got := fmt.Sprint(r)
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != want || err != nil && !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestRoutineTables: every routine has a result, uses all that it computes, and is of ops that
// the graph knows.
func TestRoutineTables(t *testing.T) {
	for _, all := range []routines{nvccRoutines, amdRoutines} {
		for accuracy := range lower.Fast + 1 {
			for name, r := range all[accuracy] {
				used := make([]bool, len(routineArguments)+len(r.steps))
				for i, s := range r.steps {
					if used[len(routineArguments)+i] = s.op == branchOp; s.op != branchOp && s.op != switchedOff && !strings.Contains(s.op, ".") {
						t.Errorf("%s: op %q", name, s.op)
					}
				}
				for _, s := range r.steps {
					for _, a := range s.args {
						used[a] = true
					}
				}
				for _, n := range r.results {
					used[n] = true
				}
				for i, u := range used[len(routineArguments):] {
					if !u {
						t.Errorf("%s (%v): nobody needs the result of instruction %d", name, accuracy, i+1)
					}
				}
				if len(r.results) == 0 || !used[0] && !used[1] {
					t.Errorf("%s (%v): results %v", name, accuracy, r.results)
				}
			}
		}
	}
}
