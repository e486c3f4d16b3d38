package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"gpupipe/internal/sheet"
	"gpupipe/simulate"
)

// writeMarkdown writes the report as a section of Markdown.
func (p *Prediction) writeMarkdown(w io.Writer, v *View) error {
	b := bufio.NewWriter(w)
	g, d, r := p.Graph, p.Mapping.Device, p.Result
	fmt.Fprintf(b, "## %s on %s\n\n", sheet.Markdown(g.Kernel), sheet.Markdown(d.Title))
	fmt.Fprintf(b, "**%s** (%s), bound by %s.\n\n", TimeText(r), cyclesText(r), sheet.Markdown(p.byLine(r.Bound.Text)))
	rows := [][]string{
		{"", ""},
		{"roof", p.roofText()},
		{"spent on", p.causesText()},
		{"source", sheet.Markdown(strings.Join(append([]string{g.Source.File}, prefixed("-D ", g.Source.Defines)...), " "))},
		{"launch", g.Launch.Sizes()},
		{"groups on a compute unit", fmt.Sprintf("%s, %s at once", sheet.Grouped(r.Groups), sheet.Grouped(r.ConcurrentGroups))},
		{"occupancy", fmt.Sprintf("%s, limited by %s", sheet.Count(r.OccupancyWarps, "warp"), limitText(r.OccupancyLimit))},
		{"issue slots used", sheet.Percent(r.IssueUtilization)},
	}
	sheet.WriteMarkdownTable(b, "ll", rows)
	for _, f := range p.Findings[:min(len(p.Findings), v.Findings)] {
		place := ""
		if f.Pos.IsValid() {
			place = "line " + p.place(f.Pos) + ": "
		}
		fmt.Fprintf(b, "- **%s**: %s%s. %s; %s [%s]\n", Saving(&f), place,
			sheet.Markdown(f.What), sheet.Markdown(f.Proof), sheet.Markdown(f.Remedy), f.Code)
	}
	if v.Findings > 0 && len(p.Findings) > 0 {
		fmt.Fprintln(b)
	}
	if err := append(sheet.Sheet{{}}, p.tables(v)...).WriteMarkdown(b); err != nil { // below the report's own title
		return err
	}
	if v.Explain {
		fmt.Fprintf(b, "```\n")
		if err := p.Mapping.Explain(b, g); err != nil {
			return err
		}
		fmt.Fprintf(b, "```\n\n")
	}
	if v.Draw {
		fmt.Fprintf(b, "```\n")
		if err := simulate.WriteProfile(b, r.Profile, v.Profile); err != nil {
			return err
		}
		fmt.Fprintf(b, "```\n")
	}
	return b.Flush()
}

func prefixed(prefix string, list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = prefix + s
	}
	return out
}
