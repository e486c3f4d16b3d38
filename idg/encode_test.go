package idg

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// Any bytes become a JSON string that encoding/json reads as what it writes
// itself.
func TestAppendString(t *testing.T) {
	check := func(s string) {
		t.Helper()
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var a, b string
		if err := json.Unmarshal(appendString(nil, s), &a); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if err := json.Unmarshal(want, &b); err != nil || a != b {
			t.Fatalf("%q is written as %q, by encoding/json as %q: %v", s, a, b, err)
		}
	}
	for _, s := range []string{"", "\xff", "a\xffb\xfe\xfe", "\xe2\x82", "\xed\xa0\x80", "\x00\x1f\x7f", "é\"\\\n\r\t/",
		"\U0001D11E\u2028"} {
		check(s)
	}
	r := rand.New(rand.NewPCG(1, 13))
	for range 2000 {
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = byte(r.UintN(256))
		}
		check(string(b) + randomText(r))
	}
}
