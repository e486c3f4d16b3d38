package factor

import (
	"gpupipe/lower"
	"gpupipe/unroll/structure"
)

// usesOf is how often the results in a block are used where what is computed twice is there once: EarlyCSE runs
// before Reassociate, which leaves sums in their order that are used more than once.
func usesOf(b lower.Block) map[lower.Reg]int {
	c := common{uses: map[lower.Reg]int{}, same: map[lower.Reg]lower.Reg{}, version: map[lower.Reg]int{},
		first: map[expression]lower.Reg{}}
	c.block(b)
	for r, of := range c.same {
		c.uses[r] = c.uses[of]
	}
	return c.uses
}

// common finds what is computed twice in the source.
type common struct {
	uses    map[lower.Reg]int
	same    map[lower.Reg]lower.Reg // the first register with the same contents
	version map[lower.Reg]int       // how often a register has been assigned
	first   map[expression]lower.Reg
}

// expression is an operation on two operands.
type expression struct {
	op        lower.Op
	typ, from lower.Type
	scale     int64
	a, b      term
}

// term is an operand of an expression.
type term struct {
	kind    lower.OperandKind
	bits    uint64
	reg     lower.Reg
	object  lower.ObjectID
	version int
}

func (c *common) block(b lower.Block) {
	for _, st := range b {
		if in, ok := st.(*lower.Instr); ok {
			c.instr(in)
		}
		structure.Blocks(st, c.block)
	}
}

func (c *common) of(r lower.Reg) lower.Reg {
	if first, ok := c.same[r]; ok {
		return first
	}
	return r
}

func (c *common) term(o lower.Operand) term {
	r := c.of(o.Reg)
	return term{o.Kind, o.Bits, r, o.Object, c.version[r]}
}

func (c *common) instr(in *lower.Instr) {
	if pure := in.Op < lower.Call && len(in.Args) == 2 && len(in.Dsts) == 1; pure {
		e := expression{in.Op, in.Type, in.From, in.Scale, c.term(in.Args[0]), c.term(in.Args[1])}
		if first, ok := c.first[e]; ok && first != in.Dsts[0] {
			c.same[in.Dsts[0]] = first
			return
		}
		c.first[e] = in.Dsts[0]
	}
	for _, a := range in.Args {
		if a.Kind == lower.OperandReg {
			c.uses[c.of(a.Reg)]++
		}
	}
	for _, d := range in.Dsts {
		delete(c.same, d)
		c.version[d]++
	}
}
