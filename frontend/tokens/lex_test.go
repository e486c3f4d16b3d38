package tokens

import (
	"strings"
	"testing"
)

func TestLex(t *testing.T) {
	for _, c := range []struct {
		cxx        bool
		text, want string
	}{
		{false, "a+b", "a + b"},
		{false, "a<<=b>>c->d...", "a <<= b >> c -> d ..."},
		{false, "1.5e-3f .5 0x1p-3 1..2 3u", "1.5e-3f .5 0x1p-3 1..2 3u"},
		{false, "a/*x*/b//c\nd", "a b \n d"},
		{false, `"a\"b" 'c' '\'' L"x" u8"y" Lx`, `"a\"b" 'c' '\'' L"x" u8"y" Lx`},
		{false, "\"a\nb", "\"a \n b"},
		{false, "#define A \\\n b\nc", "# define A b \n \n c"},
		{false, "ab\\\ncd", "abcd"},
		{false, "é @ \ue001 x\x00y", "é @ \ue001 x \x00 y"},
		{false, "1'000", "1 '000"},
		{true, "1'000 k<<<1,2>>> a::b", "1'000 k <<< 1 , 2 >>> a :: b"},
		{false, "", ""},
		{false, "$a_1", "$a_1"},
	} {
		l, _, err := Lex(c.text, c.cxx)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		var got []string
		for i := range l.Tokens {
			got = append(got, l.At(i))
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
			if o := s.Source(i); logical[i] != '\n' && (o >= len(text) || text[o] != logical[i]) {
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
	l, _, err := Lex("\na\n#x y\n#z\n\nb c\n#w", false)
	if err != nil {
		t.Fatal(err)
	}
	text := func(i int) bool { return l.KindOf(i) != Newline && !l.Tokens[i].InDirective }
	for i := -1; i <= len(l.Tokens); i++ {
		n := i + 1
		for n < len(l.Tokens) && !text(n) {
			n++
		}
		if got := l.Next(i); got != min(n, len(l.Tokens)) {
			t.Errorf("next(%d) = %d, want %d", i, got, n)
		}
		p := i - 1
		for p >= 0 && !text(p) {
			p--
		}
		if got := l.Prev(i); got != max(p, -1) {
			t.Errorf("prev(%d) = %d, want %d", i, got, p)
		}
	}
}
