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
	const head = `{"i":`
	if len(b) < len(head) || string(b[:len(head)]) != head {
		return 0
	}
	class, i := positive(b, len(head))
	v := uint64(len(p.instr))
	if class == 0 || class > uint64(d.classes.known) || int64(v) >= d.opt.MaxNodes-d.nodes {
		return 0
	}
	edges := len(p.from)
	i, ok := d.lists(p, b, i, v)
	if !ok || i >= len(b) || b[i] != '}' || !sortEdges(p.from[edges:], p.kind[edges:]) {
		p.from, p.kind = p.from[:edges], p.kind[:edges]
		return 0
	}
	claim.node(p, uint32(class))
	return i + 1
}

// lists reads the lists of producers from b[i:], each at most once and in the
// writer's order. It returns the index of the first byte behind them.
func (d *decoder) lists(p *Program, b []byte, i int, v uint64) (int, bool) {
	room := d.opt.MaxEdges - d.edges
	for last := -1; i+listKeyRoom < len(b) && b[i] == ','; {
		kind, base, n := listKey(b[i+1:])
		list := listOf(kind, base)
		if n == 0 || list <= last {
			return i, false
		}
		last = list
		i += 1 + n
		origin := v
		if base != 0 {
			o, ok := d.origin(p, int(base))
			if !ok {
				return i, false
			}
			origin, kind = uint64(o), d.held(kind, int(base))
		}
		for separator := byte(','); separator == ','; i++ {
			var from uint64
			switch {
			case base != linkAbsolute:
				var distance uint64
				if distance, i = positive(b, i); distance == 0 {
					return i, false
				}
				from = origin - distance // of more than the origin: huge
			case i < len(b) && b[i] == '0':
				i++
			default:
				if from, i = positive(b, i); from == 0 {
					return i, false
				}
			}
			if from >= v || i == len(b) || int64(len(p.from)) >= room {
				return i, false
			}
			p.from = append(p.from, NodeID(from))
			p.kind = append(p.kind, kind)
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
		base = linkAbsolute
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

// positive reads a number of at most ten digits from b[i:] and returns it with the
// index behind it. It returns 0 for anything that it does not read, as no
// number in an instruction's line is 0, but the first instruction's.
func positive(b []byte, i int) (uint64, int) {
	start := i
	var n uint64
	for i < len(b) && b[i]-'0' < 10 && i-start < 10 {
		n = n*10 + uint64(b[i]-'0')
		i++
	}
	if i == start || b[start] == '0' {
		return 0, i
	}
	return n, i
}
