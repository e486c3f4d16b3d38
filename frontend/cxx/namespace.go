package cxx

import (
	"slices"
	"strings"

	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// Namespaces are taken away: what they hold stands at file scope. Names that two
// of them declare, or one and the file, are told apart first: a::f becomes a__f,
// where it is declared, in the rest of its namespace, and where it is qualified.

// spaceName makes a prefix of a namespace's name.
func spaceName(namespace, name string) string {
	return strings.ReplaceAll(namespace, "::", "__") + "__" + name
}

// clashes reports whether a name has more than one meaning.
func (n *Instances) clashes(name string) bool { return len(n.spaces[name]) > 1 }

// declareIn notes that a namespace declares a name.
func (n *Instances) declareIn(namespace, name string) {
	if name == "" || slices.Contains(n.spaces[name], namespace) {
		return
	}
	n.spaces[name] = append(n.spaces[name], namespace)
	if len(n.spaces[name]) > 1 {
		n.newClash = true
	}
}

// separateNames renames in one source what clashes.
func (all *Program) separateNames(s *source.File) *diag.Error {
	w := &writer{Reader: all.Reader(s), all: all, set: all.Templates, out: &source.Text{}}
	type part struct {
		end       int
		namespace string
	}
	parts := map[int]part{}
	inSpace := false
	w.EachItem(func(i, end int, namespace string) {
		parts[i] = part{end, namespace}
		if namespace != "" {
			inSpace = true
			for _, part := range strings.Split(namespace, "::") {
				w.set.Namespaces[part] = true
			}
		}
		w.set.declareIn(namespace, w.declaredName(i, end))
	})
	if !inSpace && len(w.set.clashing()) == 0 {
		return nil
	}
	current := part{}
	for i, t := range w.Tokens {
		if p, ok := parts[i]; ok {
			current = p
		}
		if i >= current.end {
			current = part{}
		}
		if t.Kind != tokens.Ident || t.InDirective || !w.set.clashes(w.At(i)) {
			continue
		}
		name := w.At(i)
		p := w.Prev(i)
		in := ""
		switch {
		case w.Is(p, "::"):
			qualifier := w.At(w.Prev(p))
			for _, space := range w.set.spaces[name] {
				if space == qualifier || strings.HasSuffix(space, "::"+qualifier) {
					in = space
				}
			}
		case w.Is(p, ".") || w.Is(p, "->"):
		case slices.Contains(w.set.spaces[name], current.namespace):
			in = current.namespace
		}
		if in != "" {
			w.flush(i)
			w.out.Insert(spaceName(in, name), w.File, int(t.Start))
			w.done = int(t.End)
			w.changed = true
		}
	}
	w.flush(len(w.Tokens))
	if !w.changed {
		return nil
	}
	return all.relex(s, w.out)
}

// clashing lists the names with several meanings.
func (n *Instances) clashing() (names []string) {
	for name := range n.spaces {
		if n.clashes(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// declaredName is the name of the device function or struct that an item
// declares, "" for others.
func (w *writer) declaredName(i, end int) string {
	body := i
	if w.Is(i, "template") {
		_, closing, _, ok := w.AnglesWith(w.Next(i), true)
		if !ok {
			return ""
		}
		body = w.Next(closing)
	}
	limit := w.Find(body, end, "(", "{", ";", "=")
	if tag := w.Find(body, limit, "struct", "class"); tag < limit && w.Is(limit, "{") && !w.Is(w.Prev(tag), "enum") {
		if n := w.structName(tag); n > 0 {
			return w.At(n)
		}
		return ""
	}
	if w.Mark(body, limit, "__global__", "__device__") == "" {
		return ""
	}
	if n := w.functionName(body, end); n > 0 && !w.Is(n, "operator") && !w.Is(w.Prev(n), "::") {
		return w.At(n)
	}
	return ""
}
