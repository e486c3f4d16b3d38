package unroll_test

import (
	"testing"

	"gpupipe/idg"
)

// TestKnownPartOfCondition: a condition of which one part is known to be false is false
// whatever the other part, which is not known, says: a loop ends there, however many
// iterations would be assumed, and no lane takes a branch.
func TestKnownPartOfCondition(t *testing.T) {
	for _, c := range []struct {
		body  string
		lanes int // that store, over all executions
	}{
		{"for (int j = 0; j < 10 && b[j] > 2; j++) a[id] = j;", 320},
		{"for (int j = 0; b[j] > 2 && j < 10; j++) a[id] = j;", 320},
		{"int j = 0;\ndo a[id] = j; while (++j < 10 && b[j] > 2);", 320},
		{"for (int j = 0; !(j >= 10 || b[j] > 2); j++) a[id] = j;", 320},
		{"for (int j = 0; j < 20 && b[j] > 2; j++) a[id] = j;", 512}, // the 16 that are assumed
		{"for (int j = 0; j < id && b[j] > 2; j++) a[id] = j;", 16*15/2 + 16*16},
		{"if (id > 31 && b[0] > 2) a[id] = 1;", 0},
		{"if (!(b[0] > 2 || id <= 31)) a[id] = 1;", 0},
	} {
		for _, level := range []string{"-O0", "-O2"} {
			res := resolveText(t, "kernel void k(global int *a, global const int *b) {\nint id = get_local_id(0);\n"+
				c.body+"\n}", level+" --local 32")
			lanes := 0
			for v, p := int64(0), flat(res.Graph.Programs()[0]); v < int64(p.Len()); v++ {
				if in := res.Graph.Instr(p.Instr(idg.NodeID(v))); in.Op == "st.global" {
					lanes += int(in.Lanes)
				}
			}
			if lanes != c.lanes {
				t.Errorf("%s %s: %d lanes store, want %d", level, c.body, lanes, c.lanes)
			}
		}
	}
}
