package main

import (
	"encoding/json"
	"testing"

	"gpupipe/internal/test/tools"
)

// A launch of groups that execute more and more takes as long as the last where each unit
// runs one at most, twice as long as if all were like the one in the middle; and about as long as
// that where a unit runs many, since others have less to do then; a little less, as groups that are alike ask memory
// for their last sectors at the same time.
func TestTriangle(t *testing.T) {
	tools.Heavy(t)
	for _, c := range []struct {
		groups      string
		least, most float64
	}{{"100", 1.9, 2.05}, {"4000", 0.85, 1.15}} {
		seconds := func(kinds string) float64 {
			var d struct{ Seconds float64 }
			g, _ := graphAndNotes(t, "testdata/uneven.cl", "--gpu", "a100", "--local", "32", "--groups", c.groups,
				"--group-kinds", kinds)
			if err := json.Unmarshal([]byte(pipesim(t, g, "--gpu", "a100", "--format", "json")), &d); err != nil {
				t.Fatal(err)
			}
			return d.Seconds
		}
		if r := seconds("auto") / seconds("middle"); r < c.least || r > c.most {
			t.Errorf("%s groups take %.3g times what they do if all are like the one in the middle, want %v to %v",
				c.groups, r, c.least, c.most)
		}
	}
}
