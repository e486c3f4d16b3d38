package console

import (
	"os"
	"strconv"

	"gpupipe/internal/sheet"

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

// styleFor is the style of a stream: colour on a terminal, unless NO_COLOR is
// set (no-color.org) or the terminal is dumb.
func styleFor(stream any) sheet.Style {
	return sheet.Style{Colour: IsTerminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// Layout is how a text product that goes to the named file is set.
func (c *Console) Layout(name string) sheet.Layout {
	if name != "" && name != StandardStream {
		return sheet.Layout{Width: DefaultWidth}
	}
	return sheet.Layout{Width: Width(c.Stdout), Style: styleFor(c.Stdout)}
}
