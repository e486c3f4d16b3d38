package diag

import (
	"strings"
	"testing"
)

func TestPosString(t *testing.T) {
	for _, c := range []struct {
		pos  Pos
		want string
	}{
		{Pos{}, ""},
		{Pos{File: "k.cl"}, "k.cl"},
		{Pos{File: "k.cl", Line: 3}, "k.cl:3"},
		{Pos{File: "k.cl", Line: 3, Column: 7}, "k.cl:3:7"},
	} {
		if got := c.pos.String(); got != c.want {
			t.Errorf("%#v prints %q, want %q", c.pos, got, c.want)
		}
	}
}

func TestListSortsAndCaps(t *testing.T) {
	var l List
	for line := MaxPrinted + 5; line > 0; line-- {
		l.Add(Warningf(Pos{"k.cl", line, 1}, "W", "line %d", line))
	}
	if l.Err() != nil {
		t.Error("warnings alone are not an error")
	}
	l.Add(Errorf(Pos{"k.cl", 1, 2}, "E", "bad").WithNote("add -D N=1"))
	err := l.Err()
	if err == nil {
		t.Fatal("no error")
	}
	text := err.Error()
	if want := "k.cl:1:1: warning[W]: line 1\nk.cl:1:2: error[E]: bad\n\tadd -D N=1\n"; !strings.HasPrefix(text, want) {
		t.Errorf("got %q", text)
	}
	if !strings.HasSuffix(text, "... and 6 more") {
		t.Errorf("not capped: %q", text)
	}
}
