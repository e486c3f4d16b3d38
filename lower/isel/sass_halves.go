package isel

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// packs reports whether one instruction does an operation for two numbers of 16 bits.
func (a *sass) packs(in *ir.Instr) bool {
	if !in.Type.IsHalf() {
		return false
	}
	switch in.Op {
	case lower.Add, lower.Sub, lower.Mul, lower.Fma, lower.Neg, lower.Abs:
		return true
	case lower.Min, lower.Max:
		return a.t.Has("async copies")
	case lower.Convert: // F2FP
		return a.t.Has("async copies") && in.From == lower.F32 && in.Fn == ""
	}
	return false
}

// converted reports whether a number is converted where it is packed, and nowhere else.
func (a *sass) converted(v *ir.Value) bool {
	return v.DefOp() == lower.Convert && a.uses[v.ID] == 1 && a.mates.of[v.ID] == nil && a.packs(v.Def)
}

// narrow converts two numbers to 16 bits.
func (a *sass) narrow(d dest, low, high *ir.Instr) {
	name := map[lower.Type]string{lower.F16: "F2FP.F16.F32.PACK_AB", lower.BF16: "F2FP.BF16.PACK_AB"}[low.Type]
	a.emit(name, d, nil, a.withSign(high.Args[0]), a.withSign(low.Args[0]))
}

// join puts two numbers of 16 bits into a register.
func (a *sass) join(d dest, low, high *ir.Value) {
	if a.converted(low) && a.converted(high) && low.Type == high.Type {
		a.narrow(d, low.Def, high.Def)
		return
	}
	x, y := a.untruncated(low, 2), a.untruncated(high, 2)
	selector := int64(0x5410)
	if x.High {
		selector += 0x22
	}
	if y.High {
		selector += 0x2200
	}
	x.High, y.High = false, false
	a.emit("PRMT", d, nil, x, imm(selector), y)
}
