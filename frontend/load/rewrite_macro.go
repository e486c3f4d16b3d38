package load

import (
	"fmt"
	"slices"
	"strconv"

	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"

	"modernc.org/cc/v4"
)

// cc expands the arguments of a macro's call as a whole, before any of it can
// be counted, and pastes (##) with a recursion as deep as what the macro has
// given so far. Calls that may give more than maxExpansion tokens are therefore
// found before they are expanded, by an upper bound: while a file is rewritten,
// from all definitions that have been read. Where that is too much, the files are
// read again, and the definitions in force decide when the preprocessor comes by.
// (It tells of each definition in a line of its own, which __LINE__ counts.)

// macroDef is one #define.
type macroDef struct {
	name     string
	text     *tokens.List
	params   []string
	from, to int // tokens of the replacement
}

// macroTable holds definitions of macros: all that were read, or those in force.
type macroTable struct {
	defs  map[string][]*macroDef
	sizes map[string]macroSize // computed so far
	steps int                  // names looked into since the last call of exceeds
}

// macroSize bounds what a macro gives: fixed tokens and, for each token of an argument, so many of
// its parameter; of those behind the last parameter, the last.
type macroSize struct {
	fixed float64
	per   []float64
}

// most makes a size the larger one.
func (s *macroSize) most(o macroSize) {
	s.fixed = max(s.fixed, o.fixed)
	for i, n := range o.per {
		if i == len(s.per) {
			s.per = append(s.per, 0)
		}
		s.per[i] = max(s.per[i], n)
	}
}

// add adds another text's so many times.
func (s *macroSize) add(o macroSize, times float64) {
	s.fixed += times * o.fixed
	s.per = append(s.per, make([]float64, max(0, len(o.per)-len(s.per)))...)
	for i, n := range o.per {
		s.per[i] += times * n
	}
}

// of is how often a token of argument i is given.
func (s *macroSize) of(i int) float64 {
	if len(s.per) == 0 {
		return 0
	}
	return s.per[min(i, len(s.per)-1)]
}

func newMacroTable() macroTable {
	return macroTable{defs: map[string][]*macroDef{}, sizes: map[string]macroSize{}}
}

// readMacro reads the #define whose name is token n, on a line up to token end.
func readMacro(l *tokens.List, n, end int) *macroDef {
	d := &macroDef{name: l.At(n), text: l, from: n + 1, to: end}
	if n+1 < end && l.Is(n+1, "(") && l.Tokens[n+1].Start == l.Tokens[n].End {
		k := n + 2
		for ; k < end && !l.Is(k, ")"); k++ {
			switch s := l.At(k); s {
			case ",":
			case "...":
				if l.Is(k-1, "(") || l.Is(k-1, ",") { // else it has the name before it
					d.params = append(d.params, "__VA_ARGS__")
				}
			default:
				d.params = append(d.params, s)
			}
		}
		d.from = min(k+1, end)
	}
	return d
}

// set makes defs the definitions of a macro.
func (m *macroTable) set(name string, defs ...*macroDef) {
	m.defs[name] = defs
	clear(m.sizes)
}

// exceeds reports whether tokens i to j may expand to more than maxExpansion
// tokens. Finding out takes no more steps than that.
func (m *macroTable) exceeds(l *tokens.List, i, j int) bool {
	m.steps = 0
	s, _ := m.text(l, i, j, nil, nil)
	return s.fixed > maxExpansion || m.steps > maxExpansion
}

// size bounds a macro by the largest of its definitions. A macro inside of its
// own replacement is not expanded again: outer is how many of the active names
// the bound holds for, those that hide a name in it.
func (m *macroTable) size(name string, active []string) (most macroSize, outer int) {
	if s, ok := m.sizes[name]; ok {
		return s, 0
	}
	if m.steps++; m.steps > maxExpansion {
		return macroSize{}, 0
	}
	n := len(active)
	active = append(active, name)
	for _, d := range m.defs[name] {
		s, hidden := m.text(d.text, d.from, d.to, d.params, active)
		most.most(s)
		outer = max(outer, min(hidden, n))
	}
	if outer == 0 {
		m.sizes[name] = most
	}
	return most, outer
}

// text bounds what tokens i to j expand to. The arguments of a macro that is
// named last are found behind the text.
func (m *macroTable) text(l *tokens.List, i, j int, params, active []string) (sum macroSize, outer int) {
	sum.per = make([]float64, len(params))
	for ; i < j; i++ {
		if l.KindOf(i) == tokens.Newline {
			continue
		}
		s := l.At(i)
		for i+2 < j && l.Is(i+1, "##") && !slices.Contains(params, s) && !slices.Contains(params, l.At(i+2)) {
			i += 2
			s += l.At(i) // which may name a macro
		}
		hides, param := slices.Index(active, s), slices.Index(params, s)
		switch {
		case param >= 0:
			sum.per[param]++
		case len(m.defs[s]) == 0 || len(active) > tokens.MaxBrackets:
			sum.fixed++
		case hides >= 0:
			sum.fixed++
			if hides < len(active)-1 {
				outer = max(outer, hides+1)
			}
		default:
			size, hidden := m.size(s, active)
			outer = max(outer, hidden)
			sum.fixed += size.fixed
			end := callEnd(l, i, j)
			if end == 0 { // the arguments are behind the text
				sum.add(macroSize{per: size.per}, 1)
			}
			if len(size.per) == 0 || end == 0 {
				continue
			}
			for n, from := 0, i+2; from <= end; n++ {
				to := argumentEnd(l, from, end)
				arg, hidden := m.text(l, from, to, params, active)
				outer = max(outer, hidden)
				sum.add(arg, size.of(n))
				from = to + 1
			}
			i = end
		}
	}
	return sum, outer
}

// argumentEnd returns the , or ) that ends the argument that begins at token i of a call up to end.
func argumentEnd(l *tokens.List, i, end int) int {
	depth := 0
	for ; i < end; i++ {
		switch l.At(i) {
		case "(":
			depth++
		case ")":
			depth--
		case ",":
			if depth == 0 {
				return i
			}
		}
	}
	return end
}

// callEnd returns the ) of the call whose name is token i, or 0.
func callEnd(l *tokens.List, i, j int) int {
	depth := 0
	for k := i + 1; k < j; k++ {
		switch l.At(k) {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return k
			}
		case "\n":
		default:
			if depth == 0 {
				return 0
			}
		}
	}
	return 0
}

// macroUse is a place where macros may give too much.
type macroUse struct {
	list     *tokens.List
	from, to int // tokens
	err      *diag.Error
}

// macroBombs has the preprocessor stop in front of a macro that gives too much.
func (r *rewriter) macroBombs() {
	m := &r.l.macros
	if len(m.defs) == 0 {
		return
	}
	var ifs []int // the first lines of the #if that are open
	for i := 0; i < len(r.Tokens); i++ {
		t := r.Tokens[i]
		end, start := r.LineEnd(i), i
		if t.InDirective {
			switch r.At(i + 1) {
			case "if", "ifdef", "ifndef":
				ifs = append(ifs, i)
			case "endif":
				ifs = ifs[:max(len(ifs)-1, 0)]
			case "elif":
				if len(ifs) > 0 {
					start = ifs[len(ifs)-1] // what stands before #elif is not executed where its condition counts
				}
			case "include", "include_next":
			default:
				i = end - 1
				continue
			}
		} else if t.Kind != tokens.Ident || r.dead[i] || len(m.defs[r.At(i)]) == 0 {
			continue
		} else if n := r.Next(i); r.Is(n, "(") {
			end = n + 1
			if c := r.Shape.Closing(n); c > 0 {
				end = c + 1
			}
		} else {
			end = i + 1
		}
		if m.exceeds(r.List, i, end) {
			r.boundMacros(start, macroUse{list: r.List, from: i, to: end})
		}
		i = end - 1
	}
}

// boundMacros has a use of macros bounded when the preprocessor comes to token at.
func (r *rewriter) boundMacros(at int, u macroUse) {
	name := u.from
	for name < u.to-1 && len(r.l.macros.defs[r.At(name)]) == 0 {
		name++
	}
	u.err = tokens.Limitf("the macro %s may expand to more than %d tokens", r.At(name), maxExpansion).At(r.tokPos(name))
	for i := u.from + 1; i < u.to; i++ {
		if r.Tokens[i].InDirective && !r.Tokens[u.from].InDirective {
			u.list = nil // directives among the arguments may define what they please
		}
	}
	r.l.uses = append(r.l.uses, u)
	r.before(at, fmt.Sprintf("\n#pragma %s %d\n", pragmaBound, len(r.l.uses)-1))
}

// follow tells the loader of the directive at token i when it is executed.
func (r *rewriter) follow(i int, verb, arg string) {
	if r.l.follow {
		r.before(i, fmt.Sprintf("\n#pragma %s %s\n", verb, arg))
	}
}

// needsFollowing reports whether the files must be read again to know the macros in force.
func (l *loader) needsFollowing() bool { return len(l.uses) > 0 && !l.follow }

// macroPragma follows the definitions in force.
func (l *loader) macroPragma(verb, arg string) error {
	id, _ := strconv.Atoi(arg)
	switch {
	case verb == pragmaUndef:
		l.live.set(arg)
	case verb == pragmaRestore:
		l.live.set(arg, l.macros.defs[arg]...)
	case verb == pragmaDefine && id < len(l.defines):
		l.live.set(l.defines[id].name, l.defines[id])
	case verb == pragmaBound && id < len(l.uses):
		if u := l.uses[id]; u.list == nil || !l.follow || l.live.exceeds(u.list, u.from, u.to) {
			l.fail(u.err)
			return cc.SkipSource
		}
	}
	return nil
}
