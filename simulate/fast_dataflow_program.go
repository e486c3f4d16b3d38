package simulate

import "gpupipe/idg"

// flowProgram is a program for dataflow issue: one block, if no loops are walked
// (see walked for the blocks of those), or with IssueMode Blocks
// the basic blocks that follow each other in it. Repetitions in which blocks end
// are executed as they are stored; a block is a way from behind one end to the next,
// with the other repetitions on it expanded.
//
// Within a block, what ends releases what waits. Of what was issued in earlier
// blocks a warp remembers, in a ring by executed number, whether it has ended, and
// which instructions of the current block wait for that. Dependences that stay on
// one instruction over all repetitions of a loop are held apart from the ring when
// the loop begins.
type flowProgram struct {
	blocks []flowBlock
	loops  int    // repetitions
	held   int    // held dependences
	ring   uint32 // executed instructions that a warp remembers: a power of two, or 0
	outer  int    // the most dependences of a block on earlier ones
	most   int    // instructions of the longest block
	// free says that a warp can be at any of its barriers at once, else at two at
	// most: a block behind a barrier waits for it.
	free bool

	// Of a program whose loops are walked (see walked):
	window   int64      // instructions that a warp may have in its window; 0 = loops are not walked
	overflow error      // what it is to have more
	joined   *flowBlock // the nodes of all blocks
}

// flowBlock is a block.
type flowBlock struct {
	nodes []flowNode
	// The dependences on node v that its Λ ends are ends[lists[2v]:lists[2v+1]], those that its λ
	// ends ends[lists[2v+1]:lists[2v+2]].
	lists []uint32
	ends  []flowEnd
	roots []uint32 // nodes without dependences
	// preds is how many dependences each node has. Where there are more than a
	// byte holds, the rest is a number of whole rounds of 255, in rounds.
	preds    []uint8
	many     []idg.NodeID // nodes with rounds, ascending
	rounds   []uint32     // by index in many
	barriers []idg.NodeID

	outer  []outerNeed
	kept   []uint32    // nodes that later blocks may wait for
	enters []loopStart // repetitions that begin within
	turns  []loopTurn  // those whose body ends behind the block or within the next one, innermost first
	after  uint32      // the block that follows when all of these have ended; noNode at the program's end
	within []uint32    // repetitions around its last instruction, innermost first

	first uint32       // of its nodes among those of all blocks, where loops are walked
	opens []flowOpener // at whose ends it must be in the window

	words []uint8 // of registers that each node reads, if their ports are limited
}

// flowNode is an instruction.
type flowNode struct {
	hold      Tick // of its class: what comes next after an issue waits for this
	class     uint32
	subsystem uint16
	flags     nodeFlags
}

// flowEnd is the end of a dependence, with what is needed when it is the last
// one of its node to be satisfied.
type flowEnd struct {
	node      uint32
	subsystem uint16
	flags     nodeFlags
}

// outerNeed is a dependence on an instruction of an earlier block.
type outerNeed struct {
	flowEnd
	back  uint32 // so far before the first instruction of the block; or the held dependence
	held  bool
	order bool
}

// loopTurn is a repetition whose body ends: if it is executed again, in the block.
type loopTurn struct {
	loop  uint32
	block uint32
}

// loopStart is a repetition that begins.
type loopStart struct {
	loop  uint32
	count int64
	holds []heldProducer
}

// heldProducer is what a held dependence is on.
type heldProducer struct {
	held  uint32
	at    uint32 // instruction of the block, or so far before it, modulo 2^32
	inner bool   // an instruction of the block
	order bool
}
