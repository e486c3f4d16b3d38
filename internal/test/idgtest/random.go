package idgtest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// Random says what random program to make: instructions with random operands, barriers, and rolled
// loops within each other that go on with values. Every iteration executes the same.
type Random struct {
	Seed  uint64
	Lines int        // about so many
	Depth int        // of loops; 0 = none
	Trips func() int // of each execution of a loop
	Ops   []string   // to choose from, one as often as it is listed
	// AnyEdges: depends on instructions of any op, predicates and stores included, and by edges of any
	// kind; else on data of values alone.
	AnyEdges bool
}

// Arithmetic is a choice of Ops: values of one or two words, and predicates.
var Arithmetic = []string{"add.f32", "add.f32", "add.f32", "add.f64", "setp.s32"}

// Everything is a choice of Ops for programs with dependences of any kind.
var Everything = []string{"add.f32", "add.f32", "add.s32", "fma.f32", "add.f64", "index", "setp.s32", "select.f32",
	"ld.local", "ld.global", "ld.constant", "st.local", "st.global", "branch", "fence"}

// Graph is the graph of the program.
func (p Random) Graph(t testing.TB) *idg.Graph {
	t.Helper()
	c := &code{Random: p, b: idg.NewBuilder(), r: rand.New(rand.NewPCG(p.Seed, 0))}
	c.b.Begin(0)
	for range 4 {
		c.values = append(c.values, c.instr("add.f32", 0, nil))
	}
	c.body(p.Lines, p.Depth)
	return Build(t, c.b)
}

// code makes a program.
type code struct {
	Random
	b      *idg.Builder
	r      *rand.Rand
	values []idg.Executed
	own    int // in values: from where on the body made them, of which a loop within it goes on with some
	line   int
}

// instr adds an instruction at a line.
func (c *code) instr(op string, line int, operands []idg.Executed) idg.Executed {
	var edges []idg.Edge
	for _, u := range operands {
		kind := idg.Data
		if c.AnyEdges && c.r.IntN(4) == 0 {
			kind = idg.EdgeKind(1 + c.r.IntN(3))
		}
		edges = append(edges, idg.Edge{From: u, Kind: kind})
	}
	width := uint16(0)
	if isa.Parse(op).Memory() {
		width = uint16(4 << c.r.IntN(3))
	}
	return c.b.Add(class(c.b, op, width, line), edges...)
}

// body adds so many instructions, of which some are loops up to a depth.
func (c *code) body(n, depth int) {
	for range n {
		c.line++
		switch k := c.r.IntN(40); {
		case k == 0:
			c.instr("barrier", c.line, nil)
		case k < 4 && depth > 0:
			c.loop(2+c.r.IntN(12), depth-1)
		default:
			var from []idg.Executed
			for range min(c.r.IntN(3), len(c.values)) {
				from = append(from, c.values[c.r.IntN(len(c.values))])
			}
			op := c.Ops[c.r.IntN(len(c.Ops))]
			// else what uses it is moved to its block
			if v := c.instr(op, c.line, from); c.AnyEdges || op != "setp.s32" {
				c.values = append(c.values, v)
			}
		}
	}
}

// loop adds a rolled loop, every iteration of which executes the same on what came before it and
// on what the last iteration left.
func (c *code) loop(n, depth int) {
	variables := c.r.IntN(min(6, 1+len(c.values)-c.own))
	before := slices.Clone(c.values[:len(c.values)-variables])
	carried := slices.Clone(c.values[len(before):])
	random, own, first, seed := c.r, c.own, c.line, c.r.Uint64()
	c.b.BeginLoop()
	for i := range c.Trips() {
		if i > 0 {
			c.b.NextIteration()
		}
		c.line, c.r = first, rand.New(rand.NewPCG(seed, 1))
		c.values = append(slices.Clone(before), carried...)
		c.own = len(c.values)
		c.body(n, depth)
		others := slices.DeleteFunc(c.values, func(u idg.Executed) bool { return slices.Contains(carried, u) })
		for k := range carried {
			c.line++
			operands := []idg.Executed{carried[k]}
			if len(others) > 0 {
				operands = append(operands, others[c.r.IntN(len(others))])
			}
			carried[k] = c.instr("add.f32", c.line, operands)
		}
		c.line++
		c.instr("loop", c.line, nil)
	}
	c.b.EndLoop()
	c.r, c.own = random, own
	c.values = append(before, carried...)
}
