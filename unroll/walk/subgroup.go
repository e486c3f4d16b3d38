package walk

import (
	"strings"

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
	same := in.Fn == "all" || in.Fn == "any" || in.Fn == "ballot" || in.Fn == "broadcast_first" ||
		strings.HasPrefix(in.Fn, "reduce")
	return unknownValue(same)
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
