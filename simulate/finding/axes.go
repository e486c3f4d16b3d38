package finding

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/simulate"
)

// swappedAxes: the work item's place in x chooses the row or plane, so that neighbouring lanes are far apart. The code
// with x and y, or x and z, exchanged is simulated.
func swappedAxes(r *Run) (out []trial, err error) {
	known := func(of func(*simulate.ClassUse, *idg.Access) bool) part {
		return r.partOf(func(c *simulate.ClassUse) bool {
			a := r.Graph.Access(c.Instr.Access)
			return a != nil && a.Space == idg.SpaceGlobal && a.Known() && of(c, a)
		})
	}
	near := known(func(_ *simulate.ClassUse, a *idg.Access) bool { return beside(a) })
	far := known(func(c *simulate.ClassUse, _ *idg.Access) bool { return c.Entry.Transactions > c.Entry.Least })
	if near.top != nil || far.top == nil { // neighbours are neighbours
		return nil, nil
	}
	slices.Sort(far.buffers)
	o := r.Graph.Access(far.top.Access).Offsets
	for _, way := range []struct{ variant, rows, axis string }{
		{idg.SwappedXY, "rows", "y the row: swap x and y"}, {idg.SwappedXZ, "planes", "z the plane: swap x and z"},
	} {
		if out, err = r.compiled(out, way.variant, Finding{
			Pos: far.top.Pos,
			What: fmt.Sprintf("swapped axes: neighbouring work items are in different %s of %s", way.rows,
				strings.Join(far.buffers, ", ")),
			Proof: fmt.Sprintf("%d bytes between neighbouring lanes", max(o[1]-o[0], o[0]-o[1])),
			Remedy: fmt.Sprintf("let x of the work item be the column, whose elements are neighbours in memory, and "+
				"%s of the work item's and group's numbers, and of the launch", way.axis),
		}, func(in *idg.Instr) bool { return in.Access != 0 }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// beside reports whether neighbouring lanes access neighbouring elements.
func beside(a *idg.Access) bool {
	return len(a.Offsets) > 1 && a.Offsets[1]-a.Offsets[0] == int64(a.Width)
}
