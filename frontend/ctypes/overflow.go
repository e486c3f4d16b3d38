package ctypes

import "math/big"

// Overflows reports whether an operation on integers has a result that its type does not hold, which makes an
// expression no constant ([expr.pre]); in C the values wrap.
func Overflows(op Op, x, y Value) bool {
	if !x.Type.IsInteger() || x.Type.IsUnsigned() {
		return false
	}
	a, b := big.NewInt(x.Int), big.NewInt(y.Int)
	switch op {
	case Add:
		a.Add(a, b)
	case Sub:
		a.Sub(a, b)
	case Mul:
		a.Mul(a, b)
	case Div, Rem:
		if y.Int != -1 {
			return false
		}
		a.Neg(a)
	case Shl: // the result may fill the sign bit too
		return x.Int < 0 || y.Int >= 0 && int64(a.BitLen())+y.Int > 8*x.Type.Size()
	default:
		return false
	}
	return !a.IsInt64() || IntValue(x.Type.Kind, a.Int64()).Int != a.Int64()
}
