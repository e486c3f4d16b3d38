package tokens

import "testing"

func TestShape(t *testing.T) {
	for _, c := range []struct{ text, mark, want string }{
		{"int x; MARK", "MARK", "file"},
		{"void f() { MARK }", "MARK", "block"},
		{"void f(MARK) { }", "MARK", "paren"},
		{"int a[] = { MARK };", "MARK", "init"},
		{"int a[] = { { MARK } };", "MARK", "init"},
		{"struct S { MARK };", "MARK", "struct"},
		{"struct S : T { MARK };", "MARK", "struct"},
		{"namespace a { MARK }", "MARK", "flat"},
		{"extern \"C\" { MARK }", "MARK", "flat"},
		{"void f() { if (1) { } else { MARK } }", "MARK", "block"},
		{"void f() { do { MARK } while (0); }", "MARK", "block"},
		{"void f() { int a[] = {1}; MARK }", "MARK", "block"},
		{"#if A\nvoid f(int a) {\n#else\nvoid f(float a) {\n#endif\nMARK }\nint x;", "MARK", "block"},
		{"#if A\nvoid f(int a) {\n#else\nvoid f(float a) {\n#endif\n}\nMARK", "MARK", "file"},
		{"#if A\n{{{\n#elif B\n{\n#endif\n} MARK", "MARK", "file"},
		{"#if A\n{\n#endif\nMARK", "MARK", "block"},
	} {
		l, _, err := Lex(c.text, true)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := ShapeOf(l)
		if err != nil {
			t.Fatal(err)
		}
		names := map[Scope]string{File: "file", Paren: "paren", Block: "block", Struct: "struct", Init: "init", Flat: "flat"}
		for i := range l.Tokens {
			if l.At(i) == c.mark && names[s.KindAt(i)] != c.want {
				t.Errorf("%q: in %s, want %s", c.text, names[s.KindAt(i)], c.want)
			}
		}
	}
}
