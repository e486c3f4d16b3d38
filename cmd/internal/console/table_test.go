package console

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
	table.Painted(Style{on: true}.Bold, "a", "b")
	table.Row("long", "c")
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "\x1b[1ma\x1b[0m     \x1b[1mb\x1b[0m\nlong  c\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParseNumbers(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
		err  string
	}{
		{"1", 1, ""}, {"0x10", 16, ""}, {"64", 64, ""}, {"65", 0, "65 is more than 64"}, {"0", 0, "0 is less than 1"},
		{"-3", 0, "-3 is less than 1"}, {"1.5", 0, `"1.5" is not a whole number`}, {"", 0, `"" is not a whole number`},
		{"99999999999999999999", 0, "99999999999999999999 is too large"},
	} {
		got, err := ParseBetween(1, 64)(c.text)
		if c.err == "" && (err != nil || got != c.want) || c.err != "" && (err == nil || err.Error() != c.err) {
			t.Errorf("%q: %d, %v; want %d, %s", c.text, got, err, c.want, c.err)
		}
	}
}

func TestStatusHelpListsEveryStatus(t *testing.T) {
	if got := StatusHelp(true); !strings.Contains(got, "  4    information is missing under --strict\n") || !strings.Contains(got, "  130  interrupted\n") {
		t.Errorf("got\n%s", got)
	}
	if strings.Contains(StatusHelp(false), "strict") {
		t.Error("a command without --strict speaks of it")
	}
}
