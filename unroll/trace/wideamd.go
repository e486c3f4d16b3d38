package trace

import (
	"slices"

	"gpupipe/idg"
)

// LLVM merges accesses of neighbours for AMD's GPUs, too, whatever their alignment: in local
// memory the hardware reads two words, or two pairs of them, at two offsets (ds_read2_b32,
// ds_read2_b64, and ds_write likewise), in device memory it needs no alignment
// (global_load_dwordx4), nor does the scalar unit (s_load_dwordx16). As clang 14 compiles statements
// for gfx90a, gfx1030 and gfx1032 (TestWideAMD, TestWideDeviceAMD):
//
//   - Of neighbours, from the lowest on, four words become one access of 16 bytes, of what is
//     left three one of 12 bytes and two one of 8. Three stores to local memory are one of two
//     and one. The scalar unit loads 64, 32, 16 or 8 bytes.
//   - Accesses of local memory merge as for nvcc, up to a barrier, branch or loop instruction or a
//     write, for stores up to a load. LLVM knows more of what does not meet; that is left out, and so are pairs that
//     are no neighbours, which save an instruction, but no time of the banks.
//   - Those of device memory merge within straight code, unless what stands between may meet them.
//   - Words are not neighbours for LLVM if an unsigned index of 32 bits may wrap around between them.

// sizesAMD are the bytes of what neighbours become, the widest first.
func sizesAMD(l *NarrowAccess, uniform bool) []int64 {
	switch {
	case uniform:
		return []int64{64, 32, 16, 8}
	case l.Store && l.Space == idg.SpaceLocal:
		return []int64{16, 8}
	}
	return []int64{16, 12, 8}
}

// runs finds what LLVM merges among some of the accesses of straight code, all loads or all stores.
func (t *Trace) runs(list []NarrowAccess, block []int) []wideAccess {
	sorted := slices.Clone(block)
	slices.SortStableFunc(sorted, func(i, j int) int { return list[i].compare(&list[j]) })
	var out []wideAccess
	for len(sorted) > 0 {
		first := &list[sorted[0]]
		n := t.together(list, sorted)
		sizes := sizesAMD(first, !first.Store && t.uniformLoad(first.Node))
		for at := 0; at < n; {
			length := 1
			for _, size := range sizes {
				if parts := int(size / first.Size); parts > 1 && size%first.Size == 0 && at+parts <= n {
					out = append(out, wideAccess{slices.Clone(sorted[at : at+parts]), list[sorted[at]].At, size})
					length = parts
					break
				}
			}
			at += length
		}
		sorted = sorted[n:]
	}
	return out
}

// together is how many of the first of sorted accesses are neighbours that can be one access.
func (t *Trace) together(list []NarrowAccess, sorted []int) int {
	first := &list[sorted[0]]
	parts := t.joined(first)
	n := 1
	for ; n < len(sorted); n++ {
		l := &list[sorted[n]]
		if !l.alike(first) || l.At != first.At+int64(n)*first.Size || l.At+l.Size > first.End || !parts.join(l) {
			break
		}
	}
	return n
}

// joined are accesses that become one. A wide load stands where the earliest of them stands.
type joined struct {
	t                *Trace
	first            *NarrowAccess
	earliest, latest NodeID // latest is the last one that a load waits for
}

func (t *Trace) joined(first *NarrowAccess) joined {
	return joined{t, first, first.Node, latestOf(t.order(t.node(first.Node)))}
}

// join reports whether an access can be part of the same one, and adds it.
func (j *joined) join(l *NarrowAccess) bool {
	if l.Store {
		return true // see replaceStores
	}
	j.earliest, j.latest = min(j.earliest, l.Node), max(j.latest, latestOf(j.t.order(j.t.node(l.Node))))
	return j.latest < j.earliest && slices.Equal(j.t.deps(j.t.node(l.Node)), j.t.deps(j.t.node(j.first.Node)))
}

// latestOf is the last of some nodes.
func latestOf(ids []NodeID) (last NodeID) {
	for _, id := range ids {
		last = max(last, id)
	}
	return last
}

// uniformLoad reports whether the scalar unit executes a load.
func (t *Trace) uniformLoad(id NodeID) bool {
	n := t.node(id)
	op := t.kinds.of(n.kind).is
	if op != loadConstant {
		return op == uniformGlobal
	}
	for _, d := range t.deps(n) {
		if op := t.kinds.of(t.node(d).kind).is; !op.ScalarRegister() && op != scalarLoop {
			return false
		}
	}
	return true
}
