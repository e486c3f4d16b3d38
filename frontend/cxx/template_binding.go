package cxx

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// binding is one of Program.Bindings taken apart: NAME=VALUE of the parameters of
// one kernel, or of all where kernel is empty.
type binding struct {
	text   string
	kernel string
	values map[string]string
}

// ParseBinding reads "T=float,N=16" or "kernel:T=float,N=16".
func ParseBinding(text string) (binding, error) {
	b := binding{text: text, values: map[string]string{}}
	if name, rest, ok := strings.Cut(text, ":"); ok && tokens.IsIdentifier(name) && !strings.HasPrefix(rest, ":") {
		b.kernel, text = name, rest
	}
	for _, part := range tokens.SplitWords(tokens.WordsOf(text)) {
		if len(part) < 3 || part[1] != "=" || !tokens.IsIdentifier(part[0]) {
			return b, fmt.Errorf("template arguments %q: NAME=VALUE expected, as in T=float,N=16", text)
		}
		b.values[part[0]] = tokens.JoinWords(part[2:])
	}
	if len(b.values) == 0 {
		return b, fmt.Errorf("template arguments %q: NAME=VALUE expected, as in T=float,N=16", text)
	}
	return b, nil
}

// bindings are Program.Bindings taken apart.
func (all *Program) bindings() (list []binding) {
	for _, text := range all.Bindings {
		if b, err := ParseBinding(text); err == nil { // whoever made the Program has reported others
			list = append(list, b)
		}
	}
	return list
}

// UselessBindings warns of arguments for parameters that no template of a kernel in the file has. Whoever varies
// a parameter would take the same result of all its values for a finding.
func (all *Program) UselessBindings(file string) (warnings diag.List) {
	params := map[string][]string{} // by kernel, and of all kernels where the name is empty
	for _, s := range all.Files {
		for _, t := range all.Templates.inOrder(s) {
			for _, p := range t.Params {
				if t.Kind == templateKernel {
					params[t.Name] = append(params[t.Name], p.Name)
					params[""] = append(params[""], p.Name)
				}
			}
		}
	}
	for _, b := range all.bindings() {
		known := params[b.kernel]
		for _, name := range slices.Sorted(maps.Keys(b.values)) {
			if slices.Contains(known, name) {
				continue
			}
			w := diag.Warningf(diag.Pos{File: file}, CodeTemplate, "--template %s: no kernel template has a parameter %s", b.text, name)
			switch {
			case len(params) == 0:
				w = w.WithNote("the source has no kernel template; a macro is given with -D")
			case known == nil:
				delete(params, "")
				w = w.WithNote("%s is no kernel template of the source, which has %s", b.kernel, strings.Join(slices.Sorted(maps.Keys(params)), ", "))
			default:
				w = w.WithNote("the parameters are %s", strings.Join(slices.Compact(slices.Sorted(slices.Values(known))), ", "))
			}
			warnings.Add(w)
		}
	}
	return warnings
}
