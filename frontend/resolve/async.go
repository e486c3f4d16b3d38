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

// Bytes that one asynchronous copy of a work item can move (PTX ISA, cp.async).
var asyncSizes = []int64{4, 8, 16}

// copyFunctions are the functions of asynchronous copies that have an operation of their
// own in lower, by what they are there.
var (
	asyncCopy   = &builtins.Function{Name: "copy", Class: builtins.Pipeline}   // to, from, bytes
	asyncCommit = &builtins.Function{Name: "commit", Class: builtins.Pipeline} // what was copied since is a group
	asyncPrior  = &builtins.Function{Name: "prior", Class: builtins.Pipeline}  // waits for all groups but the newest n
	asyncArrive = &builtins.Function{Name: "arrive", Class: builtins.Pipeline} // at a barrier, without waiting
	// waits for all work items at a barrier, and for what was copied
	asyncAwait = &builtins.Function{Name: "await", Class: builtins.Pipeline}

	// to, from, barrier, bytes (0: what is expected there), coordinates
	asyncBulkLoad  = &builtins.Function{Name: "bulk_load", Class: builtins.Pipeline}
	asyncBulkStore = &builtins.Function{Name: "bulk_store", Class: builtins.Pipeline} // to, from, bytes
	// barrier, parity of the phase that is waited for
	asyncAwaitParity = &builtins.Function{Name: "await_parity", Class: builtins.Pipeline}
	// barrier, bytes that are to come
	asyncExpect     = &builtins.Function{Name: "expect", Class: builtins.Pipeline}
	asyncBulkCommit = &builtins.Function{Name: "bulk_commit", Class: builtins.Pipeline} // groups of stores of blocks
	// waits for all but the newest n
	asyncBulkPrior = &builtins.Function{Name: "bulk_prior", Class: builtins.Pipeline}
	// registers that a work item may have from here on
	asyncGrow       = &builtins.Function{Name: "grow", Class: builtins.Pipeline}
	asyncGroupFence = &builtins.Function{Name: "wgmma_fence", Class: builtins.Pipeline} // of a warp group
	// groups of matrix instructions of a warp group
	asyncGroupCommit = &builtins.Function{Name: "wgmma_commit", Class: builtins.Pipeline}
	// waits for all but the newest n
	asyncGroupPrior = &builtins.Function{Name: "wgmma_prior", Class: builtins.Pipeline}
)

func (c *checker) asyncOf(b *builtins.Function, t *ctypes.Type, pos diag.Pos, args ...ast.Expr) ast.Expr {
	return &ast.BuiltinCall{Typed: of(t, pos, args...), Builtin: b, Args: args}
}

// asyncCall types the functions of asynchronous copies; false means that the name is
// none of them.
func (c *checker) asyncCall(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	void := ctypes.Scalar(ctypes.Void)
	switch name {
	case "__pipeline_memcpy_async":
		return c.primitiveCopy(args, pos), true
	case "__pipeline_commit":
		if !c.takes(name, 0, args, pos) {
			return invalidAt(pos), true
		}
		return c.asyncOf(asyncCommit, void, pos), true
	case "__pipeline_wait_prior":
		if !c.takes(name, 1, args, pos) {
			return invalidAt(pos), true
		}
		return c.asyncOf(asyncPrior, void, pos, c.convert(args[0], ctypes.Scalar(ctypes.UInt), "the number of groups")),
			true
	}
	return c.bulkCall(name, args, pos)
}

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
	if !ok || !slices.Contains(asyncSizes, size.Value.Int) {
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
	if word < asyncSizes[0] {
		return c.memoryCopy([]ast.Expr{to, from, number(ctypes.ULong, size, pos)}, pos)
	}
	var copies ast.Expr
	for at := int64(0); at < size; at += word {
		source, target := c.bytesBehind(from, at, pos), c.bytesBehind(to, at, pos)
		copies = then(copies, c.asyncOf(asyncCopy, ctypes.Scalar(ctypes.Void), pos, target, source,
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
