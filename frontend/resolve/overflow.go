package resolve

import (
	"math/big"

	"gpupipe/frontend/ctypes"
)

// overflows reports whether an operation on integers has a result that its type does not hold, which makes an expression no
// constant ([expr.pre]); in C the values wrap.
func overflows(op ctypes.Op, x, y ctypes.Value) bool {
	if !x.Type.IsInteger() || x.Type.IsUnsigned() {
		return false
	}
	a, b := big.NewInt(x.Int), big.NewInt(y.Int)
	switch op {
	case ctypes.Add:
		a.Add(a, b)
	case ctypes.Sub:
		a.Sub(a, b)
	case ctypes.Mul:
		a.Mul(a, b)
	case ctypes.Div, ctypes.Rem:
		if y.Int != -1 {
			return false
		}
		a.Neg(a)
	case ctypes.Shl: // the result may fill the sign bit too
		return x.Int < 0 || y.Int >= 0 && int64(a.BitLen())+y.Int > 8*x.Type.Size()
	default:
		return false
	}
	return !a.IsInt64() || ctypes.IntValue(x.Type.Kind, a.Int64()).Int != a.Int64()
}
