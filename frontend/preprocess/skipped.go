package preprocess

import (
	"strings"

	"gpupipe/internal/diag"
)

// Skipped is a function that conditions leave out.
type Skipped struct {
	Name       string
	Pos        diag.Pos
	Conditions []string // that it needs, as written, with their lines
}

// skipScan looks for functions in what conditions leave out: a word that marks one, such as __kernel, and the name in
// front of its parameters.
type skipScan struct {
	marked bool
	depth  int // of parentheses
	name   Token
}

// look takes one token that is left out.
func (r *reader) look(t *Token) {
	s := &r.skip
	switch {
	case !s.marked:
		for _, mark := range r.cfg.Marks {
			s.marked = s.marked || t.Text == mark
		}
		s.depth, s.name = 0, Token{}
	case t.Is(")"):
		s.depth--
	case t.Is("("):
		if s.depth == 0 && s.name.Kind == Ident && !isAttribute(s.name.Text) {
			s.marked = false
			found := Skipped{Name: s.name.Text, Pos: s.name.Pos}
			for i := range r.conditions {
				found.Conditions = append(found.Conditions, r.conditions[i].String())
			}
			r.out.Skipped = append(r.out.Skipped, found)
		}
		s.depth++
	case s.depth > 0:
	case t.Is("{"), t.Is(";"), t.Is("}"):
		s.marked = false
	default:
		s.name = *t
	}
}

// isAttribute reports whether a word takes arguments in front of a function's name.
func isAttribute(word string) bool {
	switch strings.Trim(word, "_") {
	case "attribute", "launch_bounds", "declspec":
		return true
	}
	return false
}
