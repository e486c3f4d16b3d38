package walk_test

import (
	"fmt"
	"testing"

	"gpupipe/unroll"
)

// Masks of lanes are known where all lanes take part, and conditions are: then one lane of each warp is elected. What
// matches is not computed, nor who votes beside a branch of which that is not known.
func TestBallot(t *testing.T) {
	for _, c := range []struct {
		body  string
		lanes string // of the store, with notes
	}{
		{"if (lane == __ffs(__activemask()) - 1) o[i] = 1;", "1"},
		{"if (__ballot_sync(~0u, lane < 3) == 7) o[i] = 1;", "32"},
		{"if (__popc(__ballot_sync(~0u, lane > 3)) == lane) o[i] = 1;", "1"},
		{"if (lane == __ffs(__match_any_sync(~0u, lane)) - 1) o[i] = 1;", "32 assumed"},
		{"if (lane == __ffs(__match_any_sync(~0u, (float)lane)) - 1) o[i] = 1;", "32 assumed"},
		{"if (__ballot_sync(~0u, x[i]) == 7) o[i] = 1;", "32 assumed"},
		{"if (lane < 9) { unsigned m = __activemask(); if (lane == __ffs(m) - 1) o[i] = 1; }", "9 assumed"},
	} {
		u := unit(t, "k.cu", fmt.Sprintf("__global__ void k(int *o, const int *x) {\n"+
			"int i = blockIdx.x * 64 + threadIdx.x, lane = i & 31; %s }", c.body))
		g, said, err := execute(u, u.Kernel("k"), unroll.Options{Local: [3]int64{64, 1, 1}, Groups: [3]int64{4, 1, 1}})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i := range g.Instrs() {
			if in := &g.Instrs()[i]; in.Op == "st.global" {
				got = fmt.Sprint(in.Lanes)
			}
		}
		if len(said)+len(g.Notes) > 0 {
			got += " assumed"
		}
		if got != c.lanes {
			t.Errorf("%s: %s lanes store, want %s; %v %v", c.body, got, c.lanes, said, g.Notes)
		}
	}
}
