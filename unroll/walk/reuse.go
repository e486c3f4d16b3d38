package walk

import (
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower/machine"
	"gpupipe/unroll"
	"gpupipe/unroll/locality"
)

// Reuse collects where the warps of a group touch memory.
type Reuse struct {
	c      *static
	o      unroll.Options
	shapes *locality.Shapes
	limit  int
	warps  []locality.Warp
	last   int64 // steps of the last warp
}

func newReuse(c *static, o unroll.Options) *Reuse {
	l := idg.Launch{Local: o.Local, WarpSize: o.WarpSize}
	return &Reuse{c: c, o: o, shapes: locality.NewShapes(), limit: int(locality.MaxTouches / l.WarpsPerGroup())}
}

// farthestByte bounds the offsets that are taken for addresses: more than any GPU has.
const farthestByte = 1 << 52

// shape is what an instruction touches of memory, 0: nothing that is looked for.
func (r *Reuse) shape(offsets []int64, in *machine.Instr, w *warp) locality.Touch {
	space := in.Mem.Space
	if space == 0 {
		space = idg.SpaceGlobal
	}
	switch space {
	case idg.SpaceGlobal, idg.SpaceConstant, idg.SpaceImage:
	default:
		return locality.Touch{}
	}
	reads, writes := !in.Mem.Store, in.Mem.Store || in.Mem.Atomic
	if len(offsets) == 0 {
		if !writes || reads || space != idg.SpaceGlobal {
			return locality.Touch{}
		}
		return locality.Touch{Shape: r.shapes.InternUnknown(in.Mem.Bytes * int64(bits.OnesCount64(w.mask)))}
	}
	if slices.Min(offsets) < -farthestByte || slices.Max(offsets) > farthestByte {
		return locality.Touch{}
	}
	p := w.value(in.From.Args[0])
	id, _ := place(p.at(trailing(p.known)))
	shape, start := r.shapes.Intern(&locality.Access{Buffer: locality.BufferID(id), Space: space,
		Width: in.Mem.Bytes, Reads: reads, Writes: writes, Offsets: offsets})
	return locality.Touch{Shape: shape, Start: start}
}

// other finds out which addresses a warp of another group touches.
func (r *Reuse) other(group [3]int64, number uint32) (locality.Warp, error) {
	if !r.c.affords(&r.o, 1, r.last) {
		return locality.Warp{}, diag.Errorf(r.c.code.Pos, "LOCALITY", "their warps are too long")
	}
	w := newWarp(r.c, r.o, group, int(number))
	b := idg.NewBuilder()
	b.Begin(number)
	w.out = newRecorder(r.c, b, r, int(number))
	w.run()
	r.last = w.steps
	for i := range w.out.warp.Touches {
		w.out.warp.Touches[i].Instr = 0
	}
	return w.out.warp, w.err
}

// analyse writes the locality of the group into a header.
func (r *Reuse) analyse(h *idg.Header, group [3]int64) (notes diag.List) {
	in := &locality.Input{Launch: h.Launch, Shapes: r.shapes, Group: group, Warps: r.warps,
		SectorBytes: r.o.SectorBytes}
	if r.o.Locality == unroll.LaunchLocality {
		in.Resolve = r.other
	}
	result, err := locality.Analyse(in)
	if err != nil {
		notes.Add(diag.Notef(r.c.code.Pos, "LOCALITY", "other groups are not analysed: %v", err))
		in.Resolve = nil
		result, _ = locality.Analyse(in) // which fails where Resolve does only
	}
	h.Locality, h.Footprint = result.Locality, result.Footprint
	for _, text := range result.Notes {
		notes.Add(diag.Notef(r.c.code.Pos, "LOCALITY", "%s", text))
	}
	return notes
}
