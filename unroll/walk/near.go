package walk

import (
	"cmp"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// visit is a value that is not known, behind which a warp was in an object.
type visit struct {
	object ir.ObjectID
	root   *ir.Value
	stamp  uint64 // of the iteration in which the value was computed
}

// trail is where it was, so many bytes behind the value, in the iteration with a stamp and in the one before.
type trail struct {
	stamp       uint64
	now, before []int64
}

// maxVisits bounds what is kept of them: more than the copies of an unrolled loop.
const maxVisits = 64

// rootDepth bounds the operations to a root: a few for each copy of an unrolled loop.
const rootDepth = 4 * maxVisits

// near is how many bytes an address that is not known lies from the one before in the object, where both are sums of
// one value that is not known and of known ones: those of linear probing, or of the elements of a row; 0: not known.
// Masks are taken not to cut the sum.
func (w *warp) near(at *ir.Value, id ir.ObjectID, lanes uint64) int64 {
	root, counter, offset, step := w.behindRoot(at, lanes)
	if root == nil || id == 0 {
		return 0
	}
	if w.visits == nil || len(w.visits) >= maxVisits {
		w.visits = map[visit]trail{}
	}
	key := visit{id, root, w.stampOf(root)}
	t := w.visits[key]
	if stamp := w.stampOf(counter); stamp != t.stamp {
		t.stamp, t.now, t.before = stamp, nil, t.now
	}
	nearest := max(step, -step)
	closer := func(list []int64, offset int64) {
		for _, b := range list {
			if d := max(1, offset-b, b-offset); nearest == 0 || d < nearest {
				nearest = d
			}
		}
	}
	closer(t.now, offset)
	closer(t.before, offset+step)
	if len(t.now) < maxVisits {
		t.now = append(t.now, offset)
	}
	w.visits[key] = t
	return nearest
}

// behindRoot takes known terms off an address, and off the value that a counter of a loop begins with, which moves it
// by so many bytes from iteration to iteration; without one the counter is the root.
func (w *warp) behindRoot(v *ir.Value, lanes uint64) (root, counter *ir.Value, offset, step int64) {
	scale := int64(1)
	done := func() (*ir.Value, *ir.Value, int64, int64) { return v, cmp.Or(counter, v), offset, step }
	for range rootDepth {
		if by := w.stepOf(v); by != 0 && counter == nil {
			counter, step = v, by*scale
			v = v.Def.Args[v.Index]
		}
		if v.Kind != ir.Result || len(v.Def.Args) == 0 {
			return done()
		}
		in, next := v.Def, (*ir.Value)(nil)
		switch in.Op {
		case lower.Convert, lower.Bitcast, lower.Mov:
			next = in.Args[0]
		case lower.And:
			if next = in.Args[0]; w.isKnown(next, lanes) {
				next = in.Args[1]
			}
		case lower.Add, lower.PtrAdd:
			known := in.Args[1]
			next = in.Args[0]
			behind := w.isKnown(next, lanes)
			if behind {
				known, next = next, known
			}
			p := w.value(known)
			if p.known&lanes != lanes {
				return done()
			}
			switch {
			case in.Op == lower.Add:
				offset += int64(p.at(trailing(lanes))) * scale
			case behind: // a known pointer
				scale *= in.Scale
			default:
				offset += int64(p.at(trailing(lanes))) * in.Scale * scale
			}
		default:
			return done()
		}
		v = next
	}
	return nil, nil, 0, 0
}

func (w *warp) isKnown(v *ir.Value, lanes uint64) bool { return w.value(v).known&lanes == lanes }

// stepOf is by how much a parameter of a loop increases from iteration to iteration, 0: not by a constant.
func (w *warp) stepOf(v *ir.Value) int64 {
	if v.Kind != ir.BlockArg {
		return 0
	}
	step := int64(0)
	for _, c := range w.c.continues[v.Def] {
		x := c.Args[v.Index]
		if op := x.DefOp(); op != lower.Add && op != lower.PtrAdd || x.Def.Args[0] != v || !x.Def.Args[1].IsConst() {
			return 0
		}
		if step = x.Def.Args[1].Int(); x.DefOp() == lower.PtrAdd {
			step *= x.Def.Scale
		}
	}
	return step
}
