package sheet

// Style colours text, or leaves it plain; the zero value leaves it plain.
type Style struct{ Colour bool }

// The SGR parameters of ECMA-48 that are used.
const (
	styleBold    = "1"
	styleDim     = "2"
	styleError   = "1;31"
	styleWarning = "1;35"
	styleNote    = "1;36"
)

func (s Style) paint(sgr, text string) string {
	if !s.Colour || text == "" {
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

// Warning marks text as what may be wrong.
func (s Style) Warning(text string) string { return s.paint(styleWarning, text) }

// Note marks text as what is good to know.
func (s Style) Note(text string) string { return s.paint(styleNote, text) }
