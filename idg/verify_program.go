package idg

import "fmt"

// violation checks a program: repetitions nest, classes are in range, rows are of
// valid kinds, and every dependence, whatever the repetition, is on an earlier
// instruction and on no other one's. The program is not expanded.
func (p *Program) violation(index, classes int) *violation {
	bad := func(format string, args ...any) *violation {
		return broken(partProgram, index, "program %d"+format, append([]any{index}, args...)...)
	}
	if text := p.patterns.inconsistent(); text != "" {
		return bad(" %s", text)
	}
	for i := range p.patterns.all {
		if in := p.patterns.all[i].class; in == 0 || int64(in) > int64(classes) {
			return bad(" has instructions of class %d of %d", in, classes)
		}
	}
	if i, ok := p.nested(); !ok {
		return bad(": repetition %d (%+v) is not one of stored instructions within that around it", i+1, p.repeats[i])
	}
	length, edges, text := p.extent()
	if text != "" {
		return bad("%s", text)
	}
	if length != p.length || edges != p.edges {
		return bad(" executes %d instructions and %d dependences, not %d and %d", length, edges, p.length, p.edges)
	}
	if v := p.rows(bad); v != nil {
		return v
	}
	if v, repeat := p.meeting(); repeat > 0 {
		return bad(": instruction %d, of a later repetition, depends twice on the same instruction", v)
	}
	return nil
}

// inconsistent checks what patterns say about themselves.
func (t *patterns) inconsistent() string {
	for i := range t.all {
		l := &t.all[i]
		if uint64(l.first)+uint64(l.n) > uint64(len(t.producers)) {
			return "has inconsistent rows"
		}
		var last int64
		var based, disorder bool
		for k, d := range t.rowOf(l) {
			if d.Kind < Data || d.Kind > Order {
				return "has a dependence of an invalid kind"
			}
			if d.Base > Absolute || d.Distance < 0 || d.Distance == 0 && d.Base != Absolute {
				return "has a dependence at no distance"
			}
			based = based || d.Base != 0
			disorder = disorder || k > 0 && d.Distance >= last
			last = d.Distance
		}
		if disorder && !based {
			return "has an instruction that depends on another one twice or out of order"
		}
		if based != l.based {
			return "has inconsistent rows"
		}
	}
	return ""
}

// nested reports whether the repetitions are in order and nest; if not, the index
// of one that does not.
func (p *Program) nested() (int, bool) {
	var open []RepeatID
	for i := range p.repeats {
		r := &p.repeats[i]
		if r.First >= r.End || int(r.End) > len(p.code) || r.Count < 2 {
			return i, false
		}
		if i > 0 && r.First < p.repeats[i-1].First {
			return i, false
		}
		for len(open) > 0 && p.repeats[open[len(open)-1]-1].End <= r.First {
			open = open[:len(open)-1]
		}
		parent := RepeatID(0)
		if len(open) > 0 {
			parent = open[len(open)-1]
		}
		if r.Parent != parent || parent > 0 && r.End > p.repeats[parent-1].End || len(open) >= maxRepeatDepth {
			return i, false
		}
		open = append(open, RepeatID(i+1))
	}
	return 0, true
}

// extent counts what is executed, and checks on the way that stored instructions have
// patterns; it returns what is wrong.
func (p *Program) extent() (length, edges int64, text string) {
	type count struct{ instructions, edges int64 }
	own := make([]count, len(p.repeats)+1) // by id, one execution of the body; 0 = the program
	p.within(func(first, end StaticID, in RepeatID) {
		own[in].instructions += int64(end - first)
		for s := first; s < end && text == ""; s++ {
			n := uint32(0)
			if id := p.code[s]; int64(id) < int64(len(p.patterns.all)) {
				n = p.patterns.all[id].n
			} else {
				text = fmt.Sprintf(": stored instruction %d has pattern %d of %d", s, id, len(p.patterns.all))
			}
			own[in].edges += int64(n)
		}
	})
	if text != "" {
		return 0, 0, text
	}
	for i := len(p.repeats) - 1; i >= 0; i-- { // inner ones before outer ones
		c, r := own[i+1], &p.repeats[i]
		around := &own[r.Parent]
		if r.Count > (MaxExecuted-around.instructions)/c.instructions ||
			c.edges > 0 && r.Count > (maxExecutedEdges-around.edges)/c.edges {
			return 0, 0, executesMore
		}
		around.instructions += r.Count * c.instructions
		around.edges += r.Count * c.edges
	}
	if own[0].instructions > MaxExecuted || own[0].edges > maxExecutedEdges {
		return 0, 0, executesMore
	}
	return own[0].instructions, own[0].edges, ""
}

var executesMore = fmt.Sprintf(" executes more than %d instructions or %d dependences", int64(MaxExecuted),
	int64(maxExecutedEdges))

// rows checks every stored instruction as it is executed first.
func (p *Program) rows(bad func(string, ...any) *violation) *violation {
	for w := p.walkOnce(); w.more(); w.next() {
		l := &p.patterns.all[p.code[w.static]]
		reach := p.patterns.reach(l)
		if reach > int64(w.number) {
			return bad(": instruction %d depends on what would be %d before it", w.number, reach)
		}
		if !l.based {
			continue // the order has been checked with the pattern
		}
		before := Executed(-1)
		row := w.preds()
		for i := range row {
			if base := int(row[i].Base); base != Absolute && base > len(w.open) {
				return bad(": instruction %d counts from enclosing repetition %d of %d", w.number, base, len(w.open))
			}
			u := w.producer(&row[i])
			if u < 0 || u >= w.number {
				return bad(": instruction %d depends on %d, which is not before it", w.number, u)
			}
			if u <= before {
				return bad(": instruction %d depends on %d twice or out of order", w.number, u)
			}
			before = u
		}
	}
	return nil
}
