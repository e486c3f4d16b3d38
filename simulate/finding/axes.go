package finding

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/simulate/remedy"
)

// swappedAxes: the work item's place in x chooses the row or plane, so that neighbouring lanes are far apart. All
// accesses are simulated with x and y, or x and z, exchanged: where a warp has several rows of its group both distances
// of x and y are known; where it has one, what is far apart and what is at one place become neighbours.
func swappedAxes(r *Run) ([]trial, error) {
	local := r.Graph.Launch.Local
	deep := local[2] > 1
	if local[0] < 2 || local[1] < 2 || deep && local[0]*local[1] < int64(r.Mapping.Device.WarpSize) {
		return nil, nil
	}
	width, planes := int(local[0]), map[idg.Pos][]int64{}
	if deep {
		planes = r.planes()
	}
	swapped, spread := map[idg.Instr][]int64{}, map[idg.Instr]bool{}
	var first *idg.Instr
	var names []string
	most := -1.0
	for i := range r.Result.Classes {
		c := &r.Result.Classes[i]
		a := r.Graph.Access(c.Instr.Access)
		if a == nil || a.Space != idg.SpaceGlobal || c.Issued == 0 {
			continue
		}
		offsets, ok := exchanged(a, width, r.Mapping.Device.WarpSize, planes[c.Instr.Pos])
		if !ok {
			if a.Known() && c.Entry.Transactions > c.Entry.Least {
				continue // as it is
			}
			if beside(a) {
				return nil, nil // neighbours are neighbours
			}
			continue
		}
		swapped[*c.Instr] = offsets
		if load := r.Causes.Load(c); c.Entry.Transactions > c.Entry.Least {
			spread[*c.Instr] = true
			if load > most {
				first, most = c.Instr, load
			}
			if !slices.Contains(names, a.Buffer) {
				names = append(names, a.Buffer)
			}
		}
	}
	if first == nil {
		return nil, nil
	}
	slices.Sort(names)
	rows, axis := "rows", "y the row: swap x and y"
	if deep {
		rows, axis = "rows or planes", "z the plane: swap x and the axis of the columns"
	}
	own := *r
	own.Options.LeastTraffic = deep // groups that are neighbours in memory run at the same time then
	return own.remedied(nil, Finding{
		Pos: first.Pos,
		What: fmt.Sprintf("swapped axes: neighbouring work items are in different %s of %s", rows,
			strings.Join(names, ", ")),
		Proof: fmt.Sprintf("%s between neighbouring lanes", bytesApart(r.Graph.Access(first.Access))),
		Remedy: fmt.Sprintf("let x of the work item be the column, whose elements are neighbours in memory, and %s of "+
			"the work item's and group's numbers, and of the launch", axis),
	}, remedy.Change{Kind: remedy.Coalesced, Pick: func(in *idg.Instr) bool { return spread[*in] }},
		remedy.Change{Kind: remedy.Otherwise, Pick: func(in *idg.Instr) bool { return swapped[*in] != nil },
			As: func(in idg.Instr, a *idg.Access) (idg.Instr, *idg.Access) {
				if o := swapped[in]; o != nil && a != nil {
					other := *a
					other.Offsets = o
					a = &other
				}
				return in, a
			}})
}

// planes are where the accesses of a place in the source begin, for all planes of groups.
func (r *Run) planes() map[idg.Pos][]int64 {
	out := map[idg.Pos][]int64{}
	for _, i := range r.executed() {
		in := &r.Graph.Instrs()[i]
		if a := r.Graph.Access(in.Access); a != nil && len(a.Offsets) > 0 {
			out[in.Pos] = append(out[in.Pos], a.Offsets[0]&(segments-1))
		}
	}
	return out
}

// firstPlane is where the first of some planes begins whose elements are neighbours in memory.
func firstPlane(planes []int64, element int64) int64 {
	for _, at := range planes {
		if !slices.Contains(planes, (at-element)&(segments-1)) {
			return at
		}
	}
	return 0
}

// exchanged are the offsets of an access with x and y of the work items exchanged, or x and z where groups have planes
// and y is not the column, for groups of so many in x; false if they are not known, or no sum of a multiple of x and
// one of y.
func exchanged(a *idg.Access, width, warp int, planes []int64) ([]int64, bool) {
	o := a.Offsets
	if len(o) < 2 || len(o) > warp {
		return nil, false
	}
	if width >= len(o) { // one row of the group: y is the same in all lanes
		step := o[1] - o[0]
		if step == int64(a.Width) || !evenly(o, step) {
			return nil, false
		}
		out := make([]int64, len(o))
		for i := range out {
			out[i] = int64(i) * int64(a.Width)
		}
		return out, true
	}
	x, y := o[1]-o[0], o[width]-o[0]
	out := make([]int64, len(o))
	base, least := o[0], int64(0)
	if step := max(y, -y) * int64(len(o)/width); step > 0 { // of the warps of a group, whose row is their column then
		base = (o[0]%step + step) % step
	}
	toColumn, toRow := y, x
	if element := int64(a.Width); planes != nil && y != element {
		if x == 0 || x == element {
			return nil, false
		}
		toColumn, toRow, base = element, y, firstPlane(planes, element)
	}
	for i := range o {
		column, row := int64(i%width), int64(i/width)
		if o[i] != o[0]+column*x+row*y {
			return nil, false
		}
		out[i] = base + column*toColumn + row*toRow
		least = min(least, out[i])
	}
	for i := range out {
		out[i] -= least &^ (segments - 1)
	}
	return out, true
}

// segments is a multiple of all segments of memory, by which places may be moved.
const segments = 256

// beside reports whether neighbouring lanes access neighbouring elements.
func beside(a *idg.Access) bool {
	return len(a.Offsets) > 1 && a.Offsets[1]-a.Offsets[0] == int64(a.Width)
}

// bytesApart says how far the first two lanes of an access are apart.
func bytesApart(a *idg.Access) string {
	return fmt.Sprintf("%d bytes", max(a.Offsets[1]-a.Offsets[0], a.Offsets[0]-a.Offsets[1]))
}
