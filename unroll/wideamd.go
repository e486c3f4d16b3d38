package unroll

import (
	"slices"
)

// LLVM merges accesses of local memory for AMD's GPUs, too, whatever their alignment:
// the hardware reads two words, or two pairs of them, at two offsets (ds_read2_b32,
// ds_read2_b64, and ds_write likewise). As clang 14 compiles statements for gfx90a and gfx1032
// (TestWideAMD):
//
//   - Of neighbours, from the lowest on, four words become one access of 16 bytes, of what is
//     left three loads one of 12 bytes and two one of 8. Three stores are one of two and one.
//   - As for nvcc, up to a barrier, branch or loop instruction or a write, for stores up to a
//     load. LLVM knows more of what does not meet; that is left out, and so are pairs that
//     are no neighbours, which save an instruction, but no time of the banks.

// runs finds what LLVM merges among the loads, or the stores, of straight code.
func (t *trace) runs(block []int) []wideAccess {
	sorted := slices.Clone(block)
	slices.SortStableFunc(sorted, func(i, j int) int { return t.locals[i].compare(&t.locals[j]) })
	var out []wideAccess
	for len(sorted) > 0 {
		first := &t.locals[sorted[0]]
		n := 1
		for ; n < len(sorted); n++ {
			l := &t.locals[sorted[n]]
			if !l.alike(first) || l.at != first.at+int64(n)*first.size || l.at+l.size > first.at+maxWide ||
				!l.store && !slices.Equal(t.deps(t.node(l.node)), t.deps(t.node(first.node))) {
				break
			}
		}
		if first.store && n == 3 {
			n = 2
		}
		if n > 1 {
			out = append(out, wideAccess{slices.Clone(sorted[:n]), first.at, int64(n) * first.size})
		}
		sorted = sorted[n:]
	}
	return out
}
