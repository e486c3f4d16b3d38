package load

import (
	"fmt"
	"strings"

	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
)

// maxConditionalKernels is how many kernels a note about conditions names.
const maxConditionalKernels = 4

// ConditionalKernels says which kernels of the file the preprocessor has left out, and on which conditions they depend.
func (p *Parsed) ConditionalKernels() (notes []string) {
	s, dialect := p.l.main, p.l.cfg.Dialect
	var conditions []string // that hold where i is
	for i := 0; i < len(s.Tokens) && len(notes) < maxConditionalKernels; i++ {
		if s.Tokens[i].InDirective {
			if s.Is(i, "#") && (i == 0 || !s.Tokens[i-1].InDirective) {
				conditions = afterDirective(s, i, conditions)
			}
			continue
		}
		switch word := s.At(i); {
		case dialect == source.OpenCL && (word == "__kernel" || word == "kernel" && s.Is(s.Next(i), "void")):
		case dialect == source.CUDA && word == "__global__":
		default:
			continue
		}
		open := s.Find(i, len(s.Tokens), "(", "{", ";")
		for closing := s.Shape.Closing(open); s.Is(open, "(") && closing > open && (s.Is(s.Prev(open), "__attribute__") || s.Is(s.Prev(open), "__launch_bounds__")); closing = s.Shape.Closing(open) {
			open = s.Find(closing, len(s.Tokens), "(", "{", ";")
		}
		if name := s.Prev(open); len(conditions) > 0 && s.Is(open, "(") && s.KindOf(name) == tokens.Ident {
			notes = append(notes, fmt.Sprintf("%s in line %d needs %s: see -D", s.At(name), s.LogicalPos(int(s.Tokens[name].Start)).Line, strings.Join(conditions, " and ")))
		}
	}
	return notes
}

// afterDirective is what holds behind the directive whose # is token i.
func afterDirective(s *source.File, i int, conditions []string) []string {
	v := s.SameLine(i)
	if v >= len(s.Tokens) {
		return conditions
	}
	end := s.LineEnd(i)
	condition := fmt.Sprintf("#%s %s of line %d", s.At(v), s.Rest(v, end), s.LogicalPos(int(s.Tokens[i].Start)).Line)
	n := len(conditions)
	switch verb := s.At(v); {
	case strings.HasPrefix(verb, "if"):
		return append(conditions[:n:n], condition)
	case n == 0:
	case strings.HasPrefix(verb, "el"):
		if verb == "else" {
			condition = "the #else of " + conditions[n-1]
		}
		return append(conditions[:n-1:n-1], condition)
	case verb == "endif":
		return conditions[:n-1]
	}
	return conditions
}
