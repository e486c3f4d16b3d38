package ir

import (
	"slices"
	"strings"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

// home is the block that defines a value, nil for one that belongs to none.
func home(v *Value) *Block {
	switch v.Kind {
	case Result:
		return v.Def.Parent
	case BlockArg:
		return v.Def.Blocks[0]
	}
	return nil
}

// Inside reports whether a value is defined in one of the blocks of an instruction.
func Inside(v *Value, in *Instr) bool {
	for b := home(v); b != nil && b.Owner != nil; b = b.Owner.Parent {
		if b.Owner == in {
			return true
		}
	}
	return false
}

// Pure reports whether an operation depends on its operands alone and has no effect. Reading a clock or another special
// register of the machine gives something else each time.
func Pure(in *Instr) bool {
	return in.Op >= lower.Mov && in.Op <= lower.Call &&
		!(in.Op == lower.Index && strings.HasPrefix(in.Fn, "get_special_"))
}

// Def is the operation op of which a value is the only result, or nil.
func Def(v *Value, op Op) *Instr {
	if v.Kind == Result && v.Def.Op == op {
		return v.Def
	}
	return nil
}

// DefConst is def where the last operand is a constant.
func DefConst(v *Value, op Op) *Instr {
	if d := Def(v, op); d != nil && d.Args[len(d.Args)-1].IsConst() {
		return d
	}
	return nil
}

// Yields reports whether a block reaches its end.
func Yields(b *Block) bool { return b.Last().Op == lower.OpYield }

// Extends reports whether an operation is a conversion of integers to a wider type.
func Extends(in *Instr) bool {
	return in.Op == lower.Convert && in.From.IsInteger() && in.Type.IsInteger() && in.Type.Size() > in.From.Size()
}

// Convergent reports whether an operation may not be made to depend on more conditions: other work items take
// part in it.
func Convergent(in *Instr) bool {
	switch in.Op {
	case lower.Barrier, lower.SubGroup, lower.MatMul, lower.GroupMatMul, lower.MatrixRow:
		return true
	}
	return false
}

// ResultType is the type of the only result of an operation, of several where the text does not say another one.
func ResultType(in *Instr) Type {
	if in.Op.IsComparison() {
		return lower.Pred
	}
	return in.Type
}

// Commutes reports whether an operation gives the same with its first two operands exchanged.
func Commutes(op Op) bool {
	return slices.Contains([]Op{lower.Add, lower.Mul, lower.And, lower.Or, lower.Xor, lower.Min, lower.Max,
		lower.MulHi, lower.Fma, lower.Eq, lower.Ne}, op)
}

// IsInt reports whether a value is the integer, Pred or Ptr constant n.
func IsInt(v *Value, n int64) bool {
	return v.IsConst() && !v.Type.IsFloat() && v.Bits == arithmetic.Canon(v.Type, uint64(n))
}

// ShiftCount is by how many bits a shift by a constant shifts.
func ShiftCount(in *Instr) (int64, bool) {
	if !in.Args[1].IsConst() {
		return 0, false
	}
	return int64(arithmetic.ShiftCount(in.Type, in.Args[1].Bits, in.Fn == "clamp")), true
}

// Int32OrWide is a constant with the sign of its bits.
func Int32OrWide(v *Value) int64 {
	if v.Type == lower.U32 {
		return int64(int32(v.Int()))
	}
	return v.Int()
}

// PlusConstant splits a value into b + i.
func PlusConstant(v *Value) (*Value, int64) {
	if v.DefOp() == lower.Add && v.Def.Args[1].IsConst() {
		return v.Def.Args[0], int64(Int32OrWide(v.Def.Args[1]))
	}
	return v, 0
}
