package locality

// order is the order in which the memory instructions of a group's warps are
// taken to be executed: the warps take turns, an instruction each, and nobody
// passes a barrier before all have come to it. What is between two barriers is a
// phase.
type order struct {
	sector   sectorSize
	warps    []Warp
	touches  []cursor
	barriers []cursor
	at       []int64 // of each warp: the place of its next touch
	from     []int64 // the first instruction of the phase
	end      []int64 // its next barrier
	turn     int64   // of the phase: the next at which somebody may touch memory
	begun    int64   // phases that have begun, jumps not counted
	entered  bool    // somebody has come to a repeat
	stopped  bool    // nobody wants more
}

// maxPhases bounds the phases that are gone through one by one.
const maxPhases = 1 << 21

func newOrder(warps []Warp, sector sectorSize) *order {
	n := len(warps)
	o := &order{sector: sector, warps: warps, touches: make([]cursor, n), barriers: make([]cursor, n),
		at: make([]int64, n), from: make([]int64, n), end: make([]int64, n)}
	for w := range warps {
		o.touches[w], o.barriers[w] = warps[w].touches(), warps[w].barriers()
		o.at[w] = o.touches[w].place(&warps[w])
	}
	return o
}

// begin starts the next phase. It reports false if nothing more is touched.
func (o *order) begin() bool {
	more := false
	for w := range o.warps {
		if o.begun > 0 && o.end[w] != never {
			o.from[w] = o.end[w]
			o.barriers[w].next()
		}
		o.end[w] = o.barrier(w)
		more = more || o.at[w] != never
	}
	o.turn, o.entered = 0, true
	o.begun++
	return more && !o.stopped
}

// barrier is the place of the next barrier of a warp.
func (o *order) barrier(w int) int64 {
	c := &o.barriers[w]
	if c.done() {
		return never
	}
	return o.warps[w].Barriers[c.i] + c.moved()
}

// visitor takes the touches in their order: of a warp, at a start, moving by
// drift bytes with each copy of the repeat that it is in. It reports false if it
// wants no more.
type visitor func(warp int, t *Touch, start, drift int64) bool

// step calls visit for everybody's instruction of the turn, and finds the next
// turn. It reports false if the phase has ended.
func (o *order) step(visit visitor) bool {
	later := int64(never)
	for w, at := range o.at {
		if at >= o.end[w] {
			continue
		}
		if at-o.from[w] == o.turn {
			c := &o.touches[w]
			drift, moved := c.drift()
			t := &o.warps[w].Touches[c.i]
			if !visit(w, t, t.Start+moved, drift) {
				o.stopped = true
				return false
			}
			c.next()
			if l := c.in(); l != nil && c.copy == 0 && c.i == l.first {
				o.entered = true
			}
			if at = c.place(&o.warps[w]); at >= o.end[w] {
				o.at[w] = at
				continue
			}
			o.at[w] = at
		}
		later = min(later, at-o.from[w])
	}
	o.turn = later
	return later != never
}

// stretch is a part of the order that repeats itself.
type stretch struct {
	*order
	periods int64
	phases  int64   // of a period; 0: it is turns
	turns   int64   // of a period
	goal    int64   // the turn at which it begins, or up to which it has been played
	unit    int64   // periods after which all have moved by whole sectors
	loops   []*loop // of each warp: what it repeats, nil = it does not take part
}

// stretchOfTurns returns what is repeated within the phase from the current turn
// on, nil if the warps do not repeat pieces of the same length.
func (o *order) stretchOfTurns() *stretch {
	s := &stretch{order: o, goal: o.turn, loops: make([]*loop, len(o.warps))}
	end := int64(never)
	for w, at := range o.at {
		if at >= o.end[w] {
			continue
		}
		l := o.touches[w].in()
		if l == nil || l.BarriersFrom < l.BarriersEnd {
			end = min(end, at-o.from[w])
			continue
		}
		if s.turns != 0 && s.turns != l.Length {
			return nil
		}
		s.turns, s.loops[w] = l.Length, l
		s.goal = max(s.goal, l.Repeat.from()-o.from[w])
		end = min(end, l.At+l.Copies*l.Length-o.from[w])
	}
	if s.turns == 0 || end < s.goal {
		return nil
	}
	s.periods = (end - s.goal) / s.turns
	s.align()
	return s
}

// stretchOfPhases returns what is repeated from the phase that has just begun on,
// nil if the warps do not repeat equally many phases.
func (o *order) stretchOfPhases() *stretch {
	s := &stretch{order: o, periods: never, loops: make([]*loop, len(o.warps))}
	for w, at := range o.at {
		if at == never {
			continue
		}
		b := &o.barriers[w]
		l := b.in()
		if l == nil || b.i == l.first && b.copy == 0 { // the phase begins before what is repeated
			return nil
		}
		n := int64(l.end - l.first)
		if s.phases != 0 && s.phases != n {
			return nil
		}
		s.phases = n
		s.periods = min(s.periods, ((l.Copies-b.copy)*n+int64(l.end-b.i))/n)
		if t := o.touches[w].in(); l.TouchesFrom < l.TouchesEnd && (t == nil || t.Repeat != l.Repeat) {
			return nil
		}
		s.loops[w] = l
	}
	if s.phases == 0 {
		return nil
	}
	s.align()
	return s
}

// align sets after how many periods everything has moved by whole sectors.
func (s *stretch) align() {
	s.unit = 1
	for _, l := range s.loops {
		if l == nil {
			continue
		}
		for _, d := range l.Drifts {
			for !s.sector.moves(d * s.unit) {
				s.unit *= 2
			}
		}
	}
}

// units is how many units are ahead, left how many phases.
func (s *stretch) units() int64 { return s.periods / s.unit }
func (s *stretch) left() int64  { return s.periods * s.phases }

// play goes on for so many units, from the beginning of the stretch or where
// the last call has ended.
func (s *stretch) play(units int64, visit visitor) {
	s.periods -= units * s.unit
	if s.phases == 0 {
		s.goal += units * s.unit * s.turns
		s.until(visit)
		return
	}
	for range units * s.unit * s.phases {
		for s.step(visit) {
		}
		if s.stopped {
			return
		}
		s.begin()
	}
}

// until goes on up to the turn at which the stretch goes on.
func (s *stretch) until(visit visitor) {
	for s.phases == 0 && s.turn < s.goal && s.step(visit) {
	}
}

// jump passes over so many units.
func (s *stretch) jump(units int64) {
	n := units * s.unit
	s.periods -= n
	s.turn = never
	for w, l := range s.loops {
		if l == nil {
			continue
		}
		if c := &s.touches[w]; l.TouchesFrom < l.TouchesEnd {
			c.copy += n
			s.at[w] = c.place(&s.warps[w])
		}
		if s.phases > 0 {
			s.barriers[w].copy += n
			s.from[w] += n * l.Length
			s.end[w] = s.barrier(w)
		}
	}
	s.goal += n * s.turns
	if s.phases > 0 {
		s.turn = 0
		return
	}
	for w, at := range s.at {
		if at < s.end[w] {
			s.turn = min(s.turn, at-s.from[w])
		}
	}
}
