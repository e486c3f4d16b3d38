package trace

import "gpupipe/idg/isa"

// Neighbours in device memory, which LLVM merges for AMD's GPUs (wideamd.go). nvcc leaves them
// alone, since nobody knows how a buffer is aligned.

// widenDeviceLoads merges loads of neighbours in device memory, widenDeviceStores stores to them.
func widenDeviceLoads(t *Trace, live []bool)  { t.widenDevice(live, false, t.replace) }
func widenDeviceStores(t *Trace, live []bool) { t.widenDevice(live, true, t.replaceStores) }

func (t *Trace) widenDevice(live []bool, stores bool, replace func([]NarrowAccess, wideAccess, []bool, map[NodeID]NodeID)) {
	into := map[NodeID]NodeID{} // the wide access that replaces one
	t.straightCode(live, stores, func(block []int) {
		for _, w := range t.runs(t.devices, block) {
			replace(t.devices, w, live, into)
		}
	})
	t.redirect(live, into)
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
