package idg

import (
	"gpupipe/idg/isa"
	"gpupipe/internal/diag"
)

// Pos is a position in the user's source text.
type Pos = diag.Pos

// InstrID names an interned instruction class of a Graph. The zero value means
// "none"; the first class has id 1.
type InstrID uint32

// Instr is an instruction class: everything that is equal for the executed
// instructions that share it. Graphs intern classes, so that a vertex is one
// InstrID and its dependences.
type Instr struct {
	// Op is the source-level operation with its type where it has one:
	// "fma.f32", "add.s32", "cvt.f32.s32", "native_cos.f32", "setp.s32",
	// "select.f32", "ld.global", "st.local", "atomic.add.global", "barrier",
	// "loop", "branch", "converge", "index", "off". Where the increment and the comparison of a
	// loop's counter are instructions, as in machine code, what ends its iteration is
	// LoopBranch. One of two that a compiler has put in one instruction word says so:
	// "fma.dual.f32", one on two numbers of each lane too: "fma.packed.f32", and so does what AMD's scalar units
	// execute, which is the same in all lanes: "add.uniform.s32", "ld.global.uniform". There, "loop.vector" has a
	// counter in vector registers, and "add.base.s64" adds an offset to a base in scalar ones. The two halves of an
	// asynchronous copy are "ld.global.async" and "st.local.async", the ends of groups of them "async.commit"
	// and what waits for them "async.wait". A block that the tensor memory accelerator copies has "tma" in front of
	// these two; a product of a warp group is "ld.local.async" and "wgmma.m64n128k16.bf16.f32". An atomic of which the
	// compiler makes one update for all lanes is "atomic.add.combined.global".
	Op string
	// Type is the scalar type of a memory access's elements ("f32"), empty for
	// ops that carry their type in Op.
	Type string
	// Access is the memory access pattern, 0 for instructions that access no
	// memory.
	Access AccessID
	// Lanes is the number of active lanes of the warp, 1 to the warp size.
	Lanes uint8
	// Pos is the position of the operation in the user's source.
	Pos Pos
}

// LoopBranch is the branch that ends the iteration of a rolled loop of which the counter is
// incremented and compared by instructions of their own.
const LoopBranch = "branch.loop"

// OffMemory is an access whose predicate is false for all work items of the warp.
const OffMemory = "off.memory"

// Operation is the op, taken apart.
func (in *Instr) Operation() isa.Op { return isa.Parse(in.Op) }

// IsRolledLoop reports whether the instruction ends an iteration of a rolled loop.
func (in *Instr) IsRolledLoop() bool { return in.Operation().RolledLoop() }

// IsStore reports whether the instruction only writes memory. A store counts as
// complete once it has been issued: nothing comes back to wait for, so that
// a kernel's last store costs λ, not Λ (P19 Fig. 1). Atomics return a value and
// are no stores in this sense.
func (in *Instr) IsStore() bool { return in.Operation().Verb == isa.Store }

// IsIssueOnly reports whether the instruction takes its turn to be issued and nothing else: one
// that has a predicate which is false for all work items of the warp ("off"), or that lets lanes
// meet which have gone different ways ("converge").
func (in *Instr) IsIssueOnly() bool { return in.Operation().IssueOnly() }

// IsDouble reports whether an instruction computes in double precision.
func (in *Instr) IsDouble() bool {
	op := in.Operation()
	return in.Access == 0 && (op.Type == isa.F64 || op.From == isa.F64)
}

// AccidentalDoubles reports whether a graph computes in double precision, and neither loads nor stores a double.
func (g *Graph) AccidentalDoubles() (found bool) {
	for i := range g.instrs {
		in := &g.instrs[i]
		if in.Access != 0 && in.Type == "f64" {
			return false
		}
		found = found || in.IsDouble()
	}
	return found
}

// IsAsync reports whether the instruction is half of an asynchronous copy, which holds nothing in
// registers.
func (in *Instr) IsAsync() bool { return in.Operation().Has(isa.Async) }

// IsBarrier reports whether the instruction makes the warps of a group wait for
// each other.
func (in *Instr) IsBarrier() bool { return in.Operation().Verb == isa.Barrier }

// EndsBlock reports whether the instruction is the last of its basic block: a
// branch, a loop's, or a barrier, which compilers move no instruction across.
func (in *Instr) EndsBlock() bool { return in.Operation().EndsBlock() }
