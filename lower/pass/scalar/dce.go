package scalar

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// DCE removes what has no effect and what nobody reads: aggressive dead code elimination (LLVM's ADCE; Cytron et al.,
// 1991, 7.1). Only effects are live at first, then what they read, the control operations around them, what decides
// those, and so on; results and parameters that are read by nothing live are dropped from control operations. A loop
// without effects is removed even if it may not end (C11, 6.8.5, 6; LLVM's LoopDeletion), but not one that nothing
// leaves: nothing behind it is executed.
func DCE(f *ir.Func, _ *profile.Context) {
	d := &liveness{jumps: ir.JumpsOf(f), values: make([]bool, f.NumValues()), live: f.NewMark()}
	f.Body.Walk(func(in *ir.Instr) {
		if hasEffect(in) || in.Op == lower.OpLoop && len(d.jumps.Leaves[in]) == 0 {
			d.mark(in)
		}
	})
	d.mark(f.Body.Last())
	d.spread()
	d.sweep(f.Body)
}

// hasEffect reports whether an instruction does something besides giving results.
func hasEffect(in *ir.Instr) bool {
	switch {
	case ir.Pure(in), in.Op == lower.ImageLoad, in.Op == lower.MatMul, in.Op == lower.MatrixRow, len(in.Blocks) > 0,
		in.IsTerminator():
		return false
	case in.Op == lower.Load:
		return in.Volatile
	case in.Op == lower.SubGroup:
		return false // LLVM's intrinsics for them are marked inaccessible memory only and removed where unread
	}
	return true
}

// liveness finds what is live.
type liveness struct {
	jumps  *ir.Jumps
	values []bool // by ID
	live   uint32 // the Mark of live instructions
	work   []*ir.Instr
	read   []*ir.Value
}

// mark makes an instruction live, and the control operations around it.
func (d *liveness) mark(in *ir.Instr) {
	for in != nil && in.Mark != d.live {
		in.Mark = d.live
		d.work = append(d.work, in)
		in = in.Parent.Owner
	}
}

// use makes a value live.
func (d *liveness) use(v *ir.Value) {
	if !d.values[v.ID] {
		d.values[v.ID] = true
		d.read = append(d.read, v)
	}
}

// spread follows what is live to what that needs.
func (d *liveness) spread() {
	for len(d.work)+len(d.read) > 0 {
		if n := len(d.read); n > 0 {
			v := d.read[n-1]
			d.read = d.read[:n-1]
			d.source(v)
			continue
		}
		in := d.work[len(d.work)-1]
		d.work = d.work[:len(d.work)-1]
		switch {
		case in.Op == lower.OpLoop || in.Op == lower.OpRegion:
			for _, j := range d.jumps.Leaves[in] {
				d.mark(j)
			}
			for _, j := range d.jumps.Continues[in] {
				d.mark(j)
			}
		case in.IsTerminator(): // their operands by the results and parameters that they are for
		default:
			for _, a := range in.Args {
				d.use(a)
			}
		}
	}
}

// source makes live what gives a value.
func (d *liveness) source(v *ir.Value) {
	switch {
	case v.Kind == ir.BlockArg:
		d.mark(v.Def)
		d.use(v.Def.Args[v.Index])
		for _, c := range d.jumps.Continues[v.Def] {
			d.use(c.Args[v.Index])
		}
	case v.Kind == ir.Result:
		d.mark(v.Def)
		if len(v.Def.Blocks) > 0 {
			for _, e := range d.jumps.Exits(v.Def) {
				d.use(e.Args[v.Index])
			}
		}
	}
}

// sweep removes what is not live from a block.
func (d *liveness) sweep(b *ir.Block) {
	out := b.Instrs[:0]
	for _, in := range b.Instrs {
		if !in.IsTerminator() && in.Mark != d.live {
			continue
		}
		out = append(out, in)
		if len(in.Blocks) > 0 {
			d.trim(in)
		}
	}
	clear(b.Instrs[len(out):])
	b.Instrs = out
}

// trim removes what is not live from a control operation.
func (d *liveness) trim(in *ir.Instr) {
	if keep, all := d.kept(in.Results); !all {
		for _, e := range d.jumps.Exits(in) {
			e.Args = ir.Pick(e.Args, keep)
		}
		in.Results = ir.Drop(in.Results, keep)
	}
	if in.Op == lower.OpLoop {
		if keep, all := d.kept(in.Blocks[0].Params); !all {
			in.Args = ir.Pick(in.Args, keep)
			for _, c := range d.jumps.Continues[in] {
				c.Args = ir.Pick(c.Args, keep)
			}
			in.Blocks[0].Params = ir.Drop(in.Blocks[0].Params, keep)
		}
	}
	for _, b := range in.Blocks {
		d.sweep(b)
	}
}

// kept says which of some values are live, and whether all are.
func (d *liveness) kept(list []*ir.Value) (keep []bool, all bool) {
	all = true
	keep = make([]bool, len(list))
	for i, v := range list {
		keep[i] = d.values[v.ID]
		all = all && keep[i]
	}
	return keep, all
}
