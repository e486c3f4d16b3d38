package console

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestProgress shows a line every tenth of a second, and nothing unless there is
// a terminal.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	silent := NewProgress(&out, "configuration", 10, 0)
	silent.Show(5)
	silent.Clear()
	if out.Len() > 0 {
		t.Errorf("a buffer is not a terminal: %q", &out)
	}
	now := time.Unix(100, 0)
	p := &Progress{w: &out, noun: "configuration", total: 2000, from: 1000,
		now: func() time.Time { return now }, start: now}
	for i := range 1000 {
		now = now.Add(time.Millisecond)
		p.Show(1000 + i + 1)
	}
	p.Clear()
	updates := strings.Split(strings.TrimSuffix(out.String(), "\r\x1b[K"), "\r\x1b[K")[1:]
	if len(updates) != 10 {
		t.Fatalf("%d updates: %q", len(updates), updates)
	}
	// 401 rows of 1,000 in 401 ms: the other 599 take as long each.
	if got, want := updates[4], "██████████████████████▍          1,401 of 2,000 configurations, "+
		"1,000/s, 599 ms left"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	out.Reset()
	p.Share = func(done int) float64 { return map[int]float64{1000: 0.2, 1500: 0.6}[done] }
	now = p.start.Add(2 * time.Second)
	p.Note = " (3 simulated)"
	p.Show(1500)
	if want := "(3 simulated), 250/s, 2.00 s left"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("a share of 0.4 took 2 s: %q, want %q", &out, want)
	}
}
