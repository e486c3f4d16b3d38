package generate

import (
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
// long as the launch in the dimension that is added to it, as in "y * width + x".
func (k *Kernel) rows(f *ir.Func) (list []rowLength) {
	everywhere(f.Body, func(in *ir.Instr) {
		if in.Op != lower.PtrAdd || len(in.Args) != 2 {
			return
		}
		terms := sum(in.Args[1], nil)
		for _, t := range terms {
			arg := factor(t)
			if arg == nil || slices.ContainsFunc(list, func(r rowLength) bool {
				return r.arg == f.Params[arg.Index].Name
			}) {
				continue
			}
			r := rowLength{f.Params[arg.Index].Name, assumedRow, in.Pos}
			for _, other := range terms {
				if dim, ok := k.place(other); ok {
					r.items = k.items(dim)
				}
			}
			list = append(list, r)
		}
	})
	return list
}

// sum adds the terms of a sum to a list.
func sum(v *ir.Value, list []*ir.Value) []*ir.Value {
	if v = source(v); v.Kind == ir.Result && (v.Def.Op == lower.Add || v.Def.Op == lower.Sub) && len(list) < 16 {
		if v.Def.Op == lower.Add && isPlace(v) {
			return append(list, v)
		}
		return sum(v.Def.Args[1], sum(v.Def.Args[0], list))
	}
	return append(list, v)
}

// isPlace reports whether a sum is a work item's own: that of its group and its place there.
func isPlace(v *ir.Value) bool {
	return slices.ContainsFunc(v.Def.Args, func(x *ir.Value) bool {
		_, ok := index(source(x), "get_local_id")
		return ok
	})
}

// factor is the integer argument that a product has as one of its factors, nil if there is none.
func factor(v *ir.Value) *ir.Value {
	if v.Kind != ir.Result || v.Def.Op != lower.Mul {
		return nil
	}
	for _, x := range v.Def.Args {
		switch x = source(x); {
		case x.Kind == ir.KernelArg && x.Type.IsInteger():
			return x
		case x.Kind == ir.Result && x.Def.Op == lower.Mul:
			if arg := factor(x); arg != nil {
				return arg
			}
		}
	}
	return nil
}
