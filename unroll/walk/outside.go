package walk

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// ownBytes is what an instruction accesses for the operation that it is of: the second of two accesses that it makes
// may lie elsewhere.
func ownBytes(in *machine.Instr) int64 {
	if f := in.From; f != nil {
		return min(in.Mem.Bytes, int64(max(len(f.Results), len(f.Args)-1, 1))*f.Type.Size())
	}
	return in.Mem.Bytes
}

// inside notes an access beyond an array of known size: the offsets are those of lanes in it.
func (w *warp) inside(in *machine.Instr, at *ir.Value, offsets []int64, lanes uint64) {
	if len(offsets) == 0 || len(w.undecided) > 0 || w.unsure != 0 {
		return // lanes may not come here
	}
	id, _ := place(w.value(at).at(trailing(lanes)))
	o := w.c.code.Func.Object(id)
	if o.Size == 0 || o.Space == idg.SpaceImage {
		return
	}
	bytes := ownBytes(in)
	for _, offset := range offsets {
		l := trailing(lanes)
		if lanes &= lanes - 1; offset >= 0 && offset+bytes <= o.Size {
			continue
		}
		if w.c.news(in.Pos, "beyond") {
			where := fmt.Sprintf("bytes %d to %d of %s are accessed", offset, offset+bytes-1, o.Name)
			w.c.faults.Add(diag.Warningf(in.Pos, "OUTSIDE", "%s, which has %d bytes", where, o.Size).
				WithNote("by %s of group %d,%d,%d", w.item(l), w.group[0], w.group[1], w.group[2]))
		}
		return
	}
}

// tellFaults warns about accesses beyond arrays, races and barriers, if nothing was assumed that they may follow from.
func (x *execution) tellFaults() {
	if x.o.Inferred {
		return
	}
	for _, list := range [...]diag.List{x.s.notes, x.o.Notes} {
		for _, e := range list {
			if diag.IsAssumption(e) && e.Code != "ASSUMED-GROUPS" {
				return
			}
		}
	}
	for _, e := range x.s.faults {
		x.s.says(e)
	}
}
