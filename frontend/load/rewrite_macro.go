package load

import (
	"fmt"
	"slices"
	"strconv"

	"gpupipe/frontend/tokens"
)

// cc expands the arguments of a macro's call as a whole, before any of it can
// be counted, and pastes (##) with a recursion as deep as what the macro has
// given so far. Calls that may give more than maxExpansion tokens are therefore
// found in the raw text, by an upper bound.

// macroDef is one #define: all those of a name count, whatever #if they are in.
type macroDef struct {
	text       *tokens.List
	params     []string
	isFunction bool
	from, to   int // tokens of the replacement
}

// macroTable holds the macros of all files.
type macroTable struct {
	defs  map[string][]macroDef
	sizes map[string]macroSize // computed so far
}

// macroSize bounds what a macro gives: fixed tokens and, for each token of its
// arguments, perArg.
type macroSize struct{ fixed, perArg float64 }

func newMacroTable() macroTable {
	return macroTable{map[string][]macroDef{}, map[string]macroSize{}}
}

// define adds the #define whose name is token n, on a line up to token end.
func (m *macroTable) define(l *tokens.List, n, end int) {
	d := macroDef{text: l, from: n + 1, to: end}
	if n+1 < end && l.Is(n+1, "(") && l.Tokens[n+1].Start == l.Tokens[n].End {
		d.isFunction = true
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
	name := l.At(n)
	m.defs[name] = append(m.defs[name], d)
	clear(m.sizes)
}

// size bounds a macro by the largest of its definitions. A macro inside of its
// own replacement is not expanded again.
func (m *macroTable) size(name string, active []string) macroSize {
	if s, ok := m.sizes[name]; ok {
		return s
	}
	var most macroSize
	active = append(active, name)
	for _, d := range m.defs[name] {
		s := m.text(d.text, d.from, d.to, d.params, active)
		most = macroSize{max(most.fixed, s.fixed), max(most.perArg, s.perArg)}
	}
	m.sizes[name] = most
	return most
}

// text bounds what tokens i to j expand to.
func (m *macroTable) text(l *tokens.List, i, j int, params, active []string) (sum macroSize) {
	for ; i < j; i++ {
		if l.KindOf(i) == tokens.Newline {
			continue
		}
		s := l.At(i)
		switch defs := m.defs[s]; {
		case slices.Contains(params, s):
			sum.perArg++
		case len(defs) == 0 || slices.Contains(active, s) || len(active) > tokens.MaxBrackets:
			sum.fixed++
		default:
			size := m.size(s, active)
			sum.fixed += size.fixed
			if end := callEnd(l, i, j); end > 0 && slices.ContainsFunc(defs, func(d macroDef) bool { return d.isFunction }) {
				args := m.text(l, i+2, end, params, active)
				sum.fixed += size.perArg * args.fixed
				sum.perArg += size.perArg * args.perArg
				i = end
			}
		}
	}
	return sum
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

// macroBombs stops the preprocessor in front of a macro that gives too much.
func (r *rewriter) macroBombs() {
	m := &r.l.macros
	if len(m.defs) == 0 {
		return
	}
	for i := 0; i < len(r.Tokens); i++ {
		t := r.Tokens[i]
		if t.Kind != tokens.Ident || r.dead[i] || len(m.defs[r.At(i)]) == 0 {
			continue
		}
		end, start := r.LineEnd(i), i
		if t.InDirective {
			for start > 0 && r.Tokens[start-1].InDirective {
				start--
			}
			switch r.At(start + 1) {
			case "if", "elif", "include", "include_next":
			default:
				i = end
				continue
			}
		} else if n := r.Next(i); r.Is(n, "(") {
			end = n + 1
			if c := r.Shape.Closing(n); c > 0 {
				end = c + 1
			}
		} else {
			end = i + 1
		}
		if s := m.text(r.List, i, end, nil, nil); s.fixed > maxExpansion {
			e := tokens.Limitf("the macro %s may expand to more than %s tokens", r.At(i), strconv.Itoa(maxExpansion))
			r.before(start, fmt.Sprintf("\n#pragma %s %d\n", pragmaStop, r.diagID(e.At(r.tokPos(i)))))
		}
		i = end - 1
	}
}
