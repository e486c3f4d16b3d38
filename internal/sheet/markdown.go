package sheet

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes a report as Markdown: its first title is one of the second level, others are of the third.
func (s Sheet) WriteMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i := range s {
		s[i].writeMarkdown(out, []string{"##", "###"}[min(i, 1)])
	}
	return out.Flush()
}

// writeMarkdown writes a section. The writer keeps the first error until it is flushed.
func (s *Section) writeMarkdown(out *bufio.Writer, heading string) {
	if s.Title != "" {
		fmt.Fprintf(out, "%s %s\n\n", heading, markdown(s.Title))
	}
	for _, text := range append([]string{strings.Join(s.About, " · ")}, s.Text...) {
		if text != "" {
			fmt.Fprintf(out, "%s\n\n", markdown(text))
		}
	}
	s.writeMarkdownFacts(out)
	for i := range s.Items {
		s.Items[i].writeMarkdown(out)
	}
	if len(s.Items) > 0 {
		fmt.Fprintln(out)
	}
	if len(s.Rows) > 0 {
		s.writeMarkdownTable(out)
	}
	for _, text := range s.Below {
		fmt.Fprintf(out, "%s\n\n", markdown(text))
	}
	for _, text := range s.Notes {
		fmt.Fprintf(out, "- %s\n", markdown(text))
	}
	if len(s.Notes) > 0 {
		fmt.Fprintln(out)
	}
	if s.Verbatim != "" {
		fmt.Fprintf(out, "```\n%s```\n\n", s.Verbatim)
	}
}

func (s *Section) writeMarkdownFacts(out *bufio.Writer) {
	var rows [][]string
	for _, f := range s.Facts {
		rows = append(rows, []string{markdown(f.Name), strings.TrimSpace(markdown(f.Text) + " " + codeCell(f.Quote))})
	}
	if len(rows) > 0 {
		writeMarkdownRows(out, "ll", append([][]string{{"", ""}}, rows...))
	}
}

func (x *Item) writeMarkdown(out *bufio.Writer) {
	fmt.Fprintf(out, "- **%s**\n", markdown(x.Head))
	if x.Quote != "" {
		fmt.Fprintf(out, "  - %s\n", code(x.Quote))
	}
	for _, text := range x.Notes {
		fmt.Fprintf(out, "  - %s\n", markdown(text))
	}
}

func (s *Section) writeMarkdownTable(out *bufio.Writer) {
	align := ""
	rows := make([][]string, 1+len(s.Rows))
	for i, c := range s.Columns {
		if c.Bar {
			continue
		}
		align += map[bool]string{false: "l", true: "r"}[c.Right]
		rows[0] = append(rows[0], markdown(c.Name))
		set := markdown
		if c.Code {
			set = codeCell
		}
		for k, r := range s.Rows {
			rows[1+k] = append(rows[1+k], set(r.Cells[i]))
		}
	}
	writeMarkdownRows(out, align, rows)
}

// writeMarkdownRows writes rows, the first of them the header, and an empty line. align has a letter for each
// column: l or r.
func writeMarkdownRows(out *bufio.Writer, align string, rows [][]string) {
	rule := strings.NewReplacer("l", "|---", "r", "|---:").Replace(align) + "|"
	for i, row := range rows {
		fmt.Fprintf(out, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintln(out, rule)
		}
	}
	fmt.Fprintln(out)
}

// markdown takes the meaning from characters that have one in Markdown.
func markdown(text string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;").Replace(text)
}

// codeCell is inline code in a table, where a bar ends a cell.
func codeCell(text string) string { return strings.ReplaceAll(code(text), "|", `\|`) }

// code is text as inline code.
func code(text string) string {
	if text == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + text + fence
}
