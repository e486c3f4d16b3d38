package sheet

import (
	"bufio"
	"cmp"
	"io"
	"strings"
	"unicode/utf8"
)

// Table is text in aligned columns. Cells hold no line breaks; the last column may
// be of any length.
type Table struct {
	Indent int    // blanks before each row
	Gap    int    // blanks between columns; 0 = two
	Right  []bool // by column: aligned to the right
	Width  int    // of rows, whose last cells are clipped; 0 = any
	rows   [][]cell
}

// cell is a text and the style it is painted with.
type cell struct {
	text  string
	paint func(string) string
}

// Row appends a row of plain cells.
func (t *Table) Row(cells ...string) { t.Painted(nil, cells...) }

// Painted appends a row whose cells are painted after they were aligned; paint
// nil leaves them plain.
func (t *Table) Painted(paint func(string) string, cells ...string) {
	row := make([]cell, len(cells))
	for i, c := range cells {
		row[i] = cell{c, paint}
	}
	t.rows = append(t.rows, row)
}

// gap is the number of blanks between columns, unless a table has its own.
const gap = 2

// Write prints the rows, without blanks at their ends. Columns that are empty
// in all rows are left out.
func (t *Table) Write(w io.Writer) error {
	var width []int
	for _, r := range t.rows {
		for i, c := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(c.text))
		}
	}
	out := bufio.NewWriter(w)
	for _, r := range t.rows {
		out.WriteString(t.line(r, width))
		out.WriteByte('\n')
	}
	return out.Flush()
}

func (t *Table) line(row []cell, width []int) string {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", t.Indent))
	pending := 0 // blanks before the next text
	first := true
	for i, c := range row {
		if width[i] == 0 {
			continue
		}
		if !first {
			pending += cmp.Or(t.Gap, gap)
		}
		first = false
		pad := width[i] - utf8.RuneCountInString(c.text)
		right := i < len(t.Right) && t.Right[i]
		if right {
			pending += pad
		}
		if c.text == "" {
			if !right {
				pending += pad
			}
			continue
		}
		b.WriteString(strings.Repeat(" ", pending))
		pending = 0
		if t.Width > 0 && i == len(row)-1 {
			c.text = Clip(c.text, t.Width-utf8.RuneCountInString(b.String()))
		}
		if c.paint != nil {
			b.WriteString(c.paint(c.text))
		} else {
			b.WriteString(c.text)
		}
		if !right {
			pending = pad
		}
	}
	if strings.TrimSpace(b.String()) == "" {
		return ""
	}
	return b.String()
}
