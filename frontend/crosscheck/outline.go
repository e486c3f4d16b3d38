package crosscheck

import (
	"maps"
	"slices"
	"strings"

	"gpupipe/internal/diag"
)

// outline is a file as one of the two parsers reads it.
type outline struct {
	decls     []decl
	constants []constant
	names     map[string]bool // that declarators have
}

// decl is a declaration at file scope: its first line names what it declares.
type decl struct {
	pos   diag.Pos
	name  string // of a function or variable; empty of a type alone
	body  bool   // a function with its statements
	lines []line
}

// line is a statement, a declared name or a member.
type line struct {
	pos   diag.Pos
	depth int
	text  string
}

// constant is an expression that has to be constant, written as C.
type constant struct {
	pos  diag.Pos
	name string // of an enumerator
	text string
}

// writer writes the lines of one declaration.
type writer struct {
	out   *outline
	lines []line
	depth int
}

func (w *writer) line(pos diag.Pos, text ...string) {
	w.lines = append(w.lines, line{pos, w.depth, strings.Join(text, "")})
}

// inside writes what stands within braces or below a heading.
func (w *writer) inside(f func()) {
	w.depth++
	f()
	w.depth--
}

// constant notes a constant expression.
func (w *writer) constant(pos diag.Pos, name, text string) {
	w.out.constants = append(w.out.constants, constant{pos, name, text})
}

// finish ends a declaration of the file.
func (w *writer) finish(pos diag.Pos, name string, body bool) {
	if len(w.lines) > 0 {
		w.out.decls = append(w.out.decls, decl{pos, name, body, w.lines})
	}
	w.lines = nil
}

// specs is what stands before a declarator.
type specs struct {
	storage string // typedef, extern or static
	quals   quals
	words   []string // keywords of a type
	named   string   // a type by name, or struct S
}

// quals are qualifiers in the order of their writing here.
type quals struct {
	constant, volatile, restrict bool
	space                        int // index of spaceNames
	access                       string
}

// spaceNames are the address spaces; cc reads the nth as n times _Nonnull.
var spaceNames = []string{"", "global", "local", "constant", "private", "generic"}

func (q quals) String() string {
	s := ""
	for _, f := range []struct {
		on   bool
		text string
	}{{q.space > 0, spaceNames[min(q.space, len(spaceNames)-1)]}, {q.access != "", q.access}, {q.constant, "const"},
		{q.volatile, "volatile"}, {q.restrict, "restrict"}} {
		if f.on {
			s += f.text + " "
		}
	}
	return s
}

func (s *specs) String() string {
	base := s.named
	if base == "" {
		base = arithmetic(s.words)
	}
	return s.quals.String() + base
}

// arithmetic is the one spelling of a type of keywords: long unsigned int is unsigned long.
func arithmetic(words []string) string {
	count := map[string]int{}
	for _, w := range words {
		count[strings.ToLower(strings.Trim(w, "_"))]++ // _Bool is bool
	}
	name := ""
	if count["unsigned"] > 0 {
		name = "unsigned "
	}
	switch {
	case count["char"] > 0 && count["signed"] > 0:
		return "signed char"
	case count["short"] > 0:
		return name + "short"
	case count["double"] > 0:
		return strings.Repeat("long ", count["long"]) + "double"
	case count["long"] > 0:
		return name + strings.TrimSuffix(strings.Repeat("long ", count["long"]), " ")
	case count["unsigned"] > 0 && count["char"] == 0 || count["int"] > 0 ||
		count["signed"] > 0:
		return name + "int"
	}
	return strings.Join(slices.Sorted(maps.Keys(count)), " ")
}
