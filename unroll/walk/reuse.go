package walk

import (
	"cmp"
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower/ir"
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
	frames frames
	last   int64 // steps of the last warp
	follow func(w *warp) error
}

func newReuse(c *static, o unroll.Options) *Reuse {
	l := idg.Launch{Local: o.Local, WarpSize: o.WarpSize}
	return &Reuse{c: c, o: o, shapes: locality.NewShapes(), limit: int(locality.MaxTouches / l.WarpsPerGroup())}
}

// sector is the unit of locality.
func (r *Reuse) sector() int64 { return cmp.Or(r.o.SectorBytes, idg.SectorBytes) }

// farthestByte bounds the offsets that are taken for addresses: more than any GPU has.
const farthestByte = 1 << 52

// touching is how memory is touched.
type touching struct {
	at            *ir.Value   // its address
	object        ir.ObjectID // where there is none
	space         idg.Space
	bytes         int64 // of a lane
	reads, writes bool
}

// shape is what is touched of memory, 0: nothing that is looked for.
func (r *Reuse) shape(offsets []int64, t touching, w *warp) locality.Touch {
	if t.space == 0 {
		t.space = idg.SpaceGlobal
	}
	switch t.space {
	case idg.SpaceGlobal, idg.SpaceConstant, idg.SpaceImage:
	default:
		return locality.Touch{}
	}
	if len(offsets) == 0 {
		if !t.writes || t.reads || t.space != idg.SpaceGlobal {
			return locality.Touch{}
		}
		return locality.Touch{Shape: r.shapes.InternUnknown(t.bytes * int64(bits.OnesCount64(w.mask)))}
	}
	if slices.Min(offsets) < -farthestByte || slices.Max(offsets) > farthestByte {
		return locality.Touch{}
	}
	id := t.object
	if t.at != nil {
		p := w.value(t.at)
		id, _ = place(p.at(trailing(p.known)))
	}
	shape, start := r.shapes.Intern(&locality.Access{Buffer: locality.BufferID(id), Space: t.space,
		Width: t.bytes, Reads: t.reads, Writes: t.writes, Offsets: offsets})
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
	recorded := len(r.c.instrs)
	if !r.c.several { // see touches
		recorded = int(r.c.behindLoops)
	}
	w.out = newRecorder(r.c, b, make([]class, recorded), r, int(number))
	w.out.brief = true
	if err := r.follow(w); err != nil {
		return locality.Warp{}, err
	}
	w.run()
	w.release()
	r.last = w.spent
	for i := range w.out.warp.Touches {
		w.out.warp.Touches[i].Instr = 0
	}
	return w.out.warp, w.err
}

// analyse writes the locality of the group into a header.
func (r *Reuse) analyse(h *idg.Header, group [3]int64) (notes diag.List) {
	in := &locality.Input{Stands: true, Launch: h.Launch, Shapes: r.shapes, Group: group, Warps: r.warps,
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
	if spilled := r.frames.locality(h.Resources.SpilledBytes, int64(h.Launch.WarpSize)*h.Launch.WarpsPerGroup(),
		r.sector()); len(spilled) > 0 {
		h.Locality = append(h.Locality, spilled...)
		slices.SortFunc(h.Locality, func(a, b idg.Locality) int { return cmp.Compare(a.Instr, b.Instr) })
	}
	for _, text := range result.Notes {
		notes.Add(diag.Notef(r.c.code.Pos, "LOCALITY", "%s", text))
	}
	return notes
}
