package walk

import (
	"math/bits"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// places is at how many places the lanes are at an address that follows from what each has loaded: as many as they have
// loaded it from, for one place holds one value. 0: nothing that they have loaded sets them apart, as of a row that all
// have looked up, along which they stand, or of what an atomic has returned, which hands out neighbours.
func (w *warp) places(v *ir.Value, lanes uint64, depth int) (n int) {
	p := w.value(v)
	if p.known&lanes == lanes || p.same || depth == 0 || v.Type == lower.Pred {
		return 0
	}
	var args []*ir.Value
	switch {
	case v.Kind == ir.BlockArg:
		n = w.places(v.Def.Args[v.Index], lanes, depth-1)
		for _, c := range w.c.continues[v.Def] {
			if next := c.Args[v.Index]; n == 0 && next.DefOp() == lower.Load {
				n = w.places(next, lanes, depth-1)
			}
		}
	case v.Kind != ir.Result:
	case v.Def.Op == lower.Load && w.perLane(v.Def):
	case v.Def.Op == lower.Load:
		return w.loadedFrom(v.Def.Args[0], lanes, depth-1)
	case v.Def.Op == lower.OpIf:
		for _, b := range v.Def.Blocks {
			if last := b.Last(); last != nil && last.Op == lower.OpYield && v.Index < len(last.Args) {
				args = append(args, last.Args[v.Index])
			}
		}
	case v.Def.Op != lower.Atomic && v.Def.Op != lower.SubGroup && v.Def.Op < lower.OpIf:
		args = v.Def.Args
	}
	for _, a := range args {
		n = max(n, w.places(a, lanes, depth-1))
	}
	return n
}

// loadedFrom is at how many places lanes load from an address.
func (w *warp) loadedFrom(at *ir.Value, lanes uint64, depth int) int {
	p := w.value(at)
	if p.known&lanes != lanes {
		if n := w.places(at, lanes, depth); n > 0 {
			return n
		}
		return bits.OnesCount64(lanes)
	}
	seen := map[uint64]bool{}
	for m := lanes; m != 0; m &= m - 1 {
		seen[p.at(trailing(m))] = true
	}
	return len(seen)
}
