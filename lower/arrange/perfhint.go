package arrange

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Figures of LLVM's AMDGPUPerfHintAnalysis.cpp: amdgpu-membound-threshold, amdgpu-limit-wave-threshold,
// amdgpu-indirect-access-weight, amdgpu-large-stride-weight, amdgpu-large-stride-threshold.
const (
	hintPercent = 50
	hintWeight  = 1000
	hintStride  = 64
)

// perfHint counts what decides whether a kernel may have few waves to let loads wait for (AMDGPUPerfHintAnalysis).
type perfHint struct {
	all, memory, indirect, strides int
	loaded                         map[*ir.Value]bool // what depends on global memory
	last                           *ir.Value          // the base of the access before
	offset                         int64
}

// fewWaves reports whether a kernel waits for memory so much that four waves are enough (isMemoryBound,
// needsWaveLimiter).
func fewWaves(f *ir.Func) bool {
	if f.Body == nil {
		return false
	}
	h := &perfHint{loaded: map[*ir.Value]bool{}}
	h.block(f.Body)
	return (h.memory+hintWeight*(h.indirect+h.strides))*100 > hintPercent*max(1, h.all)
}

func (h *perfHint) block(b *ir.Block) {
	h.last = nil
	for _, in := range b.Instrs {
		for _, inner := range in.Blocks {
			h.block(inner)
			h.last = nil
		}
		h.instr(in)
	}
}

func (h *perfHint) instr(in *ir.Instr) {
	depends := false
	for _, a := range in.Args {
		depends = depends || h.loaded[a]
	}
	switch in.Op {
	case lower.Load, lower.Store, lower.Atomic:
		h.all++
		h.memory++
		if h.loaded[in.Args[0]] {
			h.indirect++
		}
		h.stride(in)
		depends = in.Op == lower.Load && (in.Space == idg.SpaceGlobal || in.Space == 0)
	case lower.PtrAdd:
		if !in.Args[1].IsConst() {
			h.all++
		}
	default:
		h.all++
	}
	if depends {
		for _, r := range in.Results {
			h.loaded[r] = true
		}
	}
}

// stride counts accesses that are far from the one before, of the same base.
func (h *perfHint) stride(in *ir.Instr) {
	if in.Space == idg.SpaceLocal {
		return
	}
	base, offset := in.Args[0], int64(0)
	for base.DefOp() == lower.PtrAdd && base.Def.Args[1].IsConst() {
		offset += base.Def.Args[1].Int() * base.Def.Scale
		base = base.Def.Args[0]
	}
	if d := offset - h.offset; base == h.last && max(d, -d) > hintStride {
		h.strides++
	}
	h.last, h.offset = base, offset
}
