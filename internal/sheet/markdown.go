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
		if s[i].Title != "" {
			fmt.Fprintf(out, "%s %s\n\n", []string{"##", "###"}[min(i, 1)], Markdown(s[i].Title))
		}
		for _, text := range append([]string{strings.Join(s[i].Facts, " · ")}, s[i].Text...) {
			if text != "" {
				fmt.Fprintf(out, "%s\n\n", Markdown(text))
			}
		}
		s[i].writeMarkdown(out)
		for _, text := range s[i].Below {
			fmt.Fprintf(out, "%s\n\n", Markdown(text))
		}
		for _, text := range s[i].Notes {
			fmt.Fprintf(out, "- %s\n", Markdown(text))
		}
		if len(s[i].Notes) > 0 {
			fmt.Fprintln(out)
		}
	}
	return out.Flush()
}

func (s *Section) writeMarkdown(out *bufio.Writer) {
	if len(s.Rows) == 0 {
		return
	}
	align := ""
	var head []string
	for _, c := range s.Columns {
		if c.Bar {
			continue
		}
		align += map[bool]string{false: "l", true: "r"}[c.Right]
		head = append(head, c.Name)
	}
	rows := [][]string{head}
	for _, r := range s.Rows {
		var cells []string
		for i, c := range s.Columns {
			switch {
			case c.Code:
				cells = append(cells, code(r.Cells[i]))
			case !c.Bar:
				cells = append(cells, Markdown(r.Cells[i]))
			}
		}
		rows = append(rows, cells)
	}
	WriteMarkdownTable(out, align, rows)
}

// WriteMarkdownTable writes rows, the first of them the header, and an empty
// line. align has a letter for each column: l or r.
func WriteMarkdownTable(w *bufio.Writer, align string, rows [][]string) {
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

// Markdown takes the meaning from characters that have one in Markdown.
func Markdown(text string) string {
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
