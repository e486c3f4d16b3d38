package arrange

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// parse reads machine code that a test writes by hand, a node in a line:
//
//	vector a b:2 c:4          registers with their words; also uniform, predicate, upredicate
//	d = FFMA a b 1 c[16]      results = mnemonic operands; c[n]: the constant bank, %name: a special register
//	c.1 = MOV b.0             one word, c.1-2: two of them
//	@p d = FADD a a           guards: @p, @!p
//	d = LDG a ! load global 1 +16 x4 constant     memory: space, object (0: unknown), offset, bytes of a lane
//	if p {                    then } else { and }
//	loop L { region L { }     left by leave L, @p leave L, continue L
func parse(t testing.TB, target, text string) *machine.Code {
	t.Helper()
	tg, err := machine.LookupTarget(target)
	if err != nil {
		t.Fatal(err)
	}
	p := parser{t: t, c: &machine.Code{Target: tg, Func: &ir.Func{}}, regs: map[string]machine.Reg{},
		labels: map[string]*ir.Instr{}}
	for _, line := range strings.Split(text, "\n") {
		if line, _, _ = strings.Cut(line, "#"); strings.TrimSpace(line) != "" {
			p.lines = append(p.lines, strings.Fields(line))
		}
	}
	p.c.Body = p.block()
	return p.c
}

type parser struct {
	t      testing.TB
	c      *machine.Code
	lines  [][]string
	regs   map[string]machine.Reg
	labels map[string]*ir.Instr
}

var parseClasses = map[string]machine.Class{
	"vector": machine.Vector, "uniform": machine.Uniform, "predicate": machine.Predicate,
	"upredicate": machine.UniformPredicate}

func (p *parser) next() []string {
	if len(p.lines) == 0 {
		return []string{"}"}
	}
	line := p.lines[0]
	p.lines = p.lines[1:]
	return line
}

// block reads up to a closing brace.
func (p *parser) block() *machine.Block {
	b := &machine.Block{}
	for {
		f := p.next()
		class, declares := parseClasses[f[0]]
		switch {
		case f[0] == "}":
			if len(f) > 1 { // } else {
				p.lines = append([][]string{f}, p.lines...)
			}
			return b
		case declares:
			for _, name := range f[1:] {
				name, words, wide := strings.Cut(name, ":")
				n := 1
				if wide {
					n = p.number(words)
				}
				p.regs[name] = p.c.NewReg(machine.RegInfo{Class: class, Words: n, Name: name})
			}
		case f[0] == "if":
			g := p.guard(f[1])
			n := &machine.If{Cond: g, Branch: &machine.Instr{Op: "BRA", Class: "branch", Guard: g}, Then: p.block(),
				Else: &machine.Block{}}
			if len(p.lines) > 0 && len(p.lines[0]) == 3 && p.lines[0][1] == "else" {
				p.next()
				n.Else = p.block()
			}
			b.Nodes = append(b.Nodes, n)
		case f[0] == "loop" || f[0] == "region":
			from := &ir.Instr{}
			p.labels[f[1]] = from
			if f[0] == "loop" {
				b.Nodes = append(b.Nodes, &machine.Loop{From: from, Body: p.block()})
			} else {
				b.Nodes = append(b.Nodes, &machine.Region{From: from, Body: p.block()})
			}
		default:
			b.Nodes = append(b.Nodes, p.line(f))
		}
	}
}

func (p *parser) number(s string) int {
	n, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		p.t.Fatal(err)
	}
	return int(n)
}

func (p *parser) guard(s string) machine.Guard {
	name := strings.TrimPrefix(strings.TrimPrefix(s, "@"), "!")
	return machine.Guard{Reg: p.reg(name), Not: strings.Contains(s, "!")}
}

func (p *parser) reg(name string) machine.Reg {
	r, ok := p.regs[name]
	if !ok {
		p.t.Fatalf("no register %s", name)
	}
	return r
}

// part reads the name of a register and the words of it that are meant.
func (p *parser) part(s string) (r machine.Reg, word, span int) {
	name, words, ok := strings.Cut(s, ".")
	if !ok {
		return p.reg(name), -1, 0
	}
	from, to, ok := strings.Cut(words, "-")
	word = p.number(from)
	if ok {
		span = p.number(to) - word + 1
	}
	return p.reg(name), word, span
}

// line reads an instruction or a jump.
func (p *parser) line(f []string) machine.Node {
	in := &machine.Instr{}
	if strings.HasPrefix(f[0], "@") {
		in.Guard, f = p.guard(f[0]), f[1:]
	}
	if f[0] == "leave" || f[0] == "continue" {
		return &machine.Jump{Target: p.labels[f[1]], Continue: f[0] == "continue", Guard: in.Guard,
			Branch: &machine.Instr{Op: "BRA", Class: "branch", Guard: in.Guard}}
	}
	for i, w := range f {
		if w != "=" {
			continue
		}
		for _, d := range f[:i] {
			r, word, span := p.part(d)
			in.Defs = append(in.Defs, r)
			if word >= 0 {
				in.Part, in.Span = word+1, span
			}
		}
		f = f[i+1:]
		break
	}
	in.Op, in.Class = f[0], "alu"
	for i, w := range f[1:] {
		if w == "!" {
			p.memory(in, f[i+2:])
			break
		}
		in.Uses = append(in.Uses, p.operand(w))
	}
	return in
}

func (p *parser) operand(w string) machine.Operand {
	switch {
	case w[0] == '%':
		return machine.Operand{Kind: machine.Special, Name: w[1:]}
	case strings.HasPrefix(w, "c["):
		return machine.Operand{Kind: machine.Bank, Bits: uint64(p.number(strings.Trim(w[1:], "[]")))}
	case w[0] >= '0' && w[0] <= '9':
		return machine.Operand{Kind: machine.Immediate, Bits: uint64(p.number(w))}
	}
	r, word, span := p.part(w)
	return machine.Operand{Kind: machine.InReg, Reg: r, Word: word, Span: span}
}

var parseSpaces = map[string]ir.Space{"global": idg.SpaceGlobal, "local": idg.SpaceLocal, "private": idg.SpacePrivate,
	"constant": idg.SpaceConstant}

// memory reads what an access says behind the exclamation mark.
func (p *parser) memory(in *machine.Instr, f []string) {
	m := &machine.Mem{Store: f[0] == "store", Atomic: f[0] == "atomic", Space: parseSpaces[f[1]], Bytes: 4,
		Object: ir.ObjectID(p.number(f[2]))}
	for _, w := range f[3:] {
		switch {
		case w == "constant":
			m.Constant = true
		case w == "volatile":
			m.Volatile = true
		case w[0] == 'x':
			m.Bytes = int64(p.number(w[1:]))
		default:
			m.Offset = int64(p.number(strings.TrimPrefix(w, "+")))
		}
	}
	in.Mem = m
	in.Class = fmt.Sprintf("%s.%s", map[bool]string{true: "st", false: "ld"}[m.Store], f[1])
}

func lookup(t testing.TB, name string) *machine.Target {
	t.Helper()
	target, err := machine.LookupTarget(name)
	if err != nil {
		t.Fatal(err)
	}
	return target
}
