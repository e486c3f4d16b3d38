package irtest

import (
	"strconv"
	"strings"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// control reads what is behind the name of an operation with blocks or of a jump.
func (p *parser) control(in *ir.Instr) {
	kind := ir.ImpliedKind(in.Op)
	if p.at < len(p.text) && p.text[p.at] == '.' {
		p.at++
		kind = p.word()
	}
	switch in.Op {
	case lower.OpRegion:
		in.Fn = kind
	case lower.OpLoop:
		in.Loop = &ir.LoopInfo{Kind: kind}
	default:
		in.Kind = kind
	}
	switch in.Op {
	case lower.OpLeave, lower.OpContinue:
		if in.Target = p.labels[p.label()]; in.Target == nil {
			p.fail("no such label around this")
		}
		fallthrough
	case lower.OpYield:
		p.operands(in)
		in.Pos = p.end()
		return
	case lower.OpLoop, lower.OpRegion:
		l := p.label()
		if p.labels[l] != nil {
			p.fail("a second label %s", l)
		}
		p.labels[l] = in
	}
	if in.Op == lower.OpLoop {
		p.params(in)
	} else {
		p.operands(in)
	}
	p.attributes(in)
	p.blocks(in)
}

// label reads one.
func (p *parser) label() string {
	l := p.peek()
	if _, err := strconv.ParseUint(strings.TrimPrefix(l, "L"), 10, 32); err != nil || l[0] != 'L' {
		p.fail("want a label")
	}
	p.at += len(l)
	return l
}

// params reads "(p:type = first value, ...)" of a loop.
func (p *parser) params(in *ir.Instr) {
	b := in.NewBlock()
	if !p.has("(") {
		return
	}
	var names []string
	for {
		base, full := "", ""
		if p.has("%") {
			full = "%" + p.digits()
		} else {
			base, full = p.numbered()
		}
		p.must(":")
		t := p.typ()
		p.must("=")
		in.Args = append(in.Args, p.operand(t))
		p.f.AddParam(in, t, base)
		names = append(names, full)
		if !p.has(",") {
			break
		}
	}
	p.must(")")
	for i, n := range names {
		p.define(n, b.Params[i])
	}
}

// attributes reads those of an operation with blocks.
func (p *parser) attributes(in *ir.Instr) {
	for {
		switch {
		case p.keyword("source"):
			in.Source = p.small()
		case in.Loop != nil && p.keyword("bound"):
			in.Loop.BoundText = p.quoted()
		case in.Loop != nil && p.keyword("copies"):
			in.Loop.Copies = p.small()
		case in.Loop != nil && p.keyword("decision"):
			in.Loop.Decision = p.quoted()
		default:
			return
		}
	}
}

// blocks reads those of an operation, from the "{" of the first on.
func (p *parser) blocks(in *ir.Instr) {
	if in.Op == lower.OpSwitch {
		p.cases(in)
	}
	p.must("{")
	in.Pos = p.end()
	if in.Op != lower.OpLoop {
		in.NewBlock()
	}
	if in.Loop != nil {
		p.pragma(in.Loop)
	}
	p.block(in.Blocks[0])
	switch in.Op {
	case lower.OpIf:
		b := in.NewBlock()
		if p.keyword("else") {
			p.must("{")
			p.end()
			p.block(b)
		} else {
			b.Append(&ir.Instr{Op: lower.OpYield, Pos: in.Pos})
		}
	case lower.OpSwitch:
		for len(in.Blocks) <= len(in.Cases) {
			p.cases(in)
			p.must("{")
			p.end()
			p.block(in.NewBlock())
		}
	}
	p.end()
}

// cases reads the values of the next block of a switch, or default.
func (p *parser) cases(in *ir.Instr) {
	if p.keyword("default") {
		return
	}
	if !p.keyword("case") {
		p.fail("want case or default")
	}
	list := []int64{}
	for p.ended() || p.text[p.at] != '{' {
		list = append(list, p.int())
		if !p.has(",") {
			break
		}
	}
	in.Cases = append(in.Cases, list)
}

// pragma reads the line of one if it is next.
func (p *parser) pragma(l *ir.LoopInfo) {
	line, text, at := p.line, p.text, p.at
	p.want()
	if p.keyword("pragma") {
		g := &lower.Pragma{}
		w := p.peek()
		for kind, word := range ir.PragmaWords {
			if word == w {
				g.Kind = kind
			}
		}
		if w == "invalid" || g.Kind != 0 {
			p.at += len(w)
			if !p.ended() && p.text[p.at] != '"' {
				g.Factor = p.int()
			}
			if !p.ended() {
				g.Text = p.quoted()
			}
			g.Pos = p.end()
			l.Pragma = g
			return
		}
	}
	p.line, p.text, p.at = line, text, at
}
