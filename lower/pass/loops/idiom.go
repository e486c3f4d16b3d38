package loops

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// CountBits makes a count of bits of the loop that clears the lowest bit of a word until none is left
// (recognizePopcount of LLVM's LoopIdiomRecognize.cpp):
//
//	if (x) do { x &= x - 1; n++; } while (x);
func CountBits(f *ir.Func, c *profile.Context) {
	if !c.Profile.CountBits {
		return
	}
	f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		loop, word := clearingLoop(in)
		if loop == nil {
			return in
		}
		bits := f.Emit(out, &ir.Instr{Op: lower.Call, Fn: "popcount", Type: lower.S32,
			Args: []*ir.Value{loop.Args[word]}, Pos: loop.Pos})
		r := in.Results[0]
		if r.Type != lower.S32 {
			bits = f.Emit(out, &ir.Instr{Op: lower.Convert, Type: r.Type, From: lower.S32, Args: []*ir.Value{bits},
				Pos: loop.Pos})
		}
		sum := &ir.Instr{Op: lower.Add, Type: r.Type, Args: []*ir.Value{bits, loop.Args[1-word]}, Results: in.Results,
			Pos: loop.Pos}
		r.Def = sum
		return sum
	})
}

// clearingLoop is the loop of a branch around one that counts the bits of a word, and which of its two values is the
// word; nil: it is no such branch.
func clearingLoop(in *ir.Instr) (loop *ir.Instr, word int) {
	if in.Op != lower.OpIf || len(in.Results) != 1 || !in.Results[0].Type.IsInteger() {
		return nil, 0
	}
	then, other := in.Blocks[0], in.Blocks[1]
	if len(then.Instrs) != 2 || len(other.Instrs) != 1 || !ir.Yields(then) || !ir.Yields(other) {
		return nil, 0
	}
	loop = then.Instrs[0]
	if loop.Op != lower.OpLoop || len(loop.Args) != 2 || len(loop.Results) != 1 ||
		then.Last().Args[0] != loop.Results[0] {
		return nil, 0
	}
	for word, x := range loop.Args {
		if isNonZero(in.Args[0], x) && other.Last().Args[0] == loop.Args[1-word] && clearsBits(loop, word) {
			return loop, word
		}
	}
	return nil, 0
}

// clearsBits reports whether the body of a loop clears a bit of one of its two values, counts in the other one, leaves
// with the count where no bit remains, and does nothing else.
func clearsBits(loop *ir.Instr, word int) bool {
	b := loop.Blocks[0]
	if len(b.Instrs) != 6 || b.Last().Op != lower.OpContinue || b.Last().Target != loop {
		return false
	}
	x, n := b.Params[word], b.Params[1-word]
	left, count := b.Last().Args[word], b.Last().Args[1-word]
	clear, step, exit := ir.Def(left, lower.And), ir.Def(count, lower.Add), b.Instrs[4]
	if clear == nil || step == nil || !isSum(step, n, 1) || exit.Op != lower.OpIf || !isNonZero(exit.Args[0], left) {
		return false
	}
	minus := clear.Args[0]
	if minus == x {
		minus = clear.Args[1]
	} else if clear.Args[1] != x {
		return false
	}
	d := ir.Def(minus, lower.Add)
	return d != nil && isSum(d, x, -1) && len(exit.Blocks[0].Instrs) == 1 && ir.Yields(exit.Blocks[0]) &&
		len(exit.Blocks[1].Instrs) == 1 && exit.Blocks[1].Last().Op == lower.OpLeave &&
		exit.Blocks[1].Last().Target == loop && exit.Blocks[1].Last().Args[0] == count
}

// isNonZero reports whether a condition is that an integer is not 0.
func isNonZero(c, x *ir.Value) bool {
	d := ir.Def(c, lower.Ne)
	return d != nil && d.Args[0] == x && x.Type.IsInteger() && ir.IsInt(d.Args[1], 0)
}

// isSum reports whether an addition is of a value and a constant.
func isSum(in *ir.Instr, v *ir.Value, n int64) bool {
	return in.Args[0] == v && ir.IsInt(in.Args[1], n)
}
