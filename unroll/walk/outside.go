package walk

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// inside notes an access beyond an array of known size: the offsets are those of lanes in it.
func (w *warp) inside(in *machine.Instr, at *ir.Value, offsets []int64, lanes uint64) {
	if len(offsets) == 0 || len(w.undecided) > 0 {
		return // lanes may not come here
	}
	id, _ := place(w.value(at).at(trailing(lanes)))
	o := w.c.code.Func.Object(id)
	if o.Size == 0 || o.Space == idg.SpaceImage {
		return
	}
	bytes := in.Mem.Bytes
	if f := in.From; f != nil { // the second of two accesses that an instruction makes may lie elsewhere
		bytes = min(bytes, int64(max(len(f.Results), len(f.Args)-1, 1))*f.Type.Size())
	}
	for _, offset := range offsets {
		l := trailing(lanes)
		if lanes &= lanes - 1; offset >= 0 && offset+bytes <= o.Size {
			continue
		}
		if w.c.news(in.Pos, "beyond") {
			where := fmt.Sprintf("bytes %d to %d of %s are accessed", offset, offset+bytes-1, o.Name)
			item := func(d int) uint64 { return w.id("get_local_id", d, l) }
			w.c.beyond = append(w.c.beyond, diag.Warningf(in.Pos, "OUTSIDE", "%s, which has %d bytes", where, o.Size).
				WithNote("by work item %d,%d,%d of group %d,%d,%d", item(0), item(1), item(2), w.group[0], w.group[1],
					w.group[2]))
		}
		return
	}
}

// checkOutside warns about accesses beyond arrays, if nothing was assumed that they may follow from.
func (x *execution) checkOutside() {
	for _, list := range [...]diag.List{x.s.notes, x.o.Notes} {
		for _, e := range list {
			if diag.IsAssumption(e) && e.Code != "ASSUMED-GROUPS" {
				return
			}
		}
	}
	for _, e := range x.s.beyond {
		x.s.says(e)
	}
}
