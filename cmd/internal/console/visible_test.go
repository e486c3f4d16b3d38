package console

import (
	"bytes"
	"io"
	"testing"
)

// TestEmitIsVisible: control characters reach no terminal, however writes cut the text; colours do where
// they are on.
func TestEmitIsVisible(t *testing.T) {
	for _, c := range []struct {
		text          string
		plain, styled string
	}{
		{"a\tb\n", "a\tb\n", "a\tb\n"},
		{"µ × 😀\n", "µ × 😀\n", "µ × 😀\n"},
		{"\x1b[1;31mred\x1b[0m", "␛[1;31mred␛[0m", "\x1b[1;31mred\x1b[0m"},
		{"\x1b]0;title\a", "␛]0;title␇", "␛]0;title␇"},
		{"\x1b[2J\x1b[1;1H", "␛[2J␛[1;1H", "␛[2J␛[1;1H"},
		{"\x1b\x1b[1m", "␛␛[1m", "␛\x1b[1m"},
		{"\x1b[11111111m", "␛[11111111m", "␛[11111111m"},
		{"\r\x00\x7f\u009b1A", "␍␀␡\ufffd1A", "␍␀␡\ufffd1A"},
		{"end \x1b[", "end ␛[", "end ␛["},
		{"a\x9b2J", "a\ufffd2J", "a\ufffd2J"},
		{"bytes \xff\xc2", "bytes \xff\xc2", "bytes \xff\xc2"},
	} {
		for styled, want := range map[bool]string{false: c.plain, true: c.styled} {
			for size := 1; size <= len(c.text); size++ {
				var out bytes.Buffer
				w := &visibleWriter{w: &out, styled: styled}
				for rest := c.text; rest != ""; {
					n := min(size, len(rest))
					if k, err := io.WriteString(w, rest[:n]); k != n || err != nil {
						t.Fatal(k, err)
					}
					rest = rest[n:]
				}
				if err := w.flush(); err != nil || out.String() != want {
					t.Errorf("%q in pieces of %d (styled: %v): %q (%v), want %q", c.text, size, styled,
						out.String(), err, want)
				}
			}
		}
	}
	c, stdout, stderr := testConsole()
	if err := c.Emit("", func(w io.Writer) error { return WriteJSON(w, "\x7f\x1b") }); err != nil ||
		stdout.String() != "\"\x7f\\u001b\"\n" {
		t.Errorf("JSON: %q, %v", stdout, err)
	}
	c.Report(OutputError("a\x1b]0;b\a", io.ErrShortWrite))
	if want := "a␛]0;b␇: error[OUTPUT]: cannot write: short write\n"; stderr.String() != want {
		t.Errorf("%q, want %q", stderr, want)
	}
}
