package frontend

import (
	"strings"
	"testing"
)

func TestLex(t *testing.T) {
	for _, c := range []struct {
		d          Dialect
		text, want string
	}{
		{OpenCL, "a+b", "a + b"},
		{OpenCL, "a<<=b>>c->d...", "a <<= b >> c -> d ..."},
		{OpenCL, "1.5e-3f .5 0x1p-3 1..2 3u", "1.5e-3f .5 0x1p-3 1..2 3u"},
		{OpenCL, "a/*x*/b//c\nd", "a b \n d"},
		{OpenCL, `"a\"b" 'c' '\'' L"x" u8"y" Lx`, `"a\"b" 'c' '\'' L"x" u8"y" Lx`},
		{OpenCL, "\"a\nb", "\"a \n b"},
		{OpenCL, "#define A \\\n b\nc", "# define A b \n \n c"},
		{OpenCL, "ab\\\ncd", "abcd"},
		{OpenCL, "é @ \ue001 x\x00y", "é @ \ue001 x \x00 y"},
		{OpenCL, "1'000", "1 '000"},
		{CUDA, "1'000 k<<<1,2>>> a::b", "1'000 k <<< 1 , 2 >>> a :: b"},
		{OpenCL, "", ""},
		{OpenCL, "$a_1", "$a_1"},
	} {
		l, _, err := lex(c.text, c.d)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		var got []string
		for i := range l.toks {
			got = append(got, l.at(i))
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%q: got %q, want %q", c.text, g, c.want)
		}
	}
}

// TestJoin checks that joined lines keep their characters' offsets and that
// lines keep their numbers.
func TestJoin(t *testing.T) {
	for _, text := range []string{
		"", "a", "a\\\nb", "a\\\nb\nc", "a\\\r\nb\r\nc", "\ufeffa\\\n\\\n\\\nb\nc", "a\\ \t\nb\nc", "a\\", "a\\\n", "\\\n\\\n", "a\\b\nc", "a\nb\\\nc\nd\\\ne\nf",
	} {
		logical, s := join(text)
		if strings.Count(logical, "\n") > strings.Count(text, "\n") || strings.HasSuffix(text, "\n") && !strings.HasSuffix(text, "\\\n") && strings.Count(logical, "\n") != strings.Count(text, "\n") {
			t.Errorf("%q: lines change in %q", text, logical)
		}
		for i := range len(logical) {
			if o := s.source(i); logical[i] != '\n' && (o >= len(text) || text[o] != logical[i]) {
				t.Errorf("%q: character %d of %q is not at %d", text, i, logical, o)
			}
		}
		if strings.Contains(logical, "\\\n") {
			t.Errorf("%q: %q still continues", text, logical)
		}
	}
}

// TestNeighbours checks next and prev against a search.
func TestNeighbours(t *testing.T) {
	l, _, err := lex("\na\n#x y\n#z\n\nb c\n#w", OpenCL)
	if err != nil {
		t.Fatal(err)
	}
	text := func(i int) bool { return l.kindOf(i) != tokNewline && !l.toks[i].inDir }
	for i := -1; i <= len(l.toks); i++ {
		n := i + 1
		for n < len(l.toks) && !text(n) {
			n++
		}
		if got := l.next(i); got != min(n, len(l.toks)) {
			t.Errorf("next(%d) = %d, want %d", i, got, n)
		}
		p := i - 1
		for p >= 0 && !text(p) {
			p--
		}
		if got := l.prev(i); got != max(p, -1) {
			t.Errorf("prev(%d) = %d, want %d", i, got, p)
		}
	}
}

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
		l, _, err := lex(c.text, CUDA)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := shapeOf(l)
		if err != nil {
			t.Fatal(err)
		}
		names := map[scopeKind]string{scopeFile: "file", scopeParen: "paren", scopeBlock: "block", scopeStruct: "struct", scopeInit: "init", scopeFlat: "flat"}
		for i := range l.toks {
			if l.at(i) == c.mark && names[s.kindAt(i)] != c.want {
				t.Errorf("%q: in %s, want %s", c.text, names[s.kindAt(i)], c.want)
			}
		}
	}
}
