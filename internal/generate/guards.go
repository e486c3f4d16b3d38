package generate

import (
	"slices"

	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
	"gpupipe/unroll"
)

const codeAssumedArgument = "ASSUMED-ARG"

// guard is a comparison of a work item's place in the launch with an argument, as in "if (i < n)".
type guard struct {
	arg   string
	items int64 // of the launch in that dimension
	pos   diag.Pos
}

// assumeArguments gives integer arguments without a value the number of work items that guards compare them with:
// a launch has as many as there is data. It is left to the user where there are choices for trips or branches, or
// guards that disagree.
func (k *Kernel) assumeArguments() {
	o := k.program.options
	lacking := slices.ContainsFunc(k.Lowered.Params, func(p lower.Param) bool {
		_, given := k.Options.Args[p.Name]
		return p.Type.IsInteger() && !given
	})
	if !lacking || o.AssumeTrips > 0 || len(o.Trips) > 0 {
		return
	}
	found := map[string][]guard{}
	for _, g := range k.guards() {
		chosen := slices.ContainsFunc(o.Branches, func(b unroll.BranchChoice) bool { return b.At.Matches(g.pos) })
		if _, given := k.Options.Args[g.arg]; !given && !chosen {
			found[g.arg] = append(found[g.arg], g)
		}
	}
	for _, p := range k.Lowered.Params {
		all := found[p.Name]
		if all == nil || slices.ContainsFunc(all, func(g guard) bool { return g.items != all[0].items }) {
			continue
		}
		k.Options.Args[p.Name] = unroll.ArgValue{Int: all[0].items}
		if k.Options.AssumedArgs == nil {
			k.Options.AssumedArgs = map[string]bool{}
		}
		k.Options.AssumedArgs[p.Name] = true
		k.Launch.notes.Add(diag.Notef(all[0].pos, codeAssumedArgument,
			"%s=%d is assumed: it is compared with the place of one of %d work items", p.Name, all[0].items,
			all[0].items).
			WithNote("give its value with --arg %s=VALUE", p.Name))
	}
	k.Options.Notes = k.Launch.notes
}

// withoutAssumed is the kernel with what guards told of arguments taken back; false: they told nothing.
func (k *Kernel) withoutAssumed() (*Kernel, bool) {
	if len(k.Options.AssumedArgs) == 0 {
		return nil, false
	}
	other, launch := *k, *k.Launch
	launch.notes = slices.DeleteFunc(slices.Clone(launch.notes), func(e *diag.Error) bool {
		return e.Code == codeAssumedArgument
	})
	other.Launch, other.Options.AssumedArgs = &launch, nil
	other.Options.Notes = launch.notes
	other.Options.Args = map[string]unroll.ArgValue{}
	for name, v := range k.Options.Args {
		if !k.Options.AssumedArgs[name] {
			other.Options.Args[name] = v
		}
	}
	return &other, true
}

// guards are those of the branches of a kernel.
func (k *Kernel) guards() (list []guard) {
	f := build.Build(k.Lowered)
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		for _, in := range b.Instrs {
			if in.Op == lower.OpIf && in.Kind != "loop" {
				list = append(list, k.compared(f, in.Args[0], in.Pos)...)
			}
			for _, inner := range in.Blocks {
				visit(inner)
			}
		}
	}
	visit(f.Body)
	return list
}

// compared finds guards in a condition.
func (k *Kernel) compared(f *ir.Func, cond *ir.Value, pos diag.Pos) (list []guard) {
	if cond.Kind != ir.Result {
		return nil
	}
	d := cond.Def
	switch {
	case d.Op == lower.And || d.Op == lower.Or || d.Op == lower.Not:
		for _, x := range d.Args {
			list = append(list, k.compared(f, x, pos)...)
		}
	case d.Op == lower.Lt || d.Op == lower.Le || d.Op == lower.Gt || d.Op == lower.Ge:
		for i, x := range d.Args {
			arg, place := source(x), source(d.Args[1-i])
			dim, ok := k.place(place)
			if arg.Kind == ir.KernelArg && arg.Type.IsInteger() && ok {
				list = append(list, guard{f.Params[arg.Index].Name, k.items(dim), pos})
			}
		}
	}
	return list
}

// items is how many work items a launch has in a dimension, as it was asked for.
func (k *Kernel) items(dim int) int64 {
	if g := k.program.options.Global; dim < len(g) {
		return g[dim]
	}
	return k.Launch.Local[dim] * k.Launch.Groups[dim]
}

// source looks through conversions between integers.
func source(v *ir.Value) *ir.Value {
	for v.Kind == ir.Result && len(v.Def.Args) == 1 && v.Type.IsInteger() &&
		(v.Def.Op == lower.Convert && v.Def.From.IsInteger() || v.Def.Op == lower.Bitcast || v.Def.Op == lower.Mov) {
		v = v.Def.Args[0]
	}
	return v
}

// place is the dimension in which a value is a work item's place in the launch: its global id, or that of its
// group times the size of groups and its own in the group.
func (k *Kernel) place(v *ir.Value) (dim int, ok bool) {
	if dim, ok = index(v, "get_global_id"); ok || v.Kind != ir.Result || v.Def.Op != lower.Add {
		return dim, ok
	}
	for i, x := range v.Def.Args {
		if dim, ok = index(source(x), "get_local_id"); !ok {
			continue
		}
		product := source(v.Def.Args[1-i])
		if product.Kind != ir.Result || product.Def.Op != lower.Mul {
			return 0, false
		}
		for j, y := range product.Def.Args {
			of, isGroup := index(source(y), "get_group_id")
			size := source(product.Def.Args[1-j])
			by, isSize := index(size, "get_local_size")
			if isGroup && of == dim && (isSize && by == dim || size.Kind == ir.Const &&
				int64(size.Bits) == k.Launch.Local[dim]) {
				return dim, true
			}
		}
		return 0, false
	}
	return 0, false
}

// index is the dimension of a function of a work item's place.
func index(v *ir.Value, name string) (dim int, ok bool) {
	if v.Kind == ir.Result && v.Def.Op == lower.Index && v.Def.Fn == name {
		return v.Def.Dim, true
	}
	return 0, false
}
