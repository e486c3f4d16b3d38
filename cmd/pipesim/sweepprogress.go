package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/sheet"
)

// progress is a line on a terminal that says how far a sweep is. On anything
// else it is silent.
type progress struct {
	w     io.Writer // nil = silent
	total int
	from  int // rows that were known before
	now   func() time.Time
	start time.Time
	shown time.Time
}

// progressPeriod is the time between two updates: smooth enough for eyes.
const progressPeriod = 100 * time.Millisecond

// progressWidth is the number of columns of the bar.
const progressWidth = 32

func newProgress(stderr io.Writer, total, from int) *progress {
	p := &progress{total: total, from: from, now: time.Now}
	if console.IsTerminal(stderr) {
		p.w = stderr
	}
	p.start = p.now()
	return p
}

// show says that so many rows are known.
func (p *progress) show(done int) {
	if p.w == nil {
		return
	}
	now := p.now()
	if now.Sub(p.shown) < progressPeriod {
		return
	}
	p.shown = now
	share := float64(done) / float64(max(1, p.total))
	left := ""
	if n := done - p.from; n > 0 {
		rest := now.Sub(p.start).Seconds() / float64(n) * float64(p.total-done)
		left = ", " + sheet.Duration(rest) + " left"
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s %s of %s%s", pad(sheet.Bar(share, progressWidth), progressWidth),
		sheet.Grouped(int64(done)), sheet.Count(int64(p.total), "configuration"), left)
}

// clear removes the line.
func (p *progress) clear() {
	if p.w != nil && !p.shown.IsZero() {
		_, _ = io.WriteString(p.w, "\r\x1b[K") // a terminal that has gone needs no clearing
	}
}

// pad fills text with blanks to so many columns.
func pad(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-len([]rune(text))))
}
