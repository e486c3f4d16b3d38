package finding

import (
	"cmp"
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/simulate/remedy"
)

// vectorBytes is the widest access of a lane.
const vectorBytes = 16

// narrowAccesses: a work item accesses neighbouring elements one by one.
func narrowAccesses(r *Run) (out []trial, err error) {
	type key struct {
		buffer string
		store  bool
		width  uint16
		step   int64
	}
	found := map[key][]*idg.Instr{}
	var order []key
	for _, i := range r.executed() {
		in := &r.Graph.Instrs()[i]
		a := r.Graph.Access(in.Access)
		if a == nil || a.Space != idg.SpaceGlobal || len(a.Offsets) < 2 || !in.Operation().Memory() {
			continue
		}
		step := a.Offsets[1] - a.Offsets[0]
		n := step / int64(a.Width)
		if n < 2 || step > vectorBytes || n&(n-1) != 0 || step != n*int64(a.Width) || !evenly(a.Offsets, step) {
			continue
		}
		k := key{a.Buffer, in.IsStore(), a.Width, step}
		if found[k] == nil {
			order = append(order, k)
		}
		found[k] = append(found[k], in)
	}
	for _, k := range order {
		n := int(k.step / int64(k.width))
		first, others, ok := r.vectors(found[k], n, k.step)
		if !ok {
			continue
		}
		verb := "reads"
		if k.store {
			verb = "writes"
		}
		out, err = r.remedied(out, Finding{
			Pos:   found[k][0].Pos,
			What:  fmt.Sprintf("a work item %s %d neighbouring elements of %s one by one", verb, n, k.buffer),
			Proof: fmt.Sprintf("%d accesses of %d bytes instead of one of %d", n, k.width, k.step),
			Remedy: fmt.Sprintf("a vector type of %d elements (%s)", n,
				r.called(fmt.Sprintf("float%d, vload%d", n, n), fmt.Sprintf("float%d", n))),
		},
			remedy.Widen(func(in *idg.Instr) bool { return first[*in] }, n),
			remedy.Change{Kind: remedy.Removed, Pick: func(in *idg.Instr) bool { return others[*in] }})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func evenly(offsets []int64, step int64) bool {
	for i := 1; i < len(offsets); i++ {
		if offsets[i]-offsets[i-1] != step {
			return false
		}
	}
	return true
}

// vectors divides accesses of the elements of vectors into those of the first elements and the others; false if some
// elements are not accessed.
func (r *Run) vectors(list []*idg.Instr, n int, bytes int64) (first, others map[idg.Instr]bool, ok bool) {
	at := func(in *idg.Instr) int64 { return r.Graph.Access(in.Access).Offsets[0] % bytes }
	slices.SortStableFunc(list, func(a, b *idg.Instr) int { return cmp.Compare(at(a), at(b)) })
	first, others, elements := map[idg.Instr]bool{}, map[idg.Instr]bool{}, map[int64]bool{}
	for _, in := range list {
		elements[at(in)] = true
		if at(in) == 0 {
			first[*in] = true
		} else {
			others[*in] = true
		}
	}
	return first, others, len(elements) == n && len(first) > 0
}
