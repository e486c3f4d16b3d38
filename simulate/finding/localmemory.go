package finding

import (
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/simulate/remedy"
)

// localMemory: work items read of an array in local memory only what they have written there themselves, so that
// registers, or the cache behind global memory, would do. Accesses keep their addresses only up to a multiple of
// 256 bytes: that they are the same follows from the source, which has one subscript of the array.
func localMemory(r *Run) (out []trial, err error) {
	written, read := map[string][]*idg.Access{}, map[string][]*idg.Access{}
	first := map[string]*idg.Instr{}
	subscripts := map[string][]string{}
	var order []string
	for _, i := range r.executed() {
		in := &r.Graph.Instrs()[i]
		a := r.Graph.Access(in.Access)
		if a == nil || a.Space != idg.SpaceLocal {
			continue
		}
		if first[a.Buffer] == nil {
			first[a.Buffer] = in
			order = append(order, a.Buffer)
		}
		subscripts[a.Buffer] = append(subscripts[a.Buffer], r.subscripts(in.Pos, a.Buffer)...)
		if in.IsStore() {
			written[a.Buffer] = append(written[a.Buffer], a)
		} else {
			read[a.Buffer] = append(read[a.Buffer], a)
		}
	}
	for _, name := range order {
		slices.Sort(subscripts[name])
		own := len(written[name]) > 0 && len(read[name]) > 0 && len(slices.Compact(subscripts[name])) == 1 &&
			!slices.ContainsFunc(read[name], func(a *idg.Access) bool {
				return !a.Known() || !distinct(a.Offsets) ||
					!slices.ContainsFunc(written[name], func(w *idg.Access) bool {
						return w.Width == a.Width && slices.Equal(w.Offsets, a.Offsets)
					})
			})
		if !own {
			continue
		}
		pick := func(in *idg.Instr) bool {
			a := r.Graph.Access(in.Access)
			return a != nil && a.Space == idg.SpaceLocal && a.Buffer == name || len(order) == 1 && in.IsBarrier()
		}
		out, err = r.remedied(out, Finding{
			Pos:   first[name].Pos,
			What:  fmt.Sprintf("%s in local memory is not shared: each work item reads what it wrote itself", name),
			Proof: fmt.Sprintf("0 of %d reads are of what another work item wrote", len(read[name])),
			Remedy: "keep the values in registers, or read global memory directly: the cache serves it; then the " +
				"barrier is not needed",
		}, remedy.Change{Kind: remedy.Removed, Pick: pick})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// distinct reports whether no two lanes have the same offset.
func distinct(offsets []int64) bool {
	sorted := slices.Sorted(slices.Values(offsets))
	return len(slices.Compact(sorted)) == len(offsets)
}
