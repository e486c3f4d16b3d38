package trace

import "gpupipe/idg/isa"

// What the passes know instructions by.

// LoopOp is the one instruction that ends an iteration of a rolled loop.
const LoopOp = "loop"

// What address arithmetic is called.
const (
	MultiplyIndex = "mul.wide.s32" // a 32-bit index times the size of an element
	ExtendIndex   = "cvt.s64.s32"  // a 32-bit index of bytes
)

var (
	multiplyIndex   = isa.Parse(MultiplyIndex)
	extendIndex     = isa.Parse(ExtendIndex)
	wideMultiplyAdd = isa.Parse("mad.wide.s32") // the first and the base in one
	scalarLoop      = isa.Parse(LoopOp)         // its counter is in a scalar register
	vectorLoop      = scalarLoop.With(isa.Vector)
	longSum         = isa.Of(isa.Add, isa.S64)

	// Accesses of memory.
	loadLocal     = isa.In(isa.Load, isa.Local)
	storeLocal    = isa.In(isa.Store, isa.Local)
	loadConstant  = isa.In(isa.Load, isa.Constant)
	uniformGlobal = isa.In(isa.Load, isa.Global).With(isa.Uniform)
)
