package finding

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/simulate"
	"gpupipe/simulate/remedy"
)

// leastReuse is how often a group must load a value for a tile of it to be of use.
const leastReuse = 2

// tiled is what a group loads of a buffer.
type tiled struct {
	buffer string
	loads  []*idg.Instr
	reuse  float64 // how often the group loads each value
	load   float64 // share of the busiest resource's time
	others float64 // part of its values that other groups load, too
}

// tile: work items of a group load the same values from global memory. With a tile in local memory each is loaded once,
// and read there as often as before (Kirk, Hwu, Programming Massively Parallel Processors, chapter 4).
func tile(r *Run) ([]trial, error) {
	if r.partOf(func(c *simulate.ClassUse) bool {
		a := r.Graph.Access(c.Instr.Access)
		return a != nil && a.Space == idg.SpaceLocal
	}).top != nil {
		return nil, nil
	}
	var list, rows []*tiled
	side := int64(math.Sqrt(float64(r.Graph.Launch.WorkItems())))
	for _, b := range r.loaded() {
		switch {
		case r.sharing(b.loads) >= 0.5 && b.reuse >= leastReuse:
			list = append(list, b)
		case r.Graph.Launch.Local[0] == r.Graph.Launch.WorkItems() && b.others >= 1-1/float64(side):
			rows = append(rows, b) // which groups that are as high as wide would share
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	proof, advice := "", "tile it"
	if len(rows) > 0 && side >= leastReuse {
		proof = fmt.Sprintf("work items of a group of %dx%[1]d need each value %[1]d times", side)
		advice = fmt.Sprintf("make groups of %dx%[1]d work items, and tile it", side)
		list = append(list, rows...)
		for _, b := range list {
			b.reuse = float64(side)
		}
	}
	var changes []remedy.Change
	var names, times []string
	var first *tiled
	for _, b := range list {
		changes = append(changes, r.tile(b)...)
		names = append(names, b.buffer)
		times = append(times, fmt.Sprintf("of %s %.0f times", b.buffer, b.reuse))
		if first == nil || b.load > first.load {
			first = b
		}
	}
	return r.remedied(nil, Finding{
		floor: r.trafficSeconds(), after: "swapped-axes",
		Pos: first.loads[0].Pos,
		What: fmt.Sprintf("no tiling: the work items of a group load the same values of %s from global memory",
			and(names)),
		Proof: cmp.Or(proof, "a group loads each value "+strings.Join(times, ", ")),
		Remedy: advice + ": let the group load a tile into local memory together, wait at a barrier, and read the " +
			"values there; what all work items read at once can be in constant memory",
	}, changes...)
}

// loaded are the buffers of global memory that are loaded only, at known addresses, in the order of their first access.
func (r *Run) loaded() (list []*tiled) {
	at, reasons := map[string]*tiled{}, r.reasons()
	stored := map[string]bool{}
	requested, distinct, others := map[string]float64{}, map[string]int64{}, map[string]int64{}
	for i := range r.Result.Classes {
		c := &r.Result.Classes[i]
		a := r.Graph.Access(c.Instr.Access)
		if a == nil || a.Space != idg.SpaceGlobal || c.Issued == 0 {
			continue
		}
		if a.Store || !a.Known() || c.Instr.Operation().Verb != isa.Load {
			stored[a.Buffer] = true
			continue
		}
		if reasons[idg.InstrID(i%len(r.Graph.Instrs())+1)] > 0 {
			continue // a register would do
		}
		b := at[a.Buffer]
		if b == nil {
			b = &tiled{buffer: a.Buffer}
			at[a.Buffer], list = b, append(list, b)
		}
		if !slices.Contains(b.loads, c.Instr) {
			b.loads = append(b.loads, c.Instr)
		}
		b.load += r.Causes.Load(c)
		requested[a.Buffer] += float64(c.Issued) / float64(r.Result.Groups) * float64(len(a.Offsets)*int(a.Width))
	}
	for i := range r.Graph.Locality {
		l := &r.Graph.Locality[i]
		a := r.Graph.Access(r.Graph.Instr(l.Instr).Access)
		if a == nil {
			continue
		}
		distinct[a.Buffer] += l.Cold
		for _, x := range l.Groups {
			distinct[a.Buffer] += x.Sectors
			others[a.Buffer] += x.Sectors
		}
	}
	for _, b := range list {
		if n := distinct[b.buffer]; n > 0 {
			b.reuse = requested[b.buffer] / float64(n*int64(r.Graph.SectorBytes()))
			b.others = float64(others[b.buffer]) / float64(n)
		}
	}
	return slices.DeleteFunc(list, func(b *tiled) bool { return stored[b.buffer] || b.buffer == "" })
}

// sharing is the part of the values that other lanes, or other warps of the group, load as well.
func (r *Run) sharing(loads []*idg.Instr) float64 {
	type pair struct {
		lane int
		at   int64
	}
	pairs, words := map[pair]bool{}, map[int64]bool{}
	picked := map[idg.Instr]bool{}
	for _, in := range loads {
		picked[*in] = true
		for lane, o := range r.Graph.Access(in.Access).Offsets {
			pairs[pair{lane, o}], words[o] = true, true
		}
	}
	all, others := int64(0), int64(0)
	for i := range r.Graph.Locality {
		if l := &r.Graph.Locality[i]; picked[*r.Graph.Instr(l.Instr)] {
			all += l.Sectors
			for _, x := range l.Group {
				others += x.Sectors
			}
		}
	}
	own := float64(len(words)) / float64(len(pairs))
	return 1 - own*(1-float64(others)/float64(max(all, 1)))
}

// tile has the loads of a buffer read local memory, at places without bank conflicts; of loads of neighbouring elements
// one reads all.
func (r *Run) tile(b *tiled) []remedy.Change {
	wide, rest := r.neighbours(b.loads)
	picked := map[idg.Instr]bool{}
	for _, in := range b.loads {
		picked[*in] = !rest[*in]
	}
	changes := []remedy.Change{{Kind: remedy.Tiled, Fill: r.fill,
		Pick: func(in *idg.Instr) bool { return picked[*in] },
		Of:   func(in *idg.Instr) float64 { return b.reuse / float64(max(1, wide[*in])) },
		As: func(in idg.Instr, a *idg.Access) (idg.Instr, *idg.Access) {
			elements := max(1, wide[in])
			in, own := inLocalMemory(in, a)
			own.Width *= uint16(elements)
			own.Offsets = ranked(a.Offsets, int64(own.Width))
			return in, own
		}}}
	if len(rest) > 0 {
		changes = append(changes, remedy.Change{Kind: remedy.Removed,
			Pick: func(in *idg.Instr) bool { return rest[*in] }})
	}
	if addresses := r.onlyFor(b.loads); b.reuse >= leastReuse { // of what fills the tile
		changes = append(changes, remedy.Change{Kind: remedy.Once,
			Pick: func(in *idg.Instr) bool { return addresses[*in] },
			Of:   func(*idg.Instr) float64 { return b.reuse }})
	}
	return changes
}

// onlyFor are the integers that only the addresses of some loads are computed of, and the conditions of nothing but
// these loads and what adds up their values: a tile has zeros outside.
func (r *Run) onlyFor(loads []*idg.Instr) map[idg.Instr]bool {
	all, f := r.Graph.Instrs(), r.dataFlow()
	loaded, only := map[idg.Instr]bool{}, map[idg.Instr]bool{}
	for _, in := range loads {
		loaded[*in] = true
	}
	sums := make([]bool, len(all)) // of what is loaded
	for i := range all {
		for _, to := range f.to[i] {
			sums[to-1] = sums[to-1] || loaded[all[i]]
		}
		in := &all[i]
		only[*in] = in.Access == 0 && !in.EndsBlock() && len(f.to[i]) > 0 &&
			(in.Operation().Class() == isa.Integer || isCondition(in))
	}
	for changed := true; changed; { // those of which something else comes
		changed = false
		for i := range all {
			if only[all[i]] && slices.ContainsFunc(f.to[i], func(to idg.InstrID) bool {
				return !only[all[to-1]] && !loaded[all[to-1]] && !(sums[to-1] && isCondition(&all[i]))
			}) {
				only[all[i]], changed = false, true
			}
		}
	}
	return only
}

// isCondition reports whether an instruction computes a predicate of integers.
func isCondition(in *idg.Instr) bool {
	return strings.HasPrefix(in.Op, "setp.") && !in.Operation().Type.Float() || strings.HasSuffix(in.Op, ".pred")
}

// fill has the lanes of a warp load rows of a tile that is as wide as a group, of a buffer whose rows are far apart.
func (r *Run) fill(in idg.Instr, a *idg.Access) (idg.Instr, *idg.Access) {
	rows := *a
	rows.Offsets = make([]int64, max(1, in.Lanes))
	width := r.Graph.Launch.Local[0]
	for i := range int64(len(rows.Offsets)) {
		rows.Offsets[i] = i%width*int64(a.Width) + i/width*rowBytes
	}
	return in, &rows
}

// rowBytes is the distance of two rows, which no transaction has both of.
const rowBytes = 4096

// ranked are offsets in the same order, without gaps.
func ranked(offsets []int64, width int64) []int64 {
	sorted := slices.Compact(slices.Sorted(slices.Values(offsets)))
	out := make([]int64, len(offsets))
	for i, o := range offsets {
		k, _ := slices.BinarySearch(sorted, o)
		out[i] = int64(k) * width
	}
	return out
}

// neighbours divides loads whose lanes walk through elements, as of A[row * n + k] for k, k+1, ..., into those that
// load
// several at once, with how many, and the rest.
func (r *Run) neighbours(loads []*idg.Instr) (wide map[idg.Instr]int, rest map[idg.Instr]bool) {
	wide, rest = map[idg.Instr]int{}, map[idg.Instr]bool{}
	for _, in := range loads {
		a := r.Graph.Access(in.Access)
		n := vectorBytes / max(1, int(a.Width))
		if n < 2 || beside(a) || rest[*in] || r.padded(a) {
			continue
		}
		var others []*idg.Instr
		for k := 1; k < n; k++ {
			i := slices.IndexFunc(loads, func(other *idg.Instr) bool {
				return shifted(a, r.Graph.Access(other.Access), int64(k)*int64(a.Width))
			})
			if i < 0 || wide[*loads[i]] > 0 || rest[*loads[i]] {
				break
			}
			others = append(others, loads[i])
		}
		if len(others) == n-1 {
			wide[*in] = n
			for _, x := range others {
				rest[*x] = true
			}
		}
	}
	return wide, rest
}

// padded reports whether lanes read so many rows of a tile as wide as the group that these need padding for them to be
// in different banks, which leaves no room for wider loads.
func (r *Run) padded(a *idg.Access) bool {
	rows := slices.Compact(slices.Sorted(slices.Values(a.Offsets)))
	banks := r.Mapping.Device.Memory.Banks()
	return int64(len(rows))*r.Graph.Launch.Local[0]*int64(a.Width) > int64(banks.Count*banks.Bytes)
}

// shifted reports whether all lanes of b access what is so many bytes behind those of a.
func shifted(a, b *idg.Access, bytes int64) bool {
	if len(a.Offsets) != len(b.Offsets) || a.Width != b.Width {
		return false
	}
	for i := range a.Offsets {
		if b.Offsets[i]-a.Offsets[i] != bytes {
			return false
		}
	}
	return true
}

// trafficSeconds is how long device memory takes for what the launch moves, behind the latency of the first.
func (r *Run) trafficSeconds() float64 {
	t, d := r.Mapping.Traffic, r.Mapping.Device
	each, ok := r.Mapper.Timing("ld.global")
	if t == nil || !ok || d.ComputeUnits < 1 {
		return 0
	}
	perCycle := float64(d.WarpSize*wordBytes) / each.CPI.Float() * float64(d.ComputeUnits)
	moving := float64(t.ReadBytes+t.WrittenBytes) / perCycle
	return (each.Latency.Float() + moving) / float64(d.ClockHz)
}
