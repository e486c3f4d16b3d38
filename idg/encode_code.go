package idg

import (
	"encoding/binary"
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
	e.number("nodes", p.Len())
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
		if id := p.code[w.static]; id >= ownPattern && w.number > 0 {
			w.skip(e.records(p.patterns.own, p.code[w.static:w.straight()]) - 1)
		} else if p.patterns.based(id) {
			from, kind := w.row()
			e.row = e.row[:0]
			for i, u := range from {
				e.row = append(e.row, Producer{Kind: kind[i], Distance: int64(w.number - u)})
			}
			e.instruction(p.patterns.class(id), e.row)
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
	if n := len(p.patterns.all); 2*n <= len(p.code)-p.patterns.recorded {
		t.at = append(t.at, make([]textAt, n)...)
	}
}

// line writes the line of a pattern.
func (e *encoder) line(p *Program, id patternID) {
	if id >= ownPattern {
		e.records(p.patterns.own, []patternID{id})
		return
	}
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
	b := e.heads[class].appendTo(e.buf)
	var lists uint64 // the set of those that are not empty
	for i := range row {
		lists |= 1 << listOf(row[i].Kind, row[i].Base)
	}
	for ; lists != 0; lists &= lists - 1 {
		n := bits.TrailingZeros64(lists)
		b = listHeads[n].appendTo(b)
		for i := range row {
			if d := &row[i]; listOf(d.Kind, d.Base) == n {
				b = append(appendCount(b, uint64(d.Distance)), ',')
			}
		}
		b[len(b)-1] = ']'
	}
	e.buf = append(b, '}')
}

// records writes the lines of instructions that have records, of the first of code as far
// as they come and at least one, and returns how many they are. What has many dependences
// is left to instruction.
func (e *encoder) records(r records, code []patternID) int {
	b, end := e.buf[:cap(e.buf)], len(e.buf)
	for done, id := range code {
		if id < ownPattern || end >= flushSize && done > 0 {
			e.buf = b[:end]
			return done
		}
		if len(b)-end < lineWindow {
			b = slices.Grow(b[:end], lineWindow)
			b = b[:cap(b)]
		}
		class, n, at := r.head(uint32(id - ownPattern))
		if n <= lineMost {
			end += e.recordLine((*[lineWindow]byte)(b[end:]), r, class, n, at)
		} else {
			e.buf = b[:end]
			e.row = r.row(e.row, uint32(id-ownPattern))
			e.instruction(class, e.row)
			b, end = e.buf[:cap(e.buf)], len(e.buf)
		}
	}
	e.buf = b[:end]
	return len(code)
}

const (
	lineMost   = 16            // dependences of a line that is written at once
	lineIndex  = 1 << 8        // where anything in it begins is below
	lineWindow = lineIndex + 8 // so that words can be stored there
)

// recordLine writes the line of a record of n dependences, the first of them at a place, and
// returns its length. Each part is stored with a margin behind it, which the next one
// overwrites.
func (e *encoder) recordLine(b *[lineWindow]byte, r records, class InstrID, n, at uint32) int {
	i := uint(e.heads[class].put(b[:]))
	last, disorder := uint32(0), uint32(0)
	for k := range n {
		var w uint32
		w, at = r.number(at)
		e.preds[k%lineMost] = w
		disorder |= w&3 - last // negative where a kind comes before the last one
		last = w & 3
	}
	row := e.preds[:n]
	if int32(disorder) < 0 {
		sortKinds(row)
	}
	last = noKind
	for _, w := range row {
		before := beforeDistance[last<<2|w&3]
		binary.LittleEndian.PutUint64(b[i%lineIndex:], before)
		i += uint(before >> 56)
		last = w & 3
		if w >>= 2; w < 1e8 {
			text, length := digits(w)
			binary.LittleEndian.PutUint64(b[i%lineIndex:], text)
			i += uint(length)
		} else {
			i = uint(len(strconv.AppendUint(b[:i%lineIndex], uint64(w), 10)))
		}
	}
	if n > 0 {
		b[i%lineIndex] = ']'
		i++
	}
	b[i%lineIndex] = '}'
	return int(i + 1)
}

// sortKinds orders numbers of records by kind.
func sortKinds(row []uint32) {
	for i := 1; i < len(row); i++ {
		for j := i; j > 0 && row[j]&3 < row[j-1]&3; j-- {
			row[j], row[j-1] = row[j-1], row[j]
		}
	}
}

// noKind is the kind, less one, of no dependence.
const noKind = 3

// beforeDistance is what a line has before a distance of a kind behind one of another, or
// of the same, or behind none: at most seven bytes, and their number in the highest one.
var beforeDistance = func() (before [16]uint64) {
	for kind, key := range []string{"d", "c", "o"} {
		for last := range noKind + 1 {
			text := `,"` + key + `":[`
			switch last {
			case kind:
				text = ","
			case noKind:
			default:
				text = "]" + text
			}
			var b [8]byte
			b[7] = byte(copy(b[:7], text))
			before[last<<2|kind] = binary.LittleEndian.Uint64(b[:])
		}
	}
	return before
}()

// short is text of at most 23 bytes, the first in the lowest byte of the first word, and
// its length in the highest byte of the last one. It is stored whole; what comes next
// overwrites the rest.
type short [3]uint64

const maxShort = 8*len(short{}) - 1

func shortText(s string) (t short) {
	var b [8 * len(t)]byte
	b[maxShort] = uint8(copy(b[:maxShort], s))
	for i := range t {
		t[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return t
}

// put stores text at the beginning of b, where there is room for all of it, and returns
// its length.
func (t *short) put(b []byte) int {
	_ = b[maxShort]
	binary.LittleEndian.PutUint64(b, t[0])
	binary.LittleEndian.PutUint64(b[8:], t[1])
	binary.LittleEndian.PutUint64(b[16:], t[2])
	return int(t[2] >> 56)
}

func (t *short) appendTo(b []byte) []byte {
	n := len(b)
	b = slices.Grow(b, maxShort+1)[:n+maxShort+1]
	return b[:n+t.put(b[n:])]
}
