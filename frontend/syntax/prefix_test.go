package syntax_test

import (
	"fmt"
	"sync"
	"testing"

	"gpupipe/frontend/preprocess"
	"gpupipe/frontend/syntax"
)

// TestPrefix: programs that share a prefix have the trees that they have alone, whatever another one declares, also
// where they are parsed at a time.
func TestPrefix(t *testing.T) {
	tokens := func(text string) []preprocess.Token {
		return preprocess.Run(preprocess.Config{File: "k.cu", Text: text}).Tokens
	}
	const before = "namespace std { template <class T> struct box { T x; T get() { return [&] { return x; }(); } };\n" +
		"struct later; int twice(int a) { return a * 2; } }\n"
	all := tokens(before)
	shared := syntax.ParsePrefix(all[:len(all)-1], syntax.Options{Language: syntax.CUDA})
	programs := []string{
		"namespace std { struct x; struct later { struct inner {}; }; } void f() { std::x * y; std::later::inner * z; }",
		"void f() { std::x * y; std::later::inner * z; }", // products: another program declares the types
		"namespace std { int box2; } using namespace std; void f() { box<int> b; box2 < 1 > (2); }",
		"void f() { using namespace std; box<int> b; box2 < 1 > (2); }",
	}
	var wait sync.WaitGroup
	for _, text := range append(programs, programs...) {
		wait.Go(func() {
			list := tokens(before + text)
			print := func(p *syntax.Prefix) string {
				u := syntax.Parse(list, syntax.Options{Language: syntax.CUDA, Prefix: p})
				s := ""
				syntax.Visit(u.Decls, func(x any) bool {
					s += fmt.Sprintf("%T ", x)
					return true
				})
				return s
			}
			if got, want := print(shared), print(nil); got != want {
				t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
			}
		})
	}
	wait.Wait()
}
