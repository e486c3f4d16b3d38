package sheet

import (
	"bytes"
	"strings"
	"testing"
)

// everything is a sheet with all that sections have.
func everything() Sheet {
	lines := Section{Title: "Lines", Columns: ColumnsOf("line", "busy", BarColumn, "source<"),
		Below: []string{"and 2 more lines"}}
	lines.Rows = []Row{{Cells: []string{"3", "50%", "", "a[i] |= b_c;"}, Bar: 0.5, Mark: Alarm}}
	numbers := Section{Columns: ColumnsOf("", "<<")}
	numbers.Add("limits.warps", strings.Repeat("of a compute unit ", 4))
	return Sheet{
		{Title: "k on d", About: []string{"k.cl", "8 groups"}, Text: []string{"a sentence"}},
		{Facts: []Fact{{Name: "time", Text: "5 µs"}, {Name: "roof"},
			{Name: "bound by", Text: "latency", Quote: "3 | a[i] |= b_c;"}}},
		{Items: []Item{{Head: "saves 5%", Quote: "3 | a[i] |= b_c;", Caret: 5,
			Notes: []string{"a proof", "a remedy"}}}},
		{Columns: ColumnsOf("no", "rows")},
		lines,
		numbers,
		{Title: "Assumed", Notes: []string{"a < b"}},
		{Title: "Profile", Verbatim: "|AB|\n"},
	}
}

func TestWriteText(t *testing.T) {
	var b bytes.Buffer
	if err := everything().WriteText(&b, Layout{Width: 44}); err != nil {
		t.Fatal(err)
	}
	want := `k on d
k.cl · 8 groups
  a sentence

  time       5 µs
  bound by   latency
             3 | a[i] |= b_c;

  saves 5%
    3 | a[i] |= b_c;
        ^
    - a proof
    - a remedy

Lines
  line  busy                                source
  3      50%  ██████████████                a[i] |= b_c;
  and 2 more lines

  limits.warps  of a compute unit of a
                compute unit of a compute
                unit of a compute unit

Assumed
  - a < b

Profile
|AB|
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWriteMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := everything().WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## k on d\n\nk.cl · 8 groups\n\na sentence\n\n",
		"|  |  |\n|---|---|\n| time | 5 µs |\n", "| bound by | latency `3 \\| a[i] \\|= b_c;` |\n",
		"- **saves 5%**\n  - `3 | a[i] |= b_c;`\n  - a proof\n  - a remedy\n\n",
		"### Lines\n\n| line | busy | source |\n|---|---:|---|\n| 3 | 50% | `a[i] \\|= b_c;` |\n\nand 2 more lines\n\n",
		"- a &lt; b\n\n", "```\n|AB|\n```\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}

func TestWriteCSV(t *testing.T) {
	type life struct {
		Warp uint32 `json:"warp"`
	}
	type row struct {
		life
		Name  string   `json:"name"`
		Time  float64  `json:"seconds"`
		Error *float64 `json:"error,omitempty"`
	}
	records := RecordsOf([]row{{life{1}, `a,"b"`, 2.5e-5, nil}})
	var b bytes.Buffer
	if err := records.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "warp,name,seconds,error\n1,\"a,\"\"b\"\"\",0.000025,\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	records.Rows[0][1] = "=cmd()"
	b.Reset()
	if err := records.WriteCSV(&b); err != nil || !strings.Contains(b.String(), "1,'=cmd(),") {
		t.Errorf("a formula is written as %q, %v", b.String(), err)
	}
	records.Rows[0][2] = func() {}
	if err := records.WriteCSV(&b); err == nil {
		t.Error("a function was written")
	}
}

// TestNarrow: what is wider than the report is set closer, then in tables one below the other, whose rows begin alike.
func TestNarrow(t *testing.T) {
	s := Section{Columns: ColumnsOf("name", "seconds", "registers", "text<<")}
	s.Add("first", "12", "255", "a/word/that/is/longer/than/its/column and more")
	for width, want := range map[int]string{
		45: `  name   seconds  registers  text
  first       12        255  a/word/that/is/l
                             onger/than/its/c
                             olumn and more
`,
		42: `  name  seconds registers text
  first      12       255 a/word/that/is/l
                          onger/than/its/c
                          olumn and more
`,
		36: `  name   seconds  registers
  first       12        255
  name   text
  first  a/word/that/is/longer/than/
         its/column and more
`,
	} {
		var b bytes.Buffer
		if err := (Sheet{s}).WriteText(&b, Layout{Width: width}); err != nil || b.String() != want {
			t.Errorf("%d columns: %v, got\n%swant\n%s", width, err, &b, want)
		}
	}
}
