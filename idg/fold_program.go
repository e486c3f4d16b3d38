package idg

// load makes items of a program.
func (f *folding) load(p *Program) {
	f.root = make([]item, 0, len(p.code))
	f.producers = make([]Executed, 0, p.stored)
	l := loader{f: f, p: p, known: make([]elementID, len(p.patterns.all))}
	start := Executed(0)
	l.sequence(0, StaticID(len(p.code)), 0, func(id elementID, row []Producer, length int64) {
		it := item{id: id, free: uint32(len(f.producers)), start: start}
		within := false
		for _, d := range row {
			u := Executed(d.Distance)
			if d.Base == 0 {
				u = start - u
			}
			within = within || u >= start
			f.producers = append(f.producers, u)
		}
		if within {
			// A producer in the repetition's own first execution has no distance
			// before it: the item must not be joined with equal ones.
			f.elements = append(f.elements, f.elements[id])
			it.id = elementID(len(f.elements) - 1)
		}
		f.root = append(f.root, it)
		start += Executed(length)
	})
}

// loader makes elements of a program's stored instructions and repetitions.
type loader struct {
	f     *folding
	p     *Program
	known []elementID // by pattern: its element, plus 1
	kinds []EdgeKind
	row   []Producer
}

// sequence visits the elements of stored instructions first to end-1 with their
// dependences, as StaticPreds gives them, and how many instructions they execute.
// The first repetition that may begin among them is given; the first one behind
// them is returned.
func (l *loader) sequence(first, end StaticID, repeat int, visit func(id elementID, row []Producer, length int64)) int {
	for s := first; s < end; {
		if repeat < len(l.p.repeats) && l.p.repeats[repeat].First == s {
			r := &l.p.repeats[repeat]
			repeat = l.repetition(r, repeat+1, visit)
			s = r.End
			continue
		}
		row := l.p.StaticPreds(s, &l.row)
		visit(l.instruction(l.p.code[s], row), row, 1)
		s++
	}
	return repeat
}

// instruction returns the element of a pattern with the given dependences.
func (l *loader) instruction(id patternID, row []Producer) elementID {
	if id < ownPattern && l.known[id] > 0 {
		return l.known[id] - 1
	}
	l.kinds = l.kinds[:0]
	for i := range row {
		l.kinds = append(l.kinds, row[i].Kind)
	}
	e := l.f.instruction(l.p.patterns.class(id), l.kinds)
	if id < ownPattern {
		l.known[id] = e + 1
	}
	return e
}

// repetition visits a repetition. What its body's instructions count from one
// repetition out is what the repetition counts from its own place.
func (l *loader) repetition(r *Repeat, next int, visit func(elementID, []Producer, int64)) int {
	var block []item
	var bounds []Executed
	var free []Producer
	body := int64(0)
	next = l.sequence(r.First, r.End, next, func(id elementID, row []Producer, length int64) {
		block = append(block, item{id: id})
		for _, d := range row {
			if d.Base == 0 {
				bounds = append(bounds, Executed(d.Distance))
				continue
			}
			bounds = append(bounds, 0)
			if d.Base != Absolute {
				d.Base--
			}
			free = append(free, d)
		}
		body += length
	})
	visit(l.f.repeated(r.Count, block, bounds), free, r.Count*body)
	return next
}

// folded returns the program with the repetitions that were found in it.
func (p *Program) folded() *Program {
	if f := foldProgram(p); f.joined {
		return f.program()
	}
	return p
}

// program stores the items as a program.
func (f *folding) program() *Program {
	p := &Program{}
	s := storer{f: f, p: p}
	for _, it := range f.root {
		s.item(it)
	}
	p.seal()
	return p
}

// storer appends elements to a program.
type storer struct {
	f   *folding
	p   *Program
	row []Producer // how enclosing elements and this one name their free producers
}

// item appends an item.
func (s *storer) item(it item) {
	s.row = s.row[:0]
	repeated := s.f.elements[it.id].count > 0
	for _, u := range s.f.of(it) {
		if repeated {
			s.row = append(s.row, Producer{Base: Absolute, Distance: int64(u)})
		} else {
			s.row = append(s.row, Producer{Distance: int64(it.start - u)})
		}
	}
	s.element(it.id, s.row, 1, 0)
}

// element appends an element that is executed the given number of times; row
// names its free producers.
func (s *storer) element(id elementID, row []Producer, times int64, parent RepeatID) {
	e := &s.f.elements[id]
	if e.count == 0 {
		for i := range row {
			row[i].Kind = e.kinds[i]
		}
		s.p.append(e.class, row, times)
		return
	}
	s.p.repeats = append(s.p.repeats, Repeat{First: StaticID(len(s.p.code)), Count: e.count, Parent: parent})
	self := len(s.p.repeats)
	outer := len(s.row)
	for _, m := range e.body {
		for _, distance := range m.bound {
			d := Producer{Distance: int64(distance)}
			if distance == 0 {
				d, row = row[0], row[1:]
				if d.Base != Absolute {
					d.Base++
				}
			}
			s.row = append(s.row, d)
		}
		s.element(m.id, s.row[outer:], times*e.count, RepeatID(self))
		s.row = s.row[:outer]
	}
	s.p.repeats[self-1].End = StaticID(len(s.p.code))
}
