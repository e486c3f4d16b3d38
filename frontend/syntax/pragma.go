package syntax

import (
	"slices"
	"strings"

	"gpupipe/frontend/preprocess"
)

// pragma reads a pragma and the statement behind it; nil of one that is not a hint.
func (p *parser) pragma(t *preprocess.Token) Stmt {
	p.i++
	s := &PragmaStmt{Pos: t.Pos, Text: t.Text}
	p.readHint(s, t.Args)
	if s.Kind == "" && s.Note == "" {
		return nil
	}
	if !p.is("}") && p.peek().Kind != preprocess.EOF {
		s.Body = p.statement()
	}
	if s.Body == nil {
		s.Body = &ExprStmt{Pos: p.pos()}
	}
	return s
}

// readHint reads "unroll 4", "nounroll", "clang loop unroll_count(4)", "GCC unroll 4".
func (p *parser) readHint(s *PragmaStmt, args []preprocess.Token) {
	is := func(i int, word string) bool { return i < len(args) && args[i].Is(word) }
	switch {
	case is(0, "unroll"):
		p.factor(s, args[1:])
	case is(0, "nounroll"):
		s.Kind = "nounroll"
	case is(0, "GCC") && is(1, "unroll"):
		p.factor(s, args[2:])
	case is(0, "clang") && is(1, "loop"):
		p.loopHints(s, args[2:])
	}
}

// factor reads that of a request to unroll, which may be none.
func (p *parser) factor(s *PragmaStmt, args []preprocess.Token) {
	s.Kind = "unroll"
	if len(args) == 0 {
		return
	}
	q := newParser(append(slices.Clone(args), preprocess.Token{Kind: preprocess.EOF, Pos: s.Pos}), 0, p.Options)
	q.scope = p.scope
	if s.Factor = q.conditional(); q.peek().Kind != preprocess.EOF {
		s.Note = ": what stands behind the factor is ignored"
	}
}

// loopHints reads "vectorize(enable) unroll_count(4)", of which a count says most.
func (p *parser) loopHints(s *PragmaStmt, args []preprocess.Token) {
	for len(args) > 0 {
		end := -1
		if len(args) > 1 && args[1].Is("(") {
			end = groupEnd(args, 1)
		}
		if end < 0 {
			s.Note = " has no effect: write the value in parentheses"
			return
		}
		value := args[2:end]
		switch word := args[0].Text; {
		case word == "unroll_count":
			p.factor(s, value)
		case word != "unroll" || s.Factor != nil:
		case len(value) == 1 && (value[0].Is("enable") || value[0].Is("full")):
			s.Kind = "unroll"
		case len(value) == 1 && value[0].Is("disable"):
			s.Kind = "nounroll"
		default:
			s.Note = " has no effect: write full, enable or disable"
		}
		args = args[end+1:]
	}
}

// groupEnd is the index of the parenthesis that closes the one at open, -1 where none does.
func groupEnd(args []preprocess.Token, open int) int {
	depth := 0
	for i := open; i < len(args); i++ {
		if args[i].Is("(") {
			depth++
		} else if args[i].Is(")") {
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// hintsLoop reports whether __attribute__ with opencl_unroll_hint stands here.
func (p *parser) hintsLoop() bool {
	if !p.at(1).Is("(") || p.match[p.i+1] <= 0 {
		return false
	}
	return slices.ContainsFunc(p.tokens[p.i+2:p.match[p.i+1]], func(t preprocess.Token) bool {
		return strings.Trim(t.Text, "_") == unrollHint
	})
}

const unrollHint = "opencl_unroll_hint"

// hint reads such an attribute as a pragma.
func (p *parser) hint() Stmt {
	s := &PragmaStmt{Pos: p.pos(), Kind: "unroll", Text: "__attribute__((" + unrollHint + "))"}
	var attrs []Attr
	p.attributes(&attrs)
	for _, a := range attrs {
		if strings.Trim(a.Name, "_") != unrollHint || len(a.Args) != 1 {
			continue
		}
		s.Factor = a.Args[0]
		if l, ok := s.Factor.(*Lit); ok {
			s.Text = "__attribute__((" + unrollHint + "(" + l.Text + ")))"
		}
	}
	s.Body = p.labelled()
	return s
}
