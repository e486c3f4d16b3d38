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

func h[T ~int | ~int64](int) (T, string) { return 4, "two words" }
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
	changed, err := schemata([]byte(text), list, []int{3}, "p/chosen")
	for _, want := range []string{"package p; import chosenMutant \"p/chosen\"\n",
		"(n int) { if chosenMutant.Is(3) { /*line mutant3.go:1*/ \n\tif !c && a <= b {", "\n };\n\tif !c && a < b {"} {
		if err != nil || !strings.Contains(string(changed), want) {
			t.Errorf("%v: no %q in\n%s", err, want, changed)
		}
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

// measured is what is printed about all mutants of a module.
func measured(t *testing.T, root string) (string, float64) {
	t.Helper()
	var out strings.Builder
	o := options{root: root, packages: []string{"./..."}, tests: []string{"./..."}, number: 99, seed: 1, seconds: 2,
		within: 60}
	score, err := o.measure(&out)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), score
}

// TestOutcomes: a test that fails has noticed a mutant, also one of another package that calls its function; one that
// passes has not, some mutants are no program, and the functions of others no test calls, not even their package's own.
func TestOutcomes(t *testing.T) {
	out, score := measured(t, module(t, map[string]string{
		"p.go": "package p\n\nfunc F(n int) int { return n + 1 }\n\nfunc g(n int) int { return n + 1 }\n\n" +
			"func h(n uint8) uint8 { return n + 255 }\n",
		"p_test.go":      "package p\n\nimport \"testing\"\n\nfunc TestG(*testing.T) {\n\tg(0)\n\th(0)\n}\n",
		"idle/i.go":      "package idle\n\nfunc H(n int) int { return n + 1 }\n",
		"idle/i_test.go": "package idle\n\nimport \"testing\"\n\nfunc TestNone(*testing.T) {}\n",
		"other/o_test.go": "package other\n\nimport (\n\t\"testing\"\n\n\t\"p\"\n)\n\n" +
			"func TestF(t *testing.T) {\n\tif p.F(1) != 2 {\n\t\tt.Fail()\n\t}\n}\n",
		"broken/b_test.go": "package broken\n\nimport (\n\t\"testing\"\n\n\t\"p\"\n)\n\n" +
			"func TestF(t *testing.T) { t.Fatal(p.F(1)) }\n",
	}))
	for _, want := range []string{"noticed    p.go:3: + becomes -  p/other TestF", "SURVIVED   p.go:5: + becomes -",
		"invalid    p.go:7: 255 becomes 256", "2 of 7 mutants noticed: 29%; 1 more do not compile", "SURVIVED: 3\n",
		"UNCALLED: 2\nidle/i.go:3:", "left out: p/broken without a mutant: exit status 1"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if math.Round(score) != 29 {
		t.Errorf("score %v", score)
	}
	p := &program{root: "none"}
	if _, err := p.suites([]string{"."}); err == nil {
		t.Error("a folder that is not there")
	}
}

// TestFunctions: functions of every form have mutants; one that does not end is noticed after so much processor time.
func TestFunctions(t *testing.T) {
	if out, score := measured(t, module(t, map[string]string{
		"p.go": `package p

type list[T any] struct{ n int }

func (l *list[T]) add(_ T) { l.n++ }

func (list[T]) none(int, ...T) int { return 0 }

func plus[T, U any](_ T, n int, _ ...U) int { return n + 2 }

func down(n int) int {
	for n > 0 {
		n--
	}
	return n
}
`,
		"p_test.go": `package p

import "testing"

func TestAll(t *testing.T) {
	l := &list[string]{}
	if l.add("x"); l.n != 1 || l.none(1, "x") != 0 || plus[string, int]("x", 3, 4, 5) != 5 || down(3) != 0 {
		t.Fail()
	}
}
`})); score != 100 || !strings.Contains(out, "7 of 7 ") {
		t.Errorf("%v: %s", score, out)
	}
}

// TestChosen: its own tests come first, then those of all stages, then others, of each quick ones; tests that do not
// call the function are left out.
func TestChosen(t *testing.T) {
	var all []*suite
	for _, s := range []*suite{{tested: "p/cmd", seconds: 9}, {tested: "p/quick", seconds: 2},
		{tested: "p/internal/test/all", seconds: 20}, {tested: "p/own", seconds: 25}, {tested: "p/not", seconds: 1}} {
		s.calls = map[int]bool{7: s.tested != "p/not"}
		all = append(all, s)
	}
	got := ""
	for _, group := range grouped("own/a.go", all) {
		for _, s := range chosen(group, 7) {
			got += s.tested + " "
		}
	}
	if want := "p/own p/internal/test/all p/quick p/cmd "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
