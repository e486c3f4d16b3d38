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

// section is a part of a report, in the order of its fields. Each of them may be missing.
type section struct {
	title   string
	facts   []string // in a line, with points between them
	text    []string // sentences
	columns []column
	rows    []row
	below   []string // sentences on the table
	notes   []string // a list
}

// column is a column of a table.
type column struct {
	name  string
	right bool // aligned to the right
	code  bool // source text, which is cut where lines end
	bar   bool // drawings of shares, in text alone
}

// row is a row of a table.
type row struct {
	cells []string
	mark  mark
	bar   float64 // the share that the column of bars draws
}

// mark is how a row is set off in text.
type mark uint8

const (
	markNone mark = iota
	markDim
	markBold
	markAlarm
)

func (m mark) paint(s console.Style) func(string) string {
	return [...]func(string) string{nil, s.Dim, s.Bold, s.Alarm}[m]
}

// barColumn is the name of a column of bars.
const barColumn = "|"

// columnsOf are columns of names, aligned to the right but for the first and those whose name ends in "<".
func columnsOf(names ...string) []column {
	list := make([]column, len(names))
	for i, name := range names {
		text, left := strings.CutSuffix(name, "<")
		list[i] = column{name: text, right: !left && i > 0, code: text == "source", bar: text == barColumn}
	}
	return list
}

// add appends a row of cells.
func (s *section) add(cells ...string) { s.rows = append(s.rows, row{cells: cells}) }

// write writes a report in a format for people.
func (s sheet) write(w io.Writer, f format, l layout) error {
	if f == formatMarkdown {
		return s.writeMarkdown(w)
	}
	return s.writeText(w, l)
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
	if len(s.facts) > 0 {
		for _, line := range wrapItems(s.facts, l.width) {
			fmt.Fprintln(w, l.style.Dim(line))
		}
	}
	writeSentences(w, s.text, l)
	if err := s.writeTable(w, l); err != nil {
		return err
	}
	writeSentences(w, s.below, l)
	writeNotes(w, s.notes, l)
	return nil
}

func writeSentences(w io.Writer, list []string, l layout) {
	for _, text := range list {
		for _, line := range console.Wrap(text, l.width-2) {
			fmt.Fprintln(w, "  "+line)
		}
	}
}

// writeNotes writes a list.
func writeNotes(w io.Writer, list []string, l layout) {
	for _, text := range list {
		for i, line := range console.Wrap(text, l.width-4) {
			mark := "- "
			if i > 0 {
				mark = "  "
			}
			fmt.Fprintf(w, "  %s%s\n", mark, line)
		}
	}
}

// leastBar and mostBar are how many columns a share of 100% takes.
const leastBar, mostBar = 8, 32

func (s *section) writeTable(w io.Writer, l layout) error {
	if len(s.rows) == 0 {
		return nil
	}
	table := console.Table{Indent: 2}
	room := l.width - s.fixed()
	bars := min(max(room, leastBar), mostBar)
	head := make([]string, len(s.columns))
	for i, c := range s.columns {
		head[i] = c.name
		if c.bar {
			head[i] = ""
			if i < len(s.columns)-1 {
				head[i] = strings.Repeat(" ", bars)
			}
		}
		table.Right = append(table.Right, c.right && !c.bar)
	}
	table.Painted(l.style.Dim, head...)
	for _, r := range s.rows {
		cells := append([]string{}, r.cells...)
		for i, c := range s.columns {
			switch {
			case c.code:
				cells[i] = clip(cells[i], room)
			case c.bar:
				cells[i] = bar(r.bar, bars)
			}
		}
		table.Painted(r.mark.paint(l.style), cells...)
	}
	return table.Write(w)
}

// fixed is how wide a table is without its source text or bars.
func (s *section) fixed() int {
	const indent, gap = 2, 2
	sum := indent - gap
	for i, c := range s.columns {
		width := 0
		if !c.code && !c.bar {
			width = utf8.RuneCountInString(c.name)
			for _, r := range s.rows {
				width = max(width, utf8.RuneCountInString(r.cells[i]))
			}
		}
		sum += width + gap
	}
	return sum
}

func (s sheet) writeMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i := range s {
		if s[i].title != "" {
			fmt.Fprintf(out, "%s %s\n\n", []string{"##", "###"}[min(i, 1)], markdown(s[i].title))
		}
		for _, text := range append([]string{strings.Join(s[i].facts, " · ")}, s[i].text...) {
			if text != "" {
				fmt.Fprintf(out, "%s\n\n", markdown(text))
			}
		}
		s[i].writeMarkdownTable(out)
		for _, text := range s[i].below {
			fmt.Fprintf(out, "%s\n\n", markdown(text))
		}
		for _, text := range s[i].notes {
			fmt.Fprintf(out, "- %s\n", markdown(text))
		}
		if len(s[i].notes) > 0 {
			fmt.Fprintln(out)
		}
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
		if c.bar {
			continue
		}
		align += map[bool]string{false: "l", true: "r"}[c.right]
		head = append(head, c.name)
	}
	rows := [][]string{head}
	for _, r := range s.rows {
		var cells []string
		for i, c := range s.columns {
			switch {
			case c.code:
				cells = append(cells, code(r.cells[i]))
			case !c.bar:
				cells = append(cells, markdown(r.cells[i]))
			}
		}
		rows = append(rows, cells)
	}
	writeMarkdownTable(out, align, rows)
}
