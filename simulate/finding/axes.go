package finding

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
)

// swappedAxes: the work item's place in x chooses the row or plane, so that neighbouring lanes are far apart. The code
// with x and y, or x and z, exchanged is simulated.
func swappedAxes(r *Run) (out []trial, err error) {
	var first *idg.Instr
	var names []string
	most := -1.0
	for i := range r.Result.Classes {
		c := &r.Result.Classes[i]
		a := r.Graph.Access(c.Instr.Access)
		if a == nil || a.Space != idg.SpaceGlobal || c.Issued == 0 || !a.Known() {
			continue
		}
		if beside(a) {
			return nil, nil // neighbours are neighbours
		}
		if c.Entry.Transactions <= c.Entry.Least {
			continue
		}
		if load := r.Causes.Load(c); load > most {
			first, most = c.Instr, load
		}
		if !slices.Contains(names, a.Buffer) {
			names = append(names, a.Buffer)
		}
	}
	if first == nil {
		return nil, nil
	}
	slices.Sort(names)
	o := r.Graph.Access(first.Access).Offsets
	for _, way := range []struct{ variant, rows, axis string }{
		{idg.SwappedXY, "rows", "y the row: swap x and y"}, {idg.SwappedXZ, "planes", "z the plane: swap x and z"},
	} {
		if out, err = r.compiled(out, way.variant, Finding{
			Pos: first.Pos,
			What: fmt.Sprintf("swapped axes: neighbouring work items are in different %s of %s", way.rows,
				strings.Join(names, ", ")),
			Proof: fmt.Sprintf("%d bytes between neighbouring lanes", max(o[1]-o[0], o[0]-o[1])),
			Remedy: fmt.Sprintf("let x of the work item be the column, whose elements are neighbours in memory, and "+
				"%s of the work item's and group's numbers, and of the launch", way.axis),
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// beside reports whether neighbouring lanes access neighbouring elements.
func beside(a *idg.Access) bool {
	return len(a.Offsets) > 1 && a.Offsets[1]-a.Offsets[0] == int64(a.Width)
}
