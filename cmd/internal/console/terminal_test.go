package console

import (
	"bytes"
	"os"
	"testing"
)

func TestNoColourOffTerminals(t *testing.T) {
	t.Setenv("COLUMNS", "200")
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	for name, stream := range map[string]any{"null device": null, "pipe": w, "buffer": &bytes.Buffer{}} {
		if IsTerminal(stream) {
			t.Errorf("the %s counts as a terminal", name)
		}
		if got := styleFor(stream).Bold("x"); got != "x" {
			t.Errorf("the %s gets colour: %q", name, got)
		}
		if got := Width(stream); got != DefaultWidth {
			t.Errorf("the %s is %d columns wide", name, got)
		}
	}
}
