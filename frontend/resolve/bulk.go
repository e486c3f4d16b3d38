package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// Copies of whole blocks by the tensor memory accelerator, which async.cuh and asm_bulk.go come down to (CUDA C++
// Programming Guide, Asynchronous Data Copies using the Tensor Memory Accelerator).

// bulkCall types the functions; false means that the name is none of them.
func (c *checker) bulkCall(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	switch {
	case name == "__kl_bulk_load" && len(args) >= 4:
		return c.bulkFrom(args[0], args[1], args[2], args[3], args[4:], pos), true
	case name == "__kl_bulk_store" && len(args) == 3:
		return pipeline("bulk_store", pos, c.asBytes(args[0], pos),
			c.asBytes(args[1], pos), c.convert(args[2], ctypes.Scalar(ctypes.ULong), name)), true
	}
	return nil, false
}

// bulkFrom is a copy to local memory that a barrier counts; 0 bytes of a tensor's box, which has coordinates.
func (c *checker) bulkFrom(to, from, bar, bytes ast.Expr, coords []ast.Expr, pos diag.Pos) ast.Expr {
	args := []ast.Expr{c.asBytes(to, pos), c.asBytes(from, pos), bar,
		c.convert(bytes, ctypes.Scalar(ctypes.ULong), "a number of bytes")}
	for _, x := range coords {
		args = append(args, c.convert(x, ctypes.Scalar(ctypes.Int), "a coordinate"))
	}
	return pipeline("bulk_load", pos, args...)
}

// asBytes is a pointer taken as one to bytes.
func (c *checker) asBytes(p ast.Expr, pos diag.Pos) ast.Expr {
	if p = c.rvalue(p); isInvalid(p) {
		return p
	}
	if p.Type().Kind != ctypes.Pointer {
		return c.fail(pos, "a copy of a block needs pointers, this is %v", p.Type())
	}
	return c.bytesBehind(p, 0, pos)
}
