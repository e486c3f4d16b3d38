package sheet

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Sheet is a report as sections, which are built once and written as text or Markdown.
type Sheet []Section

// Section is a part of a report, in the order of its fields. Each of them may be missing.
type Section struct {
	Title   string
	Facts   []string // in a line, with points between them
	Text    []string // sentences
	Columns []Column
	Rows    []Row
	Below   []string // sentences on the table
	Notes   []string // a list
}

// Column is a column of a table.
type Column struct {
	Name  string
	Right bool // aligned to the right
	Code  bool // source text, which is cut where lines end
	Bar   bool // drawings of shares, in text alone
}

// Row is a row of a table.
type Row struct {
	Cells []string
	Mark  Mark
	Bar   float64 // the share that the column of bars draws
}

// Mark is how a row is set off in text.
type Mark uint8

// The marks.
const (
	Plain Mark = iota
	Dim
	Bold
	Alarm
)

func (m Mark) paint(s Style) func(string) string {
	return [...]func(string) string{nil, s.Dim, s.Bold, s.Alarm}[m]
}

// BarColumn is the name of a column of bars.
const BarColumn = "|"

// ColumnsOf are columns of names, aligned to the right but for the first and those whose name ends in "<".
func ColumnsOf(names ...string) []Column {
	list := make([]Column, len(names))
	for i, name := range names {
		text, left := strings.CutSuffix(name, "<")
		list[i] = Column{Name: text, Right: !left && i > 0, Code: text == "source", Bar: text == BarColumn}
	}
	return list
}

// Add appends a row of cells.
func (s *Section) Add(cells ...string) { s.Rows = append(s.Rows, Row{Cells: cells}) }

// WriteText writes a report for people.
func (s Sheet) WriteText(w io.Writer, l Layout) error {
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

func (s *Section) writeText(w io.Writer, l Layout) error {
	if s.Title != "" {
		for _, line := range Wrap(s.Title, l.Width) {
			fmt.Fprintln(w, l.Style.Bold(line))
		}
	}
	if len(s.Facts) > 0 {
		for _, line := range WrapItems(s.Facts, l.Width) {
			fmt.Fprintln(w, l.Style.Dim(line))
		}
	}
	writeSentences(w, s.Text, l)
	if err := s.writeTable(w, l); err != nil {
		return err
	}
	writeSentences(w, s.Below, l)
	writeNotes(w, s.Notes, l)
	return nil
}

func writeSentences(w io.Writer, list []string, l Layout) {
	for _, text := range list {
		for _, line := range Wrap(text, l.Width-2) {
			fmt.Fprintln(w, "  "+line)
		}
	}
}

// writeNotes writes a list.
func writeNotes(w io.Writer, list []string, l Layout) {
	for _, text := range list {
		for i, line := range Wrap(text, l.Width-4) {
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

func (s *Section) writeTable(w io.Writer, l Layout) error {
	if len(s.Rows) == 0 {
		return nil
	}
	table := Table{Indent: 2}
	room := l.Width - s.fixed()
	bars := min(max(room, leastBar), mostBar)
	head := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		head[i] = c.Name
		if c.Bar {
			head[i] = ""
			if i < len(s.Columns)-1 {
				head[i] = strings.Repeat(" ", bars)
			}
		}
		table.Right = append(table.Right, c.Right && !c.Bar)
	}
	table.Painted(l.Style.Dim, head...)
	for _, r := range s.Rows {
		cells := append([]string{}, r.Cells...)
		for i, c := range s.Columns {
			switch {
			case c.Code:
				cells[i] = Clip(cells[i], room)
			case c.Bar:
				cells[i] = Bar(r.Bar, bars)
			}
		}
		table.Painted(r.Mark.paint(l.Style), cells...)
	}
	return table.Write(w)
}

// fixed is how wide a table is without its source text or bars.
func (s *Section) fixed() int {
	const indent, gap = 2, 2
	sum := indent - gap
	for i, c := range s.Columns {
		width := 0
		if !c.Code && !c.Bar {
			width = utf8.RuneCountInString(c.Name)
			for _, r := range s.Rows {
				width = max(width, utf8.RuneCountInString(r.Cells[i]))
			}
		}
		sum += width + gap
	}
	return sum
}
