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

// OutputStyle is the style of a product that goes to the named file.
func (c *Console) OutputStyle(name string) sheet.Style {
	if name != "" && name != StandardStream {
		return sheet.Style{}
	}
	return styleFor(c.Stdout)
}

// Layout is how a text product that goes to the named file is set.
func (c *Console) Layout(name string) sheet.Layout {
	return sheet.Layout{Width: c.OutputWidth(name), Style: c.OutputStyle(name)}
}

// OutputWidth is the number of columns of a product that goes to the named file.
func (c *Console) OutputWidth(name string) int {
	if name != "" && name != StandardStream {
		return DefaultWidth
	}
	return Width(c.Stdout)
}
