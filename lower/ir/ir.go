// Package ir is the compiler's intermediate representation: static single assignment over structured
// control flow. It consumes nothing; package build makes it of a typed kernel, the passes of package pass
// change it, package machine selects instructions for it.
//
// A [Func] is a tree. A [Block] is a list of instructions of which the last one ends it; an instruction has
// operands, results and, if it is a control operation, blocks inside:
//
//	r... = if c { ... yield x } { ... yield y }         two blocks; Args = [c]
//	r... = loop L (p... = x...) { ... continue L y }    one block with parameters; Args = their first values
//	r... = switch v { ... } { ... }                     one block for each list of Cases, the last is the default
//	r... = region L { ... yield x }                     one block, which leave L ends early
//	yield x...                                          the normal end of an if's, a switch's or a region's block
//	leave L x...                                        goes behind the loop or region L: x become its results
//	continue L x...                                     the next iteration of loop L with the parameters x
//
// A loop has no condition of its own: it is left by leave, mostly from inside an if; its block ends in
// continue or leave, and a loop whose block has no continue for it runs once. A switch has no fall-through:
// build makes regions of it. There are no phis: the results of control operations and the parameters of
// loops take their place. Structure keeps masks, trip counts and reconvergence trivial.
//
// A value is visible behind its definition in its block and in the blocks inside. Constants, parameters of
// the kernel, addresses of objects and undefined values belong to no block. Memory has no versions in the
// representation: passes that need them compute them by alias class (package pass, memory.go), and loads and
// stores stand in program order.
//
// Operations, types, objects and what each attribute of an instruction means are those of package lower.
package ir

import (
	"gpupipe/internal/diag"
	"gpupipe/lower"
)

// What the representation has in common with the tree that it is made of.
type (
	Type     = lower.Type
	Op       = lower.Op
	Pos      = diag.Pos
	Space    = lower.Space
	Object   = lower.Object
	ObjectID = lower.ObjectID
	Param    = lower.Param
)

// Func is one kernel.
type Func struct {
	Name      string
	Pos       Pos
	Params    []Param  // as declared; Param.Reg is unused here
	Args      []*Value // the value of each of Params
	Objects   []Object // by ObjectID - 1
	Body      *Block   // ends in yield without operands
	GroupSize [3]int64 // that a kernel requires; zeros: any
	// Accuracy is of mathematical functions.
	Accuracy lower.Accuracy
	// Choices is what unrolling made of the source's loops, in the order of the decisions: inner loops first.
	// Loops that are gone have no other trace.
	Choices []LoopChoice
	// Selects are the BranchIDs of branches of the source that have become selects, or a part of another condition.
	Selects map[int]bool

	nextValue uint32
	lastMark  uint32
	constants map[constant]*Value
	addresses map[ObjectID]*Value
	undefined map[Type]*Value
}

type constant struct {
	typ  Type
	bits uint64
}

// Kind says where a value comes from.
type Kind uint8

// The kinds of values.
const (
	Result    Kind = iota + 1 // of an instruction
	BlockArg                  // a parameter of a loop's block
	Const                     // Bits, as lower.Operand has them
	KernelArg                 // a parameter of the kernel
	Address                   // of the start of Object
	Undef                     // of a variable that nobody assigned
)

// Value is what one operation gives.
type Value struct {
	ID    uint32 // unique in its Func
	Kind  Kind
	Type  Type
	Name  string // of the source's variable, for reading; may be empty
	Def   *Instr // Result: the instruction; BlockArg: the loop
	Index int    // which of Def's results or of the block's parameters; KernelArg: of Func.Params
	Bits  uint64 // Const
	// Object: Address: the object; KernelArg of type Ptr: the buffer that it points to
	Object ObjectID
}

// Instr is one operation. The attributes from Fn on mean what lower.Instr says.
type Instr struct {
	// What nearly all passes read lies in the first line of the cache.
	Op                  Op
	Type                Type
	From                Type
	Space               Space
	Volatile, Subscript bool
	// Counting: it steps the counter of a loop or compares it. At -O0 one instruction of the loop stands for all that.
	Counting bool
	// Opposite: OpIf: the condition is the opposite of that of the source's branch
	Opposite  bool
	Mark      uint32 // by the one that walks now: what Func.NewMark gave
	Component int32
	Args      []*Value
	few       [3]*Value // the memory of Args in a copy that has no more

	Results []*Value
	Parent  *Block   // the block that it stands in
	Blocks  []*Block // OpIf, OpLoop, OpSwitch, OpRegion
	Target  *Instr   // OpLeave, OpContinue: the loop or region

	Fn            string
	Dim           int
	Scale         int64
	Element       string
	Align         int64
	Whole, Offset int32
	Pos           Pos

	Cases  [][]int64 // OpSwitch: the values of each block but the last, which is the default
	Loop   *LoopInfo // OpLoop
	Part   Part      // OpLoop, OpIf: what unrolling made of a loop
	Source int       // OpLoop, OpIf: the LoopID or BranchID of the source's statement that it is made of; 0: none
	// Kind: OpIf: "if", "?:", "&&", "||", "return" where a side was left early; OpLeave: "break", "return", "goto"
	Kind string
}

// Moded reports whether it is arithmetic on floats that names its mode.
func (in *Instr) Moded() bool {
	switch in.Op {
	case lower.Add, lower.Sub, lower.Mul, lower.Div, lower.Fma, lower.Min, lower.Max:
		return in.Fn != "" && in.Type.IsFloat()
	}
	return false
}

// NewMark is a Mark that no instruction has.
func (f *Func) NewMark() uint32 {
	f.lastMark++
	return f.lastMark
}

// LoopChoice is what unrolling made of a loop of the source, or of the copies of it in a loop around that was
// unrolled before.
type LoopChoice struct {
	Source int // the loop's LoopID
	Pos    Pos
	Trips  string // how many iterations it has, as far as the compiler knows: "8", "at most 8", "(n - i) / 4", ""
	Copies int64  // of its body in the code, 1: as written
	Whole  bool   // no loop is left
	Rule   string // that decided, one clause
	Size   int64  // of one iteration for that rule, 0 where it did not look
	// what decided is near its limit, on either side: another version of the compiler may decide otherwise
	Close bool
}

// LoopInfo is what is known of a loop.
type LoopInfo struct {
	Kind      string        // "for", "while", "do"
	Pragma    *lower.Pragma // of the source
	BoundText string        // the source's condition, for reports
	// Copies and Decision say what unrolling made of the loop: how many copies of the source's body one
	// iteration is (0 and 1: one), and why.
	Copies   int
	Decision string
}

// Part is a part of a loop of the source that unrolling made several of: a loop, or what is executed where the
// condition of an OpIf holds. Who executes the code without knowing the values goes by it.
type Part struct {
	Loop     int   // the LoopID, 0: none
	Copies   int64 // iterations at a time
	Straight bool  // of an OpIf: once, and not in a loop
	More     bool  // another part comes before it
	// Multiple: it leaves a multiple of so many iterations; 0: less than Copies
	Multiple int32
}

// Block is a list of instructions, of which the last one is a yield, leave or continue.
type Block struct {
	Params []*Value // of a loop's block only
	Instrs []*Instr
	Owner  *Instr // the instruction that it belongs to; nil: the Func's body
}

// Last is the instruction that ends a block, nil in an empty one.
func (b *Block) Last() *Instr {
	if len(b.Instrs) == 0 {
		return nil
	}
	return b.Instrs[len(b.Instrs)-1]
}

// IsTerminator reports whether an instruction ends its block.
func (in *Instr) IsTerminator() bool {
	return in.Op == lower.OpYield || in.Op == lower.OpLeave || in.Op == lower.OpContinue
}

// Nests reports whether an instruction has blocks.
func (in *Instr) Nests() bool { return in.Op >= lower.OpIf && in.Op <= lower.OpRegion }

// Result is the only result of an instruction.
func (in *Instr) Result() *Value { return in.Results[0] }

// IsConst reports whether a value is a constant.
func (v *Value) IsConst() bool { return v.Kind == Const }

// Int is a constant's value as a signed number.
func (v *Value) Int() int64 { return int64(v.Bits) }

// Operand is a constant as package lower has it.
func (v *Value) Operand() lower.Operand {
	return lower.Operand{Kind: lower.OperandConst, Type: v.Type, Bits: v.Bits}
}

// DefOp is the operation that gives a value, 0 for one that no instruction gives.
func (v *Value) DefOp() Op {
	if v.Kind != Result {
		return 0
	}
	return v.Def.Op
}
