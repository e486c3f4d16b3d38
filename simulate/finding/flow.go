package finding

import (
	"iter"
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// flow is where the results of instruction classes go in what a warp executes; by InstrID - 1.
type flow struct{ from, to [][]idg.InstrID }

// mostFlow is how many instructions are looked at.
const mostFlow = 1 << 18

// condensed are the programs of the group with a few iterations of each rolled loop, as long as that is not too much.
func (r *Run) condensed() []*idg.Flat {
	if r.flat != nil {
		return r.flat
	}
	r.flat = []*idg.Flat{}
	loops := make([]bool, len(r.Graph.Instrs()))
	for i := range loops {
		loops[i] = r.Graph.Instrs()[i].IsRolledLoop()
	}
	left := mostFlow
	for _, p := range r.Graph.Programs() {
		flat := p.Condensed(left, p.Rolled(loops))
		if flat == nil {
			break
		}
		r.flat, left = append(r.flat, flat), left-flat.Len()
	}
	return r.flat
}

// dataFlow is that of the group.
func (r *Run) dataFlow() *flow {
	if r.flow != nil {
		return r.flow
	}
	n := len(r.Graph.Instrs())
	f := &flow{make([][]idg.InstrID, n), make([][]idg.InstrID, n)}
	r.flow = f
	for _, flat := range r.condensed() {
		for v := range idg.NodeID(flat.Len()) {
			into := flat.Instr(v)
			for u := range dataOf(flat, v) {
				if by := flat.Instr(u); !slices.Contains(f.from[into-1], by) {
					f.from[into-1], f.to[by-1] = append(f.from[into-1], by), append(f.to[by-1], into)
				}
			}
		}
	}
	return f
}

// dataOf are the instructions whose results one uses.
func dataOf(flat *idg.Flat, v idg.NodeID) iter.Seq[idg.NodeID] {
	return func(yield func(idg.NodeID) bool) {
		from, kinds := flat.Preds(v)
		for i, u := range from {
			if kinds[i] == idg.Data && !yield(u) {
				return
			}
		}
	}
}

// foldedBy are the instructions that compute constants once those of a loop's control do, and the sums of addresses
// that loads and stores then have as their constant offsets (constant folding and addressing modes: Muchnick, Advanced
// Compiler Design and Implementation, 12.1 and 6.7).
func (r *Run) foldedBy(control func(*idg.Instr) bool) map[idg.Instr]bool {
	all, f := r.Graph.Instrs(), r.dataFlow()
	constant := make([]bool, len(all))
	var work []idg.InstrID
	for i := range all {
		if control(&all[i]) {
			constant[i], work = true, append(work, idg.InstrID(i+1))
		}
	}
	for ; len(work) > 0; work = work[1:] {
		for _, id := range f.to[work[0]-1] {
			x := &all[id-1]
			if !constant[id-1] && x.Access == 0 && !x.EndsBlock() && !slices.ContainsFunc(f.from[id-1],
				func(by idg.InstrID) bool { return !constant[by-1] }) {
				constant[id-1], work = true, append(work, id)
			}
		}
	}
	sums := r.addressSums(f, constant)
	folded := map[idg.Instr]bool{}
	for i := range all {
		if constant[i] || sums[i] {
			folded[all[i]] = true
		}
	}
	return folded
}

// addressSums are the sums of a constant and something else that only addresses come of.
func (r *Run) addressSums(f *flow, constant []bool) []bool {
	all := r.Graph.Instrs()
	sums := make([]bool, len(all))
	var work []idg.InstrID
	integer := func(in *idg.Instr) bool { return in.Access == 0 && in.Operation().Class() == isa.Integer }
	for i := range all {
		word := r.word(all[i].Pos)
		if !constant[i] && integer(&all[i]) && (word == "+" || word == "-" || word == "[") &&
			slices.ContainsFunc(f.from[i], func(by idg.InstrID) bool { return constant[by-1] }) {
			sums[i], work = true, append(work, idg.InstrID(i+1))
		}
	}
	for ; len(work) > 0; work = work[1:] { // scaled
		for _, id := range f.to[work[0]-1] {
			if !sums[id-1] && !constant[id-1] && integer(&all[id-1]) {
				sums[id-1], work = true, append(work, id)
			}
		}
	}
	other := func(id idg.InstrID) bool { return all[id-1].Access == 0 && !sums[id-1] }
	read := func(id idg.InstrID) bool { return sums[id-1] || all[id-1].Access != 0 && !all[id-1].IsStore() }
	for changed := true; changed; { // those of which something else comes, or which are stored
		changed = false
		for i := range all {
			if sums[i] && (slices.ContainsFunc(f.to[i], other) || !slices.ContainsFunc(f.to[i], read)) {
				sums[i], changed = false, true
			}
		}
	}
	return sums
}
