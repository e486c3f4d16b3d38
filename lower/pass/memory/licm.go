package memory

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// LICM computes in front of a loop what it does not change, from the innermost loop outwards (LLVM's LICM). Operations
// without effect are hoisted out of conditional code, too; divisions and loads only where every execution of the loop
// comes to them, and loads where nothing in the loop may write to their memory.
func LICM(f *ir.Func, c *profile.Context) {
	l := &hoister{f: f, memory: newMemory(f, c.Profile), escapes: escapesOf(f)}
	l.block(f.Body)
	l.repl.Apply(f.Body)
}

// escapesOf finds the control operations that something inside leaves for a place that is not behind them.
func escapesOf(f *ir.Func) map[*ir.Instr]bool {
	out := map[*ir.Instr]bool{}
	f.Body.Walk(func(in *ir.Instr) {
		if in.Target == nil {
			return
		}
		for o := in.Parent.Owner; o != in.Target; o = o.Parent.Owner {
			out[o] = true
		}
	})
	return out
}

type hoister struct {
	f       *ir.Func
	memory  *memory
	escapes map[*ir.Instr]bool
	stamp   []int32 // by ID: the number of the last loop that was found to change it
	number  int32
	ahead   []*ir.Instr // what has been hoisted out of the current loop
	loop    *ir.Instr
	repl    ir.Replacements
}

// changes notes that the current loop changes a value.
func (l *hoister) changes(v *ir.Value) {
	if n := int(v.ID) + 1; n > len(l.stamp) {
		l.stamp = append(l.stamp, make([]int32, n+n/2-len(l.stamp))...)
	}
	l.stamp[v.ID] = l.number
}

// block hoists out of the loops of a block.
func (l *hoister) block(b *ir.Block) {
	out := make([]*ir.Instr, 0, len(b.Instrs))
	for _, in := range b.Instrs {
		for _, inner := range in.Blocks {
			l.block(inner)
		}
		if in.Op != lower.OpLoop {
			out = append(out, in)
			continue
		}
		n := len(out)
		out = append(out, l.hoist(in)...)
		for _, h := range out[n:] {
			h.Parent = b
		}
		before, after := l.promote(in)
		out = append(append(append(out, before...), in), after...)
		for ; n < len(out); n++ {
			out[n].Parent = b
		}
	}
	b.Instrs = out
}

// hoist takes out of a loop what it does not change.
func (l *hoister) hoist(loop *ir.Instr) []*ir.Instr {
	l.number++
	l.ahead, l.loop = nil, loop
	for _, p := range loop.Blocks[0].Params {
		l.changes(p)
	}
	l.walk(loop.Blocks[0], true)
	return l.ahead
}

// walk goes over a block in the loop; always says that every execution of the loop comes to its start.
func (l *hoister) walk(b *ir.Block, always bool) {
	out := b.Instrs[:0]
	for _, in := range b.Instrs {
		l.repl.Operands(in)
		if l.fixed(in) && l.hoistable(in, always) {
			l.ahead = append(l.ahead, in)
			continue
		}
		out = append(out, in)
		for _, r := range in.Results {
			l.changes(r)
		}
		if in.Op != lower.OpLoop { // what that does not change stands in front of it
			for _, side := range in.Blocks {
				l.walk(side, always && in.Op == lower.OpRegion)
			}
		}
		always = always && !l.escapes[in]
	}
	clear(b.Instrs[len(out):])
	b.Instrs = out
}

// fixed reports whether the loop does not change an instruction's operands.
func (l *hoister) fixed(in *ir.Instr) bool {
	for _, a := range in.Args {
		if int(a.ID) < len(l.stamp) && l.stamp[a.ID] == l.number {
			return false
		}
	}
	return true
}

// hoistable reports whether an instruction may be executed in front of the loop.
func (l *hoister) hoistable(in *ir.Instr, always bool) bool {
	switch {
	case in.Op == lower.Load:
		return always && !in.Volatile && !l.writes(in)
	case !ir.Pure(in):
		return false
	case in.Op == lower.Div || in.Op == lower.Rem:
		return always || in.Type.IsFloat() || in.Args[1].IsConst() && !ir.IsInt(in.Args[1], 0)
	}
	return true
}

// writes reports whether the loop may write what a load reads.
func (l *hoister) writes(in *ir.Instr) bool {
	class := l.memory.classOf(in.Args[0], in.Space)
	for w := range l.memory.written[l.loop] {
		if w == class || l.memory.touches(w, class) {
			return true
		}
	}
	return false
}
