package loops

import (
	"maps"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// maxHeader is how many instructions in front of the first test are copied: rotation-max-header-size of LLVM's
// LoopRotation.cpp.
const maxHeader = 16

// Rotate makes loops that begin with a test end with it (loop-rotate): in front of the loop the test is a branch
// around it, at its bottom the exit. What a loop does not change may then be computed in front of it, if it is
// executed in every iteration, and a loop of a known number of iterations has no branch around it.
func Rotate(f *ir.Func, c *profile.Context) {
	r := &rotator{f: f, a: newAnalyser(f, c)}
	f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		if in.Op == lower.OpLoop && r.loop(out, in) {
			return nil
		}
		return in
	})
}

type rotator struct {
	f *ir.Func
	a *analyser
}

// header is how many instructions stand in front of a loop's first exit, below 0 where it is not rotated.
func (r *rotator) header(l *counted) int {
	if len(l.exits) == 0 || l.latch() != nil && len(l.continues) == 1 {
		return -1
	}
	n := 0
	for _, in := range l.body.Instrs[:l.exits[0].index] {
		switch {
		case in.Nests(), ir.Convergent(in):
			return -1
		case in.Op != lower.Bitcast:
			n++
		}
	}
	for _, in := range l.exits[0].at.Blocks[l.exits[0].side].Instrs {
		if in.Nests() || ir.Convergent(in) {
			return -1
		}
	}
	if n > maxHeader {
		return -1
	}
	return l.exits[0].index
}

// foldLatch computes a single increment behind the last exit in front of it, so that the loop ends with its test
// (simplifyLoopLatch of LLVM's LoopRotationUtils.cpp).
func (l *counted) foldLatch() {
	b := l.body
	if len(l.exits) == 0 || len(l.continues) != 1 || b.Last() != l.continues[0] {
		return
	}
	e := l.exits[len(l.exits)-1]
	if e.index != len(b.Instrs)-3 || len(e.at.Results) > 0 || len(e.at.Blocks[1-e.side].Instrs) > 1 {
		return
	}
	switch in := b.Instrs[e.index+1]; in.Op {
	case lower.Add, lower.Sub, lower.And, lower.Or, lower.Xor, lower.Shl, lower.Shr:
		if in.Type.IsInteger() && in.Args[1].IsConst() {
			b.Instrs[e.index], b.Instrs[e.index+1] = in, e.at
			e.index++
		}
	}
}

// loop rotates a loop, whose instruction it appends, and reports whether it did.
func (r *rotator) loop(out *ir.Block, loop *ir.Instr) bool {
	l := r.a.analyse(loop)
	l.foldLatch()
	n := r.header(l)
	if n < 0 {
		return false
	}
	e, body := l.exits[0], loop.Blocks[0]
	header := body.Instrs[:n]
	stay, leave := e.at.Blocks[1-e.side], e.at.Blocks[e.side]

	// In front of the loop.
	guard := newCloner(r.f, loop, nil, nil)
	for i, p := range body.Params {
		guard.s[p] = loop.Args[i]
	}
	guard.list(out, header)
	cond := guard.find(e.at.Args[0])
	if cond.IsConst() && (cond.Bits != 0) == (e.side == 0) {
		r.never(out, loop, guard, leave)
		return true
	}
	inner := out
	var around *ir.Instr
	if !cond.IsConst() {
		around = &ir.Instr{Op: lower.OpIf, Kind: "guard", Args: []*ir.Value{cond}, Pos: loop.Pos}
		out.Append(around)
		around.NewBlock()
		around.NewBlock()
		inner = around.Blocks[1-e.side]
	}
	r.body(l, n, stay, leave, guard)
	inner.Append(loop)
	if around != nil {
		around.Results = loop.Results
		loop.Results = nil
		for _, v := range around.Results {
			v.Def = around
			r.f.AddResult(loop, v.Type, v.Name)
		}
		inner.Append(&ir.Instr{Op: lower.OpYield, Args: append([]*ir.Value(nil), loop.Results...), Pos: loop.Pos})
		without := around.Blocks[e.side]
		k := len(leave.Instrs) - 1
		guard.list(without, leave.Instrs[:k])
		without.Append(&ir.Instr{Op: lower.OpYield, Args: guard.values(leave.Instrs[k].Args), Pos: loop.Pos})
	}
	return true
}

// never replaces a loop that is never executed by a region, which later passes take away.
func (r *rotator) never(out *ir.Block, loop *ir.Instr, guard *cloner, leave *ir.Block) {
	k := len(leave.Instrs) - 1
	guard.list(out, leave.Instrs[:k])
	region := out.Append(&ir.Instr{Op: lower.OpRegion, Fn: "loop", Pos: loop.Pos, Results: loop.Results})
	for _, v := range region.Results {
		v.Def = region
	}
	region.NewBlock().Append(&ir.Instr{Op: lower.OpYield, Args: guard.values(leave.Instrs[k].Args), Pos: loop.Pos})
}

// body moves the header of a loop, its first n instructions and the exit behind them, to its bottom. What the
// header computes for the rest is a parameter then.
func (r *rotator) body(l *counted, n int, stay, leave *ir.Block, guard *cloner) {
	loop, body, e := l.loop, l.loop.Blocks[0], l.exits[0]
	header, rest := body.Instrs[:n:n], body.Instrs[n+1:]
	k := len(stay.Instrs) - 1
	subst := map[*ir.Value]*ir.Value{}
	for i, v := range e.at.Results {
		subst[v] = stay.Instrs[k].Args[i]
	}
	params := len(body.Params)
	header = r.hoist(l, header, guard, subst)
	carried := r.carried(header, append(append([]*ir.Instr(nil), stay.Instrs...), rest...))
	for _, v := range carried {
		p := r.f.AddParam(loop, v.Type, v.Name)
		subst[v] = p
		loop.Args = append(loop.Args, guard.find(v))
	}
	out := &ir.Block{Owner: loop}
	for _, in := range append(append([]*ir.Instr(nil), stay.Instrs[:k]...), rest...) {
		out.Append(in)
	}
	var repl ir.Replacements
	for v, w := range subst { // a map into a list by values
		repl.Put(v, w)
	}
	repl.Apply(out)
	next := r.latch(loop, out, params)
	if next == nil { // every iteration leaves elsewhere
		body.Take(out)
		return
	}
	bottom := newCloner(r.f, loop, loop, loop)
	maps.Copy(bottom.s, subst)
	for i, p := range body.Params[:params] {
		bottom.s[p] = next[i]
	}
	bottom.list(out, header)
	test := &ir.Instr{Op: lower.OpIf, Kind: e.at.Kind, Source: e.at.Source, Opposite: e.at.Opposite, Pos: e.at.Pos,
		Args: []*ir.Value{bottom.find(e.at.Args[0])}}
	out.Append(test)
	test.NewBlock()
	test.NewBlock()
	test.Blocks[1-e.side].Append(&ir.Instr{Op: lower.OpYield, Pos: e.at.Pos})
	bottom.list(test.Blocks[e.side], leave.Instrs)
	for _, v := range carried {
		next = append(next, bottom.find(v))
	}
	out.Append(&ir.Instr{Op: lower.OpContinue, Target: loop, Args: next, Pos: loop.Pos})
	body.Take(out)
}

// hoist leaves what a header computes of values from outside where it is in front of the loop, and returns the
// rest of the header.
func (r *rotator) hoist(l *counted, header []*ir.Instr, guard *cloner,
	subst map[*ir.Value]*ir.Value) []*ir.Instr {
	var rest []*ir.Instr
	for _, in := range header {
		fixed := in.Op <= lower.Call && len(in.Results) > 0
		for _, a := range in.Args {
			fixed = fixed && (subst[a] != nil || !l.inside(a))
		}
		if !fixed {
			rest = append(rest, in)
			continue
		}
		for _, v := range in.Results {
			subst[v] = guard.find(v)
		}
	}
	return rest
}

// carried lists what a header computes that is read behind it.
func (r *rotator) carried(header, rest []*ir.Instr) []*ir.Value {
	r.a.epoch++ // the stamps now mean: the header computes it
	if n := r.f.NumValues(); n > len(r.a.stamp) {
		r.a.stamp = append(r.a.stamp, make([]uint32, n+n/2-len(r.a.stamp))...)
	}
	for _, in := range header {
		for _, v := range in.Results {
			r.a.stamp[v.ID] = r.a.epoch
		}
	}
	var list []*ir.Value
	(&ir.Block{Instrs: rest}).Walk(func(in *ir.Instr) {
		for _, v := range in.Args {
			if r.a.inside(v) {
				r.a.stamp[v.ID] = 0
				list = append(list, v)
			}
		}
	})
	return list
}

// latch brings all continues of a loop's block together at its end, and returns what they pass; nil where there
// are none.
func (r *rotator) latch(loop *ir.Instr, b *ir.Block, params int) []*ir.Value {
	var list []*ir.Instr
	b.Walk(func(in *ir.Instr) {
		if in.Op == lower.OpContinue && in.Target == loop {
			list = append(list, in)
		}
	})
	switch last := b.Last(); {
	case len(list) == 0:
		return nil
	case len(list) == 1 && last == list[0]:
		b.Instrs = b.Instrs[:len(b.Instrs)-1]
		return last.Args
	}
	region := &ir.Instr{Op: lower.OpRegion, Fn: "body", Pos: loop.Pos}
	inner := region.NewBlock()
	inner.Take(b)
	for _, in := range list {
		in.Op, in.Target, in.Kind = lower.OpLeave, region, "continue"
		if in.Parent == inner {
			in.Op, in.Target, in.Kind = lower.OpYield, nil, ""
		}
	}
	for _, p := range loop.Blocks[0].Params[:params] {
		r.f.AddResult(region, p.Type, p.Name)
	}
	b.Instrs = nil
	b.Append(region)
	return append([]*ir.Value(nil), region.Results...)
}
