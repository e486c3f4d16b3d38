package frontend

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
	for _, src := range w.l.sources {
		at, included := w.includedAt[src]
		if !included {
			continue
		}
		list := w.set.inOrder(src)
		slices.SortStableFunc(list, func(a, b *template) int { return cmp.Compare(a.stage(), b.stage()) })
		for _, t := range list {
			if t.kind == templateHost || t.problem != "" {
				continue
			}
			for _, inst := range w.set.requests[t.name] {
				place := w.typesBehind(inst, at)
				if place == 0 || !w.l.writes(t, inst) {
					continue
				}
				places[place] = append(places[place], foreignInstance{t, inst})
				if w.set.homes[inst.name] == "" {
					w.set.homes[inst.name] = w.File.Name
					w.set.newHome = true
				}
			}
		}
	}
	return places
}

// foreignInstance is a copy of a template of another source.
type foreignInstance struct {
	*template
	inst *instance
}

// stage orders templates that have been found one after the other in one source.
func (t *template) stage() int {
	if hoistedName(t.name) {
		return 1
	}
	return 0
}

// typesBehind is the token behind the last of the types of this file among a copy's arguments that
// stand behind token at; 0 if there is none.
func (w *writer) typesBehind(inst *instance, at int) (place int) {
	for _, a := range inst.args {
		for _, word := range strings.Fields(a) {
			if i := w.set.mangled[word]; i != nil && w.set.types[word].src == nil {
				word = i.template
			}
			if slices.Contains(cudaScalarNames, word) {
				continue // of an enum, say, that names its type
			}
			if p, ok := w.set.types[word]; ok && p.src == w.File && p.end > at {
				place = max(place, p.end)
			}
		}
	}
	return place
}

// isForeign reports whether a copy is written in another source than its template.
func (w *writer) isForeign(inst *instance) bool {
	home := w.set.homes[inst.name]
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
		of := w.writerOf(f.template)
		if body := of.head(f.body, f.end).body; f.kind == templateFunction && body < f.end {
			of.declareInstance(f.template, f.inst, body)
		}
	}
	for _, f := range list {
		w.writerOf(f.template).copyInstance(f.template, f.inst)
	}
	w.skip(i)
}

// writerOf writes what stands in the text of a template to where w writes.
func (w *writer) writerOf(t *template) *writer {
	return &writer{rewriter: &rewriter{File: t.text, l: w.l}, set: w.set, current: t.text, out: w.out}
}
