package unroll

import (
	enc "encoding/binary"
	"math"
	"math/bits"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/trace"
)

// Images are memory behind a cache and a unit that computes addresses: an access
// has coordinates instead of an address, and moves a whole pixel. Devices keep
// images in tiles whose shape they do not tell, so that the bytes of an access
// are known only in the model of a row-major image: pixel (x, y, z) of an image
// of width w and height h lies at ((z*h + y)*w + x) times the pixel's size, which
// is that of what the access moves. Coordinates outside are those of the edge.
// It needs coordinates that are known and, for more than one dimension, the extents, which
// are arguments like any other (--arg img.width=1024). An image of which they are not given is
// taken to have a pixel for each work item of the launch, as most that are read or written
// have. Coordinates that are not integers are those of the pixel that they lie in, of the whole
// image if none is beyond 1, as samplers normalise them.

// everywhere is an access that may touch any byte of its object.
const everywhere = math.MaxInt32

// imageLoad executes a read of an image.
func (r *resolver) imageLoad(in *lower.Instr) {
	p := r.operand(in.Args[0])
	args := r.operands(in.Args[1:])
	class := r.memory.class(p.root)
	rec := accessRecord{size: everywhere}
	place := int32(0) // where the coordinates vary
	for _, a := range args {
		place = max(place, a.level)
	}
	if r.opt.Optimises() {
		key := r.imageKey(in, p, args)
		if e, ok := r.numbering.find(key); ok && r.stillKnown(class, &rec, key, &e, place) {
			r.steady.found(r.memory.index(p.root), e.seq)
			r.setAll(in.Dsts, &e)
			return
		}
	}
	size := in.Type.Size() * int64(len(in.Dsts))
	var made []trace.NodeID
	if deps := r.depsOfAll(args); r.silent == 0 {
		n := trace.Node{Op: "ld." + idg.SpaceImage.String(), Type: in.Type.String(), Pos: in.Pos,
			Access: r.imageAccess(in, p, args, size, false)}
		order, _ := class.storesBefore(nil, &rec)
		rec.node = r.record(n, deps, order)
		made = []trace.NodeID{rec.node}
		class.loads.add(rec)
	}
	e := entry{mask: r.mask, seq: class.sequence()}
	level := max(place, r.level)
	if !class.written && r.readOnly(p.root) {
		level = place
	}
	for i, d := range in.Dsts {
		v := r.newValue(in.Type)
		v.from, v.level, v.deps = fromMemory, level, made
		v.form = symbol(v)
		if i == 0 {
			e.v = v
		} else {
			e.more = append(e.more, v)
		}
		r.set(d, v)
	}
	if r.opt.Optimises() {
		r.numbering.put(r.imageKey(in, p, args), e, place, r.level, false)
	}
}

// imageStore executes a write of an image.
func (r *resolver) imageStore(in *lower.Instr) {
	p := r.operand(in.Args[0])
	args := r.operands(in.Args[1:])
	class := r.memory.class(p.root)
	rec := accessRecord{size: everywhere}
	size := in.Type.Size() * int64(len(args)-in.Dim)
	if deps := r.depsOfAll(args); r.silent == 0 {
		n := trace.Node{Op: "st." + idg.SpaceImage.String(), Type: in.Type.String(), Pos: in.Pos,
			Flags:  trace.Root | trace.Store,
			Access: r.imageAccess(in, p, args, size, true)}
		rec.node = r.record(n, deps, r.imageOrder(class, &rec, deps))
	}
	class.addStore(rec)
}

// imageOrder returns the accesses that must have been issued before a write.
// Kernels cannot read what they write to an image that is write_only, and
// writes of one work item to different pixels have no order.
func (r *resolver) imageOrder(class *aliasClass, rec *accessRecord, deps []trace.NodeID) []trace.NodeID {
	if len(class.loads.list) == 0 {
		return nil
	}
	return r.storeOrder(class, rec, deps)
}

func (r *resolver) operands(list []lower.Operand) []*value {
	out := make([]*value, len(list))
	for i, a := range list {
		out[i] = r.operand(a)
	}
	return out
}

// imageKey encodes a read for value numbering.
func (r *resolver) imageKey(in *lower.Instr, p *value, args []*value) []byte {
	k := append(r.numbering.key[:0], 'i', byte(in.Type), byte(len(in.Dsts)), byte(in.Dim))
	k = enc.AppendUvarint(k, uint64(p.root))
	for _, a := range args {
		k = a.appendKey(k)
	}
	r.numbering.key = k
	return k
}

// imageAccess interns the context of an access of an image.
func (r *resolver) imageAccess(in *lower.Instr, p *value, args []*value, size int64, store bool) idg.AccessID {
	a := LaneAccess{Space: idg.SpaceImage, Width: size, Store: store, Lanes: uint64(r.mask), Pos: in.Pos}
	if p.root != 0 {
		a.Buffer = r.k.Object(p.root).Name
	}
	a.Offsets, a.Unknown = r.pixels(in, a.Buffer, args[:in.Dim], size)
	return r.context(p.root, a, !store)
}

// pixels returns the active lanes' offsets in an image, or why they are not
// known.
func (r *resolver) pixels(in *lower.Instr, image string, coords []*value, size int64) (offsets []int64,
	unknown string) {
	for _, c := range coords {
		if !c.typ.IsInteger() && !c.typ.IsFloat() {
			return nil, "coordinates of an image that are not numbers"
		}
		r.decided(c)
		if !c.isKnown(r.mask) {
			return nil, "coordinate " + unknownSource(c)
		}
	}
	limits, extents := make([]int64, len(coords)), make([]int64, len(coords))
	normalised := r.normalised(coords)
	for d, name := range []string{"width", "height", "depth"}[:min(3, len(coords))] {
		limits[d] = r.extent(image, name)
		if extents[d] = limits[d]; extents[d] == 0 && (normalised || d < len(coords)-1) {
			if extents[d] = r.opt.Local[d] * r.opt.Groups[d]; extents[d] < 2 {
				return nil, "the extents of the image are not known"
			}
			r.noteExtent(image, name, extents[d])
		}
	}
	offsets = make([]int64, 0, r.mask.count())
	for m := r.mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros64(uint64(m))
		at := int64(0)
		for d := len(coords) - 1; d >= 0; d-- {
			x := pixel(coords[d], lane, normalised, extents[d])
			if d == 0 && in.Scale == 1 {
				x /= size
			}
			if limits[d] > 0 {
				x = min(x, limits[d]-1)
			}
			at = at*extents[d] + x
		}
		offsets = append(offsets, at*size)
	}
	return offsets, ""
}

// normalised reports whether coordinates are fractions of an image's extents.
func (r *resolver) normalised(coords []*value) bool {
	for _, c := range coords {
		for m := r.mask; m != 0; m &= m - 1 {
			if c.typ.IsInteger() || arithmetic.ToFloat(c.typ, c.at(bits.TrailingZeros64(uint64(m)))) > 1 {
				return false
			}
		}
	}
	return true
}

// pixel is the number of the pixel at a coordinate.
func pixel(c *value, lane int, normalised bool, extent int64) int64 {
	if c.typ.IsInteger() {
		return max(0, int64(c.at(lane)))
	}
	x := arithmetic.ToFloat(c.typ, c.at(lane))
	if normalised {
		x *= float64(extent)
	}
	if !(x > 0) { // not a number either
		return 0
	}
	return int64(math.Min(x, math.MaxInt32))
}

// noteExtent says that an extent of an image is taken from the launch.
func (r *resolver) noteExtent(image, name string, pixels int64) {
	if !r.decisions.news(assumption{what: image + "." + name}) {
		return
	}
	r.decisions.assumed(diag.Notef(r.k.Pos, "ASSUMED-EXTENTS",
		"the %s of the image %s is not known: %d pixels are assumed, one for each work item", name, image, pixels).
		WithNote("give --arg %s.%s=N", image, name))
}

// extent is the value of the argument that holds an extent of an image, 0 if it
// is not known.
func (r *resolver) extent(image, name string) int64 {
	a, ok := r.opt.Args[image+"."+name]
	if !ok || a.IsFloat || a.Int < 1 || a.Int > math.MaxInt32 {
		return 0
	}
	return a.Int
}
