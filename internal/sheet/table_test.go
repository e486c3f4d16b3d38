package sheet

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	table := Table{Indent: 2, Right: []bool{false, true}}
	table.Row("name", "n", "", "text")
	table.Row("µs", "1,000", "", "")
	table.Row("", "7", "", "λ and Λ")
	table.Row("", "", "", "")
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := "  name      n  text\n" +
		"  µs    1,000\n" +
		"            7  λ and Λ\n" +
		"\n"
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTablePaintsAfterAligning(t *testing.T) {
	table := Table{}
	table.Painted(Style{Colour: true}.Bold, "a", "b")
	table.Row("long", "c")
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "\x1b[1ma\x1b[0m     \x1b[1mb\x1b[0m\nlong  c\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
