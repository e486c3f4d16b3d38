package resolve

import (
	"strings"

	"gpupipe/frontend/ast"
)

// Functions of libcu++ for copies of whole blocks by the tensor memory accelerator, and for barriers that count
// their bytes (CUDA C++ Programming Guide, Asynchronous Data Copies using the Tensor Memory Accelerator;
// <cuda/barrier>): what asm_bulk.go knows of PTX.

// bulkPrefix is what the names of the functions begin with.
const bulkPrefix = "cp_async_bulk_"

// bulkCall types the functions; false means that the name is none of them.
func (c *checker) bulkCall(name string, args []Expr, pos Pos) (Expr, bool) {
	void := Scalar(Void)
	switch name {
	case "barrier_arrive_tx":
		if !c.takes(name, 3, args, pos) {
			return invalidAt(pos), true
		}
		return c.arriveWith(args[0], args[2], pos), true
	case "barrier_expect_tx":
		if !c.takes(name, 2, args, pos) {
			return invalidAt(pos), true
		}
		return c.asyncOf(asyncExpect, void, pos, c.barrierAt(args[0], pos), c.convert(args[1], Scalar(ULong), name)), true
	case "barrier_native_handle":
		if !c.takes(name, 1, args, pos) {
			return invalidAt(pos), true
		}
		return c.castValue(c.barrierAt(args[0], pos), PointerTo(Scalar(ULong), 0), pos), true
	case "cp_async_bulk_wait_group_read":
		if !c.takes("cp_async_bulk_wait_group", 1, args, pos) {
			return invalidAt(pos), true
		}
		return c.asyncOf(asyncBulkPrior, void, pos, c.convert(args[0], Scalar(UInt), name)), true
	case "memcpy_async_tx":
		if !c.takes(name, 4, args, pos) {
			return invalidAt(pos), true
		}
		return c.bulkFrom(args[0], args[1], args[3], args[2], nil, pos), true
	case "fence_proxy_async_shared_cta", "fence_proxy_async", "fence_mbarrier_init":
		if fence := c.builtins.Find("__threadfence_block"); fence != nil {
			return c.resolve(name, fence, nil, pos), true
		}
	}
	if rest, ok := strings.CutPrefix(name, bulkPrefix); ok {
		return c.bulkFunction(name, rest, args, pos)
	}
	return nil, false
}

// bulkFunction types cp_async_bulk_... .
func (c *checker) bulkFunction(name, rest string, args []Expr, pos Pos) (Expr, bool) {
	switch {
	case rest == "commit_group" && len(args) == 0:
		return c.asyncOf(asyncBulkCommit, Scalar(Void), pos), true
	case isInvalid(args...):
		return invalidAt(pos), true
	case rest == "global_to_shared" && len(args) == 4:
		return c.bulkFrom(args[0], args[1], args[3], args[2], nil, pos), true
	case rest == "shared_to_global" && len(args) == 3:
		to, from := c.rvalue(args[0]), c.rvalue(args[1])
		return c.asyncOf(asyncBulkStore, Scalar(Void), pos, c.asBytes(to, pos), c.asBytes(from, pos), c.convert(args[2], Scalar(ULong), name)), true
	}
	dims, direction, ok := strings.Cut(strings.TrimPrefix(rest, "tensor_"), "d_")
	if !ok || len(dims) != 1 || dims[0] < '1' || dims[0] > '5' {
		return nil, false
	}
	n := int(dims[0] - '0')
	switch {
	case direction == "global_to_shared" && len(args) == n+3:
		return c.bulkFrom(args[0], args[1], args[n+2], nil, args[2:n+2], pos), true
	case direction == "shared_to_global":
		c.unsupported(pos, name+", a store of a tensor's box of which only the host knows the size, is", "store by cp_async_bulk_shared_to_global, which names the bytes, or by work items")
		return invalidAt(pos), true
	}
	return nil, false
}

// bulkFrom is a copy to local memory; the bytes are nil of a tensor's box, which has coordinates.
func (c *checker) bulkFrom(to, from, bar, bytes Expr, coords []Expr, pos Pos) Expr {
	size := c.number(ULong, 0, pos)
	if bytes != nil {
		n, _, ok := c.copySize(c.rvalue(to), bytes, pos)
		if !ok {
			return invalidAt(pos)
		}
		size = n
	}
	args := []Expr{c.asBytes(c.rvalue(to), pos), c.asBytes(c.rvalue(from), pos), c.barrierAt(bar, pos), size}
	for _, x := range coords {
		args = append(args, c.convert(x, Scalar(Int), "a coordinate"))
	}
	return c.asyncOf(asyncBulkLoad, Scalar(Void), pos, args...)
}

// asBytes is a pointer taken as one to bytes.
func (c *checker) asBytes(p Expr, pos Pos) Expr {
	if isInvalid(p) {
		return p
	}
	if p.Type().Kind != Pointer {
		return c.fail(pos, "a copy of a block needs pointers, this is %v", p.Type())
	}
	return c.bytesBehind(p, 0, pos)
}

// barrierAt is the address of a barrier: of the object, or of the word that is its native handle.
func (c *checker) barrierAt(bar Expr, pos Pos) Expr {
	switch {
	case isInvalid(bar):
		return bar
	case isBarrier(bar.Type()):
		return c.addressOf(bar, pos)
	case bar.Type().Kind == Pointer:
		return c.rvalue(bar)
	}
	return c.fail(pos, "a barrier is needed, this is %v", bar.Type())
}

// arriveWith announces bytes and arrives.
func (c *checker) arriveWith(bar, bytes Expr, pos Pos) Expr {
	at := c.barrierAt(bar, pos)
	expect := c.asyncOf(asyncExpect, Scalar(Void), pos, at, c.convert(bytes, Scalar(ULong), "barrier_arrive_tx"))
	arrive := c.asyncOf(asyncArrive, Scalar(ULong), pos, at)
	if isInvalid(expect, arrive) {
		return invalidAt(pos)
	}
	return &Comma{Typed: ast.Of(arrive.Type(), pos), X: expect, Y: arrive}
}
