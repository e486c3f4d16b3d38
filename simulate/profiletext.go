package simulate

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"gpupipe/latencies"
)

// ProfileOptions says which part of a profile to print, and how wide. The zero
// value of each field takes the documented default.
type ProfileOptions struct {
	Width    int   // columns for the time axis; 0 = 64
	From, To int64 // cycles; To 0 = the end of the run, or 4 · Width cycles after From if that is earlier
	MaxWarps int   // rows for warps; 0 = 32
}

func (o ProfileOptions) width() int {
	if o.Width <= 0 {
		return 64 // beside the names, in a terminal of 80
	}
	return o.Width
}

// Window is the part of a profile that the options ask for; it is not empty.
func (o ProfileOptions) Window(p *Profile) (from, to Tick) {
	per := Tick(p.TicksPerCycle)
	at := func(cycle int64) Tick { return min(Tick(cycle), p.End/per+1) * per }
	from = min(at(max(o.From, 0)), p.End-1)
	if o.To > 0 {
		return from, min(p.End, max(at(o.To), from+1))
	}
	return from, min(p.End, from+4*Tick(o.width())*per)
}

// Warps is how many warps to show at most.
func (o ProfileOptions) Warps() int {
	if o.MaxWarps <= 0 {
		return 32
	}
	return o.MaxWarps
}

// Marks of a profile besides the letters of instructions.
const (
	markBusy    = '=' // the instruction issued before keeps its subsystem busy (λ)
	markQueued  = '.' // something is ready and waits for its turn
	markLatency = '-' // nothing is ready, something is not complete (Λ)
	markMany    = '*' // several different instructions are issued
	markOther   = '?' // an instruction for which there is no letter left
)

// letters name instructions in the order in which they are first issued.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// WriteProfile prints a profile as text in the manner of A Figs. 8 and 9: time
// runs to the right, there is a row for each warp and for each subsystem, and a
// letter where an instruction is issued. The legend gives the letters' source
// lines.
func WriteProfile(w io.Writer, p *Profile, o ProfileOptions) error {
	c := newChart(p, o)
	out := bufio.NewWriter(w)
	c.writeAxis(out)
	c.writeWarps(out)
	c.writeSubsystems(out)
	c.writeLegend(out)
	return out.Flush()
}

// chart is the part of a profile that is printed.
type chart struct {
	*Profile
	time     timebase
	from, to Tick
	column   Tick // ticks per column
	columns  int
	warps    int    // rows
	label    int    // columns before the time axis
	letter   []byte // by class; 0 = not printed
}

func newChart(p *Profile, o ProfileOptions) *chart {
	c := &chart{Profile: p, time: timebase{p.TicksPerCycle}, warps: o.Warps(), letter: make([]byte, len(p.Classes))}
	width := o.width()
	c.from, c.to = o.Window(p)
	c.column = columnSpan(Tick(p.TicksPerCycle), c.to-c.from, width)
	c.columns = int((c.to - c.from + c.column - 1) / c.column)
	c.label = len("group.warp")
	for s := range p.Subsystems {
		c.label = max(c.label, len(c.pipeName(s, p.SubCores-1)))
	}
	used := 0
	for i := range p.Issues {
		is := &p.Issues[i]
		l := &c.letter[is.Instr-1]
		if *l != 0 || is.Issued < c.from || is.Issued >= c.to {
			continue
		}
		*l = markOther
		if used < len(letters) {
			*l = letters[used]
			used++
		}
	}
	return c
}

// columnSpan is the finest of the even fractions and round multiples of a cycle
// with which a span fits into so many columns.
func columnSpan(per, span Tick, width int) Tick {
	fits := func(column Tick) bool { return (span-1)/column < Tick(width) }
	for _, k := range []Tick{24, 20, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1} {
		if per%k == 0 && fits(per/k) {
			return per / k
		}
	}
	for scale := Tick(1); ; scale *= 10 {
		for _, k := range []Tick{2, 5, 10} {
			if fits(per * scale * k) {
				return per * scale * k
			}
		}
	}
}

// row is a line of marks, blank at first.
func (c *chart) row() []byte { return slices.Repeat([]byte{' '}, c.columns) }

// paint marks the columns that [from, to) touches.
func (c *chart) paint(row []byte, from, to Tick, mark byte) {
	from, to = max(from, c.from)-c.from, min(to, c.to)-c.from
	for i := from / c.column; i*c.column < to; i++ {
		row[i] = mark
	}
}

// paintIssue puts the letter of an instruction where it is issued.
func (c *chart) paintIssue(row []byte, is *Issue) {
	if is.Issued < c.from || is.Issued >= c.to {
		return
	}
	i, l := (is.Issued-c.from)/c.column, c.letter[is.Instr-1]
	if old := row[i]; old != l && (old == markMany || old == markOther || strings.IndexByte(letters, old) >= 0) {
		l = markMany
	}
	row[i] = l
}

func (c *chart) writeRow(w *bufio.Writer, name string, row []byte) {
	line := fmt.Sprintf("%-*s  %s", c.label, name, row)
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}

// axisStep is the number of columns between two labels of the time axis.
const axisStep = 10

func (c *chart) writeAxis(w *bufio.Writer) {
	labels, ticks := c.row(), c.row()
	end := 0 // of the label before
	for i := range c.columns {
		switch {
		case i%axisStep == 0:
			ticks[i] = '|'
			text := c.time.cycles(c.from + Tick(i)*c.column).String()
			if i >= end && i+len(text) <= c.columns {
				end = i + copy(labels[i:], text) + 1
			}
		case i%(axisStep/2) == 0:
			ticks[i] = '+'
		default:
			ticks[i] = '-'
		}
	}
	c.writeRow(w, "cycle", labels)
	c.writeRow(w, "group.warp", ticks)
}

// warpKey names a warp of the run.
type warpKey struct {
	group int64
	warp  uint32
}

// writeWarps prints the warps that are alive in the printed time, by group and
// warp.
func (c *chart) writeWarps(w *bufio.Writer) {
	byWarp := map[warpKey][]*Issue{}
	var keys []warpKey
	for i := range c.Issues {
		is := &c.Issues[i]
		if is.Ready >= c.to || max(is.Complete, is.Passed, is.Second.To) <= c.from {
			continue
		}
		k := warpKey{is.Group, is.Warp}
		if byWarp[k] == nil {
			keys = append(keys, k)
		}
		byWarp[k] = append(byWarp[k], is)
	}
	slices.SortFunc(keys, func(a, b warpKey) int {
		if a.group != b.group {
			return int(a.group - b.group)
		}
		return int(a.warp) - int(b.warp)
	})
	for _, k := range keys[:min(len(keys), c.warps)] {
		row := c.row()
		for _, is := range byWarp[k] {
			c.paint(row, is.Issued, is.Complete, markLatency)
		}
		for _, is := range byWarp[k] {
			c.paint(row, is.Ready, is.Issued, markQueued)
		}
		for _, is := range byWarp[k] {
			c.paint(row, is.Turn, is.Passed, markBusy)
			c.paint(row, is.Second.From, is.Second.To, markBusy)
		}
		for _, is := range byWarp[k] {
			c.paintIssue(row, is)
		}
		c.writeRow(w, fmt.Sprintf("%d.%d", k.group, k.warp), row)
	}
	if more := len(keys) - c.warps; more > 0 {
		fmt.Fprintf(w, "and %d more warps\n", more)
	}
}

// pipeName names a subsystem, or a sub-core's share of it.
func (c *chart) pipeName(subsystem, core int) string {
	if c.Shared[subsystem] {
		return c.Subsystems[subsystem]
	}
	return fmt.Sprintf("%s/%d", c.Subsystems[subsystem], core)
}

// busy is for how long an issue of the class keeps a subsystem busy, and whether it does.
func (p *ProfileClass) busy(is *Issue, s latencies.SubsystemID) (Busy, bool) {
	switch {
	case p.Subsystem == s:
		return Busy{is.Turn, is.Passed}, true
	case !p.Second.CPI.IsZero() && p.Second.Subsystem == s:
		return is.Second, true
	}
	return Busy{}, false
}

// writeSubsystems prints every subsystem that the run uses.
func (c *chart) writeSubsystems(w *bufio.Writer) {
	for s := range c.Subsystems {
		for core := range c.SubCores {
			if core > 0 && c.Shared[s] {
				break
			}
			row := c.row()
			var mine []*Issue
			for i := range c.Issues {
				is := &c.Issues[i]
				if is.SubCore != core && !c.Shared[s] {
					continue
				}
				busy, ok := c.Classes[is.Instr-1].busy(is, latencies.SubsystemID(s))
				if ok {
					mine = append(mine, is)
					c.paint(row, busy.From, busy.To, markBusy)
				}
			}
			for _, is := range mine {
				c.paintIssue(row, is)
			}
			if len(mine) > 0 {
				c.writeRow(w, c.pipeName(s, core), row)
			}
		}
	}
}

func (c *chart) writeLegend(w *bufio.Writer) {
	fmt.Fprintf(w, "\nletter: issued   %c: keeps its subsystem busy (λ)   %c: ready, not issued\n"+
		"%c: waits for latency (Λ)   %c: several issued\n",
		markBusy, markQueued, markLatency, markMany)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, l := range []byte(letters + string(markOther)) {
		for i, in := range c.Classes {
			if c.letter[i] == l {
				pos := in.Pos
				pos.Column = 0
				fmt.Fprintf(table, "%c\t%s\t%v\t%s\tλ %v\tΛ %v", l, in.Op, pos, c.Subsystems[in.Subsystem],
					in.Timing.CPI, in.Timing.Latency)
				if !in.Second.CPI.IsZero() {
					fmt.Fprintf(table, "\t+ %s\tλ %v", c.Subsystems[in.Second.Subsystem], in.Second.CPI)
				}
				fmt.Fprintln(table)
			}
		}
	}
	table.Flush()
	switch {
	case c.to < c.End:
		fmt.Fprintf(w, "shown: cycles %v to %v of %v\n", c.time.cycles(c.from), c.time.cycles(c.to),
			c.time.cycles(c.End))
	case c.from > 0:
		fmt.Fprintf(w, "shown: from cycle %v\n", c.time.cycles(c.from))
	}
	if c.Truncated {
		fmt.Fprintf(w, "only the first %d instructions were recorded\n", MaxProfile)
	}
}
