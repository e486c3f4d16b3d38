package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"gpupipe/internal/test/tools"
)

// TestEntries: every number agrees with its source to the last printed digit, or
// differs and says why; none has more than one right side.
func TestEntries(t *testing.T) {
	for _, s := range sections() {
		for i := range s.entries {
			e := &s.entries[i]
			ours, err := e.ours()
			if err != nil {
				t.Errorf("%d %s, %s: %v", s.number, e.source, e.what, err)
				continue
			}
			got, err := e.outcome(ours)
			switch {
			case err != nil:
				t.Error(err)
			case e.from(&s) == 0:
				t.Errorf("%d %s, %s: no origin", s.number, e.source, e.what)
			case e.printed != "" && (e.derived != 0 || e.deviation) || e.deviation && e.derived != 0:
				t.Errorf("%d %s, %s: the source says two things", s.number, e.source, e.what)
			case e.printed == "" && e.construction != "":
				t.Errorf("%d %s, %s: nothing is printed that could be agreed with by construction", s.number,
					e.source, e.what)
			case got == differs && e.differs == "":
				t.Errorf("%d %s, %s: %v, the source says %s, and no reason is given", s.number, e.source, e.what,
					ours, e.left())
			case got != differs && e.differs != "":
				t.Errorf("%d %s, %s: %v is the source's %s; there is no difference to explain", s.number, e.source,
					e.what, ours, e.left())
			}
		}
	}
}

func TestOutcome(t *testing.T) {
	for _, c := range []struct {
		e    entry
		ours float64
		want outcome
	}{
		{entry{printed: "25"}, 25.4, agrees}, {entry{printed: "25"}, 25.6, differs},
		{entry{printed: "0.0445"}, 0.04454, agrees},
		{entry{printed: "0.0445"}, 0.04456, differs}, {entry{printed: "-11"}, -11.4, agrees},
		{entry{printed: "-11"}, 11, differs},
		{entry{printed: "0.25"}, 0.25, agrees}, {entry{printed: "6.9"}, 6.95, agrees},
		{entry{printed: "544", construction: "given"}, 544, byDefinition},
		{entry{derived: 603}, 603, follows}, {entry{derived: 603}, 603.1, differs},
		{entry{deviation: true}, 1e-12, equals}, {entry{deviation: true}, 0.01, differs},
	} {
		if got, err := c.e.outcome(c.ours); err != nil || got != c.want {
			t.Errorf("%v against %s: %v, want %v (%v)", c.ours, c.e.left(), got, c.want, err)
		}
	}
	if _, err := (&entry{printed: "about 3"}).outcome(3); err == nil {
		t.Error("no error for text")
	}
}

// TestSections: the published results 1 to 25 each have a section, in order.
func TestSections(t *testing.T) {
	var numbers []int
	for _, s := range sections() {
		if s.number > 0 {
			numbers = append(numbers, s.number)
		}
		if len(s.entries) == 0 && s.text == "" {
			t.Errorf("section %q is empty", s.title)
		}
	}
	for n := 1; n <= 25; n++ {
		if n == len(numbers)+1 || numbers[n-1] != n {
			t.Fatalf("the sections are %v, want 1 to 25", numbers)
		}
	}
}

// rendered is what the command writes, made once.
var rendered = sync.OnceValues(func() ([]byte, error) { return document(sections()) })

// TestCurrent: the committed document is what the command writes.
func TestCurrent(t *testing.T) {
	text, err := rendered()
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile(filepath.Join("../../../docs/evidence", page))
	if err != nil || !bytes.Equal(committed, text) {
		t.Errorf("docs/evidence/%s is not current (%v): go run ./internal/evidence/reproduce in the repository's root",
			page, err)
	}
}

// TestDeterministic: the document is the same when it is made again, and has no NaN or Inf.
func TestDeterministic(t *testing.T) {
	tools.Heavy(t)
	a, err := rendered()
	if err != nil {
		t.Fatal(err)
	}
	b, err := document(sections())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) || bytes.Contains(a, []byte("NaN")) || bytes.Contains(a, []byte("Inf")) {
		t.Error("the document differs, or has a NaN or Inf")
	}
}

// TestCitedTests: the tests that sections name exist in the packages that they
// name.
func TestCitedTests(t *testing.T) {
	known := map[string]bool{}
	for _, dir := range []string{"simulate", "simulate/analytic", "simulate/accuracy", "simulate/comparison",
		"cmd/pipesim"} {
		files, err := filepath.Glob(filepath.Join("../../..", dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
				known[string(m[1])] = true
			}
		}
	}
	cited := 0
	for _, s := range sections() {
		for _, name := range regexp.MustCompile(`Test[A-Z]\w+`).FindAllString(s.tests+" "+s.text, -1) {
			if cited++; !known[name] {
				t.Errorf("section %d names %s, which does not exist", s.number, name)
			}
		}
	}
	if cited == 0 {
		t.Error("no test is named")
	}
}

func TestWrite(t *testing.T) {
	made, err := rendered()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "new")
	if err := write(dir, made); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, page))
	if err != nil || !strings.HasPrefix(string(text), "<!-- Generated: go run ./internal/evidence/reproduce -->") {
		t.Errorf("%.40q, %v", text, err)
	}
	if err := write(filepath.Join(dir, page), made); err == nil {
		t.Error("a file was taken for a folder")
	}
	var stderr bytes.Buffer
	for _, args := range [][]string{{"-bogus"}, {"extra"}} {
		if status := run(args, &stderr); status != 2 || stderr.Len() == 0 {
			t.Errorf("%q: status %d, want 2", args, status)
		}
	}
}

// TestTreated: every row has a verdict, and a command or none what it prints.
func TestTreated(t *testing.T) {
	sources := map[string]int{}
	_, rows, _ := strings.Cut(treated, "|---|\n")
	for _, row := range strings.Split(strings.TrimSpace(rows), "\n") {
		cells := strings.Split(strings.ReplaceAll(row, `\|`, ""), " | ")
		if len(cells) != 5 || cells[1] == "" || len(strings.Trim(cells[4], "| ")) == 0 || cells[2] == "" != (cells[3] == "") {
			t.Errorf("%q", cells)
			continue
		}
		sources[strings.Fields(cells[0])[1]]++
	}
	for source, least := range map[string]int{"P19": 8, "L4": 7, "A": 17, "V16": 24} {
		if sources[source] < least {
			t.Errorf("%d rows of %s", sources[source], source)
		}
	}
}
