package walk

import (
	"strings"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// subGroup is a value that lanes pass to each other, where that is known whatever lanes take part.
func (w *warp) subGroup(in *ir.Instr) value {
	if len(in.Args) == 0 {
		return unknownValue(false)
	}
	a := w.value(in.Args[0])
	passes := strings.HasPrefix(in.Fn, "shuffle") || strings.HasPrefix(in.Fn, "broadcast")
	switch {
	case a.uniform && (passes || in.Fn == "all" || in.Fn == "any"):
		return *a
	case passes && len(in.Args) == 2 && !strings.HasSuffix(in.Fn, "_part"):
		return w.shuffle(in.Fn, a, w.value(in.Args[1]))
	}
	if in.Fn == "ballot" && !neverHolds(in.Args[0]) && a.known&w.all == w.all && w.together() {
		return w.ballot(a)
	}
	same := in.Fn == "all" || in.Fn == "any" || in.Fn == "ballot" || in.Fn == "broadcast_first" ||
		strings.HasPrefix(in.Fn, "reduce")
	return unknownValue(same)
}

// together reports whether all lanes of the warp certainly take part in what is computed now: then they took part where
// a value was defined that is asked for here.
func (w *warp) together() bool { return w.mask == w.all && w.unsure|w.both == 0 }

// neverHolds reports whether a condition compares a value with itself: the ballot of one stands for a match, which is
// not computed.
func neverHolds(v *ir.Value) bool {
	if v.IsConst() {
		return v.Bits == 0
	}
	return v.DefOp() == lower.Ne && v.Def.Args[0] == v.Def.Args[1]
}

// ballot is the mask of the lanes for which a condition holds.
func (w *warp) ballot(a *value) value {
	mask := uint64(0)
	for m := w.all; m != 0; m &= m - 1 {
		if l := trailing(m); a.at(l) != 0 {
			mask |= 1 << l
		}
	}
	v := uniformOf(mask, w.all)
	v.limit(a)
	v.bends(a)
	return v
}

// shuffle gives lanes the values of others, by their numbers or distances.
func (w *warp) shuffle(fn string, a, by *value) value {
	v := value{until: steady, same: fn == "broadcast" && by.same, d: a.d, bits: make([]uint64, w.lanes)}
	v.limit(a, by)
	v.bends(by)
	for m := w.all & by.known; m != 0; m &= m - 1 {
		l := trailing(m)
		from := int(uint32(by.at(l)))
		switch fn {
		case "shuffle_xor":
			from ^= l
		case "shuffle_up":
			from = l - from
		case "shuffle_down":
			from += l
		}
		if from < 0 || from >= w.lanes {
			from = l
		}
		if a.known>>from&1 == 1 {
			v.known |= 1 << l
			v.bits[l] = a.at(from)
		}
	}
	v.compact(w.all)
	return v
}
