package latencies

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"gpupipe/idg"
	"gpupipe/internal/sheet"
)

// Verify reports whether the mapping fits the graph: one entry for each
// instruction class, on a subsystem that exists, with λ > 0 and Λ > 0.
func (m *Mapping) Verify(g *idg.Graph) error {
	switch {
	case m.Device == nil:
		return fmt.Errorf("latencies: the mapping has no device")
	case len(m.Entries) != len(g.Instrs()):
		return fmt.Errorf("latencies: %d entries for %d instruction classes", len(m.Entries), len(g.Instrs()))
	}
	for i := range m.Entries {
		e := &m.Entries[i]
		switch op := g.Instrs()[i].Op; {
		case int(e.Subsystem) >= len(m.Subsystems):
			return fmt.Errorf("latencies: class %d (%s) is on subsystem %d of %d", i+1, op, e.Subsystem,
				len(m.Subsystems))
		case !e.Second.CPI.IsZero() && (int(e.Second.Subsystem) >= len(m.Subsystems) ||
			e.Second.Subsystem == e.Subsystem || e.Second.CPI.Num() < 0):
			return fmt.Errorf("latencies: class %d (%s) is on subsystem %d, and for λ %v on subsystem %d of %d", i+1,
				op, e.Subsystem, e.Second.CPI, e.Second.Subsystem, len(m.Subsystems))
		case e.Timing.CPI.Num() <= 0 || e.Timing.Latency.Num() <= 0:
			return fmt.Errorf("latencies: class %d (%s) has λ %v and Λ %v; both must be more than 0", i+1, op,
				e.Timing.CPI, e.Timing.Latency)
		}
	}
	return nil
}

// Explain writes a table of the entries chosen for a graph's instruction
// classes, in the order of their ids: position, op, subsystem and λ (of two, if it keeps two busy), Λ, transactions, R
// and D (Module), the entry or rule that was used, its source, and every fallback taken. Classes that differ in
// nothing of this, as accesses of one line to other addresses, have one row.
func (m *Mapping) Explain(w io.Writer, g *idg.Graph) error {
	if err := m.Verify(g); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s (%s)\n\n", m.Device.Title, m.Device.Name)
	t := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	rows := map[string]bool{}
	var sources []string
	fmt.Fprintln(t, "line\top\tsubsystem\tcpi\tlatency\ttransactions\tR\tD")
	for i := range m.Entries {
		e, in := &m.Entries[i], &g.Instrs()[i]
		transactions := "-"
		if e.Transactions > 0 {
			transactions = fmt.Sprint(e.Transactions)
		}
		subsystem, cpi := m.Subsystems[e.Subsystem], e.Timing.CPI.String()
		if n := e.Slots(); n != 1 {
			cpi += fmt.Sprintf(" (%s)", sheet.Count(int64(n), "issue slot"))
		}
		op := strings.Replace(opWithBuffer(g, in), idg.SpillBuffer, "(spills)", 1)
		row := fmt.Sprintf("%d\t%s\t%s\t%s\t%v\t%s\t%v\t%v\n", in.Pos.Line, op, subsystem,
			cpi, e.Timing.Latency, transactions, e.Module.Ratio, e.Module.Conflicts)
		if s := &e.Second; !s.CPI.IsZero() {
			row += fmt.Sprintf("\t\t%s\t%v\t\t\t\t\n", m.Subsystems[s.Subsystem], s.CPI)
		}
		if source := op + " as " + e.Matched + ": " + e.Source; !slices.Contains(sources, source) {
			sources = append(sources, source)
		}
		if !rows[row] {
			rows[row] = true
			io.WriteString(t, row)
		}
	}
	t.Flush()
	writeWrapped(out, "numbers of operations", sources)
	if t := m.Traffic; t != nil {
		text := fmt.Sprintf("%d bytes read, %d written, of which %d after the launch; at least %d read, %d written by "+
			"any cache", t.ReadBytes, t.WrittenBytes, t.LeftBytes, t.CompulsoryReadBytes, t.CompulsoryWrittenBytes)
		if t.Estimated {
			text += " (estimated from some groups)"
		}
		if t.Partial {
			text += "; not counted: what is at addresses that are not known"
		}
		writeWrapped(out, "device memory of the launch", []string{text})
		writeWrapped(out, "L2 in the launch", []string{fmt.Sprintf("%.0f sectors read, %.0f written, %.0f updated",
			t.L2ReadSectors, t.L2WrittenSectors, t.L2UpdatedSectors)})
	}
	writeWrapped(out, "fallbacks and assumptions", m.Fallbacks(g))
	return out.Flush()
}

// explainWidth is the columns of a terminal.
const explainWidth = 80

// writeWrapped writes a list below a title, if there is anything in it.
func writeWrapped(w io.Writer, title string, list []string) {
	if len(list) > 0 {
		fmt.Fprintf(w, "\n%s:\n", title)
	}
	for _, text := range list {
		for i, line := range sheet.Wrap(text, explainWidth-4) {
			fmt.Fprintf(w, "%*s%s\n", 2+2*min(i, 1), "", line)
		}
	}
}

// Fallbacks lists what was taken for want of an entry or of an address, once
// each, with the lines concerned in ascending order, in the order of the instruction
// classes.
func (m *Mapping) Fallbacks(g *idg.Graph) []string {
	var list byLines
	for i := range m.Entries {
		var texts []string
		for _, f := range []string{m.Entries[i].Fallback, m.Entries[i].Assumed} {
			if f != "" {
				texts = append(texts, f)
			}
		}
		list.add(join(texts), g.Instrs()[i].Pos.Line)
	}
	return list.texts()
}

// Assumptions lists what was assumed about accesses, likewise.
func (m *Mapping) Assumptions(g *idg.Graph) []string {
	var list byLines
	for i := range m.Entries {
		if f := m.Entries[i].Assumed; f != "" {
			in := &g.Instrs()[i]
			list.add(opWithBuffer(g, in)+": "+f, in.Pos.Line)
		}
	}
	return list.texts()
}

// byLines collects texts with the lines that they are about, once each.
type byLines struct {
	order []string
	lines map[string][]int
}

func (b *byLines) add(text string, line int) {
	if text == "" {
		return
	}
	if b.lines == nil {
		b.lines = map[string][]int{}
	}
	if b.lines[text] == nil {
		b.order = append(b.order, text)
	}
	if at, found := slices.BinarySearch(b.lines[text], line); !found {
		b.lines[text] = slices.Insert(b.lines[text], at, line)
	}
}

func (b *byLines) texts() []string {
	for i, f := range b.order {
		text := fmt.Sprint(b.lines[f])
		b.order[i] = fmt.Sprintf("%s [%s %s]", f, plural("line", len(b.lines[f])),
			strings.ReplaceAll(text[1:len(text)-1], " ", ", "))
	}
	return b.order
}

func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func opWithBuffer(g *idg.Graph, in *idg.Instr) string {
	if a := g.Access(in.Access); a != nil && a.Buffer != "" {
		if a.Buffer == idg.SpillBuffer {
			return in.Op + " " + a.Buffer
		}
		return in.Op + "(" + a.Buffer + ")"
	}
	return in.Op
}
