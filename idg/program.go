package idg

import (
	"iter"
	"slices"
	"sync"
)

// Executed is the number of an executed instruction within one Program, in
// program order from 0, repetitions expanded.
type Executed int64

// StaticID names a stored instruction of a Program, in program order from 0.
type StaticID uint32

// RepeatID names a repetition of a Program. The zero value means "none"; the
// first repetition has id 1.
type RepeatID uint32

// Program is what one warp executes: its instructions in program order, of which
// intervals may be repeated. What is stored is one repetition of each, so that
// memory does not depend on how often it is executed. Every dependence is on an
// earlier instruction: the executed instructions are a DAG in topological order.
type Program struct {
	// Warps lists the warps of a group (indices from 0, ascending) that
	// execute this program; see Graph.ProgramOf for warps that no program lists.
	// The slice must not be modified.
	Warps []uint32

	code     []patternID // by stored instruction
	patterns patterns
	repeats  []Repeat
	stored   int64 // dependences of all stored instructions
	length   int64 // executed instructions
	edges    int64 // dependences of executed instructions

	flat struct {
		sync.Mutex
		rows *Flat // nil = not expanded yet
	}
	lags struct { // see places.lags
		sync.Once
		list []int64
	}
}

// Repeat is a repetition of an interval of stored instructions. Intervals nest:
// two of them are disjoint, or one contains the other.
type Repeat struct {
	First, End StaticID // the body: stored instructions First to End-1
	Count      int64    // executions of the body, at least 2
	Parent     RepeatID // the enclosing repetition, 0 = none
}

// Absolute is the Base of a Producer that is named by its number.
const Absolute = maxFoldDepth + 1

// Producer is one dependence of a stored instruction. Base says where Distance
// counts from, and so in which of the enclosing repetitions the producer stays
// the same instruction:
//
//   - 0: back from the instruction itself; it moves along with all of them.
//   - k = 1 to 9: back from the first instruction that the k-th enclosing
//     repetition (1 = innermost) executes. It stays the same over the
//     repetitions of the k innermost ones and moves along with the others.
//   - Absolute: Distance is the producer's number from the program's start.
type Producer struct {
	Kind     EdgeKind
	Base     uint8
	Distance int64
}

// StaticLen is the number of stored instructions.
func (p *Program) StaticLen() int { return len(p.code) }

// StaticInstr returns the class of a stored instruction.
func (p *Program) StaticInstr(s StaticID) InstrID { return p.patterns.all[p.code[s]].class }

// StaticPreds returns the dependences of a stored instruction, ordered by
// producer as the instruction is executed first. No two of them are on the same
// instruction, whatever the repetition. The slice must not be modified.
func (p *Program) StaticPreds(s StaticID) []Producer {
	return p.patterns.rowOf(&p.patterns.all[p.code[s]])
}

// Repeats returns the repetitions by First, outer ones before inner ones;
// RepeatID id is element id-1. The slice must not be modified.
func (p *Program) Repeats() []Repeat { return p.repeats }

// Len is the number of instructions that are executed.
func (p *Program) Len() int64 { return p.length }

// Edges is the number of dependences of all executed instructions.
func (p *Program) Edges() int64 { return p.edges }

// within calls visit for intervals of stored instructions that have the same
// innermost repetition, in program order.
func (p *Program) within(visit func(first, end StaticID, in RepeatID)) {
	at, in := StaticID(0), RepeatID(0)
	upTo := func(s StaticID) {
		if at < s {
			visit(at, s, in)
		}
		at = s
	}
	leave := func(before StaticID) {
		for in > 0 && p.repeats[in-1].End <= before {
			upTo(p.repeats[in-1].End)
			in = p.repeats[in-1].Parent
		}
	}
	for i := range p.repeats {
		leave(p.repeats[i].First)
		upTo(p.repeats[i].First)
		in = RepeatID(i + 1)
	}
	leave(StaticID(len(p.code)))
	upTo(StaticID(len(p.code)))
}

// Stretches calls visit for intervals of stored instructions, in program order,
// and how often they are executed.
func (p *Program) Stretches(visit func(first, end StaticID, times int64)) {
	times := make([]int64, len(p.repeats)+1) // by id; 0 = the program
	times[0] = 1
	for i := range p.repeats {
		times[i+1] = p.repeats[i].Count * times[p.repeats[i].Parent]
	}
	p.within(func(first, end StaticID, in RepeatID) { visit(first, end, times[in]) })
}

// Order yields the stored instruction of each that is executed, in program order.
func (p *Program) Order() iter.Seq[StaticID] {
	return func(yield func(StaticID) bool) {
		for w := p.walk(); w.more() && yield(w.static); w.next() {
		}
	}
}

// Tally returns how often each instruction class is executed, for a graph of so
// many: by InstrID less one.
func (p *Program) Tally(classes int) []int64 {
	count := make([]int64, classes)
	p.Stretches(func(first, end StaticID, times int64) {
		for s := first; s < end; s++ {
			count[p.StaticInstr(s)-1] += times
		}
	})
	return count
}

// equal reports whether two programs store the same. Programs that were built
// in the same way have their patterns in the same order.
func (p *Program) equal(q *Program) bool {
	return slices.Equal(p.code, q.code) && slices.Equal(p.repeats, q.repeats) && p.patterns.equal(&q.patterns)
}

// clear empties a program and keeps its memory.
func (p *Program) clear() {
	p.Warps, p.code, p.repeats = nil, p.code[:0], p.repeats[:0]
	p.stored, p.length, p.edges = 0, 0, 0
	p.patterns.clear()
}
