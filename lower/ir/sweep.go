package ir

import (
	"slices"

	"gpupipe/lower"
)

// Sweep removes what is not live (Cytron et al., Efficiently Computing Static Single Assignment Form and the Control
// Dependence Graph, 1991, 7.1): at first only the instructions that a condition names and loops that nothing leaves
// are, then what they read, the control operations around them, what decides those, and so on. Results and parameters
// that nothing live reads are dropped from control operations. One walk from the end to the beginning meets most
// readers before what they read; what that leaves, as values that a loop carries, is followed from value to value.
func (f *Func) Sweep(live func(*Instr) bool) {
	d := &liveness{jumps: newJumps(), values: make([]bool, f.NumValues()), live: f.NewMark(), passed: f.NewMark(),
		root: live}
	d.mark(f.Body.Last())
	d.block(f.Body)
	d.spread()
	d.sweep(f.Body)
}

// liveness finds what is live.
type liveness struct {
	jumps  *Jumps
	root   func(*Instr) bool
	values []bool // by ID
	live   uint32 // the Mark of live instructions
	passed uint32 // the Mark of those that were not live when the walk came there
	work   []*Instr
	read   []*Value
}

// block walks a block from its end.
func (d *liveness) block(b *Block) {
	for i := len(b.Instrs) - 1; i >= 0; i-- { // slices.Backward takes twice the time
		in := b.Instrs[i]
		if in.Nests() {
			for _, inner := range slices.Backward(in.Blocks) {
				d.block(inner)
			}
		}
		switch {
		case in.Mark == d.live && !in.IsTerminator():
		case in.IsTerminator() || in.Nests():
			d.jumps.add(in)
			if d.root(in) || in.Op == lower.OpLoop && len(d.jumps.Leaves[in]) == 0 {
				d.mark(in)
			}
		case d.isRead(in) || d.root(in):
			in.Mark = d.live
			d.mark(in.Parent.Owner)
			d.operands(in)
		default:
			in.Mark = d.passed
		}
	}
}

// isRead reports whether a result is live.
func (d *liveness) isRead(in *Instr) bool {
	for _, v := range in.Results {
		if d.values[v.ID] {
			return true
		}
	}
	return false
}

// mark makes an instruction live, and the control operations around it.
func (d *liveness) mark(in *Instr) {
	for in != nil && in.Mark != d.live {
		in.Mark = d.live
		d.work = append(d.work, in)
		in = in.Parent.Owner
	}
}

// operands makes those of an instruction live.
func (d *liveness) operands(in *Instr) {
	for _, a := range in.Args {
		d.use(a)
	}
}

// use makes a value live.
func (d *liveness) use(v *Value) {
	if !d.values[v.ID] {
		d.values[v.ID] = true
		if v.Def != nil && (v.Def.Nests() || v.Def.Mark == d.passed) {
			d.read = append(d.read, v)
		}
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
			d.operands(in)
		}
	}
}

// source makes live what gives a value.
func (d *liveness) source(v *Value) {
	switch {
	case v.Kind == BlockArg:
		d.mark(v.Def)
		d.use(v.Def.Args[v.Index])
		for _, c := range d.jumps.Continues[v.Def] {
			d.use(c.Args[v.Index])
		}
	case v.Kind == Result:
		d.mark(v.Def)
		if v.Def.Nests() {
			for _, e := range d.jumps.Exits(v.Def) {
				d.use(e.Args[v.Index])
			}
		}
	}
}

// sweep removes what is not live from a block.
func (d *liveness) sweep(b *Block) {
	out := b.Instrs[:0]
	for _, in := range b.Instrs {
		if !in.IsTerminator() && in.Mark != d.live {
			continue
		}
		out = append(out, in)
		if in.Nests() {
			d.trim(in)
		}
	}
	clear(b.Instrs[len(out):])
	b.Instrs = out
}

// trim removes what is not live from a control operation.
func (d *liveness) trim(in *Instr) {
	if keep, all := d.kept(in.Results); !all {
		for _, e := range d.jumps.Exits(in) {
			e.Args = Pick(e.Args, keep)
		}
		in.Results = Drop(in.Results, keep)
	}
	if in.Op == lower.OpLoop {
		if keep, all := d.kept(in.Blocks[0].Params); !all {
			in.Args = Pick(in.Args, keep)
			for _, c := range d.jumps.Continues[in] {
				c.Args = Pick(c.Args, keep)
			}
			in.Blocks[0].Params = Drop(in.Blocks[0].Params, keep)
		}
	}
	for _, b := range in.Blocks {
		d.sweep(b)
	}
}

// kept says which of some values are live, and whether all are.
func (d *liveness) kept(list []*Value) (keep []bool, all bool) {
	all = true
	keep = make([]bool, len(list))
	for i, v := range list {
		keep[i] = d.values[v.ID]
		all = all && keep[i]
	}
	return keep, all
}
