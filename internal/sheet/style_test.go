package sheet

import "testing"

func TestStyle(t *testing.T) {
	on := Style{Colour: true}
	if got, want := on.Alarm("x"), "\x1b[1;31mx\x1b[0m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := on.Dim(""); got != "" {
		t.Errorf("nothing is painted as %q", got)
	}
}
