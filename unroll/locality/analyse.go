package locality

import (
	"cmp"
	"fmt"
	"slices"

	"gpupipe/idg"
)

// Input is what the analysis consumes.
type Input struct {
	Launch idg.Launch
	Shapes *Shapes  // of all warps
	Group  [3]int64 // ids of the group that Warps are of
	Warps  []Warp   // in ascending order; one at least
	// SectorBytes is the size of a sector, a power of two; 0 = idg.SectorBytes.
	SectorBytes int64
	// Stands says that the group stands for its neighbours in the row, too: where several of them have their bytes in
	// one sector, the result is their mean.
	Stands bool
	// Resolve gives what a warp of another group touches. With nil only the
	// group itself is looked at.
	Resolve func(group [3]int64, warp uint32) (Warp, error)
}

// Result is what the analysis produces.
type Result struct {
	Locality  []idg.Locality
	Footprint *idg.Footprint
	Notes     []string // limits that were met, and what rests on samples
}

// Analyse finds out where the bytes that a group touches were touched before. The
// errors are those of Input.Resolve.
func Analyse(in *Input) (*Result, error) {
	a := &analysis{Input: in, sector: sectorSize(cmp.Or(in.SectorBytes, idg.SectorBytes)), resolved: map[place]*Warp{}}
	if a.sector != idg.SectorBytes {
		a.footprint.SectorBytes = int64(a.sector)
	}
	for i := range in.Warps {
		w := in.Shapes.known(in.Warps[i])
		a.plain = append(a.plain, w.folded())
	}
	for i := range a.plain {
		a.resolved[place{in.Group, a.plain[i].Number}] = &a.plain[i]
	}
	a.counted, a.footprint.UnknownBytes = in.Shapes.spread(in.Warps, a.sector)
	a.own = analyse(in.Shapes, a.counted, a.sector, maxSectorTouches)
	if a.own.cut {
		a.note("the group touches more memory than is analysed: its reuse is that of its first %d sectors",
			a.own.touched)
	}
	if n := in.Launch.WarpsPerGroup(); int64(len(in.Warps)) < n {
		verb := "are"
		if len(in.Warps) == 1 {
			verb = "is"
		}
		a.note("of the %d warps of a group only %d %s analysed", n, len(in.Warps), verb)
	}
	if err := a.otherGroups(); err != nil {
		return nil, err
	}
	a.own.extrapolate(in.Shapes, a.counted)
	a.footprint.Sampled = a.sampled()
	footprint := a.footprint // a copy: the analysis holds all that was executed
	return &Result{Locality: a.own.locality(), Footprint: &footprint, Notes: a.notes}, nil
}

// analysis is one run of Analyse.
type analysis struct {
	*Input
	sector    sectorSize
	own       *group
	footprint idg.Footprint
	notes     []string
	resolved  map[place]*Warp
	plain     []Warp // the group's, folded so that they can be compared
	counted   []Warp // the group's, with places for stores at unknown addresses
	unfolded  bool   // since they cannot: accesses are listed one by one
}

// place names a warp of the launch.
type place struct {
	group [3]int64
	warp  uint32
}

func (a *analysis) note(format string, args ...any) {
	a.notes = append(a.notes, fmt.Sprintf(format, args...))
}

// otherGroups finds the earlier touchers of what the group touches first,
// what the launch touches, and what all its groups do.
func (a *analysis) otherGroups() error {
	own := a.ownBytes()
	if own.cut {
		a.note("the group touches memory in too many pieces: its footprint is that of a part of it")
	}
	a.footprint.ReadBytes, a.footprint.WrittenBytes = own.bytes()
	total := a.Launch.TotalGroups()
	switch {
	case total == 1:
		a.settleAll(nil)
		a.launchTouches(own.inBlocks())
		a.footprint.Estimated = a.own.cut || own.cut || int64(len(a.Warps)) < a.Launch.WarpsPerGroup()
		return nil
	case a.Resolve == nil:
		a.settleAll(nil)
		a.footprint.Estimated = true
		a.footprint.LaunchReadBytes, a.footprint.LaunchWrittenBytes = scaled(a.footprint.ReadBytes, total),
			scaled(a.footprint.WrittenBytes, total)
		a.note("other groups are not analysed: what they share with this one counts as never touched before, and the "+
			"launch's traffic as the group's times %d", total)
		return nil
	case total <= exhaustiveWarps/int64(len(a.Warps)) && total*a.instructions() <= exhaustiveInstructions:
		return a.everyGroup(own)
	}
	a.footprint.Estimated = true
	t, err := a.translation()
	if err != nil {
		return err
	}
	f := &a.footprint
	alike, known := false, false
	if alike = t != nil; alike && a.instructions() <= edgeInstructions/2 {
		alike, err = a.edgesFollow(t)
	}
	if err == nil && !alike {
		f.LaunchReadBytes, f.LaunchWrittenBytes, known, err = a.launchByEdges()
	}
	switch {
	case err != nil:
		return err
	case t == nil:
		return a.someGroups(own, known)
	}
	a.nearest(t)
	if !known {
		a.launchOf(t)
	}
	// What lies before a buffer is cut off, of the group's own bytes too.
	f.LaunchReadBytes, f.LaunchWrittenBytes = max(f.LaunchReadBytes, f.ReadBytes),
		max(f.LaunchWrittenBytes, f.WrittenBytes)
	a.partsOf(t)
	a.shareMoving(t)
	return nil
}

// instructions is how many instructions the group executes up to the last accesses
// of its warps.
func (a *analysis) instructions() int64 {
	var n int64
	for i := range a.Warps {
		n += a.Warps[i].end()
	}
	return n
}

// scaled is n times k, at most what fits.
func scaled(n, k int64) int64 {
	if n != 0 && k > maxBytes/n {
		return maxBytes
	}
	return n * k
}

// maxBytes bounds footprints: beyond every memory, and an exact number in readers
// that hold numbers as doubles.
const maxBytes = 1 << 53

// settleAll counts what is left of the first touches as never touched before;
// left is by buffer, nil = all.
func (a *analysis) settleAll(left map[BufferID]set) {
	for _, b := range a.own.buffers {
		sectors, ok := left[b]
		if !ok {
			sectors = a.own.firstSectors(b)
		}
		a.own.settle(b, sectors, toucher{})
	}
}

// warp resolves a warp, once.
func (a *analysis) warp(group [3]int64, warp uint32) (*Warp, error) {
	at := place{group, warp}
	if w := a.resolved[at]; w != nil {
		return w, nil
	}
	w, err := a.Resolve(group, warp)
	if err != nil {
		return nil, err
	}
	w = a.Shapes.known(w)
	if w = w.folded(); a.unfolded {
		w = w.unfolded(a.maxTouches())
	}
	a.resolved[at] = &w
	return &w, nil
}

// unfold lists the accesses of all warps one by one.
func (a *analysis) unfold() {
	a.unfolded = true
	for _, w := range a.resolved {
		*w = w.unfolded(a.maxTouches())
	}
}

// maxTouches bounds the accesses of a warp that are listed one by one.
func (a *analysis) maxTouches() int64 { return MaxTouches / int64(len(a.Warps)) }

// sampled lists the numbers of the groups of which some warp was resolved.
func (a *analysis) sampled() []int64 {
	var out []int64
	for at := range a.resolved {
		out = append(out, a.number(at.group))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// number is the place of a group in the launch's order.
func (a *analysis) number(group [3]int64) int64 {
	n := a.Launch.Groups
	return group[0] + n[0]*(group[1]+n[1]*group[2])
}

// group is the group of a number.
func (a *analysis) group(number int64) [3]int64 {
	n := a.Launch.Groups
	return [3]int64{number % n[0], number / n[0] % n[1], number / n[0] / n[1]}
}

func (a *analysis) ownBytes() *touched {
	t := newTouched(a.sector)
	for i := range a.Warps {
		t.add(a.Shapes, &a.plain[i])
	}
	return t.finish()
}
