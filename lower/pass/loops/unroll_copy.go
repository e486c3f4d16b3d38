package loops

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Copies of a loop's block, one behind the other (UnrollLoop of LLVM's LoopUnroll.cpp).

// verdict is what is known of an exit in one copy.
type verdict uint8

const (
	mayLeave verdict = iota
	stays
	leaves
)

// copies is a loop that is being copied.
type copies struct {
	u      *unroller
	l      *counted
	decide func(e *exit, copy int64) verdict
	leave  *ir.Instr // that jumps out of the loop leave in the copies
	nested bool      // a continue stands inside of the block
	cloner *cloner
}

func (u *unroller) copies(l *counted, leave *ir.Instr, decide func(*exit, int64) verdict) *copies {
	c := &copies{u: u, l: l, decide: decide, leave: leave, cloner: newCloner(u.f, l.loop, leave, nil)}
	for _, in := range l.continues {
		c.nested = c.nested || in.Parent != l.body
	}
	return c
}

// one appends the copy of number j to a block, with values for the loop's parameters. It returns the values for
// the next copy, or the results of the loop where this copy always leaves at the end, or neither where the copy
// ends in a jump.
func (c *copies) one(out *ir.Block, j int64, params []*ir.Value) (next, left []*ir.Value) {
	if !c.nested {
		return c.straight(out, j, params, nil)
	}
	region := &ir.Instr{Op: lower.OpRegion, Fn: "iteration", Pos: c.l.loop.Pos}
	out.Append(region)
	inner := region.NewBlock()
	for _, p := range c.l.body.Params {
		c.u.f.AddResult(region, p.Type, p.Name)
	}
	next, left = c.straight(inner, j, params, region)
	switch {
	case next != nil:
		inner.Append(&ir.Instr{Op: lower.OpYield, Args: next, Pos: c.l.loop.Pos})
	case left != nil:
		inner.Append(&ir.Instr{Op: lower.OpLeave, Target: c.leave, Args: left, Pos: c.l.loop.Pos})
	}
	return some(region.Results), nil
}

// some is a copy of values that is not nil: nil stands for none at all.
func some(list []*ir.Value) []*ir.Value { return append(make([]*ir.Value, 0, len(list)), list...) }

// straight appends a copy whose inner continues leave a region.
func (c *copies) straight(out *ir.Block, j int64, params []*ir.Value, region *ir.Instr) (next, left []*ir.Value) {
	k := c.cloner
	k.begin(region)
	for i, p := range c.l.body.Params {
		k.s[p] = params[i]
	}
	exits := c.l.exits
	for i, in := range c.l.body.Instrs {
		switch {
		case in.Op == lower.OpContinue && in.Target == c.l.loop:
			return k.values(in.Args), nil
		case in.Op == lower.OpLeave && in.Target == c.l.loop:
			return nil, k.values(in.Args)
		case len(exits) > 0 && exits[0].index == i:
			e := exits[0]
			exits = exits[1:]
			switch side := 1 - e.side; c.decide(e, j) {
			case leaves:
				side = e.side
				fallthrough
			case stays:
				if next, left, done := c.side(k, out, in, side); done {
					return next, left
				}
				continue
			}
		}
		if k.instr(out, in) {
			return nil, nil
		}
	}
	return nil, nil
}

// side appends the side of an exit that is taken, and reports whether that ends the copy.
func (c *copies) side(k *cloner, out *ir.Block, in *ir.Instr, side int) (next, left []*ir.Value, done bool) {
	b := in.Blocks[side]
	n := len(b.Instrs) - 1
	if k.list(out, b.Instrs[:n]) {
		return nil, nil, true
	}
	last := b.Instrs[n]
	switch {
	case last.Op == lower.OpYield:
		for i, r := range in.Results {
			k.s[r] = k.find(last.Args[i])
		}
		return nil, nil, false
	case last.Target == c.l.loop && last.Op == lower.OpContinue:
		return k.values(last.Args), nil, true
	case last.Target == c.l.loop:
		return nil, k.values(last.Args), true
	}
	k.instr(out, last)
	return nil, nil, true
}

// iterationsDecide says what is known of exits in copies that are all iterations: of those with constant trip
// counts everything, and that the last copy of number n leaves at the exit that ends the loop.
func iterationsDecide(last *exit, n int64) func(*exit, int64) verdict {
	return func(e *exit, j int64) verdict {
		switch {
		case e.at == last.at && j == n:
			return leaves
		case e.trips.kind != tripsConstant:
			return mayLeave
		case j == e.trips.n:
			return leaves
		}
		return stays
	}
}

// whole replaces a loop by its iterations 0 to n, of which the last one leaves at an exit if none did before.
func (u *unroller) whole(out *ir.Block, l *counted, last *exit, n int64) {
	decide := iterationsDecide(last, n)
	inner := out
	var region *ir.Instr
	if u.mayLeaveEarly(l) {
		region = &ir.Instr{Op: lower.OpRegion, Fn: "unrolled", Pos: l.loop.Pos}
		out.Append(region)
		inner = region.NewBlock()
	}
	inner.Instrs = slices.Grow(inner.Instrs, int(n+1)*len(l.body.Instrs))
	c := u.copies(l, region, decide)
	params, left := some(l.loop.Args), []*ir.Value(nil)
	for j := int64(0); j <= n && params != nil; j++ {
		params, left = c.one(inner, j, params)
	}
	if region == nil {
		if left == nil { // no way leads behind the loop
			left = u.undefined(l.loop.Results)
		}
		for i, r := range l.loop.Results {
			u.subst.Put(r, left[i])
		}
		return
	}
	switch {
	case left != nil:
		inner.Append(&ir.Instr{Op: lower.OpYield, Args: left, Pos: l.loop.Pos})
	case params != nil: // the last copy ended inside of its region
		inner.Append(&ir.Instr{Op: lower.OpYield, Args: u.undefined(l.loop.Results), Pos: l.loop.Pos})
	}
	transplant(region, l.loop)
}

// undefined are values for a place that is never reached.
func (u *unroller) undefined(like []*ir.Value) []*ir.Value {
	out := make([]*ir.Value, len(like))
	for i, v := range like {
		out[i] = u.f.Undef(v.Type)
	}
	return out
}

// transplant gives an instruction the results of another one.
func transplant(to, from *ir.Instr) {
	to.Results, from.Results = from.Results, nil
	for _, v := range to.Results {
		v.Def = to
	}
}

// mayLeaveEarly reports whether jumps out of a loop are left when it is unrolled whole.
func (u *unroller) mayLeaveEarly(l *counted) bool {
	decided := map[*ir.Instr]bool{}
	for _, e := range l.exits {
		if e.trips.kind == tripsConstant {
			decided[e.at.Blocks[e.side].Last()] = true
		}
	}
	for _, in := range l.leaves {
		if !decided[in] {
			return true
		}
	}
	for _, in := range l.continues {
		if in.Parent != l.body {
			return true
		}
	}
	return false
}

// byFactor makes a loop of which an iteration is several ones of the loop's, with the exits that each copy may
// take. It begins with the values given.
func (u *unroller) byFactor(out *ir.Block, l *counted, from []*ir.Value, factor int64,
	decide func(*exit, int64) verdict) *ir.Instr {
	n := &ir.Instr{Op: lower.OpLoop, Args: append([]*ir.Value(nil), from...), Pos: l.loop.Pos, Source: l.loop.Source}
	info := *l.loop.Loop
	n.Loop = &info
	out.Append(n)
	b := n.NewBlock()
	for _, p := range l.body.Params {
		u.f.AddParam(n, p.Type, p.Name)
	}
	c := u.copies(l, n, decide)
	params, left := some(b.Params), []*ir.Value(nil)
	ended := func() bool { return b.Last() != nil && b.Last().IsTerminator() }
	for j := int64(0); j < factor && left == nil && !ended(); j++ {
		params, left = c.one(b, j, params)
	}
	if left != nil {
		b.Append(&ir.Instr{Op: lower.OpLeave, Target: n, Args: left, Pos: l.loop.Pos})
	}
	if !ended() {
		b.Append(&ir.Instr{Op: lower.OpContinue, Target: n, Args: params, Pos: l.loop.Pos})
	}
	return n
}
