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

// guard keeps a work item's place in the launch below an argument: a comparison, as in "if (i < n)", or places that
// wrap around, as in "(i + 1 + n) % n".
type guard struct {
	arg   string
	items int64 // of the launch in that dimension
	wraps bool
	pos   diag.Pos
}

// assumeArguments gives integer arguments without a value the number of work items that guards compare them with:
// a launch has as many as there is data. Those that no guard compares and that are the distance of rows in memory
// become as long as the launch is, or assumedRow. It is left to the user where there are choices for trips or
// branches, or guards that disagree.
func (k *Kernel) assumeArguments() {
	o := k.program.options
	lacking := slices.ContainsFunc(k.Lowered.Params, func(p lower.Param) bool {
		_, given := k.Options.Args[p.Name]
		return p.Type.IsInteger() && !given
	})
	if !lacking || o.AssumeTrips > 0 || len(o.Trips) > 0 {
		return
	}
	f := build.Build(k.Lowered)
	found := map[string][]guard{}
	for _, g := range k.guards(f) {
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
		how := "it is compared with the place of one of %d work items"
		if all[0].wraps {
			how = "places of %d work items wrap around at it"
		}
		k.assume(p.Name, all[0].items, diag.Notef(all[0].pos, codeAssumedArgument,
			"%s=%d is assumed: "+how, p.Name, all[0].items, all[0].items))
	}
	for _, r := range k.rows(f) {
		if _, given := k.Options.Args[r.arg]; !given && found[r.arg] == nil {
			k.assume(r.arg, r.items, diag.Notef(r.pos, codeAssumedArgument,
				"%s=%d is assumed: it is the distance of two rows", r.arg, r.items))
		}
	}
	for _, r := range k.rowNumbers(f) {
		if _, given := k.Options.Args[r.arg]; !given && found[r.arg] == nil {
			k.assume(r.arg, 0, diag.Notef(r.pos, codeAssumedArgument,
				"%s=0 is assumed: it is the number of a row", r.arg))
		}
	}
	k.Options.Notes = k.Launch.notes
}

// assume gives an argument a value, and says so.
func (k *Kernel) assume(name string, value int64, note *diag.Error) {
	k.Options.Args[name] = unroll.ArgValue{Int: value}
	if k.Options.AssumedArgs == nil {
		k.Options.AssumedArgs = map[string]bool{}
	}
	k.Options.AssumedArgs[name] = true
	k.Launch.notes.Add(note.WithNote("give its value with --arg %s=VALUE", name))
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

// guards are those of the branches of a kernel, and of its remainders.
func (k *Kernel) guards(f *ir.Func) (list []guard) {
	f.Body.Walk(func(in *ir.Instr) {
		if in.Op == lower.OpIf && in.Kind != "loop" {
			list = append(list, k.compared(f, in.Args[0], in.Pos)...)
		}
		if in.Op == lower.Rem {
			list = append(list, k.wrapped(f, in)...)
		}
		if in.Op == lower.Min {
			list = append(list, k.clamped(f, in)...)
		}
	})
	return list
}

// wrapped finds places that are made positive by an argument, of which a remainder is taken then.
func (k *Kernel) wrapped(f *ir.Func, in *ir.Instr) (list []guard) {
	by := source(in.Args[1])
	terms := k.sum(in.Args[0], nil)
	if varies(by) || !slices.Contains(terms, by) {
		return nil
	}
	for _, t := range terms {
		if dim, ok := k.place(t); ok {
			list = append(list, guard{f.Params[by.Index].Name, k.items(dim), true, in.Pos})
		}
	}
	return list
}

// clamped finds places that are kept below an argument, as in min(max(x + i, 0), width - 1).
func (k *Kernel) clamped(f *ir.Func, in *ir.Instr) (list []guard) {
	for i, x := range in.Args {
		arg, places := near(x), []*ir.Value{source(in.Args[1-i])}
		if arg.Kind != ir.KernelArg || !arg.Type.IsInteger() {
			continue
		}
		if v := places[0]; v.Kind == ir.Result && v.Def.Op == lower.Max {
			places = v.Def.Args
		}
		for _, p := range places {
			for _, t := range k.sum(p, nil) {
				if dim, ok := k.place(source(t)); ok {
					list = append(list, guard{f.Params[arg.Index].Name, k.items(dim), false, in.Pos})
				}
			}
		}
	}
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
			arg, place := near(x), near(d.Args[1-i])
			dim, ok := k.place(place)
			if arg.Kind == ir.KernelArg && arg.Type.IsInteger() && ok {
				list = append(list, guard{f.Params[arg.Index].Name, k.items(dim), false, pos})
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

// near looks through conversions, and through sums with constants: a stencil leaves out what is near the border.
func near(v *ir.Value) *ir.Value {
	for {
		v = source(v)
		if v.Kind != ir.Result || v.Def.Op != lower.Add && v.Def.Op != lower.Sub {
			return v
		}
		switch a := v.Def.Args; {
		case source(a[1]).Kind == ir.Const:
			v = a[0]
		case source(a[0]).Kind == ir.Const && v.Def.Op == lower.Add:
			v = a[1]
		default:
			return v
		}
	}
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
		return dim, k.isGroupsPlace(source(v.Def.Args[1-i]), dim)
	}
	return 0, false
}

// isGroupsPlace reports whether a value is the place of a group in a dimension: its number times the size of groups.
func (k *Kernel) isGroupsPlace(v *ir.Value, dim int) bool {
	if v.Kind != ir.Result || v.Def.Op != lower.Mul {
		return false
	}
	for i, x := range v.Def.Args {
		of, isGroup := index(source(x), "get_group_id")
		size := source(v.Def.Args[1-i])
		by, isSize := index(size, "get_local_size")
		if isGroup && of == dim && (isSize && by == dim || size.Kind == ir.Const &&
			int64(size.Bits) == k.Launch.Local[dim]) {
			return true
		}
	}
	return false
}

// index is the dimension of a function of a work item's place.
func index(v *ir.Value, name string) (dim int, ok bool) {
	if v.Kind == ir.Result && v.Def.Op == lower.Index && v.Def.Fn == name {
		return v.Def.Dim, true
	}
	return 0, false
}
