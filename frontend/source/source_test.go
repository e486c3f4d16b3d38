package source

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/frontend/tokens"
)

// newFile is a file with a text.
func newFile(t *testing.T, name, text string) *File {
	t.Helper()
	list, _, err := tokens.Lex(text, true)
	if err != nil {
		t.Fatal(err)
	}
	return &File{Name: name, List: list, Written: list, Lines: LineStarts(text)}
}

// TestEdits applies random edits to a text and checks that each character that stays is mapped to
// itself, and what is put in to its place.
func TestEdits(t *testing.T) {
	const text = "int a = 1;\nfloat b; // c\n#if D\nvoid f(int x) { x++; }\n#endif\n"
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		f := newFile(t, "k.cu", text)
		var edits []Edit
		for i, tok := range f.Tokens {
			e := Edit{Start: tok.Start, End: tok.Start, Order: Before, Text: "<"}
			switch rng.IntN(6) {
			case 0:
			case 1:
				e = Edit{Start: tok.End, End: tok.End, Order: Behind, Text: ">"}
			case 2:
				if f.KindOf(i) == tokens.Newline {
					continue
				}
				e = Edit{Start: tok.Start, End: tok.End, Order: Replace, Text: []string{"", "@@"}[rng.IntN(2)]}
			default:
				continue
			}
			edits = append(edits, e)
		}
		f.Apply(edits)
		if got, want := strings.Count(f.Out, "\n"), strings.Count(text, "\n")+2; got != want {
			t.Fatalf("%q has %d lines, want %d", f.Out, got, want)
		}
		for i := range len(f.Out) - 2 {
			at := f.LogicalOffset(i)
			if c := f.Out[i]; !strings.ContainsRune("<>@", rune(c)) && text[at] != c {
				t.Fatalf("%q: character %d, %q, is mapped to %d, %q", f.Out, i, c, at, text[at])
			}
			if p := f.OutPos(i); p.Line != 1+strings.Count(f.Out[:i], "\n") {
				t.Fatalf("%q: character %d is of line %d", f.Out, i, p.Line)
			}
		}
	}
}

// TestText: what is copied into a text keeps its position, over several texts and continued lines, and what is put
// in has that of what it stands for.
func TestText(t *testing.T) {
	header := newFile(t, "h.cuh", "template\\\n <int N> int f();\n")
	f := newFile(t, "k.cu", "int g(); int h();\n")
	first := &Text{}
	first.Copy(f, 0, 8)
	first.Insert("f_4", header, strings.Index(header.Text, "f()"))
	first.Copy(header, strings.Index(header.Text, "()"), len(header.Text))
	first.Copy(f, 8, len(f.Text))
	list, _, err := tokens.Lex(first.String(), true)
	if err != nil {
		t.Fatal(err)
	}
	f.Become(first, list)
	second := &Text{}
	second.Copy(f, 4, len(f.Text))
	if list, _, err = tokens.Lex(second.String(), true); err != nil {
		t.Fatal(err)
	}
	before := f.Snapshot()
	f.Become(second, list)
	for _, c := range []struct {
		f          *File
		text, want string
	}{
		{f, "g", "k.cu:1:5"}, {f, "f_4", "h.cuh:2:14"}, {f, "();\n", "h.cuh:2:15"}, {f, "h()", "k.cu:1:14"}, {before, "h()", "k.cu:1:14"},
	} {
		if got := c.f.LogicalPos(strings.Index(c.f.Text, c.text)).String(); got != c.want {
			t.Errorf("%q stands at %s, want %s", c.text, got, c.want)
		}
	}
}

// TestSourcePos: positions follow the #line directives that the preprocessor has seen.
func TestSourcePos(t *testing.T) {
	f := newFile(t, "k.cl", "a\n#line 10 \"x.cl\"\nb\n#line 20\nc\n")
	f.Marks = []LineMark{{After: 2, File: "x.cl", Line: 10, Active: true}, {After: 4, Line: 20}}
	for _, c := range []struct{ text, want string }{{"a", "k.cl:1:1"}, {"b", "x.cl:10:1"}, {"c", "x.cl:12:1"}} {
		if got := f.SourcePos(strings.LastIndex(f.Text, c.text)).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
