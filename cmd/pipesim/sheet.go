package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gpupipe/cmd/internal/console"
)

// sheet is a report as sections, which are built once and written as text or Markdown.
type sheet []section

// section is a heading, sentences and a table. Each of them may be missing.
type section struct {
	title   string
	text    []string
	columns []column
	rows    [][]string
}

// column is a column of a table.
type column struct {
	name  string
	right bool // aligned to the right
	code  bool // source text: the last column, which is cut where lines end
}

// columnsOf are columns of names, aligned to the right but for the first and those whose name ends in "<".
func columnsOf(names ...string) []column {
	list := make([]column, len(names))
	for i, name := range names {
		text, left := strings.CutSuffix(name, "<")
		list[i] = column{name: text, right: !left && i > 0, code: text == "source"}
	}
	return list
}

func (s sheet) writeText(w io.Writer, l layout) error {
	out := bufio.NewWriter(w)
	for i := range s {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := s[i].writeText(out, l); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (s *section) writeText(w io.Writer, l layout) error {
	if s.title != "" {
		for _, line := range console.Wrap(s.title, l.width) {
			fmt.Fprintln(w, l.style.Bold(line))
		}
	}
	for _, text := range s.text {
		for _, line := range console.Wrap(text, l.width-2) {
			fmt.Fprintln(w, "  "+line)
		}
	}
	if len(s.rows) == 0 {
		return nil
	}
	table := console.Table{Indent: 2}
	head := make([]string, len(s.columns))
	for i, c := range s.columns {
		head[i] = c.name
		table.Right = append(table.Right, c.right)
	}
	table.Painted(l.style.Dim, head...)
	last := len(s.columns) - 1
	room := l.width - s.before(last)
	for _, r := range s.rows {
		if s.columns[last].code {
			r = append(append([]string{}, r[:last]...), clip(r[last], room))
		}
		table.Row(r...)
	}
	return table.Write(w)
}

// before is how wide a table is before its last column.
func (s *section) before(last int) int {
	sum := 2
	for i, c := range s.columns[:last] {
		width := utf8.RuneCountInString(c.name)
		for _, r := range s.rows {
			width = max(width, utf8.RuneCountInString(r[i]))
		}
		sum += width + 2
	}
	return sum
}

func (s sheet) writeMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i := range s {
		if s[i].title != "" {
			fmt.Fprintf(out, "%s %s\n\n", []string{"##", "###"}[min(i, 1)], markdown(s[i].title))
		}
		for _, text := range s[i].text {
			fmt.Fprintf(out, "%s\n\n", markdown(text))
		}
		s[i].writeMarkdownTable(out)
	}
	return out.Flush()
}

func (s *section) writeMarkdownTable(out *bufio.Writer) {
	if len(s.rows) == 0 {
		return
	}
	align := ""
	var head []string
	for _, c := range s.columns {
		align += map[bool]string{false: "l", true: "r"}[c.right]
		head = append(head, c.name)
	}
	rows := [][]string{head}
	for _, r := range s.rows {
		cells := make([]string, len(r))
		for i, text := range r {
			if cells[i] = markdown(text); s.columns[i].code {
				cells[i] = code(text)
			}
		}
		rows = append(rows, cells)
	}
	writeMarkdownTable(out, align, rows)
}
