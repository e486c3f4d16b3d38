package latencies

import (
	"slices"
	"strings"
	"testing"
)

// Every gap is one: the device has no number of that name, and an op that is said to
// be composed has no entry. Every usual op has an entry or is listed.
func TestGaps(t *testing.T) {
	for _, name := range Names() {
		d := builtin(t, name)
		gaps := d.Gaps()
		for _, g := range gaps {
			if g.Instead == "" {
				t.Errorf("%s: nothing is said to stand for %s", name, g.What)
			}
			for _, o := range d.Origins {
				if o.Path == g.What || strings.HasPrefix(o.Path, g.What+".") ||
					o.Path == "instructions."+g.What+".cpi" {
					t.Errorf("%s: %s is not a gap: %s", name, g.What, o.Value)
				}
			}
			if composed := slices.Contains(usualOps, g.What) && !strings.HasPrefix(g.Instead,
				"nothing"); composed == g.Timing.CPI.IsZero() || composed == g.Timing.Latency.IsZero() {
				t.Errorf("%s: %s has the timing %+v", name, g.What, g.Timing)
			}
		}
		m, err := NewMapper(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range usualOps {
			listed := slices.ContainsFunc(gaps, func(g Gap) bool { return g.What == op })
			if listed != (m.direct(op, "") == nil) {
				t.Errorf("%s: %s is listed as a gap: %v", name, op, listed)
			}
		}
	}
	// By hand: the C2050 lacks figures that no source gives,
	// and reads constants as it reads local memory.
	got := map[string]Gap{}
	for _, g := range builtin(t, "c2050").Gaps() {
		got[g.What] = g
	}
	for _, what := range []string{"memory.contention", "memory.local_atomic_turn",
		"ld.constant"} {
		if got[what].What == "" {
			t.Errorf("%s is not a gap of the C2050", what)
		}
	}
	if g := got["ld.constant"]; g.Timing != timing(t, "2", "28") || !strings.HasPrefix(g.Instead, "ld.local (") {
		t.Errorf("ld.constant of the C2050 is %+v", g)
	}
	if g := got["issue_interval"]; g.What != "" {
		t.Errorf("the C2050 gives its issue interval: %+v", g)
	}
}
