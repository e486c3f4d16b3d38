package sheet

import (
	"math"
	"strings"
	"unicode/utf8"
)

// Layout is how a text report is set.
type Layout struct {
	Width int // columns
	Style Style
}

// WrapItems sets items with points between them into lines of at most so many
// columns.
func WrapItems(items []string, columns int) []string {
	const point = " · "
	var lines []string
	line := ""
	for _, item := range items {
		switch {
		case item == "":
		case line == "":
			line = item
		case utf8.RuneCountInString(line+point+item) <= columns:
			line += point + item
		default:
			lines = append(lines, line)
			line = item
		}
	}
	return append(lines, line)
}

// leastClip is how much of a text is shown in lines that are too narrow for more.
const leastClip = 16

// Clip shortens text to so many columns.
func Clip(text string, columns int) string {
	columns = max(columns, leastClip)
	if utf8.RuneCountInString(text) <= columns {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:columns-1]), " ") + "…"
}

// eighths are blocks that fill a column from the left by 1/8 to 8/8.
var eighths = [...]rune{'▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'}

// Bar draws a share of the given number of columns.
func Bar(share float64, columns int) string {
	parts := int(math.Round(min(max(share, 0), 1) * float64(8*columns)))
	if parts == 0 && share > 0 {
		parts = 1
	}
	text := strings.Repeat(string(eighths[7]), parts/8)
	if rest := parts % 8; rest > 0 {
		text += string(eighths[rest-1])
	}
	return text
}
