package constexpr

import (
	"strings"
	"testing"

	"gpupipe/frontend/tokens"
)

// split cuts a text into words.
func split(t *testing.T, text string) []string {
	x, _, err := tokens.Lex(text, true)
	if err != nil {
		t.Skip(err)
	}
	return x.Words(0, len(x.Tokens))
}

// FuzzEval: the execution of any text ends.
func FuzzEval(f *testing.F) {
	f.Add("int r = 0; for (int i = 0; i < x; i++) { r += i; } return r;")
	f.Add("if (x) while (x) x--; else return 1; return x++ + ++x;")
	f.Add("for (;;) for (;;) { return; }")
	f.Add("while (x { } ) ] return f(f(f(x)));")
	f.Fuzz(func(t *testing.T, body string) {
		function := NewFunction(nil, []string{"int", "x"}, split(t, body))
		if v, ok := Eval(strings.Fields("f ( 3 )"), Names{Function: func(string) *Function { return function }}); ok && v != int64(int32(v)) {
			t.Errorf("%d", v)
		}
	})
}

// TestNames: what names stand for is computed in turn, and names that stand for themselves end.
func TestNames(t *testing.T) {
	macros := map[string]string{"A": "B + B", "B": "3", "LOOP": "LOOP + 1", "PAIR": "PAIR * PAIR"}
	names := Names{Words: func(name string) ([]string, bool) { s, ok := macros[name]; return strings.Fields(s), ok }}
	for text, want := range map[string]int64{"A": 6, "A * A": 36, "LOOP": 0, "PAIR": 0, "C": 0} {
		if v, ok := Eval(strings.Fields(text), names); v != want && ok || ok != (want > 0) {
			t.Errorf("%s = %d, %v; want %d", text, v, ok, want)
		}
	}
}
