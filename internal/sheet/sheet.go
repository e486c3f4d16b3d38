package sheet

import "strings"

// Sheet is a report as sections, which are built once and written as text or Markdown. Sections without content are
// left out.
type Sheet []Section

// Section is a part of a report, in the order of its fields. Each of them may be missing.
type Section struct {
	Title    string
	About    []string // in a line, with points between them
	Text     []string // sentences
	Facts    []Fact
	Items    []Item
	Columns  []Column
	Rows     []Row
	Whole    bool     // rows keep to a line, however wide: lists that are searched for a word
	Below    []string // sentences on the table
	Notes    []string // a list
	Verbatim string   // lines that are kept as they are
}

// empty reports whether there is nothing to write; the head of a table without rows is nothing.
func (s *Section) empty() bool {
	return s.Title == "" && s.Verbatim == "" && len(s.About)+len(s.Text)+len(s.Facts)+len(s.Items)+len(s.Rows)+
		len(s.Below)+len(s.Notes) == 0
}

// Fact is a sentence with a short name.
type Fact struct {
	Name, Text string
	Quote      string // source line; empty for none
}

// Item is a sentence on a source line with what supports it.
type Item struct {
	Head  string
	Quote string // source line; empty for none
	Caret int    // column of the quote that is marked, from 1; 0 = none
	Notes []string
}

// Column is a column of a table.
type Column struct {
	Name  string
	Right bool // aligned to the right
	Code  bool // source text, which is cut where lines end
	Bar   bool // drawings of shares, in text alone
	Wrap  bool // text that is broken into lines where lines end
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

// ColumnsOf are columns of names, aligned to the right but for the first and those whose name ends in "<";
// text in the last of them is broken into lines where the name ends in "<<".
func ColumnsOf(names ...string) []Column {
	list := make([]Column, len(names))
	for i, name := range names {
		text, wrap := strings.CutSuffix(name, "<<")
		text, left := strings.CutSuffix(text, "<")
		list[i] = Column{Name: text, Right: !left && !wrap && i > 0, Code: text == "source" && !wrap,
			Bar: text == BarColumn, Wrap: wrap}
	}
	return list
}

// Add appends a row of cells.
func (s *Section) Add(cells ...string) { s.Rows = append(s.Rows, Row{Cells: cells}) }
