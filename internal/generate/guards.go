package generate

import (
	"slices"
	"strings"

	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
	"gpupipe/unroll"
)

const codeAssumedArgument = "ASSUMED-ARG"

// guard keeps a work item's place in the launch below an argument, or a product of some: a comparison, as in
// "if (i < n)", or places that wrap around, as in "(i + 1 + n) % n".
type guard struct {
	args  []string
	items int64 // that the place reaches
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
	found, products := map[string][]guard{}, []guard(nil)
	for _, g := range k.guards(f) {
		chosen := slices.ContainsFunc(o.Branches, func(b unroll.BranchChoice) bool { return b.At.Matches(g.pos) })
		if len(g.args) > 1 && !chosen {
			products = append(products, g)
		} else if !k.given(g.args[0]) && !chosen {
			found[g.args[0]] = append(found[g.args[0]], g)
		}
	}
	for _, p := range k.Lowered.Params {
		all := found[p.Name]
		if all == nil || slices.ContainsFunc(all, func(g guard) bool { return g.items != all[0].items }) {
			continue
		}
		how := "a guard compares it with the numbers of %d work items"
		if all[0].wraps {
			how = "the numbers of %d work items wrap around at it"
		}
		k.assume(p.Name, all[0].items, diag.Notef(all[0].pos, codeAssumedArgument,
			"%s=%d is assumed: "+how, p.Name, all[0].items, all[0].items))
	}
	for _, r := range k.rows(f) {
		if !k.given(r.arg) && found[r.arg] == nil {
			k.assume(r.arg, r.items, diag.Notef(r.pos, codeAssumedArgument,
				"%s=%d is assumed: it is the distance between rows or elements", r.arg, r.items))
		}
	}
	for _, g := range products {
		k.divide(g)
	}
	for _, r := range k.starts(f) {
		if !k.given(r.arg) && found[r.arg] == nil {
			k.assume(r.arg, 0, diag.Notef(r.pos, codeAssumedArgument,
				"%s=0 is assumed: it is the offset of all addresses", r.arg))
		}
	}
	for _, r := range k.rowNumbers(f) {
		if !k.given(r.arg) && found[r.arg] == nil {
			k.assume(r.arg, 0, diag.Notef(r.pos, codeAssumedArgument,
				"%s=0 is assumed: it is the number of a row", r.arg))
		}
	}
	k.Options.Notes = k.Launch.notes
}

// given reports whether an argument has a value.
func (k *Kernel) given(arg string) bool {
	_, ok := k.Options.Args[arg]
	return ok
}

// divide gives the arguments whose product a guard compares values with which that is as large as the launch: rows of
// assumedRow, and as many of them.
func (k *Kernel) divide(g guard) {
	left := g.items
	for _, name := range g.args {
		left /= max(1, k.Options.Args[name].Int)
	}
	unknown := slices.DeleteFunc(slices.Clone(g.args), k.given)
	for i, name := range slices.Backward(unknown) {
		n := max(1, left)
		if i > 0 {
			n = min(n, assumedRow)
		}
		left /= n
		k.assume(name, n, diag.Notef(g.pos, codeAssumedArgument,
			"%s=%d is assumed: a guard compares %s with the numbers of %d work items", name, n,
			strings.Join(g.args, " * "), g.items))
	}
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
			list = append(list, guard{[]string{f.Params[by.Index].Name}, k.items(dim), true, in.Pos})
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
		name := []string{f.Params[arg.Index].Name}
		for _, p := range places {
			if n, ok := k.reach(p); ok {
				list = append(list, guard{name, n, false, in.Pos})
				continue
			}
			for _, t := range k.sum(p, nil) {
				if dim, ok := k.place(source(t)); ok {
					list = append(list, guard{name, k.items(dim), false, in.Pos})
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
			all := factors(near(x), nil)
			if n, ok := k.reach(near(d.Args[1-i])); ok && !slices.ContainsFunc(all, varies) {
				g := guard{items: n, pos: pos}
				for _, arg := range all {
					g.args = append(g.args, f.Params[arg.Index].Name)
				}
				list = append(list, g)
			}
		}
	}
	return list
}

// reach is how many values there are of what the arithmetic of a kernel makes of a work item's place and arguments;
// false for other values. Dimensions that arguments tell apart, as in "y * width + x", have all their work items.
func (k *Kernel) reach(v *ir.Value) (n int64, ok bool) {
	scales, args, ok := k.scales(v)
	all := int64(1)
	for dim, by := range scales {
		if by > 0 {
			n, all = max(n, by*k.items(dim)), all*k.items(dim)
		}
	}
	if args {
		n = max(n, all)
	}
	return n, ok && n > 0
}

// scales are what constants a work item's place in each dimension of the launch is multiplied by in a value, 0 where it
// has no part in it, and whether arguments have one.
func (k *Kernel) scales(v *ir.Value) (scales [3]int64, args, ok bool) {
	v = source(v)
	if dim, is := k.place(v); is {
		scales[dim] = 1
		return scales, false, true
	}
	if v.Kind == ir.KernelArg || v.Kind == ir.Const {
		return scales, v.Kind == ir.KernelArg, true
	}
	if v.Kind != ir.Result || !slices.Contains(arithmetic, v.Def.Op) || v.Def.Op == lower.Div && v.Type.IsInteger() {
		return scales, false, false
	}
	factor := int64(1)
	for _, x := range v.Def.Args {
		of, more, ok := k.scales(x)
		if !ok {
			return scales, false, false
		}
		args = args || more
		for dim, by := range of {
			scales[dim] = max(scales[dim], by)
		}
		if x = source(x); x.Kind == ir.Const && v.Def.Op == lower.Mul && v.Type.IsInteger() {
			factor = max(1, int64(x.Bits))
		}
	}
	for dim := range scales {
		scales[dim] *= factor
	}
	return scales, args, true
}

// arithmetic are the operations that scales looks through.
var arithmetic = []lower.Op{lower.Add, lower.Sub, lower.Mul, lower.Div, lower.Convert, lower.Min, lower.Max, lower.Fma,
	lower.Call}

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
	if dim, ok = index(v, "get_group_id"); ok && k.Launch.Local[dim] == 1 {
		return dim, true
	}
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
