package cxx

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
func (w *writer) partialSpecialisation(primary, t *Template, n int) {
	words, _, rest, ok := w.AngleWords(n)
	parts := tokens.SplitWords(words)
	if !ok || rest > 0 || primary.Kind != templateStruct || primary.text != t.text || t.Problem != "" || len(parts) > len(primary.Params) {
		primary.Problem = "it is partially specialised"
		return
	}
	t.pattern = parts
	w.set.partials[t.Name] = append(w.set.partials[t.Name], t)
	w.own[t.start] = t
}

// partialFor is the partial specialisation that a copy of a template is made of, with the arguments of its
// parameters; nil if there is none.
func (all *Program) partialFor(inst *Instance) (best *Template, args []string) {
	most := -1
	for _, t := range all.Templates.partials[inst.Template] {
		primary := all.Templates.taking(inst.Template, len(inst.Args))
		if primary == nil || len(t.pattern) != len(primary.Params) && len(primary.Params) != len(inst.Args) {
			continue
		}
		bound := map[string]string{}
		says := 0
		for i, part := range t.pattern {
			if i >= len(inst.Args) || i >= len(primary.Params) {
				says = -1
				break
			}
			n, ok := all.matches(t, primary.Params[i], part, inst.Args[i], bound)
			if !ok {
				says = -1
				break
			}
			says += n
		}
		if says > most && len(bound) == len(t.Params) {
			best, most = t, says
			args = nil
			for _, p := range t.Params {
				args = append(args, bound[p.Name])
			}
		}
	}
	return best, args
}

// matches compares an argument with its part of a pattern, and binds the parameters that this names. says counts
// the words of the part that are no parameters.
func (all *Program) matches(t *Template, p Param, part []string, arg string, bound map[string]string) (says int, ok bool) {
	isParam := func(w string) bool {
		return slices.ContainsFunc(t.Params, func(p Param) bool { return p.Name == w })
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
		return n, all.Canonical(p, part) == arg
	case part[n-1] == "*":
		rest, isPointer := strings.CutSuffix(arg, " *")
		says, ok = all.matches(t, p, part[:n-1], rest, bound)
		return says + 1, ok && isPointer
	case part[0] == "const":
		rest, isConst := strings.CutPrefix(arg, "const ")
		says, ok = all.matches(t, p, part[1:], rest, bound)
		return says + 1, ok && isConst
	}
	inst := all.Templates.Mangled[arg]
	if inst == nil || n < 4 || part[0] != inst.Template || part[1] != "<" || part[n-1] != ">" {
		return 0, false
	}
	of, parts := all.Templates.Find(inst.Template), tokens.SplitWords(part[2:n-1])
	if of == nil || len(parts) != len(inst.Args) || len(inst.Args) != len(of.Params) {
		return 0, false
	}
	says = 1
	for i, inner := range parts {
		m, fits := all.matches(t, of.Params[i], inner, inst.Args[i], bound)
		if !fits {
			return 0, false
		}
		says += m
	}
	return says, true
}

// writes reports whether a copy is made of a template, and not of a specialisation of it or of the template
// that it specialises.
func (all *Program) writes(t *Template, inst *Instance) bool {
	if all.Templates.specialised[inst.Name] {
		return false
	}
	best, _ := all.partialFor(inst)
	if t.pattern != nil {
		return best == t
	}
	return best == nil && len(inst.Args) == len(t.Params)
}

// argumentsFor are the arguments of a template's parameters in a copy.
func (all *Program) argumentsFor(t *Template, inst *Instance) []string {
	if t.pattern == nil {
		return inst.Args
	}
	_, args := all.partialFor(inst)
	return args
}
