package main

import (
	"fmt"
	"io"
	"time"

	"gpupipe/cmd/internal/console"
)

// progress is a line on a terminal that says how far a measurement is. On anything else it is silent.
type progress struct {
	w           io.Writer // nil = silent
	total, from int       // points in all, and those that were known before
	start       time.Time
	shown       time.Time
}

func newProgress(stderr io.Writer, total, from int) *progress {
	p := &progress{total: total, from: from, start: time.Now()}
	if console.IsTerminal(stderr) {
		p.w = stderr
	}
	return p
}

// show says how many points are measured, and which class the last one is of.
func (p *progress) show(done int, class string) {
	const period = 100 * time.Millisecond // smooth enough for eyes
	now := time.Now()
	if p.w == nil || now.Sub(p.shown) < period {
		return
	}
	p.shown = now
	left := now.Sub(p.start) * time.Duration(p.total-done) / time.Duration(max(1, done-p.from))
	fmt.Fprintf(p.w, "\r\x1b[K%d of %d points, %s, %v left", done, p.total, class, left.Round(time.Second))
}

// clear removes the line.
func (p *progress) clear() {
	if p.w != nil && !p.shown.IsZero() {
		_, _ = io.WriteString(p.w, "\r\x1b[K") // a terminal that has gone needs no clearing
	}
}
