// Package machine has what the compiler's back end makes: instructions of a target in structured control flow, [Code],
// which package isel selects and package arrange gives its final form, their listing (format.go), and targets: rows of
// a table (target.go) with what they hold of a kernel at once (occupancy.go).
//
// Control flow keeps the structure of the IR: masks, trip counts and reconvergence follow from it. SSA ends
// here: a loop's parameter is a register that is written before the loop and at each continue, a result one
// that every exit writes.
package machine

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Reg names a virtual register of a Code. The zero value means "none".
type Reg uint32

// Class is a file of registers.
type Class uint8

// The files. Vector registers have a word for each lane, uniform ones (NVIDIA's UR, AMD's SGPR) one for the
// warp.
const (
	Vector Class = iota + 1
	Uniform
	Predicate        // a bit for each lane: NVIDIA's P, AMD's VCC or a pair of SGPRs
	UniformPredicate // NVIDIA's UP, AMD's SCC
)

// RegInfo describes a virtual register.
type RegInfo struct {
	Class Class
	Given bool      // it holds Name when the kernel starts
	Words int       // of 32 bits next to each other, aligned to their number rounded up to a power of two
	Value *ir.Value // that it holds first; nil: an address, a part of a sequence
	Name  string
	// Phys is the first physical register after allocation, -1 before and for what was spilled.
	Phys int
}

// Code is a compiled kernel.
type Code struct {
	Name      string
	Pos       ir.Pos
	Target    *Target
	Func      *ir.Func
	Regs      []RegInfo // Regs[r-1]
	Body      *Block
	Routines  []*Routine // behind the code
	Resources Resources
}

// Routine is what code calls or has in line for numbers that are not usual, which the program's graph leaves out: its
// mnemonics, and how often it has each.
type Routine struct {
	Name   string
	Ops    []string
	Counts []int
	// Copies stand in the code, which Counts are of together; 0: it is called; below 0: so many operations have it in
	// line that call it in the real code, and Counts are those of all but one, below 0 as well.
	Copies int
}

// Reg describes a register.
func (c *Code) Reg(r Reg) *RegInfo { return &c.Regs[r-1] }

// NewReg makes a register.
func (c *Code) NewReg(info RegInfo) Reg {
	info.Phys = -1
	c.Regs = append(c.Regs, info)
	return Reg(len(c.Regs))
}

// Block is a list of nodes in program order.
type Block struct{ Nodes []Node }

// Each visits all nodes of a block, which may be nil, and those inside.
func (b *Block) Each(visit func(Node)) {
	if b == nil {
		return
	}
	for _, n := range b.Nodes {
		visit(n)
		switch n := n.(type) {
		case *If:
			n.Then.Each(visit)
			n.Else.Each(visit)
		case *Loop:
			n.Body.Each(visit)
		case *Region:
			n.Body.Each(visit)
		}
	}
}

// Size is how many nodes a block has, with those inside, and of how many basic blocks they are at most.
func (b *Block) Size() (nodes, blocks int) {
	blocks = 1
	b.Each(func(n Node) {
		nodes++
		switch n.(type) {
		case *If:
			blocks += 3
		case *Loop:
			blocks += 2
		case *Region, *Jump:
			blocks++
		}
	})
	return nodes, blocks
}

// Node is an *Instr, *If, *Loop, *Region or *Jump.
type Node interface{ node() }

func (*Instr) node()  {}
func (*If) node()     {}
func (*Loop) node()   {}
func (*Region) node() {}
func (*Jump) node()   {}

// Guard is a predicate that decides whether a lane executes something. Reg 0: always.
type Guard struct {
	Reg Reg
	Not bool
	// Value is the condition that it stands for, Opposite: lanes for which that is false execute; nil: a condition
	// of the sequence that an operation is written out as.
	Value    *ir.Value
	Opposite bool
}

// Instr is one machine instruction.
type Instr struct {
	Op    string // the target's mnemonic with what distinguishes it: "FFMA", "IMAD.WIDE", "LDG.128"
	Class string // of package idg/isa, which devices have λ and Λ for: "fma.f32", "ld.global"
	Pipe  string // that executes it, of the target's: "alu", "fma", "lsu"
	Defs  []Reg
	// Part is the first word of Defs[0] that the instruction writes, from 1, and Span how many from there on (0:
	// one); Part 0: all of them. The words of a register live apart: writing one ends what that one held, and no
	// other.
	Part, Span int
	Uses       []Operand
	Guard      Guard
	Mem        *Mem // loads, stores and atomics
	Pos        ir.Pos
	From       *ir.Instr // that it is selected for; nil: none
	Issue      int       // cycles after the start of its block at which the scheduler issues it
	Spill      bool      // a store or load of a spilled register
	// Free takes no instruction: Defs hold what Uses do, each what the one at its place does, or one all of them: the
	// source's assignments and subscripts at -O0.
	Free bool
}

// OperandKind says what an operand is.
type OperandKind uint8

// The kinds of operands.
const (
	InReg     OperandKind = iota + 1 // Reg; Word: of a wide one, -1 for all
	Immediate                        // Bits
	// the word at Bits of the constant bank: a parameter of the kernel, or of __constant__ memory
	Bank
	Special // a special register, by Name
)

// Operand is what an instruction reads. Word counts from 0; a wide register that is read as a whole has -1. Span
// is how many words from Word on are read (0: one).
type Operand struct {
	Kind     OperandKind
	Not, Abs bool   // modifiers: the negative (of a predicate: the opposite), the absolute value
	High     bool   // the upper 16 bits of a register
	Part     string // the byte (B1 to B3) or half (H1) of a register that a conversion reads; "": the lowest, or all
	Reg      Reg
	Word     int
	Span     int
	Bits     uint64
	Name     string
}

// Mem describes a memory access.
type Mem struct {
	Space  ir.Space
	Object ir.ObjectID // 0: not known
	Bytes  int64       // of a lane
	Offset int64       // the constant in the instruction
	Apart  int64       // the second half of the bytes lies so far behind the first one; 0: right behind it
	Store  bool
	Atomic bool
	// Constant: through the read-only path: memory that nobody writes during the kernel
	Constant bool
	Volatile bool
	// Uniform: the last operand is a register of the warp that the address adds
	Uniform bool
}

// If is a branch. Cond decides; Branch is the instruction that an executed branch costs, nil where both sides
// are predicated (their instructions have guards).
type If struct {
	Cond       Guard
	Branch     *Instr
	Then, Else *Block
	Skip       *Instr // the jump over Else at the end of Then, nil where there is none
	From       *ir.Instr
	// Enter and Leave are what reconvergence costs in front of the branch (BSSY) and behind it (BSYNC), else nil.
	Enter, Leave *Instr
	// Rare: Then is the slow path of a routine (small numbers, overflow), which usual numbers do not take.
	Rare bool
}

// Loop repeats until a Jump leaves it. Enter and Leave are as those of an If.
type Loop struct {
	Body         *Block
	From         *ir.Instr
	Enter, Leave *Instr
}

// Region is left by a Jump or its end.
type Region struct {
	Body         *Block
	From         *ir.Instr
	End          *ir.Instr // the leave that stood at its end, nil where none did
	Enter, Leave *Instr
}

// Jump leaves or continues a loop or region, for the lanes of Guard. Branch is the instruction that it costs,
// nil where falling through does.
type Jump struct {
	Target   *ir.Instr
	From     *ir.Instr // the leave or continue
	Continue bool
	Guard    Guard
	Branch   *Instr
}

// Resources is what a kernel takes, as the compiler's own report counts it (ptxas -v, clang's .amdhsa).
type Resources struct {
	Registers        int // vector registers of a lane in the device's unit, reserved ones included
	UniformRegisters int // UR, SGPR
	Predicates       int
	LocalBytes       int64 // shared memory of a group known at compile time
	PrivateBytes     int64 // stack of a lane: arrays and spills
	SpillBytes       int64 // of PrivateBytes, those of spilled registers
	SpillStores      int   // instructions
	SpillLoads       int
	UniformSpills    int // scalar registers that are in lanes of vector registers for a time
	Waves            int // of a partition, as registers and memory of groups let them be resident; 0: not counted
	Unbounded        int // registers without a bound on groups that is met by spilling; 0: there is none
	MaxLive          int // the highest pressure in words before allocation
}

// Options is what a compiler is told besides the kernel.
type Options struct {
	Accuracy     lower.Accuracy
	MaxRegisters int // --registers, maxrregcount; 0: by launch bounds
	MaxThreads   int // of a group by __launch_bounds__ or reqd_work_group_size; 0: not told
	MinGroups    int // the second argument of __launch_bounds__
	Grown        int // what some warps take after the launch, given back by others (setmaxnreg.inc); 0: none do
	// VIADD: sums with an immediate or a uniform register have a form for the pipe of multiply-adds (VIADD)
	VIADD bool
	// Library is a feature of the target that the compiler's library of functions gives it; empty: none.
	Library string
	// Hoist: what an innermost loop alone reads of a kernel's parameters is loaded in front of it
	Hoist      bool
	LocalBytes int64 // of a compute unit, the most that the compiler counts with; 0: what it has
	// Relieve has values that all lanes share in registers of the warp even where instructions read copies of them.
	Relieve bool
}

// Instructions is how many instructions the code has.
func (c *Code) Instructions() (n int) {
	count := func(list ...*Instr) {
		for _, in := range list {
			if in != nil && !in.Free {
				n++
			}
		}
	}
	c.Body.Each(func(m Node) {
		switch m := m.(type) {
		case *Instr:
			count(m)
		case *If:
			count(m.Enter, m.Branch, m.Skip, m.Leave)
		case *Loop:
			count(m.Enter, m.Leave)
		case *Region:
			count(m.Enter, m.Leave)
		case *Jump:
			count(m.Branch)
		}
	})
	return n
}
