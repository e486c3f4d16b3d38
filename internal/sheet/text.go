package sheet

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// WriteText writes a report for people.
func (s Sheet) WriteText(w io.Writer, l Layout) error {
	out := bufio.NewWriter(w)
	t := &textWriter{l, out}
	begun := false
	for i := range s {
		if s[i].empty() {
			continue
		}
		if begun {
			fmt.Fprintln(out)
		}
		begun = true
		if err := t.section(&s[i]); err != nil {
			return err
		}
	}
	return out.Flush()
}

// textWriter writes sections, in order of their fields. Its writer keeps the first error until it is flushed.
type textWriter struct {
	Layout
	out *bufio.Writer
}

func (t *textWriter) section(s *Section) error {
	t.hang("", "", s.Title, t.Style.Bold)
	if len(s.About) > 0 {
		for _, line := range WrapItems(s.About, t.Width) {
			fmt.Fprintln(t.out, t.Style.Dim(line))
		}
	}
	for _, text := range s.Text {
		t.hang("  ", "  ", text, nil)
	}
	for i := range s.Facts {
		t.fact(&s.Facts[i])
	}
	for i := range s.Items {
		t.item(&s.Items[i])
	}
	for _, part := range s.fitting(t.Width) {
		if err := t.table(&part); err != nil {
			return err
		}
	}
	for _, text := range s.Below {
		t.hang("  ", "  ", text, nil)
	}
	for _, text := range s.Notes {
		t.hang("  - ", "    ", text, nil)
	}
	_, err := t.out.WriteString(s.Verbatim)
	return err
}

// hang writes a text in lines, the first behind a text of its own; paint nil leaves them plain.
func (t *textWriter) hang(first, indent, text string, paint func(string) string) {
	if text == "" {
		return
	}
	for i, line := range Wrap(text, t.Width-len(indent)) {
		if paint != nil {
			line = paint(line)
		}
		if i == 0 {
			line = first + line
		} else {
			line = indent + line
		}
		fmt.Fprintln(t.out, line)
	}
}

// factIndent is the column in which what is said about a fact begins.
const factIndent = 13

func (t *textWriter) fact(f *Fact) {
	indent := strings.Repeat(" ", factIndent)
	t.hang("  "+t.Style.Bold(f.Name)+indent[min(2+len(f.Name), factIndent-1):], indent, f.Text, nil)
	if f.Quote != "" {
		fmt.Fprintln(t.out, indent+t.Style.Alarm(Clip(f.Quote, t.Width-factIndent)))
	}
}

func (t *textWriter) item(x *Item) {
	t.hang("  ", "  ", x.Head, t.Style.Bold)
	if x.Quote != "" {
		room := t.Width - 4
		fmt.Fprintln(t.out, "    "+Clip(x.Quote, room))
		if x.Caret > 0 && x.Caret <= room {
			fmt.Fprintf(t.out, "    %*s\n", x.Caret, "^")
		}
	}
	for _, text := range x.Notes {
		t.hang("    - ", "      ", text, nil)
	}
}

// leastBar and mostBar are how many columns a share of 100% takes.
const leastBar, mostBar = 8, 32

func (t *textWriter) table(s *Section) error {
	if len(s.Rows) == 0 {
		return nil
	}
	table := Table{Indent: 2, Gap: s.gap(t.Width)}
	room := t.Width - s.fixed(table.Gap)
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
	if slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Name != "" && !c.Bar }) {
		table.Painted(t.Style.Dim, head...)
	}
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
		last := len(cells) - 1
		if !s.Columns[last].Wrap {
			table.Painted(r.Mark.paint(t.Style), cells...)
			continue
		}
		for _, line := range wrap(breakWords(cells[last], max(room, leastClip)), max(room, leastClip)) {
			cells[last] = line
			table.Painted(r.Mark.paint(t.Style), cells...)
			cells = make([]string, len(cells))
		}
	}
	return table.Write(t.out)
}

// gap is how many blanks are between the columns of a table: one where more do not fit.
func (s *Section) gap(width int) int {
	if !s.Whole && s.fixed(gap)+s.least() > width {
		return 1
	}
	return gap
}

// least is how wide source text, a bar or text in lines is at least.
func (s *Section) least() (n int) {
	for _, c := range s.Columns {
		switch {
		case c.Bar:
			n += leastBar
		case c.Code, c.Wrap:
			n += leastClip
		}
	}
	return n
}

// fitting are tables of so many columns of text with the columns of one, each with its first: that tells their rows.
func (s *Section) fitting(width int) []Section {
	part := *s
	if s.Whole {
		return []Section{part}
	}
	for n := len(s.Columns); n >= 2; n-- {
		if part.Columns = s.Columns[:n]; part.fixed(1)+part.least() > width && n > 2 {
			continue
		}
		if n == len(s.Columns) {
			break
		}
		rest := *s
		rest.Columns = append([]Column{s.Columns[0]}, s.Columns[n:]...)
		rest.Rows = nil
		part.Rows = nil
		for _, r := range s.Rows {
			own, others := r, r
			own.Cells = r.Cells[:n]
			others.Cells = append([]string{r.Cells[0]}, r.Cells[n:]...)
			part.Rows, rest.Rows = append(part.Rows, own), append(rest.Rows, others)
		}
		return append([]Section{part}, rest.fitting(width)...)
	}
	return []Section{*s}
}

// fixed is how wide a table is without its source text, bars or text in lines.
func (s *Section) fixed(gap int) int {
	const indent = 2
	sum := indent - gap
	for i, c := range s.Columns {
		width := 0
		if !c.Code && !c.Bar && !c.Wrap {
			width = utf8.RuneCountInString(c.Name)
			for _, r := range s.Rows {
				width = max(width, utf8.RuneCountInString(r.Cells[i]))
			}
		}
		sum += width + gap
	}
	return sum
}
