package sheet

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWrapKeepsWordsAndWidth(t *testing.T) {
	text := "the throughput of global: it is busy for 99% of the time, 50% of that with " +
		"a/rather/long/path/name.cl:31 λ µs"
	for columns := MinText; columns < 120; columns++ {
		lines := Wrap(text, columns)
		if got := strings.Join(lines, " "); got != text {
			t.Fatalf("%d columns: words changed: %q", columns, got)
		}
		for _, l := range lines {
			if utf8.RuneCountInString(l) > columns {
				t.Fatalf("%d columns: %q", columns, l)
			}
		}
	}
	if got := Wrap("", 80); len(got) != 1 || got[0] != "" {
		t.Errorf("nothing is wrapped to %q", got)
	}
}
