package builtins

// Class groups the language's functions by what lowering does with
// them.
type Class uint8

// The classes. The zero value is invalid.
const (
	// WorkItem: get_global_id, get_local_id, get_group_id, get_global_size,
	// get_local_size, get_num_groups, get_global_offset, get_work_dim; one
	// literal int argument (the dimension) except get_work_dim. Also warpSize and
	// lane id ("get_sub_group_size", "get_sub_group_local_id"). The call's own
	// type counts: CUDA's indices are uint, OpenCL's ulong.
	WorkItem Class = iota + 1
	// Math: component-wise on scalars and vectors; all arguments have the
	// result's type (pown, ldexp, rootn: second is int). sin, native_sin, fma,
	// mad, min, max, clamp, fmin, abs, mul24, mad24, mul_hi, popcount, clz, ...
	Math
	// MathOut: a Math function that also writes through its last argument, a
	// pointer: sincos, fract, modf, frexp, remquo, lgamma_r. The pointer is an
	// AddrOf that does not mark its object as AddressTaken.
	MathOut
	// Relational: isnan, isequal, ... component-wise; result int (vector: -1/0).
	Relational
	// Select: select(a, b, c) and bitselect, component-wise.
	Select
	// Geometric: dot, cross, length, distance, normalize and fast_ variants.
	Geometric
	// AnyAll: any, all over a vector's sign bits.
	AnyAll
	// Barrier: barrier(flags), __syncthreads(), PartBarrier.
	Barrier
	// Fence: mem_fence, __threadfence and friends.
	Fence
	// Atomic: atomic_add, ..., first argument a pointer; result the old value.
	Atomic
	// VLoad, VStore: vloadN(offset, p), vstoreN(v, offset, p).
	VLoad
	VStore
	// Ignored: printf, prefetch, assert: no instruction, a note. Without
	// arguments: they are not evaluated.
	Ignored
	// ImageRead: read_imagef and its like. The arguments are the image, the
	// coordinates (int or float, scalar or vector, only as many components as the
	// image has dimensions and layers), and the sampler if there is one.
	ImageRead
	// ImageWrite: write_imagef and its like: image, coordinates, value (four
	// components, one for a depth image).
	ImageWrite
	// ImageQuery: get_image_width, get_image_dim, ...: the image.
	ImageQuery
	// SubGroup: functions of the work items of one warp: sub_group_shuffle,
	// sub_group_reduce_add, sub_group_all, ...
	SubGroup
	// VectorShuffle: shuffle(x, mask) and shuffle2(x, y, mask); the mask is an
	// unsigned vector.
	VectorShuffle
	// AsyncCopy: async_work_group_copy(dst, src, n, event) and the strided forms,
	// which have the stride in front of the event.
	AsyncCopy
	// WaitEvents: wait_group_events, without arguments.
	WaitEvents
	// Pipeline: CUDA's asynchronous copies of one work item ("copy": destination, source,
	// bytes; "copy_all", by all work items of the group: destination, source, bytes, bytes
	// of a word) and what waits for them; see package frontend's infer_async.go.
	Pipeline
	// Tensor: functions of fragments (package tensor), which are given by their addresses:
	// "fill": fragment, value; "load" and "store": fragment, pointer, leading dimension, 1
	// if column-major; "mma": sum, matrix a, matrix b, what is added.
	Tensor
)

var classNames = [...]string{
	WorkItem: "work-item", Math: "math", MathOut: "math-out", Relational: "relational", Select: "select",
	Geometric: "geometric",
	AnyAll:    "any-all", Barrier: "barrier", Fence: "fence", Atomic: "atomic", VLoad: "vload", VStore: "vstore",
	Ignored:   "ignored",
	ImageRead: "image read", ImageWrite: "image write", ImageQuery: "image query", SubGroup: "sub-group",
	VectorShuffle: "vector shuffle",
	AsyncCopy:     "async copy", WaitEvents: "wait events", Pipeline: "pipeline", Tensor: "tensor",
}

func (c Class) String() string {
	if c != 0 && int(c) < len(classNames) {
		return classNames[c]
	}
	return "invalid class"
}

// Function is a function of the language.
type Function struct {
	Name  string // canonical
	Class Class
}

// PartBarrier is the name of a barrier of a part of the group.
const PartBarrier = "part"

// SpecialRegister is what the names of work-item functions begin with that stand for special registers of PTX.
const SpecialRegister = "get_special_"

// HeapAddress stands for what malloc returns.
const HeapAddress = SpecialRegister + "heap"

// AsyncSizes are the bytes that one asynchronous copy of a work item can move (PTX ISA, cp.async).
var AsyncSizes = []int64{4, 8, 16}
