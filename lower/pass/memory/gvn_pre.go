package memory

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Partial redundancy of loads in loops (LLVM's GVN::PerformLoadPRE): what an iteration loads or stores the next one
// need not load. Of a[i-1] + a[i] + a[i+1] two loads are of the iterations before; only the first iteration loads
// them, in front of the loop.

// frame is the loop of which the block is being walked.
type frame struct {
	loop   *ir.Instr
	always bool  // every iteration comes here
	entry  int32 // the time in front of it
	since  int32
	loads  []*ir.Instr // whose memory an iteration has as the one before left it
	kept   []carried
}

// carried is a load that gives what is known at the end of the iteration before.
type carried struct {
	load *ir.Instr
	next *ir.Value
}

// candidate notes a load that stays.
func (g *numbering) candidate(in *ir.Instr, class int, at address, offset int64) {
	f := g.frame
	if f == nil || !f.always || len(in.Results) != 1 ||
		!g.memory.unchanged(class, at, offset, in.Type.Size(), f.since) {
		return
	}
	f.loads = append(f.loads, in)
}

// onlyLatch reports whether a loop is continued at the end of its block and nowhere else.
func onlyLatch(loop, end *ir.Instr) bool {
	b, n := loop.Blocks[0], 0
	b.Walk(func(in *ir.Instr) {
		if in.Op == lower.OpContinue && in.Target == loop {
			n++
		}
	})
	return n == 1 && b.Last() == end
}

// latch finds which loads the values at the end of an iteration are those of the next one.
func (g *numbering) latch(end *ir.Instr) {
	f := g.frame
	for _, in := range f.loads {
		at, offset := decompose(in.Args[0])
		class := g.memory.classOf(in.Args[0], in.Space)
		at, offset, ok := translate(at, offset, f.loop, end)
		if !ok {
			continue
		}
		v := g.lookup(content{class, at, offset, in.Type.Size()}, in.Type)
		if v != nil && v.Type == in.Type {
			f.kept = append(f.kept, carried{in, v})
		}
	}
}

// translate is an address in the next iteration, in terms of values of this one.
func translate(a address, offset int64, loop, end *ir.Instr) (address, int64, bool) {
	var out address
	n := 0
	add := func(v *ir.Value, scale int64) bool {
		i, plus := splitIndex(v)
		offset += plus * scale
		if i == nil {
			return true
		}
		if n == len(out.terms) {
			return false
		}
		out.terms[n] = scaled{i, scale}
		n++
		return true
	}
	next := func(v *ir.Value) (*ir.Value, bool) {
		if v.Kind == ir.BlockArg && v.Def == loop {
			return end.Args[v.Index], true
		}
		return v, !ir.Inside(v, loop)
	}
	base, ok := next(a.base)
	if !ok {
		return out, 0, false
	}
	more, plus := decompose(base)
	out.base, offset = more.base, offset+plus
	for _, t := range more.terms {
		if t.value != nil {
			out.terms[n] = t
			n++
		}
	}
	for _, t := range a.terms {
		if t.value == nil {
			continue
		}
		v, ok := next(t.value)
		if !ok || !add(v, t.scale) {
			return out, 0, false
		}
	}
	out.sort(n)
	return out, offset, true
}

// carry makes parameters of a loop of the loads that it need not repeat, and gives what has to be executed before it.
func (g *numbering) carry(f *frame) []*ir.Instr {
	c := &copier{f: g.f, loop: f.loop, done: map[*ir.Value]*ir.Value{}}
	for _, k := range f.kept {
		first, ok := c.value(k.load.Args[0], maxCopied)
		if !ok {
			continue
		}
		load := *k.load
		load.Args, load.Results = []*ir.Value{first}, nil
		c.out = append(c.out, &load)
		f.loop.Args = append(f.loop.Args, g.f.AddResult(&load, load.Type, ""))
		p := g.f.AddParam(f.loop, load.Type, k.load.Results[0].Name)
		end := f.loop.Blocks[0].Last()
		end.Args = append(end.Args, k.next)
		g.repl.Put(k.load.Results[0], p)
	}
	return c.out
}

// copier computes in front of a loop what the first iteration computes.
type copier struct {
	f    *ir.Func
	loop *ir.Instr
	done map[*ir.Value]*ir.Value
	out  []*ir.Instr
}

// maxCopied is how long a chain of operations is that is computed for the first iteration.
const maxCopied = 32

func (c *copier) value(v *ir.Value, depth int) (*ir.Value, bool) {
	if v.Kind == ir.BlockArg && v.Def == c.loop {
		return c.loop.Args[v.Index], true
	}
	if w := c.done[v]; w != nil {
		return w, true
	}
	if !ir.Inside(v, c.loop) {
		return v, true
	}
	if depth == 0 || v.Kind != ir.Result || !ir.Pure(v.Def) || len(v.Def.Results) != 1 || v.Def.Op == lower.Call {
		return nil, false
	}
	in := *v.Def
	in.Args, in.Results = make([]*ir.Value, len(in.Args)), nil
	for i, a := range v.Def.Args {
		w, ok := c.value(a, depth-1)
		if !ok {
			return nil, false
		}
		in.Args[i] = w
	}
	c.out = append(c.out, &in)
	c.done[v] = c.f.AddResult(&in, ir.ResultType(&in), v.Name)
	return c.done[v], true
}
