package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
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
	asyncCopy   = &Builtin{Name: "copy", Class: Pipeline}   // to, from, bytes
	asyncCommit = &Builtin{Name: "commit", Class: Pipeline} // what was copied since is a group
	asyncPrior  = &Builtin{Name: "prior", Class: Pipeline}  // waits for all groups but the newest n
	asyncArrive = &Builtin{Name: "arrive", Class: Pipeline} // at a barrier, without waiting
	asyncAwait  = &Builtin{Name: "await", Class: Pipeline}  // waits for all work items at a barrier, and for what was copied

	asyncBulkLoad    = &Builtin{Name: "bulk_load", Class: Pipeline}    // to, from, barrier, bytes (0: what is expected there), coordinates
	asyncBulkStore   = &Builtin{Name: "bulk_store", Class: Pipeline}   // to, from, bytes
	asyncAwaitParity = &Builtin{Name: "await_parity", Class: Pipeline} // barrier, parity of the phase that is waited for
	asyncExpect      = &Builtin{Name: "expect", Class: Pipeline}       // barrier, bytes that are to come
	asyncBulkCommit  = &Builtin{Name: "bulk_commit", Class: Pipeline}  // groups of stores of blocks
	asyncBulkPrior   = &Builtin{Name: "bulk_prior", Class: Pipeline}   // waits for all but the newest n
	asyncGrow        = &Builtin{Name: "grow", Class: Pipeline}         // registers that a work item may have from here on
	asyncGroupFence  = &Builtin{Name: "wgmma_fence", Class: Pipeline}  // of a warp group
	asyncGroupCommit = &Builtin{Name: "wgmma_commit", Class: Pipeline} // groups of matrix instructions of a warp group
	asyncGroupPrior  = &Builtin{Name: "wgmma_prior", Class: Pipeline}  // waits for all but the newest n
)

func (c *checker) asyncOf(b *Builtin, t *Type, pos Pos, args ...Expr) Expr {
	if isInvalid(args...) {
		return invalidAt(pos)
	}
	return &BuiltinCall{Typed: ast.Of(t, pos), Builtin: b, Args: args}
}

// asyncCall types the functions of asynchronous copies; false means that the name is
// none of them.
func (c *checker) asyncCall(name string, args []Expr, pos Pos) (Expr, bool) {
	void := Scalar(Void)
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
		return c.asyncOf(asyncPrior, void, pos, c.convert(args[0], Scalar(UInt), "the number of groups")), true
	}
	return c.bulkCall(name, args, pos)
}

// primitiveCopy types __pipeline_memcpy_async(to, from, size[, zfill]). What is filled with
// zeros instead of being read makes no difference to the instruction.
func (c *checker) primitiveCopy(args []Expr, pos Pos) Expr {
	const name = "__pipeline_memcpy_async"
	if isInvalid(args...) {
		return invalidAt(pos)
	}
	if len(args) != 3 && len(args) != 4 {
		return c.fail(pos, "%s: 3 or 4 arguments expected, %s given", name, countOf(len(args), "argument"))
	}
	size, ok := c.rvalue(args[2]).(*Literal)
	if !ok || !slices.Contains(asyncSizes, size.Value.Int) {
		return c.fail(args[2].Pos(), "%s: the size must be 4, 8 or 16", name)
	}
	return c.copyWords(name, args[0], args[1], size.Value.Int, size.Value.Int, pos)
}

// copyWords copies a number of bytes, by one work item, in words. Words smaller than the
// smallest asynchronous copy are loaded and stored.
func (c *checker) copyWords(name string, to, from Expr, size, word int64, pos Pos) Expr {
	to, from = c.rvalue(to), c.rvalue(from)
	if to.Type().Kind != Pointer || from.Type().Kind != Pointer {
		return c.fail(pos, "%s takes two pointers, these are %v and %v", name, to.Type(), from.Type())
	}
	if word < asyncSizes[0] {
		return c.memoryCopy([]Expr{to, from, c.number(ULong, size, pos)}, pos)
	}
	var copies Expr
	for at := int64(0); at < size; at += word {
		one := c.asyncOf(asyncCopy, Scalar(Void), pos, c.bytesBehind(to, at, pos), c.bytesBehind(from, at, pos), c.number(ULong, word, pos))
		if copies == nil {
			copies = one
		} else {
			copies = &Comma{Typed: ast.Of(one.Type(), pos), X: copies, Y: one}
		}
	}
	return copies
}

// bytesBehind is a pointer to the bytes that begin so far behind another.
func (c *checker) bytesBehind(p Expr, n int64, pos Pos) Expr {
	t := PointerTo(Scalar(UChar), p.Type().Space)
	t.Const, t.Volatile = p.Type().Const, p.Type().Volatile
	bytes := &Convert{Typed: ast.Of(t, pos), X: p, Explicit: true}
	if n == 0 {
		return bytes
	}
	return c.pointerAdd(bytes, c.number(Int, n, pos), false, pos)
}
