package loops

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// cloner copies parts of a loop's block. Operations on constants become constants and branches that they decide
// go on the way, so that what a copy's counter decides is known while the copies are made.
type cloner struct {
	f       *ir.Func
	s       map[*ir.Value]*ir.Value // what stands for a value in the copy
	targets map[*ir.Instr]*ir.Instr
	// loop is left for leave, and continued by continuing next, or leaving it where that is a region.
	loop, leave, next *ir.Instr
	bits              [3]uint64 // of the operands that are being folded
}

func newCloner(f *ir.Func, loop, leave, next *ir.Instr) *cloner {
	return &cloner{f: f, s: map[*ir.Value]*ir.Value{}, targets: map[*ir.Instr]*ir.Instr{}, loop: loop, leave: leave,
		next: next}
}

// begin begins another copy.
func (c *cloner) begin(next *ir.Instr) {
	clear(c.s)
	clear(c.targets)
	c.next = next
}

// find is what stands for a value. What stands for a parameter may be another one, which is not looked up again.
func (c *cloner) find(v *ir.Value) *ir.Value {
	if w, ok := c.s[v]; ok {
		return w
	}
	return v
}

// values are what stands for several.
func (c *cloner) values(list []*ir.Value) []*ir.Value {
	out := make([]*ir.Value, len(list))
	for i, v := range list {
		out[i] = c.find(v)
	}
	return out
}

// list appends copies of instructions to a block, up to the first jump that is always taken: then it reports
// true. Yields of the list itself are left to the caller.
func (c *cloner) list(out *ir.Block, list []*ir.Instr) bool {
	for _, in := range list {
		if c.instr(out, in) {
			return true
		}
	}
	return false
}

// instr copies one instruction, and reports whether that ends the block.
func (c *cloner) instr(out *ir.Block, in *ir.Instr) bool {
	if v := c.folded(in); v != nil {
		c.s[in.Results[0]] = v
		return false
	}
	if in.Op == lower.OpIf {
		if cond := c.find(in.Args[0]); cond.IsConst() {
			return c.taken(out, in, in.Blocks[1-int(cond.Bits&1)])
		}
	}
	n := c.f.Copy(in)
	for i, a := range in.Args {
		n.Args[i] = c.find(a)
	}
	if in.Loop != nil {
		info := *in.Loop
		n.Loop = &info
	}
	switch {
	case in.Target == nil:
	case in.Target == c.loop && in.Op == lower.OpLeave:
		n.Target = c.leave
	case in.Target == c.loop:
		n.Target = c.next
		if c.next.Op == lower.OpRegion {
			n.Op = lower.OpLeave
		}
	default:
		if t := c.targets[in.Target]; t != nil {
			n.Target = t
		}
	}
	out.Append(n)
	if in.Nests() {
		c.targets[in] = n
		for _, b := range in.Blocks {
			c.block(n, b)
		}
	}
	for _, r := range in.Results {
		c.s[r] = c.f.AddResult(n, r.Type, r.Name)
	}
	return in.IsTerminator()
}

// block copies a block of a control operation.
func (c *cloner) block(owner *ir.Instr, b *ir.Block) {
	out := owner.NewBlock()
	for _, p := range b.Params {
		c.s[p] = c.f.AddParam(owner, p.Type, p.Name)
	}
	c.list(out, b.Instrs)
}

// taken copies the side of a branch that is always taken in the branch's place.
func (c *cloner) taken(out *ir.Block, in *ir.Instr, side *ir.Block) bool {
	n := len(side.Instrs) - 1
	if c.list(out, side.Instrs[:n]) {
		return true
	}
	last := side.Instrs[n]
	if last.Op != lower.OpYield {
		return c.instr(out, last)
	}
	for i, r := range in.Results {
		c.s[r] = c.find(last.Args[i])
	}
	return false
}

// folded is the constant that an operation is, nil if it is none.
func (c *cloner) folded(in *ir.Instr) *ir.Value {
	if in.Op > lower.Bitcast || len(in.Results) != 1 || len(in.Args) > 3 {
		return nil
	}
	for i, a := range in.Args {
		a = c.find(a)
		if !a.IsConst() {
			return nil
		}
		c.bits[i] = a.Bits
	}
	v, ok := foldBits(in, c.bits[:len(in.Args)])
	if !ok {
		return nil
	}
	return c.f.Constant(in.Results[0].Type, v)
}
