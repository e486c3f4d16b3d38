package factor

import (
	"fmt"

	"gpupipe/lower"
)

// LLVM unrolls a loop with a pragma only up to a size, whatever the target
// (LoopUnrollPass.cpp: PragmaUnrollThreshold, computeUnrollCount). For AMD's GPUs it is known
// what has which size (amdgpu_size.go).
const (
	pragmaMost      = 16 * 1024
	pragmaMostBoost = 400 // percent: MaxPercentThresholdBoost
)

// pragmaAMD decides how often the body of a loop with a constant trip count and #pragma
// unroll is copied: all iterations, if they are not too large together, else the largest divisor
// of their number that is not, else a power of two. All of it happens before the compiler
// looks for what the copies have in common.
func (u *Unroller) pragmaAMD(l *lower.Loop, p *plan) {
	n := u.sizes[l]
	if n == nil {
		n = u.measureAMD(l)
		u.sizes[l] = n
	}
	body := n.size - amdBackEdge
	if p.trips < pragmaMost && p.trips*body+amdBackEdge < pragmaMost || n.analysed(p.trips) && p.trips*n.folded() < pragmaMost*n.boost()/100 {
		p.full, p.factor = true, max(1, p.trips)
		return
	}
	p.factor = (pragmaMost - amdBackEdge) / body
	for p.factor > 1 && p.trips%p.factor != 0 {
		p.factor--
	}
	if p.factor <= 1 {
		p.factor = clangRuntime
		for p.factor > 1 && p.factor*body+amdBackEdge > pragmaMost {
			p.factor /= 2
		}
	}
	p.reason = fmt.Sprintf("pragma: clang unrolls a body of this size by no more than %d of %d iterations", p.factor, p.trips)
}

// analysed reports whether LLVM looks at what a number of iterations leaves when the counter
// is folded.
func (n *sizeAMD) analysed(trips int64) bool {
	return trips <= amdAnalysed || trips <= amdAnalysedMost && n.smallBlock
}

// folded is the size of an iteration then, and boost by how much larger the limit is for
// what that saves, in percent.
func (n *sizeAMD) folded() int64 { return max(1, n.size-n.saved-amdLoopSize) }

func (n *sizeAMD) boost() int64 { return min(pragmaMostBoost, 100*n.size/n.folded()) }
