package simulate

import "gpupipe/idg"

// pendingTime stands for the completion of a barrier that not all warps have
// reached: later than every time of a run.
const pendingTime = Tick(1) << 62

// orderedProgram is a program for in-order issue, with its repetitions: it is
// as long as what is stored, not as what is executed.
//
// A warp remembers when its last instructions completed and when their λ had
// passed, in a ring by executed number, so that a dependence on the d-th instruction
// before is one look into the ring, in every iteration of a loop alike. Dependences
// that stay on one instruction over all repetitions of a loop (idg.Producer, Base
// above 0) are copied from the ring into a held time when the loop begins.
//
// Most dependences need no look, and are left out:
//
//   - one on which an earlier instruction waited already, in the same run through
//     the body: instructions issue in order;
//   - one that lies so far back that it has certainly ended (see reach).
type orderedProgram struct {
	nodes  []orderedNode // and one more, which is never executed
	more   []need
	first  []uint32      // by node: where its further needs begin in more, which end where those of the next begin
	ring   uint32        // executed instructions that a warp remembers: a power of two
	traced bool          // their classes too, because some causes are anyClass
	held   int           // held times
	loops  []orderedLoop // by idg.RepeatID less one
	inner  []uint32      // by node, if there are loops: its innermost repetition, 0 = none
	opens  []uint32      // by node, if there are loops: the first repetition that begins there, 0 = none

	barriers []idg.Executed // where the barriers are, if barriers are free
	// free says that an instruction behind a barrier may issue while the barrier is
	// pending, as in no graph of idgen. Then there are no loops.
	free bool
}

// orderedLoop is a repetition.
type orderedLoop struct {
	repetition
	captures []capture
}

// capture copies a time when a loop begins.
type capture struct {
	off  uint32 // see need
	slot uint32 // of held times
}

// orderedNode is an instruction, in half a cache line.
type orderedNode struct {
	class     uint32
	subsystem uint16
	flags     nodeFlags
	// needs are times that must have come: of the ring's times, the one that lies
	// so far back from the place of the instruction before this one (2·distance - 2, and 1
	// more for order dependences). Where there are fewer, one stands more than once; flagFree
	// says that there is none.
	needs [fewNeeds]uint16
	// causes are, by the set of the needs that ended last, the class of the
	// instruction that ended last, unless flagUnsure: see cause.
	causes [1 << fewNeeds]uint16
	words  uint8 // of registers that it reads, if their ports are limited
}

// maxCause is the last class that a node can hold as a cause. Those beyond are looked
// up as if they were not the same in every repetition.
const maxCause = 1<<16 - 1

// maxNear is the furthest need that a node can hold.
const maxNear = 1 << 16

// fewNeeds is how many needs stand in the node: enough for a multiply-add. They
// are all looked at without a branch.
const fewNeeds = 3

// need is a further dependence.
type need struct {
	off   uint32 // in the ring: 2·distance, and 1 more for order dependences; with held, the number of a held time
	class uint32 // of the instruction that it is on, or anyClass
	held  bool
	order bool
}

// anyClass is the class of an instruction that is not the same in every
// repetition.
const anyClass = ^uint32(0)

// nodeFlags says what else follows from an instruction's issue.
type nodeFlags uint16

const (
	// flagBarrier marks a barrier.
	flagBarrier nodeFlags = 1 << iota
	// flagFinal marks an instruction that may be the last of its warp to end:
	// no other one can only issue when it has ended. In order, one that has certainly ended
	// when the last one issues (see reach) is none.
	flagFinal
	// flagDone and flagPassed mark, for dataflow, instructions that others wait
	// for by data or control, and by order dependences.
	flagDone
	flagPassed
	// flagMore marks, for in-order issue, more needs than the node holds, flagHeld
	// held times among these, flagFree that the node holds none, and flagTurn the end of a body or what stands before a
	// loop.
	flagMore
	flagHeld
	flagFree
	flagTurn
	// flagTraced marks, for in-order issue, an instruction whose class is remembered.
	flagTraced
	// flagUnsure marks, for in-order issue, a node with a cause that is anyClass.
	flagUnsure
	// flagMany marks, for dataflow, more dependences than its counter holds.
	flagMany
	// flagLoaded marks an access whose latency depends on the load of device
	// memory, flagOutlasts one of these that may be the last of its warp to end when
	// it completes (then flagFinal is not set).
	flagLoaded
	flagOutlasts
	// flagKept marks, for dataflow, an instruction for which later blocks may wait.
	flagKept
	// flagQueued marks an instruction that may wait in a queue.
	flagQueued
	// flagApart marks an instruction whose issue is more than to take its subsystem: others take
	// this, or it does, together with another one. For in-order issue also: it may wait in a queue, sub-cores
	// share the subsystem, or registers' ports are limited.
	flagApart

	// flagUnusual are those of in-order issue with which the class that an
	// instruction waited for need not follow from its node.
	flagUnusual = flagFree | flagMore | flagHeld | flagUnsure
	// flagSpecial are those of in-order issue for which there is more to be done than
	// to complete when Λ has passed and go on to the next node.
	flagSpecial = flagBarrier | flagFinal | flagOutlasts | flagLoaded | flagTurn
)

// classFlags returns the flags of an instruction of a class, for which, or for
// whose λ, another one waits in any case.
func (c *class) flags(done, passed bool) nodeFlags {
	f := nodeFlags(0)
	if c.queued {
		f |= flagQueued
	}
	if c.barrier {
		f |= flagBarrier
	}
	outlived := done
	if c.store {
		outlived = passed && !c.queued || done && c.latency >= c.hold
	}
	switch {
	case c.bytes == 0 && !outlived:
		f |= flagFinal
	case c.bytes > 0 && !outlived && !c.store:
		f |= flagLoaded | flagOutlasts
	case c.bytes > 0 && !outlived:
		f |= flagLoaded | flagFinal
	case c.bytes > 0:
		f |= flagLoaded
	}
	return f
}
