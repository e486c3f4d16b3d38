package idg

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// All numbers of four digits in either half of a word, numbers of every length and
// those at which the length changes are written as strconv writes them, and read back
// whatever follows.
func TestDecimal(t *testing.T) {
	followers := make([]string, 0, 256)
	for c := range 256 {
		if c < '0' || c > '9' {
			followers = append(followers, string([]byte{byte(c)}), string([]byte{byte(c), '7', 0xFF, '0'}))
		}
	}
	next := 0
	check := func(n uint64) {
		t.Helper()
		want := strconv.FormatUint(n, 10)
		if got := string(appendCount([]byte("x"), n)); got != "x"+want {
			t.Fatalf("%d is written as %q", n, got)
		}
		next++
		for _, behind := range []string{"", "12345678", followers[next%len(followers)] + "12345678"} {
			b := []byte("x" + want + behind)
			gotN, gotEnd := positive(b, 1)
			wantN, wantEnd := positiveDigits(b, 1)
			if gotN != wantN || gotEnd != wantEnd {
				t.Fatalf("%q is read as %d, %d, not %d, %d", b, gotN, gotEnd, wantN, wantEnd)
			}
			if len(want) < 16 && behind == "" && (gotN != n || gotEnd != len(b)) {
				t.Fatalf("%q is read as %d, %d", b, gotN, gotEnd)
			}
		}
	}
	for n := range uint64(10_000) {
		check(n)
		check(n * 10_000)
		check(n*10_000 + 9_999)
	}
	r := rand.New(rand.NewPCG(1, 17))
	for limit := uint64(10); limit <= 1e19; limit *= 10 {
		check(limit - 1)
		check(limit)
		for range 500 {
			check(r.Uint64N(limit))
		}
		if limit == 1e19 {
			break
		}
	}
	for _, s := range []string{"", "0", "00", "007", "-1", "a", "1234567", "01234567", "12345678901234567890", "\xb1",
		"1\xb9,,,,,,,", ":;/.,,,,,,"} {
		for _, behind := range []string{"", ",,,,,,,,,"} {
			b := []byte(s + behind)
			n, end := positive(b, 0)
			if wantN, wantEnd := positiveDigits(b, 0); n != wantN || end != wantEnd {
				t.Errorf("%q is read as %d, %d, not %d, %d", b, n, end, wantN, wantEnd)
			}
		}
	}
}
