package walk

import (
	"math"
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower/ir"
	"gpupipe/unroll/arithmetic"
)

// pixels interns the context of an access of an image: the offsets of pixels by their coordinates, row by row.
func (o *recorder) pixels(w *warp, f *ir.Instr, a idg.Access, lanes uint64) idg.AccessID {
	o.offsets = o.offsets[:0]
	a.Space = idg.SpaceImage
	if id := w.c.root(f.Args[0]); id != 0 {
		a.Buffer = w.c.code.Func.Object(id).Name
	}
	var coords []*value
	for _, c := range f.Args[1 : 1+f.Dim] {
		coords = append(coords, w.value(c))
	}
	a.Assumed = w.pixelOffsets(f, a.Buffer, coords, int64(a.Width), lanes, &o.offsets)
	if len(o.offsets) > 0 {
		a.Offsets = slices.Clone(o.offsets)
	}
	return o.b.Access(a)
}

// pixelOffsets appends the active lanes' offsets in an image, or says why they are not known.
func (w *warp) pixelOffsets(f *ir.Instr, image string, coords []*value, size int64, lanes uint64,
	offsets *[]int64) (unknown string) {
	for i, c := range coords {
		if t := f.Args[1+i].Type; !t.IsInteger() && !t.IsFloat() {
			return "coordinates of an image that are not numbers"
		}
		if c.known&lanes != lanes {
			if c.from&fromMemory != 0 {
				return "coordinate loaded from memory"
			}
			return "coordinate not known"
		}
	}
	limits, extents := make([]int64, len(coords)), make([]int64, len(coords))
	normalised := w.normalised(f, coords, lanes)
	for d, name := range []string{"width", "height", "depth"}[:min(3, len(coords))] {
		limits[d] = w.extent(image, name)
		if extents[d] = limits[d]; extents[d] == 0 && (normalised || d < len(coords)-1) {
			if extents[d] = w.launch.Local[d] * w.launch.Groups[d]; extents[d] < 2 {
				return "the extents of the image are not known"
			}
			w.noteExtent(image, name, extents[d])
		}
	}
	for m := lanes; m != 0; m &= m - 1 {
		at := int64(0)
		for d := len(coords) - 1; d >= 0; d-- {
			x := pixel(f.Args[1+d].Type, coords[d].at(trailing(m)), normalised, extents[d])
			if d == 0 && f.Scale == 1 {
				x /= size
			}
			if limits[d] > 0 {
				x = min(x, limits[d]-1)
			}
			at = at*extents[d] + x
		}
		*offsets = append(*offsets, at*size)
	}
	return ""
}

// normalised reports whether coordinates are fractions of an image's extents.
func (w *warp) normalised(f *ir.Instr, coords []*value, lanes uint64) bool {
	for i, c := range coords {
		t := f.Args[1+i].Type
		for m := lanes; m != 0; m &= m - 1 {
			if t.IsInteger() || arithmetic.ToFloat(t, c.at(trailing(m))) > 1 {
				return false
			}
		}
	}
	return true
}

// pixel is the number of the pixel at a coordinate.
func pixel(t ir.Type, u uint64, normalised bool, extent int64) int64 {
	if t.IsInteger() {
		return max(0, int64(u))
	}
	x := arithmetic.ToFloat(t, u)
	if normalised {
		x *= float64(extent)
	}
	if !(x > 0) { // not a number either
		return 0
	}
	return int64(math.Min(x, math.MaxInt32))
}

// noteExtent says that an extent of an image is taken from the launch.
func (w *warp) noteExtent(image, name string, pixels int64) {
	if !w.c.news(image, name) {
		return
	}
	w.c.says(diag.Notef(w.c.code.Pos, "ASSUMED-EXTENTS",
		"the %s of the image %s is not known: %d pixels are assumed, one for each work item", name, image, pixels).
		WithNote("give --arg %s.%s=N", image, name))
}

// extent is the value of the argument that holds an extent of an image, 0 if it is not known.
func (w *warp) extent(image, name string) int64 {
	a, ok := w.launch.Args[image+"."+name]
	if !ok || a.IsFloat || a.Int < 1 || a.Int > math.MaxInt32 {
		return 0
	}
	return a.Int
}
