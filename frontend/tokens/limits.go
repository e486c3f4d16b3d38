package tokens

import "gpupipe/internal/diag"

// Bounds of a text, which the stages behind this one, recursive ones among them, rely on.
const (
	MaxBrackets   = 1000      // nested brackets, as written or expanded
	maxConditions = 1000      // nested #if
	MaxTokens     = 2_000_000 // as written, and after expansion
)

// Codes of the diagnostics that texts give.
const (
	CodeSyntax = "SYNTAX" // the text is no program
	CodeLimit  = "LIMIT"  // larger or deeper than the parser can take
)

// Limitf makes the error of an exceeded limit; the caller adds the position.
func Limitf(format string, args ...any) *diag.Error {
	return diag.Errorf(diag.Pos{}, CodeLimit, format, args...)
}
