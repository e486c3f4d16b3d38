package unroll

import (
	"slices"

	"gpupipe/lower"
)

// Neither C nor CUDA has an operator that rotates; programs write (x << n) | (x >> 32 - n).
// Compilers know that for what it is: NVIDIA's GPUs have one instruction for it from compute
// capability 3.2 on (SHF), AMD's too (v_alignbit_b32). The two shifts are swept where nobody
// else needs them.

// bitField is what a value was shifted to the right by a constant, or masked with one; one
// that was shifted and masked is none.
type bitField struct {
	of      *value
	by      uint64
	logical bool // shifted without sign
	masked  bool
}

// bitsOf returns which bits of an operand an operation leaves, nil if it does something else.
func bitsOf(in *lower.Instr, args []*value) *bitField {
	switch {
	case in.Op == lower.Shr && args[1].konst:
		return &bitField{of: args[0], by: args[1].u, logical: !in.Type.IsSigned()}
	case in.Op == lower.And && in.Type != lower.Pred:
		for i, mask := range args {
			if x := args[1-i]; mask.konst && x.bits == nil {
				return &bitField{of: x, masked: true}
			}
		}
	}
	return nil
}

// rotation returns a disjunction, sum or exclusive or of what two shifts leave of one value,
// if in is one; nil otherwise.
func (r *resolver) rotation(in *lower.Instr, args []*value) *value {
	if in.Op != lower.Or && in.Op != lower.Xor && in.Op != lower.Add || in.Type.Size() < 4 {
		return nil
	}
	for i, right := range args {
		b := right.bits
		if b == nil || !b.logical || !r.isShifted(args[1-i], b.of, uint64(8*in.Type.Size())-b.by, in.Type) {
			continue
		}
		return r.compute(&lower.Instr{Op: lower.Call, Fn: "rotate", Type: in.Type, Pos: in.Pos},
			[]*value{b.of, r.konst(in.Type, uint64(8*in.Type.Size())-b.by)})
	}
	return nil
}

// isShifted reports whether v is x, shifted to the left by n bits.
func (r *resolver) isShifted(v, x *value, n uint64, t lower.Type) bool {
	if n >= 63 {
		return false
	}
	f := x.form.scale(1 << n).wrap(t)
	return f.c == v.form.c && slices.Equal(f.terms, v.form.terms)
}
