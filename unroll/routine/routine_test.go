package routine

import (
	"fmt"
	"strings"
	"testing"

	"gpupipe/lower"
)

// TestParseRoutine: the notation, and what is wrong in it.
func TestParseRoutine(t *testing.T) {
	for text, want := range map[string]string{
		"a = mul.f32 x y":                         "{[{mul.f32 [0 1]}] [2] false}",
		"a = mov.u32; a = fma.f32 x a; b = off a": "{[{mov.u32 []} {fma.f32 [0 2]} {off [3]}] [4] false}",
		"branch; a = setp.f32 x; branch a; branch": "{[{branch []} {setp.f32 [0]} {branch [3]} {branch " +
			"[]}] [3] true}",
		"a = native_sin.f32 x; b = neg.f32 x; return a b": "{[{native_sin.f32 [0]} {neg.f32 [0]}] [2 3] false}",
		"a = mul.f32 z":  "needs z, which is not there",
		"a = mul.f32 x;": "an empty instruction",
		"mul.f32 x":      "has no result",
		"a = mul.f32 a":  "needs a, which is not there",
	} {
		r, err := parse(text)
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
	for _, all := range []Table{NVCC, AMD} {
		for accuracy := range lower.Fast + 1 {
			for name, r := range all[accuracy] {
				used := make([]bool, len(Arguments)+len(r.Steps))
				for i, s := range r.Steps {
					if used[len(Arguments)+i] = s.Op == Branch; s.Op != Branch && s.Op != "off" &&
						!strings.Contains(s.Op, ".") {
						t.Errorf("%s: op %q", name, s.Op)
					}
				}
				for _, s := range r.Steps {
					for _, a := range s.Args {
						used[a] = true
					}
				}
				for _, n := range r.Results {
					used[n] = true
				}
				for i, u := range used[len(Arguments):] {
					if !u {
						t.Errorf("%s (%v): nobody needs the result of instruction %d", name, accuracy, i+1)
					}
				}
				if len(r.Results) == 0 || !used[0] && !used[1] {
					t.Errorf("%s (%v): results %v", name, accuracy, r.Results)
				}
			}
		}
	}
}
