package loops

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// unswitchSize is how many instructions a loop has at most that is copied (loop-unswitch-threshold of LLVM's
// LoopUnswitch.cpp).
const unswitchSize = 100

// Unswitch decides a branch in a loop in front of it where the loop does not change its condition, which is the same
// for all work items, and has a copy of the loop on each side (LLVM's LoopUnswitch, which on GPUs asks for uniform
// conditions).
func Unswitch(f *ir.Func, _ *profile.Context) {
	u := &unswitcher{f: f, uniform: make([]bool, f.NumValues())}
	f.Body.Walk(u.visit)
	f.Body.Rewrite(func(_ *ir.Block, in *ir.Instr) *ir.Instr {
		if in.Op == lower.OpLoop {
			return u.loop(in)
		}
		return in
	})
}

type unswitcher struct {
	f       *ir.Func
	uniform []bool // by ID: the same for all work items of a group
}

// visit finds whether what an instruction gives is uniform.
func (u *unswitcher) visit(in *ir.Instr) {
	if !ir.Pure(in) || in.Op == lower.Index && !uniformIndex(in.Fn) {
		return
	}
	for _, a := range in.Args {
		if !u.isUniform(a) {
			return
		}
	}
	for _, r := range in.Results {
		u.uniform[r.ID] = true
	}
}

// loop is a loop, or the branch around its two copies.
func (u *unswitcher) loop(loop *ir.Instr) *ir.Instr {
	size, copyable := 0, true
	var at *ir.Instr
	loop.Blocks[0].Walk(func(in *ir.Instr) {
		size++
		copyable = copyable && !ir.Convergent(in)
		if at == nil && in.Op == lower.OpIf && !in.Args[0].IsConst() && !ir.Inside(in.Args[0], loop) &&
			u.isUniform(in.Args[0]) {
			at = in
		}
	})
	if at == nil || !copyable || size > unswitchSize {
		return loop
	}
	c := at.Args[0]
	branch := &ir.Instr{Op: lower.OpIf, Kind: "unswitch", Source: at.Source, Opposite: at.Opposite,
		Args: []*ir.Value{c}, Pos: at.Pos,
		Results: loop.Results}
	for _, r := range loop.Results {
		r.Def = branch
	}
	loop.Results = nil
	for _, r := range branch.Results {
		u.f.AddResult(loop, r.Type, r.Name)
	}
	for side := range 2 {
		b := branch.NewBlock()
		k := newCloner(u.f, nil, nil, nil)
		k.s[c] = u.f.Int(lower.Pred, int64(1-side))
		k.instr(b, loop)
		copied := b.Instrs[0]
		b.Append(&ir.Instr{Op: lower.OpYield, Pos: loop.Pos, Args: append([]*ir.Value(nil), copied.Results...)})
	}
	return branch
}

// isUniform reports whether a value is the same for all work items of a group.
func (u *unswitcher) isUniform(v *ir.Value) bool {
	switch v.Kind {
	case ir.Const, ir.KernelArg, ir.Address:
		return true
	}
	return int(v.ID) < len(u.uniform) && u.uniform[v.ID]
}

// uniformIndex reports whether a work-item function gives all work items of a group the same.
func uniformIndex(fn string) bool {
	switch fn {
	case "get_group_id", "get_local_size", "get_num_groups", "get_global_size", "get_global_offset", "get_work_dim":
		return true
	}
	return false
}
