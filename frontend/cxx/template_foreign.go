package cxx

import (
	"cmp"
	"slices"
	"strings"

	"gpupipe/frontend/source"
)

// A copy of a header's template whose argument is a type of the file that includes it,
//
//	#include "reduce.h"        // template <typename Op> float reduce(float x, Op op)
//	struct Larger { ... };
//	__global__ void k(...) { ... reduce(x, Larger()); }
//
// cannot stand in the header, where the type is not known yet: it is written in that file, behind
// the type. Which copies these are is found when the file is written out; the header, which
// has been by then, leaves them out when the program is read again.

// noteInclude notes the header that the directive at token i brings in, and those that this one does.
func (w *writer) noteInclude(header *source.File, i int) {
	if header == nil || header == w.File {
		return
	}
	if _, known := w.includedAt[header]; known {
		return
	}
	w.includedAt[header] = i
	for s := range header.Includes {
		if _, known := w.includedAt[s]; !known && s != w.File {
			w.includedAt[s] = i
		}
	}
}

// foreignInstances lists the copies of headers' templates that are written here, by the token before which
// they are.
func (w *writer) foreignInstances() map[int][]foreignInstance {
	if w.hoisted {
		return nil // the first time they have been
	}
	places := map[int][]foreignInstance{}
	for _, src := range w.all.Files {
		at, included := w.includedAt[src]
		if !included {
			continue
		}
		list := w.set.inOrder(src)
		slices.SortStableFunc(list, func(a, b *Template) int { return cmp.Compare(a.stage(), b.stage()) })
		for _, t := range list {
			if t.Kind == templateHost || t.Problem != "" {
				continue
			}
			for _, inst := range w.set.Requests[t.Name] {
				place := w.typesBehind(inst, at)
				if place == 0 || !w.all.writes(t, inst) {
					continue
				}
				places[place] = append(places[place], foreignInstance{t, inst})
				if w.set.homes[inst.Name] == "" {
					w.set.homes[inst.Name] = w.File.Name
					w.set.newHome = true
				}
			}
		}
	}
	return places
}

// foreignInstance is a copy of a template of another source.
type foreignInstance struct {
	*Template
	inst *Instance
}

// stage orders templates that have been found one after the other in one source.
func (t *Template) stage() int {
	if hoistedName(t.Name) {
		return 1
	}
	return 0
}

// typesBehind is the token behind the last of the types of this file among a copy's arguments that
// stand behind token at; 0 if there is none.
func (w *writer) typesBehind(inst *Instance, at int) (place int) {
	for _, a := range inst.Args {
		for _, word := range strings.Fields(a) {
			if i := w.set.Mangled[word]; i != nil && w.set.Types[word].src == nil {
				word = i.Template
			}
			if slices.Contains(ScalarNames, word) {
				continue // of an enum, say, that names its type
			}
			if p, ok := w.set.Types[word]; ok && p.src == w.File && p.end > at {
				place = max(place, p.end)
			}
		}
	}
	return place
}

// isForeign reports whether a copy is written in another source than its template.
func (w *writer) isForeign(inst *Instance) bool {
	home := w.set.homes[inst.Name]
	return home != "" && home != w.File.Name
}

// copyForeign writes copies of headers' templates before token i: first their prototypes, as they may call
// each other.
func (w *writer) copyForeign(i int, list []foreignInstance) {
	if len(list) == 0 {
		return
	}
	w.flush(i)
	w.changed = true
	for _, f := range list {
		of := w.writerOf(f.Template)
		if body := of.Head(f.body, f.end).Body; f.Kind == TemplateFunction && body < f.end {
			of.declareInstance(f.Template, f.inst, body)
		}
	}
	for _, f := range list {
		w.writerOf(f.Template).copyInstance(f.Template, f.inst)
	}
	w.skip(i)
}

// writerOf writes what stands in the text of a template to where w writes.
func (w *writer) writerOf(t *Template) *writer {
	return &writer{Reader: w.all.Reader(t.text), all: w.all, set: w.set, current: t.text, out: w.out}
}
