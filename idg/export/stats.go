package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gpupipe/idg"
	"gpupipe/internal/sheet"
)

// Stats writes what can be said about the graph without a device: for each
// program its size, dependences and parallelism; for a group the instruction mix
// by class, op and source line; resources, loops, branches and notes.
func Stats(w io.Writer, g *idg.Graph) error {
	b := bufio.NewWriterSize(&fitting{w}, 1<<20)
	writeTitle(b, g)
	warps := g.Executions()
	for i, p := range g.Programs() {
		shape, err := parallelismOf(p)
		if err != nil {
			return err
		}
		var kinds [idg.Order + 1]int64
		p.Stretches(func(first, end idg.StaticID, times int64) {
			for s := first; s < end; s++ {
				for _, d := range p.StaticPreds(s) {
					kinds[d.Kind] += times
				}
			}
		})
		fmt.Fprintf(b, "\n%s", warpList(p.Warps))
		if n := warps[i] - int64(len(p.Warps)); n > 0 {
			fmt.Fprintf(b, " (stands for %d more)", n)
		}
		fmt.Fprintf(b, "\n  instructions     %d\n", p.Len())
		fmt.Fprintf(b, "  dependences      %d data, %d control, %d order\n", kinds[idg.Data], kinds[idg.Control],
			kinds[idg.Order])
		b.WriteString(shape)
	}
	writeMix(b, g)
	writeKinds(b, g)
	writeLocality(b, g)
	writeDecisions(b, g)
	return b.Flush()
}

// parallelismOf describes the critical path and the ILP of a program, of a very long
// one without the largest level.
func parallelismOf(p *idg.Program) (string, error) {
	const text = "  critical path    %s\n  parallelism      %.2f instructions on average"
	if p.Len() > idg.MaxExpanded {
		longest, err := idg.CriticalPath(p, idg.UnitCosts())
		if err != nil {
			return "", err
		}
		return fmt.Sprintf(text+"\n", plural(longest.Length, "instruction"), float64(p.Len())/float64(longest.Length)),
			nil
	}
	ilp, err := idg.ILPProfile(p)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(text+", %d at most\n", plural(int64(ilp.Depth()), "instruction"), ilp.Average(), ilp.Max()), nil
}

func writeMix(b *bufio.Writer, g *idg.Graph) {
	m := g.GroupMix()
	fmt.Fprintf(b, "\ngroup\n  instructions     %d", m.Instructions)
	if m.Instructions > 0 {
		fmt.Fprintf(b, ", %.1f lanes active on average", float64(m.Lanes)/float64(m.Instructions))
	}
	fmt.Fprintf(b, "\n  local memory     %s\n", plural(g.Resources.LocalBytes, "byte"))
	registers := "not known"
	if n := g.Resources.Registers; n > 0 {
		registers = fmt.Sprintf("%d per work item", n)
		if g.Resources.RegistersEstimated {
			registers += " (estimated)"
		}
	}
	fmt.Fprintf(b, "  registers        %s\n", registers)
	row := func(name string, n int64, tail string) {
		text := fmt.Sprintf("  %-24s %10d %5.1f%%  %s", name, n, 100*float64(n)/float64(m.Instructions), tail)
		b.WriteString(sheet.Clip(strings.TrimRight(text, " "), columns) + "\n")
	}
	section(b, "by class", len(m.Classes))
	for _, c := range m.Classes {
		row(string(c.Class), c.Count, "")
	}
	section(b, "by op", len(m.Ops))
	for _, o := range m.Ops {
		row(o.Op, o.Count, "")
	}
	section(b, "by source line", len(m.Lines))
	text := strings.Split(g.Source.Text, "\n")
	for _, l := range m.Lines {
		name, quote := l.Pos.String(), ""
		if !l.Pos.IsValid() {
			name = "(no position)"
		} else if l.Pos.File == g.Source.File && l.Pos.Line <= len(text) {
			quote = strings.TrimSpace(text[l.Pos.Line-1])
		}
		row(name, l.Count, quote)
	}
}

// divergence continues a sentence on a branch; nil: its divergence is not known.
func divergence(d *idg.Divergence) string {
	if d == nil {
		return ""
	}
	return fmt.Sprintf("; %d of %s diverged (%d of %s), %.1f lanes active on average",
		d.DivergedWarps, plural(d.Warps, "warp"), d.Diverged, plural(d.Executions, "execution"), d.MeanLanes())
}

// section writes a heading if anything stands under it.
func section(b *bufio.Writer, title string, n int) {
	if n > 0 {
		fmt.Fprintf(b, "\n%s\n", title)
	}
}

func writeDecisions(b *bufio.Writer, g *idg.Graph) {
	section(b, "loops", len(g.Loops))
	for i := range g.Loops {
		l := &g.Loops[i]
		trips := plural(l.Trips, "trip")
		if l.Trips < 0 {
			trips = "trips not constant"
		}
		factor := fmt.Sprintf("unrolled by %d", l.Factor)
		switch {
		case l.Full:
			factor = "fully unrolled"
		case l.Factor <= 1:
			factor = "rolled"
		}
		text := fmt.Sprintf("%s: %s (%s), %s", placed(l.Pos, l.Kind), trips, l.Origin, factor)
		if l.Remainder > 0 {
			text += fmt.Sprintf(", remainder %d", l.Remainder)
		}
		if l.Reason != "" {
			text += ": " + l.Reason
		}
		fmt.Fprintf(b, "  %s\n", text)
	}
	section(b, "branches", len(g.Branches))
	for i := range g.Branches {
		br := &g.Branches[i]
		fmt.Fprintf(b, "  %s: %s (%s), executed %s%s\n", placed(br.Pos, br.Kind), br.Decision, br.Origin,
			plural(br.Executed, "time"), divergence(br.Divergence))
	}
	section(b, "notes", len(g.Notes))
	for _, n := range g.Notes {
		text := fmt.Sprintf("%s [%s]", n.Text, n.Code)
		if n.Pos.IsValid() {
			text = n.Pos.String() + ": " + text
		}
		fmt.Fprintf(b, "  %s\n", text)
	}
}

// columns is the width of the text.
const columns = 80

// fitting breaks lines that are too long for columns between words, and indents what follows further.
type fitting struct{ to io.Writer }

// Write breaks the lines of a text; one that goes on in the next text may stay too long.
func (f *fitting) Write(text []byte) (int, error) {
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		for utf8.RuneCountInString(line) > columns+1 {
			at := strings.LastIndexByte(line[:columns], ' ')
			if at <= indent+2 {
				break
			}
			out.WriteString(strings.TrimRight(line[:at], " ") + "\n")
			line = strings.Repeat(" ", indent+2) + line[at+1:]
		}
		out.WriteString(line)
	}
	if _, err := io.WriteString(f.to, out.String()); err != nil {
		return 0, err
	}
	return len(text), nil
}

// placed puts a position, if there is one, before what stands there.
func placed(p idg.Pos, what string) string {
	if !p.IsValid() {
		return what
	}
	return p.String() + " " + what
}
