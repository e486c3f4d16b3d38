package syntax

import (
	"strings"
	"testing"

	"gpupipe/frontend/preprocess"
	"gpupipe/internal/test/tools"
)

// TestBounded has texts that nest deep, or that can be read in very many ways: parsing them ends.
func TestBounded(t *testing.T) {
	const n = 20_000
	for i, inside := range []string{"(", "[", "{", "a<", "a<b<", "(a)", "(int)", "(a)(", "a(", "f<a(", "-", "*", "!",
		"a?", "a?b:", "a=", "a,", "if(1)", "else ", "for(;;)", "do ", "case 1:",
		"a:", "sizeof ", "sizeof(", "[](){", "[&]{return ", "x+", "::", "a::", "a.", "a->", "int(*", "int*", "int(",
		"template<", "template<class a,", "decltype(", "typename a::", "class a{", "namespace a{",
		"switch(1){", "#pragma unroll\n", "({", "__attribute__((", "[[", "<<<", ">>>", "asm(", "operator ", "~", "& ",
		"&&", "int a[", "a<a,", "(a*)", "(a<b>)", "return ", "T x(", "auto [", "enum{", "static_cast<", "{.a=",
		"{[1]="} {
		for j, around := range []string{"<>", "void f() { <>"} {
			if !tools.Full() && i%2 != j {
				continue
			}
			text := strings.Replace(around, "<>", strings.Repeat(inside, n/len(inside))+"1", 1)
			if _, errs := parseAll(text, CUDA); len(errs) == 0 {
				t.Errorf("%s %s: no error", around, inside)
			}
		}
	}
	for _, inside := range []string{"(", "[", "{"} {
		if _, errs := parseAll("int f() { return "+strings.Repeat(inside, 100_000), OpenCL); len(errs) == 0 {
			t.Errorf("100,000 %s: no error", inside)
		}
	}
}

func parseAll(text string, l Language) (*File, []error) {
	r := preprocess.Run(preprocess.Config{File: "k.cu", Text: text})
	f := Parse(r.Tokens, Options{Language: l})
	var errs []error
	eachBody(f, func(b *Body) {
		if b.Parse(); b.Err != nil {
			errs = append(errs, b.Err)
		}
	}, func(b *BadDecl) { errs = append(errs, b.Err) })
	return f, errs
}
