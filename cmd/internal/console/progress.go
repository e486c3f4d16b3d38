package console

import (
	"fmt"
	"io"
	"strings"
	"time"

	"gpupipe/internal/sheet"
)

// Progress is a line on a terminal that says how far a long run is. On anything else it is silent.
type Progress struct {
	w     io.Writer // nil = silent
	noun  string    // what is counted
	total int
	from  int // that were known before
	now   func() time.Time
	start time.Time
	shown time.Time
	// Share is the share of the time that so many steps take; nil = all take as long.
	Share func(done int) float64
	Note  string // stands behind the count
}

// progressPeriod is the time between two updates: smooth enough for eyes.
const progressPeriod = 100 * time.Millisecond

// progressWidth is the number of columns of the bar.
const progressWidth = 32

// NewProgress begins a run of total steps, of which from are done.
func NewProgress(stderr io.Writer, noun string, total, from int) *Progress {
	p := &Progress{noun: noun, total: total, from: from, now: time.Now}
	if IsTerminal(stderr) {
		p.w = stderr
	}
	p.start = p.now()
	return p
}

// Show says how many steps are done.
func (p *Progress) Show(done int) {
	if p.w == nil {
		return
	}
	now := p.now()
	if now.Sub(p.shown) < progressPeriod {
		return
	}
	p.shown = now
	bar := sheet.Bar(p.share(done), progressWidth)
	left := ""
	if n := done - p.from; n > 0 {
		taken := now.Sub(p.start).Seconds()
		left = ", " + sheet.Significant(float64(n)/taken) + "/s, " +
			sheet.Duration(taken/(p.share(done)-p.share(p.from))*(1-p.share(done))) + " left"
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s%s %s of %s%s%s", bar, strings.Repeat(" ", progressWidth-len([]rune(bar))),
		sheet.Grouped(int64(done)), sheet.Count(int64(p.total), p.noun), p.Note, left)
}

// share is the part of the time that so many steps take.
func (p *Progress) share(done int) float64 {
	if p.Share != nil {
		return p.Share(done)
	}
	return float64(done) / float64(max(1, p.total))
}

// Clear removes the line.
func (p *Progress) Clear() {
	if p.w != nil && !p.shown.IsZero() {
		_, _ = io.WriteString(p.w, "\r\x1b[K") // a terminal that has gone needs no clearing
	}
}
