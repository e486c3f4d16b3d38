package console

import (
	"os"
	"strconv"

	"golang.org/x/term"
)

// DefaultWidth is the number of columns of a report that goes to no terminal.
const DefaultWidth = 80

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width is the number of columns for a report on a stream: of a terminal $COLUMNS, else its own width;
// DefaultWidth otherwise.
func Width(stream any) int {
	if !IsTerminal(stream) {
		return DefaultWidth
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if n, _, err := term.GetSize(int(stream.(*os.File).Fd())); err == nil && n > 0 {
		return n
	}
	return DefaultWidth
}

// Style colours text, or leaves it plain; the zero value leaves it plain.
type Style struct{ on bool }

// styleFor is the style of a stream: colour on a terminal, unless NO_COLOR is
// set (no-color.org) or the terminal is dumb.
func styleFor(stream any) Style {
	return Style{on: IsTerminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// OutputStyle is the style of a product that goes to the named file.
func (c *Console) OutputStyle(name string) Style {
	if name != "" && name != StandardStream {
		return Style{}
	}
	return styleFor(c.Stdout)
}

// OutputWidth is the number of columns of a product that goes to the named file.
func (c *Console) OutputWidth(name string) int {
	if name != "" && name != StandardStream {
		return DefaultWidth
	}
	return Width(c.Stdout)
}

// The SGR parameters of ECMA-48 that are used.
const (
	styleBold    = "1"
	styleDim     = "2"
	styleError   = "1;31"
	styleWarning = "1;35"
	styleNote    = "1;36"
)

func (s Style) paint(sgr, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + sgr + "m" + text + "\x1b[0m"
}

// Bold emphasises text.
func (s Style) Bold(text string) string { return s.paint(styleBold, text) }

// Dim makes text recede.
func (s Style) Dim(text string) string { return s.paint(styleDim, text) }

// Alarm marks text as what limits or fails.
func (s Style) Alarm(text string) string { return s.paint(styleError, text) }
