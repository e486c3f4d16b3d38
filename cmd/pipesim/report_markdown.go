package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"gpupipe/simulate"
)

// writeMarkdown writes the report as a section of Markdown.
func (p *prediction) writeMarkdown(w io.Writer, o *runOptions) error {
	b := bufio.NewWriter(w)
	g, d, r := p.graph, p.mapping.Device, p.result
	fmt.Fprintf(b, "## %s on %s\n\n", markdown(g.Kernel), markdown(d.Title))
	fmt.Fprintf(b, "**%s** (%s), bound by %s.\n\n", timeText(r), cyclesText(r), markdown(p.byLine(r.Bound.Text)))
	rows := [][]string{
		{"", ""},
		{"roof", p.roofText()},
		{"spent on", p.causesText()},
		{"source", markdown(strings.Join(append([]string{g.Source.File}, prefixed("-D ", g.Source.Defines)...), " "))},
		{"launch", g.Launch.Sizes()},
		{"groups on a compute unit", fmt.Sprintf("%s, %s at once", grouped(r.Groups), grouped(r.ConcurrentGroups))},
		{"occupancy", fmt.Sprintf("%s, limited by %s", count(r.OccupancyWarps, "warp"), limitText(r.OccupancyLimit))},
		{"issue slots used", percent(r.IssueUtilization)},
	}
	writeMarkdownTable(b, "ll", rows)
	for _, f := range p.findings[:min(len(p.findings), o.findings)] {
		place := ""
		if f.Pos.IsValid() {
			place = "line " + p.place(f.Pos) + ": "
		}
		fmt.Fprintf(b, "- **saves up to %s (%s left)**: %s%s. %s; %s [%s]\n", percent(f.Saved), duration(f.Seconds), place,
			markdown(f.What), markdown(f.Proof), markdown(f.Remedy), f.Code)
	}
	if o.findings > 0 && len(p.findings) > 0 {
		fmt.Fprintln(b)
	}
	if err := append(sheet{{}}, p.tables(o)...).writeMarkdown(b); err != nil { // below the report's own title
		return err
	}
	if o.explain {
		fmt.Fprintf(b, "```\n")
		if err := p.mapping.Explain(b, g); err != nil {
			return err
		}
		fmt.Fprintf(b, "```\n\n")
	}
	if o.draw {
		fmt.Fprintf(b, "```\n")
		if err := simulate.WriteProfile(b, r.Profile, o.profile); err != nil {
			return err
		}
		fmt.Fprintf(b, "```\n")
	}
	return b.Flush()
}

// writeMarkdownTable writes rows, the first of them the header, and an empty
// line. align has a letter for each column: l or r.
func writeMarkdownTable(w *bufio.Writer, align string, rows [][]string) {
	for i, row := range rows {
		fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
		if i > 0 {
			continue
		}
		for _, a := range align {
			if a == 'r' {
				fmt.Fprint(w, "|---:")
			} else {
				fmt.Fprint(w, "|---")
			}
		}
		fmt.Fprintln(w, "|")
	}
	fmt.Fprintln(w)
}

// markdown takes the meaning from characters that have one in Markdown.
func markdown(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;").Replace(text)
}

// code is text as inline code of a table's cell.
func code(text string) string {
	if text == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + strings.ReplaceAll(text, "|", `\|`) + fence
}

func prefixed(prefix string, list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = prefix + s
	}
	return out
}
