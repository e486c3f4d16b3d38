package idg

// The writer puts one instruction on a line, in one form:
//
//	{"i":12,"d":[9,1],"c":[4]},
//
// Nearly all of a document is such lines, so that they have a reader of their
// own. It takes a line only if all of it is as expected and valid; anything else
// is left to decoder.element, which reads every layout and finds what is wrong.

// lineRoom is how many bytes of the input are brought into the window before
// a line is read. A line that reaches beyond the window is left to
// decoder.element.
const lineRoom = 4 << 10

// canonical reads instructions in the writer's form for as long as they come,
// from the opening brace of the first to the closing brace of the last. It
// reports false, having read nothing, if the first is not in that form.
func (d *decoder) canonical(p *Program, claim *claimed) bool {
	if d.classes.known < 0 {
		return false
	}
	for done := false; ; done = true {
		if d.end-d.at < lineRoom {
			d.fill()
		}
		b := d.buf[d.at:d.end]
		next := 0
		if done {
			// The comma and line end before the next line are read with it.
			if len(b) < 2 || b[0] != ',' || b[1] != '\n' {
				return true
			}
			next = 2
		}
		n := d.instructionLine(p, claim, b[next:])
		if n == 0 {
			return done
		}
		if done {
			d.line++
			d.lineStart = d.base + int64(d.at) + 2
		}
		d.at += next + n
	}
}

// instructionLine reads one instruction from the beginning of b onto p and
// returns its length, 0 if b does not begin with a valid one in the writer's
// form.
func (d *decoder) instructionLine(p *Program, claim *claimed, b []byte) int {
	if int64(len(p.code)) >= d.opt.MaxNodes-d.nodes {
		return 0
	}
	if id, n := d.memo.guess(b); n > 0 {
		l := &p.patterns.all[id]
		if p.patterns.reach(l) <= p.length && p.stored+int64(l.n) <= d.opt.MaxEdges-d.edges {
			if len(p.code) == cap(p.code) {
				claim.more(p)
			}
			p.patterns.search.found(true)
			p.again(id, int64(l.n), 1)
			d.memo.follow(id)
			return n
		}
	}
	const head = `{"i":`
	if len(b) < len(head) || string(b[:len(head)]) != head {
		return 0
	}
	class, i := positive(b, len(head))
	if class == 0 || class > uint64(d.classes.known) {
		return 0
	}
	i, ok := d.lists(p, b, i)
	if !ok || i >= len(b) || b[i] != '}' || !sortRow(d.from, d.row) {
		return 0
	}
	claim.room(p)
	id := p.append(InstrID(class), d.row, 1)
	if id >= ownPattern { // it will not be met again
		d.memo.last = 0
		return i + 1
	}
	if !p.patterns.all[id].based {
		d.memo.keep(id, b[:i+1])
	}
	d.memo.follow(id)
	return i + 1
}

// lists reads the lists of producers from b[i:], each at most once and in the
// writer's order. It returns the index of the first byte behind them.
func (d *decoder) lists(p *Program, b []byte, i int) (int, bool) {
	d.from, d.row = d.from[:0], d.row[:0]
	v := uint64(p.length)
	room := d.opt.MaxEdges - d.edges - p.stored
	for last := -1; i+listKeyRoom < len(b) && b[i] == ','; {
		kind, base, n := listKey(b[i+1:])
		list := listOf(kind, base)
		if n == 0 || list <= last {
			return i, false
		}
		last = list
		i += 1 + n
		o, ok := d.origin(p, int(base))
		if !ok {
			return i, false
		}
		origin := uint64(o)
		for separator := byte(','); separator == ','; i++ {
			var number, from uint64
			switch {
			case base != Absolute:
				if number, i = positive(b, i); number == 0 {
					return i, false
				}
				from = origin - number // of more than the origin: huge
			case i < len(b) && b[i] == '0':
				i++
			default:
				if number, i = positive(b, i); number == 0 {
					return i, false
				}
				from = number
			}
			if from >= v || i == len(b) || int64(len(d.row)) >= room {
				return i, false
			}
			d.named(p, kind, int(base), Executed(from), int64(number))
			separator = b[i]
			if separator != ',' && separator != ']' {
				return i, false
			}
		}
	}
	return i, true
}

// listKeyRoom is the length of the longest key of a list with its quotes, colon
// and bracket.
const listKeyRoom = len(`"d1":[`)

// listKey reads the key of a list, its colon and opening bracket from b, of
// listKeyRoom bytes at least, and returns their length; 0 if b does not begin with
// them.
func listKey(b []byte) (kind EdgeKind, base uint8, n int) {
	b = b[:listKeyRoom]
	if kind = letterKinds[b[1]]; kind == 0 {
		return 0, 0, 0
	}
	n = 2
	switch c := b[2]; {
	case b[1] < 'a':
		base = Absolute
	case '1' <= c && c <= '9':
		base = c - '0'
		n++
	}
	if b[0] != '"' || b[n] != '"' || b[n+1] != ':' || b[n+2] != '[' {
		return 0, 0, 0
	}
	return kind, base, n + 3
}

// letterKinds are the kinds that the letters of lists' keys stand for.
var letterKinds = [256]EdgeKind{'d': Data, 'D': Data, 'c': Control, 'C': Control, 'o': Order, 'O': Order}

// lineMemo guesses lines: behind a line often comes what came behind an equal
// one. It knows lines in which all dependences are distances: such a line is
// valid wherever it does not reach before the program's start.
type lineMemo struct {
	text []textAt // by pattern
	next []patternID
	all  []byte
	last patternID // plus 1
}

func (m *lineMemo) reset() { m.text, m.next, m.all, m.last = m.text[:0], m.next[:0], m.all[:0], 0 }

// guess returns the pattern of the line at the beginning of b and its length, 0
// if it cannot tell.
func (m *lineMemo) guess(b []byte) (patternID, int) {
	if m.last == 0 {
		return 0, 0
	}
	id := m.next[m.last-1]
	at := m.text[id]
	if n := int(at.end - at.from); n > 0 && n <= len(b) && string(b[:n]) == string(m.all[at.from:at.end]) {
		return id, n
	}
	return 0, 0
}

// keep remembers the line of a pattern.
func (m *lineMemo) keep(id patternID, line []byte) {
	m.grow(id)
	if m.text[id].end > 0 || len(m.all)+len(line) > maxTexts {
		return
	}
	from := uint32(len(m.all))
	m.all = append(m.all, line...)
	m.text[id] = textAt{from, uint32(len(m.all))}
}

// follow remembers that a line of a pattern has been read.
func (m *lineMemo) follow(id patternID) {
	m.grow(id)
	if m.last > 0 {
		m.next[m.last-1] = id
	}
	m.last = id + 1
}

func (m *lineMemo) grow(id patternID) {
	for int(id) >= len(m.text) {
		m.text = append(m.text, textAt{})
		m.next = append(m.next, 0)
	}
}
