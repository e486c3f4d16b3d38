package trace

import "gpupipe/idg/isa"

// Neighbours in device memory, which LLVM merges for AMD's GPUs (wideamd.go). nvcc, whose GPUs need
// the alignment, and clang for those merge what is a part of one aligned vector or struct, in local
// memory, too (nvcc 11.8 and clang 14 for sm_80: TestParts):
//
//   - Two neighbours that begin at a multiple of both, or all four.
//   - nvcc loads four where the first three are used, or three and the last are not neighbours.
//   - Within straight code, unless what stands between may meet them.

// widenDeviceLoads merges loads of neighbours in device memory, widenDeviceStores stores to them.
func widenDeviceLoads(t *Trace, live []bool)  { t.widenDevice(live, false, t.replace) }
func widenDeviceStores(t *Trace, live []bool) { t.widenDevice(live, true, t.replaceStores) }

func (t *Trace) widenDevice(live []bool, stores bool, replace func([]NarrowAccess, wideAccess, []bool,
	map[NodeID]NodeID)) {
	into := map[NodeID]NodeID{} // the wide access that replaces one
	t.straightCode(live, stores, func(block []int) {
		merged := t.runs
		if !t.ScalarUnit() {
			merged = t.partsOf
		}
		for _, w := range merged(t.devices, block) {
			replace(t.devices, w, live, into)
		}
	})
	t.redirect(live, into)
}

// partsOf finds what is merged of parts of aligned vectors and structs.
func (t *Trace) partsOf(list []NarrowAccess, block []int) []wideAccess {
	return t.aligned(list, block, false)
}

// straightCode lists the candidates, either stores or loads, of each straight piece of code.
func (t *Trace) straightCode(live []bool, stores bool, do func([]int)) {
	if len(t.devices) == 0 {
		return
	}
	var list []int
	next := 0
	for i := range t.length {
		candidate := next < len(t.devices) && t.devices[next].Node == NodeID(i+1)
		if candidate {
			next++
		}
		if !live[i] {
			continue
		}
		n := t.at(i)
		switch {
		case candidate && t.devices[next-1].Store == stores:
			list = append(list, next-1)
		case n.flags&Gate != 0 || t.kinds.of(n.kind).is.Verb == isa.Fence:
			do(list)
			list = list[:0]
		}
	}
	do(list)
}
