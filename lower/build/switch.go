package build

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// choose builds a switch. Where each case ends in a jump the cases are its blocks; where one falls into the
// next, the switch only leaves regions that end in front of each case.
func (b *builder) choose(s *lower.Switch) {
	bodies := make([]lower.Block, len(s.Cases))
	for i, c := range s.Cases {
		bodies[i] = c.Body
	}
	vars := b.assigned(bodies...)
	b.region(s.Label, s.Pos, "switch", vars, func() {
		if falls(s) {
			b.fallThrough(s, len(s.Cases)-1, make([]*ir.Instr, len(s.Cases)))
			return
		}
		in := b.control(lower.OpSwitch, s.Pos)
		in.Args = []*ir.Value{b.operand(s.Value)}
		var list []lower.Block
		var rest lower.Block
		for _, c := range s.Cases {
			body := withoutBreak(c.Body, s.Label)
			if c.Default {
				rest = body
				continue
			}
			list = append(list, body)
			in.Cases = append(in.Cases, c.Values)
		}
		b.sides(in, append(list, rest))
	})
}

// withoutBreak is a case without the break at its end.
func withoutBreak(body lower.Block, label lower.Label) lower.Block {
	if n := len(body); n > 0 {
		if leave, ok := body[n-1].(*lower.Leave); ok && leave.Label == label {
			return body[:n-1]
		}
	}
	return body
}

// falls reports whether a case but the last falls into the next.
func falls(s *lower.Switch) bool {
	for _, c := range s.Cases[:max(0, len(s.Cases)-1)] {
		if len(c.Body) == 0 {
			return true
		}
		switch c.Body[len(c.Body)-1].(type) {
		case *lower.Leave, *lower.Continue:
		default:
			return true
		}
	}
	return false
}

// fallThrough builds case i behind a region with all before it: region { region { switch } case 0 } case 1.
func (b *builder) fallThrough(s *lower.Switch, i int, regions []*ir.Instr) {
	if i < 0 {
		b.dispatch(s, regions)
		return
	}
	var before []lower.Block
	for _, c := range s.Cases[:i] {
		before = append(before, c.Body)
	}
	in := b.control(lower.OpRegion, s.Cases[i].Pos)
	in.Fn = "case"
	regions[i] = in
	b.inside(in, b.assigned(before...), func() { b.fallThrough(s, i-1, regions) })
	b.stmts(s.Cases[i].Body)
}

// dispatch leaves the region that ends in front of the case to execute, with the values that variables have
// in front of all cases.
func (b *builder) dispatch(s *lower.Switch, regions []*ir.Instr) {
	in := b.control(lower.OpSwitch, s.Pos)
	in.Args = []*ir.Value{b.operand(s.Value)}
	leave := func(i int) {
		b.into(in.NewBlock(), func() {
			if i < 0 {
				t := b.targets[s.Label]
				b.jump(lower.OpLeave, t.leave, b.values(t.vars), s.Pos)
				return
			}
			var before []lower.Block
			for _, c := range s.Cases[:i] {
				before = append(before, c.Body)
			}
			b.jump(lower.OpLeave, regions[i], b.values(b.assigned(before...)), s.Pos)
		})
	}
	rest := -1
	for i, c := range s.Cases {
		if c.Default {
			rest = i
		}
		if len(c.Values) > 0 {
			in.Cases = append(in.Cases, c.Values)
			leave(i)
		}
	}
	leave(rest)
}
