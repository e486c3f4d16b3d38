package report

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gpupipe/internal/sheet"
	_ "gpupipe/internal/test/tools" // garbage is collected less often
	"gpupipe/internal/words"
	"gpupipe/kernels"
)

// Words that a reader of a language does not use; source lines may.
var foreign = map[string]*regexp.Regexp{
	"cuda": regexp.MustCompile(`\b[Ww]ork.items?\b|\b[Ww]ork.groups?\b|\bgroups?\b|private memory|compute units?\b|` +
		`\b(vload|native_\w+[ ,]|reqd_|get_\w+_id)`),
	"opencl": regexp.MustCompile(`\b[Tt]hreads?\b|\b[Bb]locks?\b|shared memory|\bSMs?\b|` +
		`__(launch|shared|f|s|syncthreads)|threadIdx|-maxrregcount`),
}

// codes of findings are the same for all.
var codes = regexp.MustCompile(`\[[a-z-]+\]`)

// TestWords: reports are in the words of the kernel's language.
func TestWords(t *testing.T) {
	for _, k := range kernels.List() {
		p := predict(t, k.Name)
		s, err := p.sheet(&View{Findings: 100, Top: 1, Verbose: true})
		if err != nil {
			t.Fatal(err)
		}
		for i := range s { // but for what is quoted
			s[i].Rows, s[i].Title = nil, ""
			for j := range s[i].Facts {
				s[i].Facts[j].Quote = ""
			}
			for j := range s[i].Items {
				s[i].Items[j].Quote = ""
			}
		}
		var b bytes.Buffer
		if err := s.WriteText(&b, sheet.Layout{Width: 10000}); err != nil {
			t.Fatal(err)
		}
		said := codes.ReplaceAllString(b.String(), "")
		if found := foreign[k.Dialect.String()].FindAllString(said, 3); found != nil {
			t.Errorf("%s (%v) says %q:\n%s", k.Name, k.Dialect, found, &b)
		}
	}
}

// TestWordsOfFindings: findings that built-in kernels do not have are in the reader's words, too.
func TestWordsOfFindings(t *testing.T) {
	texts, err := filepath.Glob("../../simulate/finding/*.go")
	if err != nil || len(texts) == 0 {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile(`(?s)(?:What|Proof|Remedy):\s+(?:fmt\.Sprintf\()?("(?:[^"\\]|\\.)*"(?:\s*\+\s*"(?:[^"\\]|\\.)*")*)`)
	joint := regexp.MustCompile(`"\s*\+\s*"`)
	n := 0
	for _, file := range texts {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			own := joint.ReplaceAllString(strings.Trim(m[1], `"`), "")
			n++
			for language, wrong := range foreign {
				said := words.For(language, false).Say(own)
				if found := wrong.FindAllString(said, 3); found != nil {
					t.Errorf("%s, for %s: %q in %q", file, language, found, said)
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d sentences", n)
	}
}
