package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMutants lists what can be changed in a file: operators, constants, negations, cases; no table and no message.
func TestMutants(t *testing.T) {
	root := t.TempDir()
	text := `package p

var table = []int{1, 2}

const limit = 3

func f(a, b int, c bool) (n int) {
	if !c && a < b {
		n += min(a, 7)
	}
	switch m := make([]int, 4, 5); a {
	case b, limit:
		panic(errorf("%d", 9))
	case 6:
		c = told("two words", 9) || told(8)
	}
	n++
	return n
}

func g(err error, _ [3]int) (int, error) {
	if err != nil {
		return 0, err
	}
	return 1, nil
}

func h() (int, string) { return 4, "two words" }
`
	if err := os.WriteFile(filepath.Join(root, "p.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := mutants(root, filepath.Join(root, "p.go"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, strings.TrimPrefix(m.String(), "p.go:"))
	}
	want := []string{"8: && becomes ||", "8: ! becomes ", "8: < becomes <=", "9: += becomes -=", "9: min becomes max",
		"9: 7 becomes 8", "11: 4 becomes 5", "12: b,  becomes ", "14: 6 becomes 7", "15: || becomes &&",
		"15: 8 becomes 9", "17: ++ becomes --", "22: != becomes ==", "25: 1 becomes 2"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if changed := string(list[2].apply([]byte(text))); !strings.Contains(changed, "if !c && a <= b {") {
		t.Error(changed)
	}
}

// module is a folder with a module of some files.
func module(t *testing.T, files map[string]string) string {
	root := t.TempDir()
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	files["go.mod"] = "module p\n\ngo 1.26\n"
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestOutcomes: a test that fails has noticed a mutant, also one of another package that executes it; one that passes
// has not, some mutants are no program, and others no test executes, not even their package's own.
func TestOutcomes(t *testing.T) {
	root := module(t, map[string]string{
		"p.go":           "package p\n\nfunc F(n int) int { return n + 1 }\n\nfunc g(n int) int { return n + 1 }\n",
		"p_test.go":      "package p\n\nimport \"testing\"\n\nfunc TestG(*testing.T) {\n\tg(0)\n}\n",
		"idle/i.go":      "package idle\n\nfunc H(n int) int { return n + 1 }\n",
		"idle/i_test.go": "package idle\n\nimport \"testing\"\n\nfunc TestNone(*testing.T) {}\n",
		"other/o_test.go": "package other\n\nimport (\n\t\"testing\"\n\n\t\"p\"\n)\n\n" +
			"func TestF(t *testing.T) {\n\tif p.F(1) != 2 {\n\t\tt.Fail()\n\t}\n}\n",
	})
	kept := t.TempDir()
	var out strings.Builder
	for range 2 { // the second time with what the first has kept
		out.Reset()
		o := options{root: root, packages: []string{"./..."}, tests: []string{"./..."}, number: 9, seed: 1,
			seconds: 60, profiles: kept}
		score, err := o.measure(&out)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"noticed    p.go:3: + becomes -  p/other TestF", "SURVIVED   p.go:5: + becomes -",
			"2 of 6 mutants noticed: 33%; 0 more do not compile", "SURVIVED: 2\n", "UNEXECUTED: 2\nidle/i.go:3:"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in\n%s", want, out.String())
			}
		}
		if math.Round(score) != 33 {
			t.Errorf("score %v", score)
		}
	}
	o := options{root: root, seconds: 60}
	always := []*suite{{Package: "p", Blocks: map[string][][2]place{"p.go": {{{1, 1}, {9, 1}}}}}}
	m := mutant{file: "p.go", at: place{1, 9}, start: 9, end: 10, was: "\n", is: "{"}
	if r := o.test(m, always); r.err != nil || r.outcome != invalid {
		t.Error(r)
	}
	if _, err := suites(filepath.Join(root, "none"), "", []string{"."}, []string{"."}); err == nil {
		t.Error("a folder that is not there")
	}
}

// TestChosen: its own tests come first, then those of all stages, then quick ones; what takes too long is left out.
func TestChosen(t *testing.T) {
	var all []*suite
	for _, s := range []suite{{Package: "p/cmd", Seconds: 9}, {Package: "p/long", Seconds: 40},
		{Package: "p/quick", Seconds: 2}, {Package: "p/internal/test/all", Seconds: 20},
		{Package: "p/own", Seconds: 25}, {Package: "p/not", Seconds: 1}} {
		if s.Package != "p/not" {
			s.Blocks = map[string][][2]place{"own/a.go": {{{1, 1}, {9, 1}}}}
		}
		all = append(all, &s)
	}
	got := ""
	for _, s := range (&options{within: 60}).chosen(mutant{file: "own/a.go", at: place{2, 1}}, all) {
		got += s.Package + " "
	}
	if want := "p/own p/internal/test/all p/quick p/cmd "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestEndless: a mutant that does not end is noticed after so much processor time.
func TestEndless(t *testing.T) {
	const p = "package p\n\nfunc f(n int) int {\n\tfor n > 0 {\n\t\tn--\n\t}\n\treturn n\n}\n"
	root := module(t, map[string]string{"p.go": p, "p_test.go": "package p\n\nimport \"testing\"\n\n" +
		"func TestF(t *testing.T) {\n\tif f(3) != 0 {\n\t\tt.Fail()\n\t}\n}\n"})
	o := options{root: root, seconds: 5}
	tests, err := suites(root, "", []string{"p"}, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(p, "--")
	m := mutant{file: "p.go", at: place{5, 3}, start: at, end: at + 2, was: "--", is: "++"}
	if r := o.test(m, tests); r.err != nil || r.outcome != noticed {
		t.Error(r)
	}
	m.is = "-- "
	if r := o.test(m, tests); r.err != nil || r.outcome != survived {
		t.Error("the same program:", r)
	}
}

// TestCases: the values of a switch are executed where it is, also if none of its clauses is.
func TestCases(t *testing.T) {
	root := module(t, map[string]string{
		"p.go": "package p\n\nfunc f(n int) int {\n\tswitch n {\n\tcase 1, 2:\n\t\treturn 3\n\t}\n\treturn n\n}\n",
		"p_test.go": "package p\n\nimport \"testing\"\n\n" +
			"func TestF(t *testing.T) {\n\tif f(4) != 4 {\n\t\tt.Fail()\n\t}\n}\n"})
	tests, err := suites(root, "", []string{"p"}, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	list, err := mutants(root, filepath.Join(root, "p.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if got, want := tests[0].executes(m.file, m.at), m.was != "3"; got != want {
			t.Errorf("%v: executed %v", m, got)
		}
	}
}
