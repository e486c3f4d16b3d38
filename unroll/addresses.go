package unroll

import (
	"math/bits"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/locality"
	"gpupipe/unroll/trace"
)

// addresses records where the memory accesses of one warp go.
type addresses struct {
	shapes  *locality.Shapes
	limit   int // accesses
	touches []locality.Touch
	pending locality.Touch // the access of which the instruction is recorded next
	skipped int64          // accesses of iterations that are skipped
	cut     bool
	proofs  []*proof // that follow where accesses move
}

// farthestByte bounds the offsets that are taken for addresses: more than any GPU
// has.
const farthestByte = 1 << 52

// note takes the addresses of the access that is recorded next.
func (a *addresses) note(root lower.ObjectID, l *LaneAccess, reads bool) {
	a.pending = locality.Touch{}
	for _, p := range a.proofs {
		p.pending, p.move = p.move, 0
	}
	switch l.Space {
	case idg.SpaceGlobal, idg.SpaceConstant, idg.SpaceImage:
	default:
		return
	}
	unknown := len(l.Offsets) == 0 && l.Store && !reads && l.Space == idg.SpaceGlobal
	if !unknown && (len(l.Offsets) == 0 || slices.Min(l.Offsets) < -farthestByte ||
		slices.Max(l.Offsets) > farthestByte) {
		return
	}
	if int64(len(a.touches))+a.skipped >= int64(a.limit) {
		a.cut = true
		return
	}
	a.pending.Shape, a.pending.Start = a.shape(root, l, reads)
	a.cut = a.cut || a.pending.Shape == 0
}

// shape interns what an access touches, and where.
func (a *addresses) shape(root lower.ObjectID, l *LaneAccess, reads bool) (locality.ShapeID, int64) {
	switch {
	case len(l.Offsets) > 0:
		return a.shapes.Intern(&locality.Access{
			Buffer: locality.BufferID(root), Space: l.Space, Width: l.Width, Reads: reads, Writes: l.Store,
			Offsets: l.Offsets,
		})
	case l.Same:
		return a.shapes.InternUnknown(l.Width), 0
	}
	return a.shapes.InternUnknown(l.Width * int64(bits.OnesCount64(l.Lanes))), 0
}

// take returns the name of the noted access, which is recorded now.
func (a *addresses) take() trace.TouchID {
	if a.pending.Shape == 0 {
		return 0
	}
	a.touches = append(a.touches, a.pending)
	for _, p := range a.proofs {
		p.moves = append(p.moves, p.pending)
	}
	a.pending = locality.Touch{}
	return trace.TouchID(len(a.touches))
}

// context interns the context of an access and notes its addresses.
func (r *resolver) context(root lower.ObjectID, a LaneAccess, reads bool) idg.AccessID {
	if r.addresses != nil {
		r.addresses.note(root, &a, reads)
	}
	return r.interned(root, a)
}

// interned interns the context of an access.
func (r *resolver) interned(root lower.ObjectID, a LaneAccess) idg.AccessID {
	if r.b == nil {
		return someAccess
	}
	if _, exact := r.opt.Context.(ExactContext); exact {
		return r.st.contexts.intern(r.b, root, &a)
	}
	a.Offsets = slices.Clone(a.Offsets) // which the mapper may keep
	return r.b.Access(r.opt.Context.Map(a))
}

// someAccess stands for the context of an access where only addresses are
// wanted.
const someAccess idg.AccessID = 1
