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

// macroSize bounds what a macro gives: fixed tokens and, for each token of its
// arguments, perArg.
type macroSize struct{ fixed, perArg float64 }

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
				d.params = append(d.params, "__VA_ARGS__")
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
		most = macroSize{max(most.fixed, s.fixed), max(most.perArg, s.perArg)}
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
	for ; i < j; i++ {
		if l.KindOf(i) == tokens.Newline {
			continue
		}
		s := l.At(i)
		hides := slices.Index(active, s)
		switch {
		case slices.Contains(params, s):
			sum.perArg++
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
			switch {
			case size.perArg == 0:
			case end > 0:
				args, hidden := m.text(l, i+2, end, params, active)
				outer = max(outer, hidden)
				sum.fixed += size.perArg * args.fixed
				sum.perArg += size.perArg * args.perArg
				i = end
			default:
				sum.perArg += size.perArg
			}
		}
	}
	return sum, outer
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
