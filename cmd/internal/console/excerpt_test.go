package console

import (
	"strings"
	"testing"

	"gpupipe/internal/diag"
)

func TestExcerpt(t *testing.T) {
	c, _, _ := testConsole()
	long := strings.Repeat("x", 100) + "!" + strings.Repeat("y", 100)
	c.AddSource("k.cl", "one\n\ta = b;\r\n"+long+"\n")
	for _, test := range []struct {
		line, column int
		want         string
	}{
		{1, 1, "    one\n    ^\n"},
		{2, 6, "    \ta = b;\n    \t    ^\n"},
		{2, 0, "    \ta = b;\n"},
		{3, 101, "    " + strings.Repeat("x", 38) + "!" + strings.Repeat("y", 37) + "\n    " + strings.Repeat(" ",
			38) + "^\n"},
		{1, 9, ""},
		{4, 1, ""},
		{0, 0, ""},
	} {
		if got := c.excerpt(diag.Pos{File: "k.cl", Line: test.line, Column: test.column}); got != test.want {
			t.Errorf("%d:%d: %q, want %q", test.line, test.column, got, test.want)
		}
	}
	if got := c.excerpt(diag.Pos{File: "missing.cl", Line: 1}); got != "" {
		t.Errorf("missing file: %q", got)
	}
}
