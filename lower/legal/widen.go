package legal

import (
	"math/bits"

	"gpupipe/lower"
	"gpupipe/lower/flow"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// widen finds indices of 32 bits that several basic blocks add to pointers. Their extension to 64 bits is one
// value (GVN); a basic block that computes it takes it into the product (SelectionDAG selects block by block:
// mul.wide), the others read it (shl and add of 64 bits).
func widen(f *ir.Func, t *machine.Target) {
	w := &widener{f: f, flow: flow.Analyse(f, t), seen: map[extension]*extended{}, inserts: map[*ir.Instr]*ir.Instr{}}
	w.block(f.Body)
	if len(w.inserts) == 0 {
		return
	}
	f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		if x := w.inserts[in]; x != nil {
			out.Append(x)
		}
		return in
	})
}

type extension struct {
	v    *ir.Value
	from ir.Type
}

// extended is an index that a pointer was added to.
type extended struct {
	block int
	at    *ir.Instr // the first pointer
	value *ir.Value // of 64 bits, nil before it is needed
}

type widener struct {
	f       *ir.Func
	flow    *flow.Flow
	blocks  int
	seen    map[extension]*extended
	inserts map[*ir.Instr]*ir.Instr // conversions, by what they stand in front of
}

// block visits a block; what it adds ends with it.
func (w *widener) block(b *ir.Block) {
	w.blocks++
	now := w.blocks
	var mine []extension
	for _, in := range b.Instrs {
		if in.Nests() {
			for _, inner := range in.Blocks {
				w.block(inner)
			}
			w.blocks++
			now = w.blocks
			continue
		}
		if in.Op != lower.PtrAdd || in.From.Size() > 4 || in.Args[1].IsConst() || w.flow.Narrow(in.Result()) {
			continue
		}
		key := extension{in.Args[1], in.From}
		x := w.seen[key]
		if x == nil {
			w.seen[key] = &extended{block: now, at: in}
			mine = append(mine, key)
			continue
		}
		if x.block == now {
			continue
		}
		w.use(x, in)
	}
	for _, key := range mine {
		delete(w.seen, key)
	}
}

// use makes a pointer add the index of 64 bits.
func (w *widener) use(x *extended, in *ir.Instr) {
	t := ir.Type(lower.U64)
	if in.From.IsSigned() {
		t = lower.S64
	}
	if x.value == nil {
		c := &ir.Instr{Op: lower.Convert, Type: t, From: in.From, Args: []*ir.Value{in.Args[1]}, Pos: x.at.Pos}
		x.value = w.f.AddResult(c, t, "")
		w.inserts[x.at] = c
	}
	in.Args = []*ir.Value{in.Args[0], x.value}
	in.From = t
}

// extend writes indices of pointers out where no instruction extends and multiplies them: the index of 64 bits,
// shifted, is added.
func extend(f *ir.Func, t *machine.Target) {
	w := flow.Analyse(f, t)
	f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		if in.Op != lower.PtrAdd || in.Args[1].IsConst() || w.Narrow(in.Result()) {
			return in
		}
		x := in.Args[1]
		if in.From.Size() < 8 {
			to := ir.Type(lower.U64)
			if in.From.IsSigned() {
				to = lower.S64
			}
			x = f.Emit(out, &ir.Instr{Op: lower.Convert, Type: to, From: in.From, Args: []*ir.Value{x}, Pos: in.Pos})
		}
		if n := in.Scale; n > 1 && n&(n-1) == 0 {
			x = f.Emit(out, &ir.Instr{Op: lower.Shl, Type: x.Type, Pos: in.Pos,
				Args: []*ir.Value{x, f.Int(lower.U32, int64(bits.TrailingZeros64(uint64(n))))}})
			in.Scale = 1
		}
		in.Args = []*ir.Value{in.Args[0], x}
		in.From = x.Type
		return in
	})
}
