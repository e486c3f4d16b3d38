package tokens

import (
	"slices"
	"strings"
	"testing"
)

// TestAngleWords reads arguments of templates, whose last > may be part of a longer token, and refuses
// comparisons.
func TestAngleWords(t *testing.T) {
	for _, c := range []struct {
		text, want string
		rest       int
		ok         bool
	}{
		{"<int, 4>", "int , 4", 0, true},
		{"<A<int>>", "A < int >", 0, true},
		{"<int>>", "int", 1, true},
		{"<A<int>>>", "A < int >", 1, true},
		{"<(N > 4), sizeof(T)>", "( N > 4 ) , sizeof ( T )", 0, true},
		{"< n; i++)", "", 0, false},
		{"< n) {", "", 0, false},
		{"<T = int>", "", 0, false},
		{"<int", "", 0, false},
	} {
		l, _, err := Lex(c.text, true)
		if err != nil {
			t.Fatal(err)
		}
		words, end, rest, ok := l.AngleWords(0)
		if got := JoinWords(words); ok != c.ok || ok && (got != c.want || rest != c.rest || !strings.HasPrefix(l.At(end), ">")) {
			t.Errorf("%s: got %q, %d left, %v", c.text, got, rest, ok)
		}
	}
}

// TestSplitWords cuts lists at commas and semicolons outside of brackets.
func TestSplitWords(t *testing.T) {
	words := strings.Fields("a < b , c > , f ( x , y ) , { 1 , 2 } , ( n > 4 ) , ( n < 4 )")
	var got []string
	for _, p := range SplitWords(words) {
		got = append(got, JoinWords(p))
	}
	if want := []string{"a < b , c >", "f ( x , y )", "{ 1 , 2 }", "( n > 4 )", "( n < 4 )"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if parts := CutWords(strings.Fields("int i = 0 ; i < ( n ; m ) ; i ++"), ";"); len(parts) != 3 {
		t.Errorf("got %q, want 3 parts", parts)
	}
	for i, want := range map[int]int{0: 7, 1: -1, 2: 4, 5: 6} {
		if got := ClosingWord(strings.Fields("( a ( b ) [ ] )"), i); got != want {
			t.Errorf("bracket %d closes at %d, want %d", i, got, want)
		}
	}
}
