package locality

import (
	"cmp"
	"slices"
)

// span is a range of bytes, or of sectors, of a buffer: lo to hi-1.
type span struct{ lo, hi int64 }

// set is a set of bytes or sectors of a buffer as spans that ascend and neither
// meet nor overlap.
type set []span

// normalised makes a set of spans in any order, in place.
func normalised(list []span) set {
	slices.SortFunc(list, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	return merged(list)
}

// merged joins spans that meet or overlap, of a list that is sorted by their
// beginnings, in place.
func merged(list []span) set {
	out := list[:0]
	for _, s := range list {
		if n := len(out); n > 0 && s.lo <= out[n-1].hi {
			out[n-1].hi = max(out[n-1].hi, s.hi)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// size is the number of bytes or sectors.
func (s set) size() int64 {
	var n int64
	for _, x := range s {
		n += x.hi - x.lo
	}
	return n
}

// shifted is s moved by d bytes.
func (s set) shifted(d int64) set {
	out := make(set, len(s))
	for i, x := range s {
		out[i] = span{x.lo + d, x.hi + d}
	}
	return out
}

// union is what lies in one or the other set.
func union(a, b set) set {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := make([]span, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].lo <= b[0].lo {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return merged(append(append(out, a...), b...))
}

// split divides a into what lies in b too and what does not.
func split(a, b set) (in, out set) {
	out = make(set, 0, len(a))
	if len(b) > 0 { // a's spans in front of b's and behind them stay as they are
		from, _ := slices.BinarySearchFunc(a, b[0].lo, endsBehind)
		out, a = append(out, a[:from]...), a[from:]
	}
	i := 0 // the first span of b that ends behind x's beginning
	for k, x := range a {
		if i < len(b) && b[i].hi <= x.lo {
			n, _ := slices.BinarySearchFunc(b[i:], x.lo, endsBehind)
			i += n
		}
		if i == len(b) {
			out = append(out, a[k:]...)
			break
		}
		for j := i; j < len(b) && b[j].lo < x.hi; j++ {
			if b[j].lo > x.lo {
				out = append(out, span{x.lo, b[j].lo})
				x.lo = b[j].lo
			}
			end := min(x.hi, b[j].hi)
			in = append(in, span{x.lo, end})
			x.lo = end
		}
		if x.lo < x.hi {
			out = append(out, x)
		}
	}
	return in, out
}

// endsBehind compares spans with a byte: those that do not end behind it come first.
func endsBehind(s span, at int64) int { return cmp.Compare(s.hi, at+1) }

// floorDiv is a/b rounded down, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// builder collects spans into a set, in memory that grows with the set and not
// with the spans.
type builder struct {
	list   []span
	sorted int // length when it was last normalised
}

func (b *builder) add(s span) {
	if n := len(b.list); n > 0 && b.list[n-1].lo <= s.lo && s.lo <= b.list[n-1].hi {
		b.list[n-1].hi = max(b.list[n-1].hi, s.hi)
		return
	}
	b.list = append(b.list, s)
	if len(b.list) >= 2*b.sorted+1024 {
		b.list = normalised(b.list)
		b.sorted = len(b.list)
	}
}

// set returns what was collected.
func (b *builder) set() set {
	b.list = normalised(b.list)
	b.sorted = len(b.list)
	return b.list
}
