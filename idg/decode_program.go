package idg

import (
	"math"

	"gpupipe/internal/diag"
)

// maxRepeatDepth limits repetitions within repetitions. Each that does something
// doubles the program at least, so that no graph needs more than 42.
const maxRepeatDepth = 64

var elementKeys = append([]string{"i", "repeat", "body"}, listKeys[:]...)

// program reads one element of "warps".
func (d *decoder) program() *Program {
	p := &Program{}
	var claimed Pos // where "nodes" stands, and what it says
	nodes := int64(-1)
	d.outer = d.outer[:0]
	d.into("a program", []keyed{
		{key: "warps", must: true, read: func(d *decoder) {
			d.array("the list of warps", func(int) {
				at := d.startOf()
				w := uint32(d.integer("a warp", 0, MaxGroupItems-1))
				if n := len(p.Warps); n > 0 && w <= p.Warps[n-1] {
					d.fail(at, CodeBroken, "warp %d is listed after warp %d", w, p.Warps[n-1])
				}
				p.Warps = append(p.Warps, w)
			})
		}},
		{key: "code", must: true, read: func(d *decoder) { d.code(p, 0) }},
		{key: "nodes", read: func(d *decoder) {
			claimed = d.startOf()
			nodes = d.integer("the number of instructions", 0, math.MaxInt64)
		}}})
	if d.err != nil {
		return p
	}
	if nodes >= 0 && nodes != p.length {
		d.fail(claimed, CodeBroken, "the program has %d instructions, not %d", p.length, nodes)
	}
	if v, repeat := p.meeting(); repeat > 0 {
		d.meets(p, v, repeat)
	}
	d.nodes += int64(len(p.code))
	d.edges += p.stored
	return p.plain()
}

// meets fails because two producers of executed instruction v, in the given
// repetition, are one.
func (d *decoder) meets(p *Program, v Executed, repeat RepeatID) {
	outermost := 0
	for i := range p.repeats[:repeat] {
		if p.repeats[i].Parent == 0 {
			outermost++
		}
	}
	at := d.outer[outermost-1]
	d.fail(Pos{File: d.name, Line: int(at.line), Column: int(at.column)}, CodeBroken,
		"instruction %d, of a later repetition, depends twice on the same instruction", v)
}

// code reads an array of instructions and repetitions onto p.
func (d *decoder) code(p *Program, depth int) {
	if depth > maxRepeatDepth {
		d.fail(d.startOf(), CodeLimit, "more than %d nested repetitions", maxRepeatDepth)
		return
	}
	if !d.open('[', "a list of instructions") {
		return
	}
	for n := 0; d.more(n, ']'); n++ {
		d.element(p, depth)
	}
}

// element reads an instruction or a repetition in any layout.
func (d *decoder) element(p *Program, depth int) {
	start := d.startOf()
	first := len(p.code)  // a repetition's body begins here
	var class uint32      // 0 = none given
	var repeat int64      // 0 = none given
	var single, body bool // whether keys of one or the other kind were met
	var read openBody     // the repetition's body, once it was read
	d.from, d.row = d.from[:0], d.row[:0]
	d.keyed("an instruction", elementKeys, func(key string) {
		switch key {
		case "repeat":
			repeat = d.integer("the number of repetitions", 1, math.MaxInt64)
			return
		case "body":
			body = true
			if !single { // else it is refused below
				read = d.body(p, depth)
				return
			}
		default:
			single = true
		}
		switch {
		case body:
			d.fail(start, CodeBroken, "one element is both an instruction and a repetition")
		case key == "i":
			class = d.id(&d.classes)
		default:
			d.producers(p, indexOf(listKeys[:], []byte(key)))
		}
	})
	switch {
	case d.err != nil:
	case body && repeat > 0 && len(p.code) == first:
		d.fail(start, CodeBroken, "a repetition's body is empty")
	case body && repeat > 0:
		if depth == 0 {
			d.outer = append(d.outer, place{uint32(start.Line), uint32(start.Column)})
		}
		d.repeat(p, start, read, repeat)
	case body || repeat > 0:
		d.fail(start, CodeBroken, `a repetition needs both "repeat" and "body"`)
	case class == 0:
		d.fail(start, CodeBroken, `an instruction lacks "i"`)
	case int64(len(p.code)) >= d.opt.MaxNodes-d.nodes:
		d.tooManyNodes(start)
	default:
		if !sortRow(d.from, d.row) {
			d.fail(start, CodeBroken, "instruction %d depends twice on the same instruction", p.length)
			return
		}
		p.append(InstrID(class), d.row, 1)
	}
}

// producers reads a list of producers of the next instruction.
func (d *decoder) producers(p *Program, list int) {
	kind, base := EdgeKind(list/bases)+Data, list%bases
	origin, ok := d.origin(p, base)
	if !ok {
		d.fail(d.startOf(), CodeBroken, "%q counts from enclosing repetition %d (1 = innermost) of %d", listKeys[list],
			base, len(d.bodies))
		return
	}
	d.array("a list of dependences", func(int) {
		at := d.startOf()
		var from, number int64
		if base == Absolute {
			number = d.integer("an instruction's number", 0, math.MaxInt64)
			from = number
		} else {
			number = d.integer("a distance", 1, math.MaxInt64)
			from = int64(origin) - number
		}
		switch {
		case d.err != nil:
		case base == Absolute && from >= int64(origin):
			d.fail(at, CodeBroken, "instruction %d depends on instruction %d, which is not before it", origin, from)
		case from < 0:
			d.fail(at, CodeBroken, "the distance %d from instruction %d reaches before the program's start",
				number, origin)
		case p.stored+int64(len(d.row)) >= d.opt.MaxEdges-d.edges:
			d.tooMany(at, "dependences", d.opt.MaxEdges)
		default:
			d.named(p, kind, base, Executed(from), number)
		}
	})
}

// named adds a producer to the row that is read. In the code around all
// repetitions its distance says all.
func (d *decoder) named(p *Program, kind EdgeKind, base int, from Executed, number int64) {
	if len(d.bodies) == 0 && base != 0 {
		base, number = 0, p.length-int64(from)
	}
	d.from = append(d.from, from)
	d.row = append(d.row, Producer{kind, uint8(base), number})
}

// origin is the instruction from which a list's distances count, and which its
// absolute numbers must be below; false if there is no such repetition.
func (d *decoder) origin(p *Program, base int) (Executed, bool) {
	switch {
	case base == 0 || base == Absolute:
		return Executed(p.length), true
	case base > len(d.bodies):
		return 0, false
	}
	return d.bodies[len(d.bodies)-base].start, true
}

func (d *decoder) tooManyNodes(at Pos) { d.tooMany(at, "instructions", d.opt.MaxNodes) }

func (d *decoder) tooMany(at Pos, what string, limit int64) {
	if d.err == nil {
		d.err = diag.Errorf(at, CodeLimit, "more than %d %s, the limit of this reader", limit, what).
			WithNote("fewer warps (idgen --warps first) make a smaller graph, and so do loops that are not unrolled")
	}
}
