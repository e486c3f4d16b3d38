package generate

import (
	"cmp"
	"slices"

	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// assumedRow is the length of rows of which nothing is known: as long as lanes in different rows meet in no segment
// of memory, and short enough for as many rows as assumedGroups has work items.
const assumedRow = 256

// rowLength is an argument that a subscript is multiplied by: the distance of two rows of a matrix.
type rowLength struct {
	arg   string
	items int64 // that it is assumed to have
	pos   diag.Pos
}

// rows are the arguments that are the distance of rows in global memory, in the order of their first use. A row is as
// long as the launch in the dimension that is added to it anywhere, as in "y * width + x", or a multiple ("2 * x").
func (k *Kernel) rows(f *ir.Func) (list []rowLength) {
	f.Body.Walk(func(in *ir.Instr) {
		if in.Op != lower.PtrAdd || len(in.Args) != 2 {
			return
		}
		terms := k.sum(in.Args[1], nil)
		for _, t := range terms {
			arg := factor(t)
			if arg == nil {
				continue
			}
			r := rowLength{arg: f.Params[arg.Index].Name, pos: in.Pos}
			for _, other := range terms {
				if n := k.extent(other, terms); n > 0 {
					r.items = n
				}
			}
			i := slices.IndexFunc(list, func(known rowLength) bool { return known.arg == r.arg })
			if i < 0 {
				list = append(list, r)
			} else if list[i].items == 0 && r.items > 0 {
				list[i] = r
			}
		}
	})
	for i := range list {
		list[i].items = cmp.Or(list[i].items, assumedRow)
	}
	return list
}

// extent is how far a term of a sum reaches that is a work item's place, or a multiple of it; 0 for others.
func (k *Kernel) extent(t *ir.Value, terms []*ir.Value) int64 {
	if dim, ok := k.place(t); ok {
		return k.items(dim)
	}
	if dim, ok := index(t, "get_local_id"); ok && slices.ContainsFunc(terms, func(other *ir.Value) bool {
		return k.isGroupsPlace(other, dim)
	}) {
		return k.items(dim)
	}
	if t.Kind == ir.Result && t.Def.Op == lower.Mul {
		for i, x := range t.Def.Args {
			if dim, ok := k.place(source(x)); ok && t.Def.Args[1-i].Kind == ir.Const {
				return k.items(dim) * int64(t.Def.Args[1-i].Bits)
			}
		}
	}
	return 0
}

// sum adds the terms of a sum to a list; a work item's place is one.
func (k *Kernel) sum(v *ir.Value, list []*ir.Value) []*ir.Value {
	if v = source(v); v.Kind == ir.Result && (v.Def.Op == lower.Add || v.Def.Op == lower.Sub) && len(list) < 16 {
		if _, ok := k.place(v); ok {
			return append(list, v)
		}
		return k.sum(v.Def.Args[1], k.sum(v.Def.Args[0], list))
	}
	return append(list, v)
}

// rowNumbers are the arguments that only others are multiplied by in subscripts of global memory, as k in
// "a[k * n + j]": where a row begins.
func (k *Kernel) rowNumbers(f *ir.Func) (list []rowLength) {
	f.Body.Walk(func(in *ir.Instr) {
		if in.Op != lower.PtrAdd || len(in.Args) != 2 {
			return
		}
		for _, t := range k.sum(in.Args[1], nil) {
			if all := factors(t, nil); len(all) > 1 && !slices.ContainsFunc(all, varies) {
				for _, arg := range all {
					list = append(list, rowLength{arg: f.Params[arg.Index].Name, pos: in.Pos})
				}
			}
		}
	})
	return list
}

// starts are the arguments that are added to places in subscripts of global memory, as in "a[i + first]": nothing is
// subtracted there.
func (k *Kernel) starts(f *ir.Func) (list []rowLength) {
	f.Body.Walk(func(in *ir.Instr) {
		if in.Op != lower.PtrAdd || len(in.Args) != 2 || subtracts(in.Args[1]) {
			return
		}
		for _, t := range k.sum(in.Args[1], nil) {
			if !varies(t) {
				list = append(list, rowLength{arg: f.Params[t.Index].Name, pos: in.Pos})
			}
		}
	})
	return list
}

// subtracts reports whether a sum has a difference or a negative constant.
func subtracts(v *ir.Value) bool {
	if v = source(v); v.Kind == ir.Const {
		return int64(v.Bits) < 0
	}
	return v.Kind == ir.Result && (v.Def.Op == lower.Sub ||
		v.Def.Op == lower.Add && slices.ContainsFunc(v.Def.Args, subtracts))
}

// factor is the integer argument that a product has as a factor beside what is none; nil for other values.
func factor(v *ir.Value) *ir.Value {
	all := factors(v, nil)
	i := slices.IndexFunc(all, func(x *ir.Value) bool { return !varies(x) })
	if i < 0 || !slices.ContainsFunc(all, varies) {
		return nil
	}
	return all[i]
}

// varies reports whether a value is no integer argument.
func varies(v *ir.Value) bool { return v.Kind != ir.KernelArg || !v.Type.IsInteger() }

// factors adds those of a product to a list.
func factors(v *ir.Value, list []*ir.Value) []*ir.Value {
	if v = source(v); v.Kind == ir.Result && v.Def.Op == lower.Mul && len(list) < 16 {
		return factors(v.Def.Args[1], factors(v.Def.Args[0], list))
	}
	return append(list, v)
}
