package isel

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// packedHalves are the operations on two numbers of 16 bits (VOP3P, which all targets from Vega on have).
var packedHalves = map[lower.Op]string{lower.Add: "v_pk_add_f16", lower.Sub: "v_pk_add_f16", lower.Mul: "v_pk_mul_f16",
	lower.Fma: "v_pk_fma_f16", lower.Min: "v_pk_min_f16", lower.Max: "v_pk_max_f16", lower.Neg: "v_xor_b32",
	lower.Abs: "v_and_b32"}

func (a *gcn) packs(in *ir.Instr) bool { return in.Type == lower.F16 && packedHalves[in.Op] != "" }

// halves selects for an operation that is done for two numbers; false: it is for one.
func (a *gcn) halves(in *ir.Instr) bool {
	v := in.Result()
	mate := a.mates.of[v.ID]
	switch {
	case mate == nil:
		return false
	case !a.mates.high[v.ID]:
		return true // with the upper one
	}
	low := mate.Def
	var args []Operand
	switch in.Op {
	case lower.Neg:
		args = []Operand{imm(signs), a.packed(low.Args[0], in.Args[0])}
	case lower.Abs:
		args = []Operand{imm(signs ^ 0xffffffff), a.packed(low.Args[0], in.Args[0])}
	default:
		for i, x := range in.Args {
			args = append(args, a.negated(low.Args[i], x))
		}
	}
	if in.Op == lower.Sub {
		args[1] = opposite(args[1])
	}
	a.emit(packedHalves[in.Op], a.dest(v), nil, args...)
	return true
}

// negated is an operand of an operation on two numbers: it may change the signs of both, and has no absolute values.
func (a *gcn) negated(low, high *ir.Value) Operand {
	if low.DefOp() == lower.Neg && high.DefOp() == lower.Neg {
		return opposite(a.packed(low.Def.Args[0], high.Def.Args[0]))
	}
	return a.packed(low, high)
}

func (a *gcn) join(d dest, low, high *ir.Value) {
	selector := int64(0x05040100)
	x, y := a.operand(low), a.operand(high)
	if x.High {
		selector += 0x0202
	}
	if y.High {
		selector += 0x02020000
	}
	x.High, y.High = false, false
	a.emit("v_perm_b32", d, nil, y, x, imm(selector))
}
