package unroll

import (
	"math"

	"gpupipe/idg"
	"gpupipe/unroll/locality"
)

// maxSkippedBarriers bounds the barriers of iterations that are skipped.
const maxSkippedBarriers = 1 << 20

// follow begins or ends to note by how much accesses move.
func (a *addresses) follow(on bool) {
	if a == nil {
		return
	}
	a.drifts = nil
	if on {
		a.drifts = []int64{}
	}
}

// skip takes notice of accesses that are skipped: those of the touches from an
// index on, so many times more.
func (a *addresses) skip(s *skip, from int) {
	if a == nil {
		return
	}
	s.touch, s.drifts = from, a.drifts
	if n := int64(len(a.touches) - from); n > 0 {
		a.skipped += n * min(s.copies, math.MaxInt32) // far beyond the limit
	}
}

// touched lists the accesses of the instructions that stay; class gives their
// classes.
func (r *resolver) touched(live []bool, class func(*recorded) idg.InstrID) locality.Warp {
	t := toucher{r: r, class: class, w: locality.Warp{Number: r.warp, Cut: r.addresses.cut}}
	skips := r.trace.skips
	for i := range r.trace.length {
		if len(skips) > 0 && i == skips[0].at {
			if !t.skipped(&skips[0], live) {
				return t.w
			}
			skips = skips[1:]
		}
		if live[i] {
			t.node(r.trace.at(i), 0, 0)
		}
	}
	return t.w
}

// toucher lists the accesses of a warp.
type toucher struct {
	r     *resolver
	class func(*recorded) idg.InstrID
	w     locality.Warp
	at    int64 // the next instruction
	// How many accesses have been skipped, live or not, before the next one.
	before int64
}

// node adds the next live node, its access moved by so many bytes.
func (t *toucher) node(n *recorded, number, move int64) {
	a := t.r.addresses
	if n.touch != 0 && t.at <= math.MaxUint32 {
		if t.before+number+int64(n.touch) > int64(a.limit) {
			t.w.Cut = true
		} else {
			x := a.touches[n.touch-1]
			x.At, x.Instr, x.Start = uint32(t.at), t.class(n), x.Start+move
			t.w.Touches = append(t.w.Touches, x)
		}
	}
	if n.flags&flagBarrier != 0 {
		t.w.Barriers = append(t.w.Barriers, uint32(t.at))
	}
	t.at++
}

// skipped adds what is skipped. It reports false if no more fits.
func (t *toucher) skipped(s *skip, live []bool) bool {
	tr := &t.r.trace
	var nodes []*recorded
	touches, barriers := int64(0), int64(0)
	for i := s.from(); i < s.at; i++ {
		n := tr.at(i)
		if live[i] {
			nodes = append(nodes, n)
			if n.flags&flagBarrier != 0 {
				barriers++
			}
		}
		if n.touch != 0 {
			touches++
		}
	}
	n := s.copies
	if touches+barriers > 0 {
		// Up to where nothing more is noted.
		n = min(n, (math.MaxUint32-t.at)/int64(max(1, len(nodes))))
		if touches > 0 {
			n = min(n, int64(t.r.addresses.limit)/touches+1)
		}
		if barriers > 0 {
			n = min(n, maxSkippedBarriers/barriers)
		}
		for k := range n {
			for _, x := range nodes {
				move := int64(0)
				if x.touch != 0 {
					move = (k + 1) * s.drifts[int(x.touch)-1-s.touch]
				}
				t.node(x, (k+1)*touches, move)
			}
		}
	}
	if n < s.copies || t.at+(s.copies-n)*int64(len(nodes)) > math.MaxUint32 {
		t.w.Cut = true
		return false
	}
	if touches+barriers == 0 {
		t.at += s.copies * int64(len(nodes))
	}
	t.before += s.copies * touches
	return true
}
