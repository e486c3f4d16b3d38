package simulate

import (
	"fmt"
	"testing"
)

// TestEarlyEnds: of an access for which nothing waits, its end is looked at only if
// so few instructions follow that it may be the last of its warp.
func TestEarlyEnds(t *testing.T) {
	const latency = 20
	for _, limit := range []string{"", "1/2", "1", "3"} {
		looked, not := 0, 0
		for after := range 2 * latency {
			f := newFixture(t, 2, "alu", "mem")
			if limit != "" {
				f.mapping.Device.IssueLimit = cycles(t, limit)
			}
			add, load := f.class("add.f32", "alu", "1/2", "4"), f.class("ld.global", "mem", "1", fmt.Sprint(latency))
			f.begin()
			f.builder.Add(add)
			f.builder.Add(load)
			for range after {
				f.builder.Add(add, data(0))
			}
			g := f.graph(6)
			cfg := Config{Issue: InOrder, Concurrent: 2, Full: true, Engine: EngineReference}
			want := f.run(g, cfg)
			cfg.Engine = EngineFast
			if d := difference(f.run(g, cfg), want); d != "" {
				t.Errorf("limit %q, %d instructions behind: %s", limit, after, d)
			}
			s, err := (&Launch{kinds: []GroupKind{{g, &f.mapping, 1}}}).prepare(cfg)
			if err != nil {
				t.Fatal(err)
			}
			if p := s.work.kinds[0].programs[0]; p.ordered.nodes[1].flags&(flagFinal|flagOutlasts) != 0 {
				looked++
				if not > 0 {
					t.Errorf("limit %q: its end is looked at again with %d instructions behind it", limit, after)
				}
			} else {
				not++
				if at := s.work.reach(s.hw, p.classesUsed()); int64(after)+1 < at {
					t.Errorf("limit %q: its end is not looked at with %d instructions behind it, less than %d",
						limit, after, at)
				}
			}
		}
		if looked < latency/2 || limit != "" && limit != "3" && not == 0 {
			t.Errorf("limit %q: of %d programs, %d look at the end of the access", limit, looked+not, looked)
		}
	}
}
