package constexpr

import (
	"slices"
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

// functionOf reads the function that a text declares.
func functionOf(t *testing.T, text string) *Function {
	words := split(t, text)
	open := slices.Index(words, "(")
	body := slices.Index(words, "{")
	return NewFunction(words[:body], words[open+1:tokens.ClosingWord(words, open)], words[body+1:len(words)-1])
}

// TestFunctions executes functions, of each other and themselves; what is undefined, endless or not of ints is no constant.
func TestFunctions(t *testing.T) {
	g := functionOf(t, "constexpr int g(int x) { const int two = 2, three = 3; return x * two - three; }")
	for _, c := range []struct {
		function, call string
		want           int64
		ok             bool
	}{
		{"int f(int x) { int r = 0; while (x >>= 1) r++; return r; }", "f ( 20 )", 4, true},
		{"int f(int x) { return x <= 1 ? 1 : x * f(x - 1); }", "f ( 5 ) + 1", 121, true},
		{"int f(int x) { for (int i = 0; i < 3; ++i) { if (i == 1) x -= 1; else x += i << 2; } return x; }", "f ( 1 )", 8, true},
		{"int f(int x, int y) { x |= y; y ^= x; x %= 7; y &= 12; return x * 100 + y--; }", "f ( 9 , 6 )", 108, true},
		{"int f(int x) { ; static_assert(true); { x = x > 0 && g(x) > 0; } return !x + ~x; }", "f ( 2 )", -2, true},
		{"int f(int x) { return g(g(x)); }", "f ( 4 )", 7, true},
		{"int f(int x) { return is_same_v<unsigned int, uint> + sizeof(float) * x + std::is_same<int, long>::value; }", "f ( 2 )", 9, true},
		{"int f(int x) { return x++ + ++x; }", "f ( 1 )", 4, true},
		{"unsigned f(unsigned x) { return x - 2; }", "f ( 1 )", 0, false},
		{"int f(int x) { return x << 30; }", "f ( 4 )", 0, false},
		{"int f(int x) { for (;;) x++; return x; }", "f ( 1 )", 0, false},
		{"int f(int x) { return f(x); }", "f ( 1 )", 0, false},
		{"int f(int x) { switch (x) { } return 1; }", "f ( 1 )", 0, false},
		{"int f(int x) { if (x) }", "f ( 1 )", 0, false},
		{"int f(int x) { x; }", "f ( 1 )", 0, false},
		{"int f(int x) { return 1; }", "f ( 1 , 2 )", 0, false},
		{"int f(int x) { return h(x); }", "f ( 1 )", 0, false},
		{"int f(int x) { return is_same_v<int>; }", "f ( 1 )", 0, false},
	} {
		f := functionOf(t, c.function)
		v, ok := Eval(strings.Fields(c.call), Names{Function: func(name string) *Function { return map[string]*Function{"f": f, "g": g}[name] }})
		if ok != c.ok || ok && v != c.want {
			t.Errorf("%s: %s = %d, %v; want %d, %v", c.function, c.call, v, ok, c.want, c.ok)
		}
	}
	if f := NewFunction(nil, []string{"float", "x"}, nil); f != nil {
		t.Error("a function of a float is one of integers")
	}
	if h := functionOf(t, "constexpr int g(int x) { return x; }"); g.Equal(h) || !g.Equal(g) || g.Equal(nil) {
		t.Error("functions are compared wrongly")
	}
}

// TestTypeText: equal types are spelled equally.
func TestTypeText(t *testing.T) {
	for text, want := range map[string]string{
		"unsigned int": "uint", "unsigned": "uint", "const unsigned char *": "const unsigned char *", "struct P": "P", ":: long long": "int64_t", "__half": "half", "typename T": "T",
	} {
		if got := TypeText(strings.Fields(text)); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	for _, s := range []string{"unsigned", "float4", "half"} {
		if !IsType(s) || IsType(s+"x") {
			t.Errorf("%s is a type, %sx none", s, s)
		}
	}
}
