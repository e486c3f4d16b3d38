package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/tensor"
	"gpupipe/internal/diag"
)

// tensorFunctions are what the functions of fragments come down to (wmma.cuh), with the operation that lowering knows.
// Their first argument points to a fragment.
var tensorFunctions = map[string]struct {
	operation string
	args      int
}{
	"__kl_fill_fragment":      {"fill", 2},
	"__kl_load_fragment":      {"load", 4},  // fragment, matrix, stride, column-major if a number is not 0
	"__kl_store_fragment":     {"store", 4}, // the same
	"__kl_multiply_fragments": {"mma", 4},   // sum, factors, what is added
}

// tensorCall types the functions of fragments; false means that the name is none of them.
func (c *checker) tensorCall(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	fn, ok := tensorFunctions[name]
	if !ok {
		return nil, false
	}
	if !c.takes(name, fn.args, args, pos) {
		return invalidAt(pos), true
	}
	f := make([]*tensor.Fragment, len(args))
	for i, a := range args {
		if t := a.Type(); t.Kind == ctypes.Pointer {
			f[i] = tensor.FragmentOf(t.Elem)
		}
	}
	switch {
	case f[0] == nil:
		return c.fail(pos, "%s: a fragment is needed, this is %v", name, args[0].Type()), true
	case fn.operation == "fill":
		args[1] = c.convert(args[1], ctypes.Scalar(f[0].Elem), name)
	case fn.operation == "mma":
		a, b, sum := f[1], f[2], f[3]
		if a == nil || b == nil || sum == nil || *sum != *f[0] || !sum.Accumulates(a) || !sum.Accumulates(b) ||
			a.Factor != b.Factor {
			return c.fail(pos, "mma_sync: fragments of types that go together are needed"), true
		}
	case f[0].Use != 'c':
		args[3] = number(ctypes.UInt, 0, pos)
		if f[0].ColMajor {
			args[3] = number(ctypes.UInt, 1, pos)
		}
		fallthrough
	default:
		args[2] = c.convert(args[2], ctypes.Scalar(ctypes.UInt), name)
		args[3] = c.convert(args[3], ctypes.Scalar(ctypes.UInt), name)
	}
	if isInvalid(args...) {
		return invalidAt(pos), true
	}
	return builtin(builtins.Tensor, fn.operation, ctypes.Scalar(ctypes.Void), pos, args...), true
}
