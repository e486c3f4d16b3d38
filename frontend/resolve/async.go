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
	asyncCopy    = &Builtin{Name: "copy", Class: Pipeline}     // to, from, bytes
	asyncCopyAll = &Builtin{Name: "copy_all", Class: Pipeline} // to, from, bytes, by all work items of the group
	asyncCommit  = &Builtin{Name: "commit", Class: Pipeline}   // what was copied since is a group
	asyncPrior   = &Builtin{Name: "prior", Class: Pipeline}    // waits for all groups but the newest n
	asyncBind    = &Builtin{Name: "bind", Class: Pipeline}     // what was copied since belongs to a barrier
	asyncArrive  = &Builtin{Name: "arrive", Class: Pipeline}   // at a barrier, without waiting
	asyncAwait   = &Builtin{Name: "await", Class: Pipeline}    // waits for all work items at a barrier, and for what was copied

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
		return c.prior(args[0], nil, pos), true
	case "pipeline_consumer_wait_prior": // of a pipeline, or of a group, which is a barrier of it too
		if !c.takes("wait_prior", 2, args, pos) {
			return invalidAt(pos), true
		}
		return c.prior(args[0], args[1], pos), true
	case "wait":
		if len(args) == 1 && isGroup(args[0].Type()) {
			return c.prior(c.number(UInt, 0, pos), args[0], pos), true
		}
	case "aligned_size_t": // the second argument says how many bytes, the first what divides them
		if !c.takes("aligned_size_t", 2, args, pos) {
			return invalidAt(pos), true
		}
		return c.alignedSize(args, pos), true
	case "make_pipeline":
		return c.makePipeline(args, pos), true
	case "memcpy_async":
		if len(args) >= 3 && !isInvalid(args...) {
			return c.libraryCopy(args, pos), true
		}
	case "init":
		if len(args) == 2 && args[0].Type().Kind == Pointer && isBarrier(args[0].Type().Elem) {
			field := c.member(c.deref(args[0], pos), asyncMember, pos)
			return c.assign(field, c.convert(args[1], field.Type(), name), pos), true
		}
	}
	return c.bulkCall(name, args, pos)
}

// prior waits for all groups of copies but the newest n, and for the work items of a group.
func (c *checker) prior(n, group Expr, pos Pos) Expr {
	wait := c.asyncOf(asyncPrior, Scalar(Void), pos, c.convert(n, Scalar(UInt), "the number of groups"))
	if group == nil || !isGroup(group.Type()) {
		return wait
	}
	sync := c.groupMethod(group, "sync", nil, pos)
	if isInvalid(wait, sync) {
		return invalidAt(pos)
	}
	return &Comma{Typed: ast.Of(sync.Type(), pos), X: wait, Y: sync}
}

func isBarrier(t *Type) bool { return t.Kind == Struct && t.Name == typeBarrier }
func isPipeline(t *Type) bool {
	return t.Kind == Struct && (t.Name == typePipeline || t.Name == typePipelineAll)
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

// alignedSize is a size of which a divisor is known: the struct {size, divisor}.
func (c *checker) alignedSize(args []Expr, pos Pos) Expr {
	elems := []Expr{c.convert(args[1], Scalar(ULong), "aligned_size_t"), c.convert(args[0], Scalar(ULong), "aligned_size_t")}
	if isInvalid(elems...) {
		return invalidAt(pos)
	}
	return c.preludeStruct(typeAlignedSize, pos, elems...)
}

// libraryCopy types memcpy_async([group,] to, from, size, [pipeline or barrier]).
func (c *checker) libraryCopy(args []Expr, pos Pos) Expr {
	all := isGroup(args[0].Type())
	if all {
		args = args[1:]
	}
	if len(args) < 3 || len(args) > 4 || !all && len(args) == 3 {
		return c.fail(pos, "memcpy_async: [group,] destination, source, size and pipeline or barrier are expected")
	}
	to, from := c.rvalue(args[0]), c.rvalue(args[1])
	size, word, ok := c.copySize(to, args[2], pos)
	if !ok {
		return invalidAt(pos)
	}
	var copied Expr
	switch n, known := size.(*Literal); {
	case all && word >= asyncSizes[0]:
		copied = c.asyncOf(asyncCopyAll, Scalar(Void), pos, c.bytesBehind(to, 0, pos), c.bytesBehind(from, 0, pos), size, c.number(ULong, word, pos))
	case all:
		c.unsupported(pos, "memcpy_async of a group in words of less than 4 bytes is", "say with cuda::aligned_size_t<16>(size) what divides the size and the addresses")
		return invalidAt(pos)
	case !known || n.Value.Int < 1 || n.Value.Int > maxCopy || n.Value.Int%word != 0:
		c.unsupported(pos, "memcpy_async of a size that is not a small constant, a multiple of the alignment, is", "copy words of 4, 8 or 16 bytes in a loop")
		return invalidAt(pos)
	default:
		copied = c.copyWords("memcpy_async", to, from, n.Value.Int, word, pos)
	}
	var after Expr
	switch {
	case len(args) == 3: // of cooperative groups: each copy is a group of its own
		after = c.asyncOf(asyncCommit, Scalar(Void), pos)
	case isBarrier(args[3].Type()):
		after = c.asyncOf(asyncBind, Scalar(Void), pos, c.addressOf(args[3], pos))
	case isPipeline(args[3].Type()):
		return copied
	default:
		return c.fail(args[3].Pos(), "memcpy_async: a pipeline or a barrier is needed, this is %v", args[3].Type())
	}
	if isInvalid(copied, after) {
		return invalidAt(pos)
	}
	return &Comma{Typed: ast.Of(after.Type(), pos), X: copied, Y: after}
}

// copySize takes a size apart into a number of bytes and the words in which that many are
// copied: what cuda::aligned_size_t says, else the alignment of what is copied.
func (c *checker) copySize(to, size Expr, pos Pos) (bytes Expr, word int64, ok bool) {
	if size = c.rvalue(size); isInvalid(to, size) {
		return nil, 0, false
	}
	if ref, is := size.(*VarRef); is && c.sizes[ref.Obj] != nil && isStatic(c.sizes[ref.Obj]) {
		size = c.sizes[ref.Obj]
	}
	if list, is := size.(*InitList); is && list.T.Name == typeAlignedSize && len(list.Elems) == 2 {
		if n, isKnown := list.Elems[1].(*Literal); isKnown && n.Value.Int > 0 {
			return list.Elems[0], asyncWord(n.Value.Int), true
		}
	}
	if !size.Type().IsInteger() || to.Type().Kind != Pointer {
		c.fail(pos, "memcpy_async: a number of bytes is needed, this is %v", size.Type())
		return nil, 0, false
	}
	align := int64(1)
	if e := to.Type().Elem; e.IsComplete() {
		align = e.Align()
	}
	return c.convert(size, Scalar(ULong), "memcpy_async"), asyncWord(align), true
}

// asyncWord is the widest word that divides what n divides.
func asyncWord(n int64) int64 {
	return min(asyncSizes[len(asyncSizes)-1], n&-n)
}

// makePipeline types make_pipeline() and make_pipeline(group, &state).
func (c *checker) makePipeline(args []Expr, pos Pos) Expr {
	name := typePipeline
	switch {
	case isInvalid(args...):
		return invalidAt(pos)
	case len(args) > 2:
		c.unsupported(pos, pipelineRoles, pipelineRolesAdvice)
		return invalidAt(pos)
	case len(args) == 2:
		name = typePipelineAll
	}
	return c.preludeStruct(name, pos, c.number(UInt, 0, pos))
}
