package locality

import (
	"errors"
	"slices"
)

// way is how an access moves from group to group: by so many bytes for each
// dimension of the launch.
type way struct {
	buffer BufferID
	step   [3]int64
}

// movement is what the group's accesses that move in one way touch, in bytes.
type movement struct {
	way
	read, written set
	all           set
}

// translation says where every group goes, given where one goes.
type translation struct {
	movements []movement   // in the order of their first accesses
	programs  [][]int      // the group's warps by their sequences of accesses
	steps     [][][3]int64 // by how much the accesses of each program move, by dimension
}

// farthest bounds how far accesses move over the launch, so that sums of shifts
// are exact.
const farthest = 1 << 58

// translation compares the group with its neighbours, the previous group in each
// dimension, and returns how its accesses move; nil if they do not move by
// constants, in which case it says why in a note. One warp of each program
// is compared, and the last one of these in a group far away with what the
// constants say of it.
func (a *analysis) translation() (*translation, error) {
	a.unfoldEqual()
	programs := a.programs()
	if len(programs) > maxPrograms {
		a.note("the warps of the group have %d different sequences of accesses: other groups are sampled",
			len(programs))
		return nil, nil
	}
	t := &translation{programs: programs, steps: make([][][3]int64, len(programs))}
	compared := 0 // of the last warp's program
	for p, members := range programs {
		steps, by, err := a.stepsOf(members)
		switch {
		case err == errUnfolded:
			return a.translation()
		case err != nil || steps == nil:
			return nil, err
		}
		t.steps[p] = steps
		if last := members[len(members)-1]; last == len(a.plain)-1 {
			compared = last
			if by != members[0] { // edges cut others
				compared = by
			}
		}
	}
	far, err := a.warp(a.farGroup(), a.plain[compared].Number)
	if err != nil {
		return nil, err
	}
	if a.unfoldUnlike(&a.plain[compared], far) {
		return a.translation()
	}
	if !a.follows(t, compared, a.farGroup(), far) {
		a.note("group %v touches other addresses than the steps from group to group beside group %v lead to: other "+
			"groups are sampled", a.farGroup(), a.Group)
		return nil, nil
	}
	return a.movements(programs, t.steps), nil
}

// errUnfolded says that warps cannot be compared before their accesses are listed one by one, as they are now.
var errUnfolded = errors.New("unfolded")

// stepsOf is by how much the accesses of warps of one program move, by dimension, and the warp that shows it: of the
// first, the one in the middle and the last the first from which guards at the edges of the launch cut no lanes, here
// or in a neighbour (a row of two groups has no other ones than those at its edges). It is nil if there is none.
func (a *analysis) stepsOf(members []int) (steps [][3]int64, by int, err error) {
	notes := len(a.notes)
	for _, by := range slices.Compact([]int{members[0], members[len(members)/2], members[len(members)-1]}) {
		steps, err := a.stepsOfWarp(&a.plain[by])
		if err != nil {
			return nil, by, err
		}
		if steps != nil {
			a.notes = a.notes[:notes]
			return steps, by, nil
		}
	}
	a.notes = a.notes[:notes+1] // what the first one showed
	return nil, 0, nil
}

// stepsOfWarp is by how much a warp's accesses move, by dimension; nil if not by constants.
func (a *analysis) stepsOfWarp(own *Warp) ([][3]int64, error) {
	steps := make([][3]int64, len(own.Touches))
	for d := range 3 {
		if a.Launch.Groups[d] == 1 {
			continue
		}
		w, err := a.warp(previous(a.Group, d), own.Number)
		if err != nil {
			return nil, err
		}
		if a.unfoldUnlike(own, w) {
			return nil, errUnfolded
		}
		if !sameSequence(a.Shapes, own, w) {
			a.note("group %v takes other ways than group %v: other groups are sampled", previous(a.Group, d), a.Group)
			return nil, nil
		}
		for i := range steps {
			if w.Touches[i].Shape != own.Touches[i].Shape {
				a.note("group %v does not touch what group %v does, moved by constants: other groups are sampled",
					previous(a.Group, d), a.Group)
				return nil, nil
			}
			step := own.Touches[i].Start - w.Touches[i].Start
			if max(step, -step) > farthest/a.Launch.Groups[d] {
				a.note("the launch spans more memory than there is: other groups are sampled")
				return nil, nil
			}
			steps[i][d] = step
		}
	}
	return steps, nil
}

// programs lists the warps of the group by their sequences of accesses.
func (a *analysis) programs() [][]int {
	var out [][]int
next:
	for w := range a.plain {
		for p := range out {
			if sameSequence(a.Shapes, &a.plain[out[p][0]], &a.plain[w]) {
				out[p] = append(out[p], w)
				continue next
			}
		}
		out = append(out, []int{w})
		if len(out) > maxPrograms {
			break
		}
	}
	return out
}

// sameSequence reports whether two warps access the same buffers at the same
// instructions.
func sameSequence(shapes *Shapes, v, w *Warp) bool {
	if len(v.Touches) != len(w.Touches) || len(v.Barriers) != len(w.Barriers) || !v.foldedAs(w) {
		return false
	}
	for i := range v.Touches {
		x, y := &v.Touches[i], &w.Touches[i]
		if x.At != y.At {
			return false
		}
		if x.Shape == y.Shape {
			continue
		}
		if s, t := shapes.at(x.Shape), shapes.at(y.Shape); s.buffer != t.buffer || s.reads != t.reads ||
			s.writes != t.writes {
			return false
		}
	}
	return true
}

// unfoldEqual lists all accesses one by one if warps of the group have equally many, but do
// not repeat them alike: they may be the same.
func (a *analysis) unfoldEqual() {
	of := map[int64]*Warp{} // the first one of each number of accesses
	for i := range a.plain {
		w := &a.plain[i]
		n := w.count()
		if of[n] == nil {
			of[n] = w
		} else if !w.foldedAs(of[n]) {
			a.unfold()
			return
		}
	}
}

// unfoldUnlike lists all accesses one by one if two warps may access the same, but do
// not repeat it alike. It reports whether it has.
func (a *analysis) unfoldUnlike(v, w *Warp) bool {
	if a.unfolded || v.foldedAs(w) && v.movesAs(w) || v.count() != w.count() {
		return false
	}
	a.unfold()
	return true
}

func (a *analysis) farGroup() [3]int64 { return farFrom(a.Group, a.Launch.Groups) }

func farFrom(group, groups [3]int64) [3]int64 {
	for d := range 3 {
		group[d] = farAway(group[d], groups[d])
	}
	return group
}

// previous is the neighbour before a group in a dimension.
func previous(group [3]int64, d int) [3]int64 {
	group[d]--
	return group
}

// follows reports whether the i-th warp of another group touches what the steps lead to.
func (a *analysis) follows(t *translation, i int, group [3]int64, w *Warp) bool {
	own, step := &a.plain[i], t.steps[programOf(t.programs, i)]
	holds := len(w.Touches) == len(own.Touches) && w.foldedAs(own) && w.movesAs(own)
	for i := 0; holds && i < len(step); i++ {
		x, y := &own.Touches[i], &w.Touches[i]
		holds = x.Shape == y.Shape && x.Start+moved(step[i], group, a.Group) == y.Start
	}
	return holds
}

// farAway is an id of a group that is not at the edge of the launch, and neither the group's own nor its
// lower neighbour's, as far as the launch has such, in this order.
func farAway(own, n int64) int64 {
	switch {
	case own >= 4:
		return own / 2
	case own+2 < n, own+1 < n && own < 2:
		return own + 1
	case own+1 < n: // the next one is at the edge
		return own - 1
	}
	return 0
}

func programOf(programs [][]int, warp int) int {
	for p, members := range programs {
		for _, w := range members {
			if w == warp {
				return p
			}
		}
	}
	return 0
}

// moved is how far an access moves from one group to another.
func moved(step, to, from [3]int64) int64 {
	var d int64
	for k := range 3 {
		d += step[k] * (to[k] - from[k])
	}
	return d
}

// movements collects what the group touches by the way in which it moves; nil if
// that is too much.
func (a *analysis) movements(programs [][]int, steps [][][3]int64) *translation {
	index := map[way]int{}
	var ways []way
	var touched []*bytes
	all := sweep{sector: a.sector}
	for p, members := range programs {
		of := make([]int, len(steps[p])) // which way each touch moves
		for i := range of {
			k := way{a.Shapes.at(a.plain[members[0]].Touches[i].Shape).buffer, steps[p][i]}
			n, ok := index[k]
			if !ok {
				if n = len(ways); n == maxWays {
					a.note("the group's accesses move in more than %d ways: other groups are sampled", maxWays)
					return nil
				}
				index[k] = n
				ways, touched = append(ways, k), append(touched, &bytes{})
			}
			of[i] = n
		}
		for _, w := range members {
			a.plain[w].addWays(a.Shapes, of, ways, touched, &all)
		}
	}
	if !all.copies() {
		a.note("the group touches more than %d separate pieces of memory: other groups are sampled", maxSpans)
		return nil
	}
	t := &translation{programs: programs, steps: steps}
	for n, k := range ways {
		m := movement{way: k, read: touched[n].read.set(), written: touched[n].written.set()}
		if m.all = union(m.read, m.written); len(m.all) > maxSpans {
			a.note("the group touches more than %d separate pieces of memory: other groups are sampled", maxSpans)
			return nil
		}
		t.movements = append(t.movements, m)
	}
	return t
}

// addWays adds what a warp touches to what moves in the way that of says of each
// touch, and what it repeats to all.
func (w *Warp) addWays(shapes *Shapes, of []int, ways []way, to []*bytes, all *sweep) {
	for i := range w.Touches {
		x, n := &w.Touches[i], of[i]
		sh := shapes.at(x.Shape)
		for _, s := range sh.spans {
			s = span{s.lo + x.Start, s.hi + x.Start}
			if ways[n].inSectors(all.sector) {
				s = all.sector.whole(s)
			}
			to[n].add(sh.reads, sh.writes, s)
		}
	}
	for i := range w.Repeats {
		r := &w.Repeats[i]
		for k, drift := range r.Drifts {
			x, n := &w.Touches[r.TouchesFrom+k], of[r.TouchesFrom+k]
			all.add(to[n], shapes.at(x.Shape), x.Start, drift, r.Copies, ways[n].inSectors(all.sector))
		}
	}
}

// inSectors reports whether sectors move to sectors.
func (w *way) inSectors(z sectorSize) bool {
	return z.moves(w.step[0]) && z.moves(w.step[1]) && z.moves(w.step[2])
}
