package resolve

import (
	"strconv"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
)

// Matrix instructions of warp groups (PTX ISA, Asynchronous Warpgroup Level Matrix Instructions): four
// warps multiply 64 rows, of registers or of local memory, with a matrix in local memory.

// groupMatrix executes wgmma.
func (a *asmStatement) groupMatrix(in *inlineptx.Instruction) bool {
	void := ctypes.Scalar(ctypes.Void)
	switch {
	case in.Has("fence") && len(in.Operands) == 0:
		a.do(a.asyncOf(asyncGroupFence, void, a.pos))
	case in.Has("commit_group") && len(in.Operands) == 0:
		a.do(a.asyncOf(asyncGroupCommit, void, a.pos))
	case in.Has("wait_group") && len(in.Operands) == 1:
		a.do(a.asyncOf(asyncGroupPrior, void, a.pos, a.value(in, in.Operands[0], ctypes.Scalar(ctypes.UInt))))
	case in.Has("mma_async") && !in.Has("sp"):
		return a.groupProduct(in)
	default:
		return false
	}
	return true
}

// groupProduct executes wgmma.mma_async.sync.aligned.m64nNkK.d.a.b {d}, a, b, scale-d, ... .
func (a *asmStatement) groupProduct(in *inlineptx.Instruction) bool {
	n, depth := in.GroupShape()
	sum := in.Type(2)
	if n == 0 || sum == nil || depth != inlineptx.GroupDepth(in.Last(1)) || len(in.Operands) < 4 {
		return false
	}
	elem := sum
	if sum.Kind == ctypes.Half {
		elem = ctypes.Scalar(ctypes.UInt)
	}
	dst := inlineptx.Elements(in.Operands[0])
	if len(dst) != n/2*int(sum.Size())/int(elem.Size()) {
		return false
	}
	rows := inlineptx.Elements(in.Operands[1])
	word := ctypes.Scalar(ctypes.UInt)
	if len(rows) == 1 {
		word = ctypes.Scalar(ctypes.ULong)
	} else if len(rows) != 4 {
		return false
	}
	args := []ast.Expr{}
	if !a.isZero(in, in.Operands[3]) { // else the sum begins with this product
		args = a.values(in, dst, elem)
	}
	args = append(append(args, a.values(in, rows, word)...), a.value(in, in.Operands[2], ctypes.Scalar(ctypes.ULong)))
	name := inlineptx.GroupProduct + strconv.Itoa(n) + "_" + in.Last(1) + "_" + in.Last(2)
	a.setAll(in, dst, builtin(builtins.Tensor, name, ctypes.CUDAVectorOf(elem.Kind, int64(len(dst))), a.pos, args...))
	return true
}

// isZero reports whether an operand is the constant 0 or false.
func (a *asmStatement) isZero(in *inlineptx.Instruction, text string) bool {
	lit, ok := a.raw(in, text).(*ast.Literal)
	return ok && lit.Type().IsInteger() && lit.Value.Int == 0
}
