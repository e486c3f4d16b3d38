package idg

import (
	"cmp"
	"math"
	"slices"

	"gpupipe/internal/diag"
)

// maxRepeatDepth limits repetitions within repetitions. Each that does something
// doubles the program at least, so that no graph needs more than 32.
const maxRepeatDepth = 64

var (
	programShape = shape{"a program", 2, []string{"warps", "code", "nodes"}}
	elementShape = shape{"an instruction", 0, append([]string{"i", "repeat", "body"}, listKeys[:]...)}
)

// program reads one element of "warps".
func (d *decoder) program() *Program {
	p := &Program{off: []uint32{0}}
	claim := claimed{n: -1}
	d.object(&programShape, func(key string) {
		switch key {
		case "warps":
			d.array("the list of warps", func(int) {
				at := d.startOf()
				w := uint32(d.integer("a warp", 0, MaxGroupItems-1))
				if n := len(p.Warps); n > 0 && w <= p.Warps[n-1] {
					d.fail(at, CodeBroken, "warp %d is listed after warp %d", w, p.Warps[n-1])
				}
				p.Warps = append(p.Warps, w)
			})
		case "nodes":
			claim.at = d.startOf()
			claim.n = d.count("the number of instructions")
		case "code":
			d.code(p, &claim, 0)
		}
	})
	if n := int64(p.Len()); d.err == nil && claim.n >= 0 && claim.n != n {
		d.fail(claim.at, CodeBroken, "the program has %d instructions, not %d", n, claim.n)
	}
	d.nodes += int64(p.Len())
	d.edges += int64(p.Edges())
	return p
}

// claimed is how many instructions a document says that a program has. It is
// believed in steps: rows grow eightfold at most, up to the claim.
type claimed struct {
	n  int64 // -1 = it does not say
	at Pos
}

// node appends an instruction of which the dependences have been appended.
func (c *claimed) node(p *Program, class uint32) {
	if n := int64(len(p.instr)); n == int64(cap(p.instr)) && 0 < n && n < c.n {
		c.grow(p)
	}
	p.instr = append(p.instr, InstrID(class))
	p.off = append(p.off, uint32(len(p.from)))
}

// grow makes room for more nodes and, if they are like those so far, for their
// dependences.
func (c *claimed) grow(p *Program) {
	n := int64(len(p.instr))
	more := min(c.n-n, 7*n)
	p.instr = slices.Grow(p.instr, int(more))
	p.off = slices.Grow(p.off, int(more+1))
	edges := int(1.03 * float64(len(p.from)) * float64(more) / float64(n))
	p.from = slices.Grow(p.from, edges)
	p.kind = slices.Grow(p.kind, edges)
}

// code reads an array of instructions and repetitions onto p.
func (d *decoder) code(p *Program, claim *claimed, depth int) {
	if depth > maxRepeatDepth {
		d.fail(d.startOf(), CodeLimit, "more than %d nested repetitions", maxRepeatDepth)
		return
	}
	if !d.open('[', "a list of instructions") {
		return
	}
	for n := 0; d.more(n, ']'); n++ {
		if !d.canonical(p, claim) {
			d.element(p, claim, depth)
		}
	}
}

// element reads an instruction or a repetition in any layout.
func (d *decoder) element(p *Program, claim *claimed, depth int) {
	start := d.startOf()
	first := len(p.instr) // a repetition's body begins here
	edges := len(p.from)  // the instruction's dependences begin here
	var class uint32      // 0 = none given
	var repeat int64      // 0 = none given
	var single, body bool // whether keys of one or the other kind were met
	d.object(&elementShape, func(key string) {
		switch key {
		case "repeat":
			repeat = d.integer("the number of repetitions", 1, math.MaxInt64)
			return
		case "body":
			body = true
			if !single { // else it is refused below
				d.bodies = append(d.bodies, NodeID(first))
				d.code(p, claim, depth+1)
				d.bodies = d.bodies[:depth]
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
	case body && repeat > 0 && len(p.instr) == first:
		d.fail(start, CodeBroken, "a repetition's body is empty")
	case body && repeat > 0:
		d.repeat(p, start, first, repeat)
	case body || repeat > 0:
		d.fail(start, CodeBroken, `a repetition needs both "repeat" and "body"`)
	case class == 0:
		d.fail(start, CodeBroken, `an instruction lacks "i"`)
	case int64(len(p.instr)) >= d.opt.MaxNodes-d.nodes:
		d.tooManyNodes(start)
	default:
		if !sortEdges(p.from[edges:], p.kind[edges:]) {
			d.fail(start, CodeBroken, "instruction %d depends twice on the same instruction", len(p.instr))
			return
		}
		claim.node(p, class)
	}
}

// producers reads a list of producers of the next instruction.
func (d *decoder) producers(p *Program, list int) {
	kind, base := EdgeKind(list/bases)+Data, list%bases
	absolute := base == linkAbsolute
	origin, ok := d.origin(p, base)
	if !ok {
		d.fail(d.startOf(), CodeBroken, "%q counts from enclosing repetition %d (1 = innermost) of %d", listKeys[list], base, len(d.bodies))
		return
	}
	d.array("a list of dependences", func(int) {
		at := d.startOf()
		var from int64
		if absolute {
			from = d.integer("an instruction's number", 0, math.MaxInt64)
		} else {
			from = origin - d.integer("a distance", 1, math.MaxInt64)
		}
		switch {
		case d.err != nil:
		case absolute && from >= origin:
			d.fail(at, CodeBroken, "instruction %d depends on instruction %d, which is not before it", origin, from)
		case from < 0:
			d.fail(at, CodeBroken, "the distance %d from instruction %d reaches before the program's start", origin-from, origin)
		case int64(len(p.from)) >= d.opt.MaxEdges-d.edges:
			d.tooManyEdges(at)
		default:
			p.from = append(p.from, NodeID(from))
			p.kind = append(p.kind, d.held(kind, base))
		}
	})
}

// origin is the instruction from which a list's distances count, and which its
// absolute numbers must be below; false if there is no such repetition.
func (d *decoder) origin(p *Program, base int) (int64, bool) {
	switch {
	case base == 0 || base == linkAbsolute:
		return int64(len(p.instr)), true
	case base > len(d.bodies):
		return 0, false
	}
	return int64(d.bodies[len(d.bodies)-base]), true
}

func (d *decoder) tooManyNodes(at Pos) {
	d.tooMany(at, "instructions", d.opt.MaxNodes)
}

func (d *decoder) tooManyEdges(at Pos) {
	d.tooMany(at, "dependences", d.opt.MaxEdges)
}

func (d *decoder) tooMany(at Pos, what string, limit int64) {
	if d.err == nil {
		d.err = diag.Errorf(at, CodeLimit, "more than %d %s with repetitions expanded, the limit of this reader", limit, what).
			WithNote("smaller trip counts or fewer warps (idgen --warps first) make a smaller graph")
	}
}

// sortEdges orders the edges of one node by producer and reports whether no
// producer is met twice.
func sortEdges(from []NodeID, kind []EdgeKind) bool {
	switch {
	case ascending(from):
		return true
	case len(from) <= 16: // nearly all: merge the kinds in place
		for i := 1; i < len(from); i++ {
			for j := i; j > 0 && from[j] < from[j-1]; j-- {
				from[j], from[j-1] = from[j-1], from[j]
				kind[j], kind[j-1] = kind[j-1], kind[j]
			}
		}
	default:
		edges := make([]Edge, len(from))
		for i := range from {
			edges[i] = Edge{from[i], kind[i]}
		}
		slices.SortFunc(edges, func(a, b Edge) int { return cmp.Compare(a.From, b.From) })
		for i, e := range edges {
			from[i], kind[i] = e.From, e.Kind
		}
	}
	return ascending(from)
}

func ascending(from []NodeID) bool {
	for i := 1; i < len(from); i++ {
		if from[i] <= from[i-1] {
			return false
		}
	}
	return true
}
