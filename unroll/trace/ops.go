package trace

import "gpupipe/idg"

// What the passes know instructions by.

// LoopOp is the one instruction that ends an iteration of a rolled loop.
const LoopOp = "loop"

// Accesses of memory.
var (
	loadLocal    = "ld." + idg.SpaceLocal.String()
	storeLocal   = "st." + idg.SpaceLocal.String()
	loadGlobal   = "ld." + idg.SpaceGlobal.String()
	loadConstant = "ld." + idg.SpaceConstant.String()
)

// What address arithmetic is called.
const (
	MultiplyIndex   = "mul.wide.s32" // a 32-bit index times the size of an element
	ExtendIndex     = "cvt.s64.s32"  // a 32-bit index of bytes
	wideMultiplyAdd = "mad.wide.s32" // the first and the base in one
)

// uniformMark is in the ops of what the scalar unit executes, before the type or behind the
// address space: add.uniform.s32, ld.global.uniform.
const uniformMark = ".uniform"

// vectorLoop is a loop instruction of which the counter is in vector registers.
const vectorLoop = "loop.vector"
