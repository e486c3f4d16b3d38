package simulate

import (
	"math/big"

	"gpupipe/internal/diag"
)

// sampleLoops leaves out iterations of loops where that is known well enough. It
// is called when a warp has begun another one, or groups were replaced.
func (m *machine) sampleLoops() {
	s := m.loops
	if s == nil {
		return
	}
	if e := (epoch{m.given, m.ended, m.warps}); e != s.began {
		s.again(e, mark{m.now, m.issued}, m.progress(s.where[:0]))
		return
	}
	if s.pilot < 0 {
		if s.calls++; s.calls%callsPerSearch > 0 {
			return
		}
		s.ways = m.progress(s.ways[:0])
		s.findPilot(s.ways)
		s.ways = s.ways[:0]
		return
	}
	p := m.progressOf(s.pilot)
	if p.loop != s.last.loop || p.left > s.last.left {
		s.began.given = -1 // it has left the loop
		return
	}
	if s.last.left-p.left < s.stride {
		return
	}
	s.last = p
	s.marks = append(s.marks, mark{m.now, m.issued})
	s.ways = m.progress(s.ways)
	if len(s.marks) == loopMarks/2 && s.stride == 1 {
		m.count(&s.kept)
	}
	if len(s.marks) < s.next {
		return
	}
	if m.coming == 0 {
		if l, ok := s.leap(m.perSlot); ok {
			m.leap(&l)
			return
		}
	}
	m.count(&s.kept)
	if len(s.marks) == loopMarks {
		s.thin()
	}
	s.next = min(len(s.marks)+len(s.marks)/4, loopMarks)
}

// progress appends how far all warps are.
func (m *machine) progress(to []progress) []progress {
	for place := range m.slots * m.perSlot {
		to = append(to, m.progressOf(place))
	}
	return to
}

func (m *machine) progressOf(place int) progress {
	p := m.engine.progress(place)
	p.number += m.loops.skipped[place]
	return p
}

// leap leaves iterations out.
func (m *machine) leap(l *leap) {
	s := m.loops
	if l.time > maxTime-m.now {
		m.refused = diag.Errorf(diag.Pos{}, "TIME", "the run takes more than %v cycles", m.time.cycles(maxTime))
		return
	}
	m.issued += l.issues
	s.leftOut += l.issues
	s.lost += l.lost
	moved := int64(0)
	m.shift(l.time, 0)
	for place, k := range l.turns {
		if k > 0 {
			moved++
			m.engine.skipTurns(place, l.loops[place].index, k)
		}
		if l.idle[place] {
			m.engine.stay(place, l.time)
		}
	}
	m.charge(moved, l.time)
	s.began.given = -1
	if r := m.recurrence; r != nil {
		*r = recurrence{walk: r.walk, kept: r.kept, spent: r.spent}
	}
}

// charge gives the time that so many warps were moved ahead by to the classes for
// which they waited since the last look, in proportion, to the tick.
func (m *machine) charge(warps int64, t Tick) {
	type share struct {
		of   *span
		grew *big.Int
	}
	var shares []share
	total, all := new(big.Int), new(big.Int).Mul(big.NewInt(warps), big.NewInt(int64(t)))
	for i := range m.table {
		c := &m.table[i]
		for _, g := range []struct {
			of, before *span
		}{{&c.waited, &m.loops.kept.waited[i]}, {&c.queued, &m.loops.kept.queued[i]}} {
			grew := new(big.Int).Sub(g.of.big(), g.before.big())
			total.Add(total, grew)
			shares = append(shares, share{g.of, grew})
		}
	}
	// Each takes what of the rest is its share of the rest.
	for _, s := range shares {
		if s.grew.Sign() == 0 {
			continue
		}
		part := new(big.Int).Mul(all, s.grew)
		part.Quo(part, total)
		s.of.addBig(part)
		all.Sub(all, part)
		total.Sub(total, s.grew)
	}
}
