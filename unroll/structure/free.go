package structure

import "gpupipe/lower"

// Free reports whether an operation costs no instruction: reinterpretation,
// inversion of a condition, and widening or narrowing between 32 and 64 bits without saturation,
// which address arithmetic and register pairs absorb.
func Free(in *lower.Instr) bool {
	switch in.Op {
	case lower.Bitcast:
		return true
	case lower.Not:
		return in.Type == lower.Pred
	case lower.Convert:
		return in.From == in.Type || in.Type == lower.Ptr || in.From == lower.Ptr ||
			in.Fn == "" && in.From.IsInteger() && in.Type.IsInteger() && in.Type.Size() >= min(4, in.From.Size())
	}
	return false
}
