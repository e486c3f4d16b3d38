package frontend

import (
	"slices"
	"strings"

	"gpupipe/frontend/tokens"
)

// A partial specialisation,
//
//	template <typename T> struct Vector<T, 4> { ... };
//
// is the template that those copies of the primary one are made of whose arguments match its pattern; of several
// the one whose pattern says most. It is found only in the source of the primary template.

// partialSpecialisation registers t for a primary template of structs. The < of its pattern is token n.
func (w *writer) partialSpecialisation(primary, t *template, n int) {
	words, _, rest, ok := w.AngleWords(n)
	parts := tokens.SplitWords(words)
	if !ok || rest > 0 || primary.kind != templateStruct || primary.text != t.text || t.problem != "" || len(parts) > len(primary.params) {
		primary.problem = "it is partially specialised"
		return
	}
	t.pattern = parts
	w.set.partials[t.name] = append(w.set.partials[t.name], t)
	w.own[t.start] = t
}

// partialFor is the partial specialisation that a copy of a template is made of, with the arguments of its
// parameters; nil if there is none.
func (l *loader) partialFor(inst *instance) (best *template, args []string) {
	most := -1
	for _, t := range l.templates.partials[inst.template] {
		primary := l.templates.find(inst.template)
		bound := map[string]string{}
		says := 0
		for i, part := range t.pattern {
			if i >= len(inst.args) || i >= len(primary.params) {
				says = -1
				break
			}
			n, ok := l.matches(t, primary.params[i], part, inst.args[i], bound)
			if !ok {
				says = -1
				break
			}
			says += n
		}
		if says > most && len(bound) == len(t.params) {
			best, most = t, says
			args = nil
			for _, p := range t.params {
				args = append(args, bound[p.name])
			}
		}
	}
	return best, args
}

// matches compares an argument with its part of a pattern, and binds the parameters that this names. says counts
// the words of the part that are no parameters.
func (l *loader) matches(t *template, p templateParam, part []string, arg string, bound map[string]string) (says int, ok bool) {
	isParam := func(w string) bool {
		return slices.ContainsFunc(t.params, func(p templateParam) bool { return p.name == w })
	}
	n := len(part)
	switch {
	case n == 0:
		return 0, false
	case n == 1 && isParam(part[0]):
		if old, known := bound[part[0]]; known && old != arg {
			return 0, false
		}
		bound[part[0]] = arg
		return 0, true
	case !slices.ContainsFunc(part, isParam):
		return n, l.canonical(p, part) == arg
	case part[n-1] == "*":
		rest, isPointer := strings.CutSuffix(arg, " *")
		says, ok = l.matches(t, p, part[:n-1], rest, bound)
		return says + 1, ok && isPointer
	case part[0] == "const":
		rest, isConst := strings.CutPrefix(arg, "const ")
		says, ok = l.matches(t, p, part[1:], rest, bound)
		return says + 1, ok && isConst
	}
	inst := l.templates.mangled[arg]
	if inst == nil || n < 4 || part[0] != inst.template || part[1] != "<" || part[n-1] != ">" {
		return 0, false
	}
	of, parts := l.templates.find(inst.template), tokens.SplitWords(part[2:n-1])
	if of == nil || len(parts) != len(inst.args) || len(inst.args) != len(of.params) {
		return 0, false
	}
	says = 1
	for i, inner := range parts {
		m, fits := l.matches(t, of.params[i], inner, inst.args[i], bound)
		if !fits {
			return 0, false
		}
		says += m
	}
	return says, true
}

// writes reports whether a copy is made of a template, and not of a specialisation of it or of the template
// that it specialises.
func (l *loader) writes(t *template, inst *instance) bool {
	if l.templates.specialised[inst.name] {
		return false
	}
	best, _ := l.partialFor(inst)
	if t.pattern != nil {
		return best == t
	}
	return best == nil && len(inst.args) == len(t.params)
}

// argumentsFor are the arguments of a template's parameters in a copy.
func (l *loader) argumentsFor(t *template, inst *instance) []string {
	if t.pattern == nil {
		return inst.args
	}
	_, args := l.partialFor(inst)
	return args
}
