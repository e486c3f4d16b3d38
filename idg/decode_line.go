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

// lists reads the lists of distances from b[i:], each kind at most once and in
// the order of the kinds. It returns the index of the first byte behind them.
func (d *decoder) lists(p *Program, b []byte, i int, v uint64) (int, bool) {
	room := d.opt.MaxEdges - d.edges
	for kind := Data; kind <= Order; kind++ {
		if i+6 > len(b) || b[i] != ',' {
			return i, true
		}
		if b[i+1] != '"' || b[i+2] != kindKeys[kind] || b[i+3] != '"' || b[i+4] != ':' || b[i+5] != '[' {
			continue
		}
		i += 6
		for separator := byte(','); separator == ','; i++ {
			var distance uint64
			distance, i = positive(b, i)
			if distance == 0 || distance > v || i == len(b) || int64(len(p.from)) >= room {
				return i, false
			}
			p.from = append(p.from, NodeID(v-distance))
			p.kind = append(p.kind, kind)
			separator = b[i]
			if separator != ',' && separator != ']' {
				return i, false
			}
		}
	}
	return i, true
}

// kindKeys are the keys of the lists of distances.
var kindKeys = [...]byte{Data: 'd', Control: 'c', Order: 'o'}

// positive reads a number of at most ten digits from b[i:] and returns it with the
// index behind it. It returns 0 for anything that it does not read, as no
// number in an instruction's line is 0.
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
