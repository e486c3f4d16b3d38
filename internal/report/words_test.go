package report

import (
	"bytes"
	"regexp"
	"testing"

	"gpupipe/internal/sheet"
	"gpupipe/kernels"
)

// Words that a reader of a language does not use; source lines may.
var foreign = map[string]*regexp.Regexp{
	"cuda":   regexp.MustCompile(`\b[Ww]ork.items?\b|\b[Ww]ork.groups?\b|\bgroups?\b|private memory|compute units?\b`),
	"opencl": regexp.MustCompile(`\b[Tt]hreads?\b|\b[Bb]locks?\b|shared memory|\bSMs?\b`),
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
