package launches

import (
	"slices"

	"gpupipe/frontend/syntax"
)

// firstIteration completes the launches from number begun on, those of a loop, with what is known of them in the
// loop's first iteration, which begins with the variables in start.
func (r *interpreter) firstIteration(loop, body syntax.Stmt, start []variable, begun int) {
	open := func(u Launch) bool { return !u.whole() }
	if r.quiet || !slices.ContainsFunc(r.launches[begun:], open) {
		return
	}
	list, end := slices.Clone(r.launches[begun:]), r.env.snapshot()
	r.env.restore(start)
	if each, ok := loop.(*syntax.RangeStmt); ok {
		r.firstElement(each)
	}
	r.launches = r.launches[:begun]
	r.side(body)
	first := slices.Clone(r.launches[begun:])
	r.env.restore(end)
	r.launches = append(r.launches[:begun], list...)
	for i := range list {
		u := &r.launches[begun+i]
		at := slices.IndexFunc(first, func(w Launch) bool { return u.same(&w) && len(u.Values) == len(w.Values) })
		if at < 0 {
			continue
		}
		if u.complete(&first[at]) {
			u.FirstOf = r.line(loop.StmtPos())
		}
		first = slices.Delete(first, at, at+1)
	}
}

// firstElement gives the variable of a loop over an array its first value.
func (r *interpreter) firstElement(s *syntax.RangeStmt) {
	over := r.eval(s.Range)
	if list, ok := s.Range.(*syntax.List); ok {
		over.elems = r.elements(list, nil)
	}
	if len(over.elems) == 0 || len(s.Var.Decls) != 1 || s.Var.Decls[0].Decl == nil {
		return
	}
	if v := r.env.find(last(s.Var.Decls[0].Decl.Name)); v != nil {
		v.value = over.elems[0]
		if v.Type != nil && v.Type.IsScalar() {
			v.value = v.value.as(v.Type)
		}
	}
}

// parts are the sizes and arguments of a launch.
func (u *Launch) parts() []*Value {
	list := []*Value{&u.Grid, &u.Block, &u.Shared}
	for i := range u.Values {
		list = append(list, &u.Values[i])
	}
	return list
}

// whole reports whether all of a launch is known.
func (u *Launch) whole() bool {
	return !slices.ContainsFunc(u.parts(), func(v *Value) bool { return !v.Known() })
}

// complete takes of w what of u is not known, and reports whether there is such.
func (u *Launch) complete(w *Launch) (any bool) {
	u.Values = slices.Clone(u.Values)
	from := w.parts()
	for i, v := range u.parts() {
		if !v.Known() && from[i].Known() {
			*v, any = *from[i], true
		}
	}
	return any
}
