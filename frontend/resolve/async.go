package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// CUDA's asynchronous copies from global to local memory, and what waits for them: the
// primitives of <cuda_pipeline.h>, and pipelines and barriers of libcu++ (CUDA C++
// Programming Guide, Asynchronous Barrier, Asynchronous Data Copies). The types are
// structs of the prelude with one member.

// primitiveCopy types __pipeline_memcpy_async(to, from, size[, zfill]). What is filled with
// zeros instead of being read makes no difference to the instruction.
func (c *checker) primitiveCopy(args []ast.Expr, pos diag.Pos) ast.Expr {
	const name = "__pipeline_memcpy_async"
	if isInvalid(args...) {
		return invalidAt(pos)
	}
	if len(args) != 3 && len(args) != 4 {
		return c.fail(pos, "%s: 3 or 4 arguments expected, %s given", name, countOf(len(args), "argument"))
	}
	size, ok := c.rvalue(args[2]).(*ast.Literal)
	if !ok || !slices.Contains(builtins.AsyncSizes, size.Value.Int) {
		return c.fail(args[2].Pos(), "%s: the size must be 4, 8 or 16", name)
	}
	return c.copyWords(name, args[0], args[1], size.Value.Int, size.Value.Int, pos)
}

// copyWords copies a number of bytes, by one work item, in words. Words smaller than the
// smallest asynchronous copy are loaded and stored.
func (c *checker) copyWords(name string, to, from ast.Expr, size, word int64, pos diag.Pos) ast.Expr {
	to, from = c.rvalue(to), c.rvalue(from)
	if to.Type().Kind != ctypes.Pointer || from.Type().Kind != ctypes.Pointer {
		return c.fail(pos, "%s takes two pointers, these are %v and %v", name, to.Type(), from.Type())
	}
	if word < builtins.AsyncSizes[0] {
		return c.memoryCopy([]ast.Expr{to, from, number(ctypes.ULong, size, pos)}, pos)
	}
	var copies ast.Expr
	for at := int64(0); at < size; at += word {
		source, target := c.bytesBehind(from, at, pos), c.bytesBehind(to, at, pos)
		copies = then(copies, builtin(builtins.Pipeline, "copy", ctypes.Scalar(ctypes.Void), pos, target, source,
			number(ctypes.ULong, word, pos)))
	}
	return copies
}

// bytesBehind is a pointer to the bytes that begin so far behind another.
func (c *checker) bytesBehind(p ast.Expr, n int64, pos diag.Pos) ast.Expr {
	t := ctypes.PointerTo(ctypes.Scalar(ctypes.UChar), p.Type().Space)
	t.Const, t.Volatile = p.Type().Const, p.Type().Volatile
	bytes := &ast.Convert{Typed: ast.Of(t, pos), X: p, Explicit: true}
	if n == 0 {
		return bytes
	}
	return c.pointerAdd(bytes, number(ctypes.Int, n, pos), false, pos)
}
