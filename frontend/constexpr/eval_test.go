package constexpr

import (
	"strings"
	"testing"
)

// TestConstantWords: what template arguments are made of is computed as C does, and what C leaves
// undefined is no constant.
func TestConstantWords(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"1 + 2 * 3", 7, true}, {"( 1 + 2 ) * 3", 9, true}, {"8 / 3 % 2", 0, true}, {"8 / - 1", -8, true}, {"- 7 % 4", -3, true},
		{"1 << 4 | 1", 17, true}, {"6 & 3 ^ 1", 3, true}, {"1 + 1 == 2 && 3 < 4", 1, true}, {"0 || ! 1", 0, true}, {"~ 0 >> 1", -1, true},
		{"3 > 2 ? 10u : 20", 10, true}, {"010 + 0x10 + 0b11", 27, true}, {"256ULL", 256, true}, {"sizeof ( float )", 4, true},
		{"1 / 0", 0, false}, {"1 % 0", 0, false}, {"1 << 63", 0, false}, {"1 << - 1", 0, false}, {"1.5", 0, false}, {"x + 1", 0, false}, {"1 +", 0, false},
	} {
		v, ok := Eval(strings.Fields(c.text), Names{})
		if ok != c.ok || ok && v != c.want {
			t.Errorf("%s = %d, %v; want %d, %v", c.text, v, ok, c.want, c.ok)
		}
	}
}
