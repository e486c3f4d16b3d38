package machine

import (
	"fmt"
	"io"
	"strings"
)

// String is the listing of Format.
func (c *Code) String() string {
	var b strings.Builder
	_ = Format(&b, c) // a Builder does not fail
	return b.String()
}

// Format prints a kernel as a disassembler does: an instruction a line, with its guard, its operands - physical
// registers where they are allocated (R4, UR2, P0), else virtual ones (r4, ur2, p0; words behind a point) - and
// the line of the source; AMD's as LLVM writes them. Loops, branches and regions are indented, with the instructions
// that they cost. Routines that the code calls, and paths that it has copies of and CALL stands for, follow, by their
// mnemonics.
func Format(w io.Writer, c *Code) error {
	p := &printer{w: w, c: c}
	p.line(0, "%s  ; %s", c.Name, c.Target.Name)
	p.block(c.Body, 1)
	for _, r := range c.Routines {
		word := "routine"
		if r.Copies > 0 {
			word = fmt.Sprintf("%d in line of", r.Copies)
		} else if r.Copies < 0 {
			word = fmt.Sprintf("%d in line share", -r.Copies)
		}
		p.line(0, "%s %s", word, r.Name)
		for i, op := range r.Ops {
			p.line(1, "%s  ; %d times", op, r.Counts[i])
		}
	}
	return p.err
}

type printer struct {
	w      io.Writer
	c      *Code
	err    error
	labels map[any]string
}

// deepest is up to which depth lines are indented: a switch may nest as deep as it has cases.
const deepest = 32

func (p *printer) line(indent int, format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, strings.Repeat("  ", min(indent, deepest))+format+"\n", args...)
	}
}

// label names a loop or region.
func (p *printer) label(from any) string {
	if p.labels == nil {
		p.labels = map[any]string{}
	}
	if p.labels[from] == "" {
		p.labels[from] = fmt.Sprintf("L%d", len(p.labels)+1)
	}
	return p.labels[from]
}

func (p *printer) block(b *Block, indent int) {
	if b == nil {
		return
	}
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *Instr:
			p.instr(n, indent)
		case *If:
			p.branch(n, indent)
		case *Loop:
			p.cost(n.Enter, indent)
			p.line(indent, "loop %s {", p.label(n.From))
			p.block(n.Body, indent+1)
			p.line(indent, "}")
			p.cost(n.Leave, indent)
		case *Region:
			p.cost(n.Enter, indent)
			p.line(indent, "region %s {", p.label(n.From))
			p.block(n.Body, indent+1)
			p.line(indent, "}")
			p.cost(n.Leave, indent)
		case *Jump:
			p.jump(n, indent)
		default:
			p.line(indent, "%T", n)
		}
	}
}

func (p *printer) cost(in *Instr, indent int) {
	if in != nil {
		p.instr(in, indent)
	}
}

func (p *printer) branch(n *If, indent int) {
	p.cost(n.Enter, indent)
	p.cost(n.Branch, indent)
	word := "if"
	if n.Rare {
		word = "rare"
	}
	p.line(indent, "%s %s {", word, p.guard(n.Cond))
	p.block(n.Then, indent+1)
	p.cost(n.Skip, indent+1)
	if n.Else != nil && len(n.Else.Nodes) > 0 {
		p.line(indent, "} else {")
		p.block(n.Else, indent+1)
	}
	p.line(indent, "}")
	p.cost(n.Leave, indent)
}

func (p *printer) jump(n *Jump, indent int) {
	word := "leave"
	if n.Continue {
		word = "continue"
	}
	guard := ""
	if n.Guard.Reg != 0 {
		guard = " if " + p.guard(n.Guard)
	}
	cost := "  ; falls through"
	if n.Branch != nil {
		cost = "  ; " + n.Branch.Op
	}
	p.line(indent, "%s %s%s%s", word, p.label(n.Target), guard, cost)
}

// stackPointer is the register that ptxas addresses spilled registers by.
const stackPointer = "R1"

// instr prints one instruction.
func (p *printer) instr(in *Instr, indent int) {
	if p.c.Target.ISA == "gcn" {
		p.placed(in, gcnText{p}.instr(in), indent)
		return
	}
	var b strings.Builder
	if in.Guard.Reg != 0 {
		b.WriteString("@" + p.guard(in.Guard) + " ")
	}
	b.WriteString(in.Op)
	var ops []string
	for i, d := range in.Defs {
		word, span := -1, 0
		if i == 0 && in.Part > 0 {
			word, span = in.Part-1, in.Span
		}
		ops = append(ops, p.register(d, word, span))
	}
	uses := in.Uses
	if in.Mem != nil && in.Mem.Uniform {
		uses = uses[:len(uses)-1]
	}
	spills := in.Spill && in.Mem != nil
	if spills {
		ops = append(ops, p.address(stackPointer, in.Mem))
	}
	for i, o := range uses {
		s := p.operand(o)
		if len(uses) < len(in.Uses) && i == 0 {
			s += "+" + p.operand(in.Uses[len(uses)])
		}
		if i == 0 && in.Mem != nil && !spills {
			s = p.address(s, in.Mem)
		}
		ops = append(ops, s)
	}
	if len(ops) > 0 {
		b.WriteString(" " + strings.Join(ops, ", "))
	}
	p.placed(in, b.String(), indent)
}

// placed prints an instruction with the line of the source.
func (p *printer) placed(in *Instr, text string, indent int) {
	if in.Pos.IsValid() {
		text = fmt.Sprintf("%-*s ; %d", max(0, 60-2*indent), text, in.Pos.Line)
	}
	p.line(indent, "%s", text)
}

// address is the first operand of an access.
func (p *printer) address(base string, m *Mem) string {
	switch {
	case m.Offset == 0:
		return "[" + base + "]"
	case base == "RZ":
		return fmt.Sprintf("[%#x]", m.Offset)
	case m.Offset < 0:
		return fmt.Sprintf("[%s-%#x]", base, -m.Offset)
	}
	return fmt.Sprintf("[%s+%#x]", base, m.Offset)
}

// guard prints a condition.
func (p *printer) guard(g Guard) string {
	s := "PT"
	if g.Reg != 0 {
		s = p.register(g.Reg, -1, 0)
	}
	if g.Not {
		s = "!" + s
	}
	return s
}

// prefixes of registers, physical and virtual.
var prefixes = map[Class][2]string{Vector: {"R", "r"}, Uniform: {"UR", "ur"}, Predicate: {"P", "p"},
	UniformPredicate: {"UP", "up"}}

func (p *printer) register(r Reg, word, span int) string {
	if p.c.Target.ISA == "gcn" {
		return gcnText{p}.register(r, word, span)
	}
	info := p.c.Reg(r)
	names := prefixes[info.Class]
	if info.Phys < 0 {
		s := fmt.Sprintf("%s%d", names[1], r)
		switch {
		case word >= 0 && info.Words > 1 && span > 1:
			s += fmt.Sprintf(".%d+%d", word, span)
		case word >= 0 && info.Words > 1:
			s += fmt.Sprintf(".%d", word)
		case info.Words > 1:
			s += fmt.Sprintf(".*%d", info.Words)
		}
		return s
	}
	if word < 0 {
		word, span = 0, info.Words
	}
	s := fmt.Sprintf("%s%d", names[0], info.Phys+word)
	if span > 1 {
		s += fmt.Sprintf(":%d", info.Phys+word+span-1)
	}
	return s
}

func (p *printer) operand(o Operand) string {
	s := ""
	switch o.Kind {
	case InReg:
		s = p.register(o.Reg, o.Word, o.Span)
		if o.Name != "" {
			s += "." + o.Name
		}
	case Immediate:
		switch {
		case o.Name == "PT":
			s = "PT"
		case o.Bits == 0 && o.Name == "":
			s = "RZ"
		default:
			s = fmt.Sprintf("%#x", o.Bits)
		}
	case Bank:
		s = fmt.Sprintf("%s[%#x]", o.Name, o.Bits)
	case Special:
		s = o.Name
	}
	if o.High {
		s += ".H1_H1"
	}
	if o.Part != "" {
		s += "." + o.Part
	}
	if o.Abs {
		s = "|" + s + "|"
	}
	if o.Not {
		mark := "-"
		if o.Name == "PT" || o.Kind == InReg && p.c.Reg(o.Reg).Class == Predicate {
			mark = "!"
		}
		s = mark + s
	}
	return s
}
