package factor

// What AMDGPUTTIImpl::getUnrollingPreferences of AMDGPUTargetTransformInfo.cpp asks for, at every level.
const (
	amdFull         = 300 // amdgpu-unroll-threshold
	amdFullLocal    = 1000
	amdFullPrivate  = 2700
	amdBranch       = 200 // amdgpu-unroll-threshold-if: more for each branch that a loop's variable decides
	amdMostPrivate  = 960 // bytes of a private array that may be registers
	amdLocalDepth   = 2   // loops nested deeper are not unrolled for local memory
	amdPartial      = 150
	amdAnalysedMost = 32 // instead of llvmAnalysed, in innermost loops with a block of less than so many instructions
)

// asksAMD are the preferences for a loop, which follow from its blocks in their order, those of inner loops left out.
type asksAMD struct {
	preferences
	deep   bool  // nested too deep to be unrolled for local memory
	split  bool  // the loop has several blocks: its header is not its latch
	begin  int64 // instructions before the current block
	locals bool  // it computes an address of local memory: only the first one counts
	last   bool  // no branch follows in the loop
}

func newAsksAMD(depth int) asksAMD {
	ask := preferences{full: amdFull, partial: amdPartial, analysed: llvmAnalysed}
	return asksAMD{preferences: ask, deep: depth > amdLocalDepth, last: true}
}

// most reports whether the largest threshold is reached, where the search ends.
func (a *asksAMD) most() bool { return a.full >= amdFullPrivate }

// block ends a block after a number of instructions of the loop.
func (a *asksAMD) block(instrs int64) {
	if instrs-a.begin < amdAnalysedMost && !a.most() {
		a.analysed = amdAnalysedMost
	}
	a.split, a.begin, a.locals = true, instrs, false
}

// branches counts branches that a variable of the loop decides, to blocks that do not leave it.
func (a *asksAMD) branches(count int64) {
	for ; count > 0 && !a.most(); count-- {
		a.full += amdBranch
	}
}

// latch ends the last block. Its branch is one more to the header, unless that leaves the loop.
func (a *asksAMD) latch(instrs int64, leaves bool) {
	if a.split && !leaves {
		a.branches(1)
	}
	a.block(instrs)
}

// localAddress counts an address of local memory, which the loop may change.
func (a *asksAMD) localAddress(changes bool) {
	if changes && !a.locals && !a.deep && !a.most() {
		a.full, a.runtime = max(a.full, amdFullLocal), true
	}
	a.locals = true
}

// privateAddress counts an address of a private array that the loop changes.
func (a *asksAMD) privateAddress(bytes int64) {
	if bytes <= amdMostPrivate {
		a.full = max(a.full, amdFullPrivate)
	}
}
