package scalar

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// thread makes one branch of two of which the second one's condition is known where the first one goes one way (LLVM's
// JumpThreading, FoldCondBranchOnPHI): what a && b made of its operands, and the branch on it. It reports whether the
// second is gone from behind the first, the last instruction of out.
func (k *converter) thread(out *ir.Block, in *ir.Instr) bool {
	if len(out.Instrs) == 0 || in.Op != lower.OpIf {
		return false
	}
	first, c := out.Last(), in.Args[0]
	if first.Op != lower.OpIf || c.Kind != ir.Result || c.Def != first || len(first.Results) != 1 || k.count(c) != 1 ||
		!ir.Yields(first.Blocks[0]) || !ir.Yields(first.Blocks[1]) {
		return false
	}
	known := slices.IndexFunc(first.Blocks, func(b *ir.Block) bool { return b.Last().Args[0].IsConst() })
	if known < 0 {
		return false
	}
	end, open := first.Blocks[known].Last(), first.Blocks[1-known].Last()
	to := 0 // the side of in that the known condition leads to
	if end.Args[0].Bits == 0 {
		to = 1
	}
	in.Args[0] = open.Args[0]
	first.Results, end.Args, open.Args = nil, nil, nil
	inner := first.Blocks[1-known]
	inner.Instrs = inner.Instrs[:len(inner.Instrs)-1]
	inner.Append(in)
	if len(in.Blocks[to].Instrs) == 1 {
		k.threadEmpty(first, in, known, to)
		return true
	}
	out.Instrs = out.Instrs[:len(out.Instrs)-1]
	out.Append(k.threadRegion(first, in, to))
	return true
}

// threadEmpty ends a thread that leads to a side which does nothing.
func (k *converter) threadEmpty(first, in *ir.Instr, known, to int) {
	first.Results, in.Results = in.Results, nil
	open := &ir.Instr{Op: lower.OpYield, Pos: in.Pos}
	for _, r := range first.Results {
		r.Def = first
		open.Args = append(open.Args, k.f.AddResult(in, r.Type, r.Name))
	}
	first.Blocks[1-known].Append(open)
	b, end := first.Blocks[known], *in.Blocks[to].Last()
	end.Args = slices.Clone(end.Args)
	b.Instrs = b.Instrs[:len(b.Instrs)-1]
	b.Append(&end)
}

// threadRegion ends a thread that leads to code which the other one may lead to, too: it stands behind the branches,
// in a region that the other side leaves.
func (k *converter) threadRegion(first, in *ir.Instr, to int) *ir.Instr {
	region := &ir.Instr{Op: lower.OpRegion, Fn: "thread", Pos: in.Pos, Results: in.Results}
	for _, r := range region.Results {
		r.Def = region
	}
	in.Results = nil
	body := region.NewBlock()
	body.Append(first)
	for _, j := range in.Blocks[to].Instrs {
		body.Append(j)
	}
	in.Blocks[to].Instrs = nil
	in.Blocks[to].Append(&ir.Instr{Op: lower.OpYield, Pos: in.Pos})
	if last := in.Blocks[1-to].Last(); last.Op == lower.OpYield {
		last.Op, last.Target = lower.OpLeave, region
	}
	in.Parent.Append(&ir.Instr{Op: lower.OpYield, Pos: in.Pos})
	return region
}
