package idg

import (
	"math/bits"
	"slices"
	"strconv"
)

func (e *encoder) program(p *Program, fold bool) {
	e.key("warps")
	e.raw("[")
	for i, w := range p.Warps {
		if i > 0 {
			e.raw(",")
		}
		e.buf = strconv.AppendUint(e.buf, uint64(w), 10)
	}
	e.raw("]")
	e.key("nodes")
	e.buf = strconv.AppendInt(e.buf, p.Len(), 10)
	e.key("code")
	e.raw("[")
	if fold {
		e.stored(p)
	} else {
		e.executed(p)
	}
	if p.Len() > 0 {
		e.raw("\n")
	}
	e.raw("]")
}

// begin begins a line of code.
func (e *encoder) begin(first bool, text string) {
	if !first {
		e.buf = append(e.buf, ',')
	}
	e.buf = append(append(e.buf, '\n'), text...)
}

// stored writes a program's instructions and repetitions.
func (e *encoder) stored(p *Program) {
	e.written.reset(p)
	var ends []StaticID // of the bodies around, outermost first
	first := true
	repeats := p.repeats
	for i, id := range p.code {
		s := StaticID(i)
		for len(repeats) > 0 && repeats[0].First == s {
			e.begin(first, `{"repeat":`)
			first = true
			e.buf = strconv.AppendInt(e.buf, repeats[0].Count, 10)
			e.raw(`,"body":[`)
			ends = append(ends, repeats[0].End)
			repeats = repeats[1:]
		}
		n := len(e.buf)
		e.line(p, id)
		if first {
			e.withoutComma(n)
		}
		first = false
		for len(ends) > 0 && ends[len(ends)-1] == s+1 {
			e.raw("\n]}")
			ends = ends[:len(ends)-1]
		}
		e.spill()
	}
}

// executed writes every executed instruction, all dependences as distances.
func (e *encoder) executed(p *Program) {
	e.written.reset(p)
	for w := p.walk(); w.more(); w.next() {
		n := len(e.buf)
		id := p.code[w.static]
		if l := &p.patterns.all[id]; l.based {
			from, kind := w.row()
			e.row = e.row[:0]
			for i, u := range from {
				e.row = append(e.row, Producer{Kind: kind[i], Distance: int64(w.number - u)})
			}
			e.instruction(l.class, e.row)
		} else {
			e.line(p, id)
		}
		if w.number == 0 {
			e.withoutComma(n)
		}
		e.spill()
	}
}

// withoutComma takes away the comma with which a line begins: that of the first
// instruction of a list.
func (e *encoder) withoutComma(line int) { e.buf = slices.Delete(e.buf, line, line+1) }

// lineTexts are the texts of patterns' lines that have been written: most lines
// have been written before.
type lineTexts struct {
	at  []textAt // by pattern
	all []byte
}

type textAt struct{ from, end uint32 }

// maxTexts bounds the bytes of lines that are kept.
const maxTexts = 1 << 20

// reset forgets all texts, and makes room for those of a program unless its lines
// hardly recur.
func (t *lineTexts) reset(p *Program) {
	t.all, t.at = t.all[:0], t.at[:0]
	if n := len(p.patterns.all); 2*n <= len(p.code) {
		t.at = append(t.at, make([]textAt, n)...)
	}
}

// line writes the line of a pattern.
func (e *encoder) line(p *Program, id patternID) {
	l := &p.patterns.all[id]
	if len(e.written.at) == 0 {
		e.instruction(l.class, p.patterns.rowOf(l))
		return
	}
	if at := e.written.at[id]; at.end > 0 {
		e.buf = append(e.buf, e.written.all[at.from:at.end]...)
		return
	}
	n := len(e.buf)
	e.instruction(l.class, p.patterns.rowOf(l))
	if text := e.buf[n:]; len(e.written.all)+len(text) <= maxTexts {
		from := uint32(len(e.written.all))
		e.written.all = append(e.written.all, text...)
		e.written.at[id] = textAt{from, uint32(len(e.written.all))}
	}
}

// instruction writes an instruction: its class and its dependences, each list in
// their order.
func (e *encoder) instruction(class InstrID, row []Producer) {
	b := strconv.AppendUint(append(e.buf, ",\n"+`{"i":`...), uint64(class), 10)
	var lists uint64 // the set of those that are not empty
	for i := range row {
		lists |= 1 << listOf(row[i].Kind, row[i].Base)
	}
	for ; lists != 0; lists &= lists - 1 {
		n := bits.TrailingZeros64(lists)
		b = append(append(append(b, `,"`...), listKeys[n]...), `":[`...)
		for i := range row {
			if d := &row[i]; listOf(d.Kind, d.Base) == n {
				b = append(strconv.AppendInt(b, d.Distance, 10), ',')
			}
		}
		b[len(b)-1] = ']'
	}
	e.buf = append(b, '}')
}
