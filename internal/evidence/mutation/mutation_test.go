package main

import (
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
	switch a {
	case b, limit:
		panic(errorf("%d", 9))
	}
	n++
	return n
}
`
	if err := os.WriteFile(filepath.Join(root, "p.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := mutants(root, ".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, strings.TrimPrefix(m.String(), "p.go:"))
	}
	want := []string{"8: && becomes ||", "8: ! becomes ", "8: < becomes <=", "9: += becomes -=", "9: min becomes max",
		"9: 7 becomes 8", "12: b,  becomes ", "15: ++ becomes --"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if changed := string(list[2].apply([]byte(text))); !strings.Contains(changed, "if !c && a <= b {") {
		t.Error(changed)
	}
}

// TestOutcomes: a test that fails has noticed a mutant, one that passes has not, and some mutants are no program.
func TestOutcomes(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module p\n\ngo 1.26\n",
		"p.go":      "package p\n\nfunc f(n int) int { return n + 1 }\n\nfunc g(n int) int { return n + 1 }\n",
		"p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tif f(1) != 2 || g(0) == 5 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	o := options{root: root, packages: []string{"."}, number: 9, seed: 1, seconds: 60}
	var out strings.Builder
	score, err := o.measure(&out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"noticed  p.go:3: + becomes -", "SURVIVED p.go:5: + becomes -",
		"2 of 4 mutants noticed: 50%; 0 more do not compile"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if score != 50 {
		t.Errorf("score %v", score)
	}
	m := mutant{file: "p.go", start: 9, end: 10, was: "\n", is: "{"}
	if r, err := o.test(m); err != nil || r != invalid {
		t.Errorf("%v, %v", r, err)
	}
}

// TestEndless: a mutant that does not end is noticed after so much processor time.
func TestEndless(t *testing.T) {
	root := t.TempDir()
	const p = "package p\n\nfunc f(n int) int {\n\tfor n > 0 {\n\t\tn--\n\t}\n\treturn n\n}\n"
	for name, text := range map[string]string{
		"go.mod": "module p\n\ngo 1.26\n", "room/p.go": strings.Replace(p, "f(", "F(", 1),
		"p_test.go": "package p\n\nimport (\n\t\"testing\"\n\n\t\"p/room\"\n)\n\n" +
			"func TestF(t *testing.T) {\n\tif p.F(3) != 0 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		if err := os.MkdirAll(filepath.Join(root, "room"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	o := options{root: root, seconds: 5}
	at := strings.Index(p, "--")
	m := mutant{file: "room/p.go", start: at, end: at + 2, was: "--", is: "++"}
	if r, err := o.test(m); err != nil || r != noticed {
		t.Errorf("%v, %v", r, err)
	}
	m.is = "-- "
	if r, err := o.test(m); err != nil || r != survived {
		t.Errorf("the same program: %v, %v", r, err)
	}
}
