package sweep

import (
	"fmt"
	"testing"
)

// TestPanels sorts rows into curves against the occupancy and, where that does
// not vary, against a number that does.
func TestPanels(t *testing.T) {
	describe := func(s *Space) (text string) {
		p := plan(t, s, Shard{})
		rows, _ := run(t, p, 2, CSV)
		for _, panel := range p.Panels(rows) {
			text += fmt.Sprintf("%s | %s\n", panel.Title, panel.X)
			for _, c := range panel.Series {
				text += "  " + c.Name + ":"
				for _, v := range c.Points {
					text += fmt.Sprintf(" %.4g", v.X)
					if v.Y <= 0 || v.Y > v.Roof*(1+1e-9) {
						t.Errorf("a point at %v, roof %v", v.Y, v.Roof)
					}
				}
				text += "\n"
			}
		}
		return text
	}
	s := space(t)
	s.Graphs[0].Name, s.Devices, s.Vary = "small", s.Devices[:1], s.Vary[1:]
	want := `small on gtx480 | resident warps
  add.f32:cpi=1 scheduler=rr: 8 24 48
  add.f32:cpi=1 scheduler=oldest: 8 24 48
  add.f32:cpi=1/3 scheduler=rr: 8 24 48
  add.f32:cpi=1/3 scheduler=oldest: 8 24 48
`
	if got := describe(s); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	s.Concurrent = []int64{2}
	want = `small on gtx480 | add.f32:cpi
  scheduler=rr: 0.3333 1
  scheduler=oldest: 0.3333 1
`
	if got := describe(s); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	s.Vary, s.Schedulers, s.Concurrent = nil, nil, nil
	if got := describe(s); got != "small on gtx480 | resident warps\n  : 48\n" {
		t.Errorf("got\n%s", got)
	}
}
