package tidy

import "strings"

// electOnce lets the updates of a basic block that are made one for all lanes share the vote, the elected lane and what
// is reduced over the lanes (ptxas 11.8 and 12.4: four atomicAdd of a value in a row have one VOTE, FLO and REDUX).
func electOnce(c *Code) {
	e := &elector{stands: map[Reg]Reg{}, reduced: map[Reg]bool{}}
	rewriteLists(c.Body, e.list)
	if len(e.stands) == 0 {
		return
	}
	c.Body.Each(func(n Node) {
		switch n := n.(type) {
		case *Moves:
			for i := range n.List {
				e.operand(&n.List[i].From)
			}
		case *Instr:
			e.instr(n)
		}
	})
}

type elector struct {
	stands  map[Reg]Reg  // which register stands for another one
	reduced map[Reg]bool // what REDUX has found
}

// move is the operation of an election that brings what is reduced into a vector register.
const move = "move"

// election is an instruction whose result depends on its operands and on which lanes are active.
type election struct {
	op   string
	uses [3]Operand
}

// list drops what has been computed since the last branch. Each register of an election is written once.
func (e *elector) list(nodes []Node) []Node {
	known := map[election]Reg{}
	out := nodes[:0]
	for _, n := range nodes {
		var x election
		var d Reg
		switch n := n.(type) {
		case *Instr:
			e.instr(n)
			if elects(n) && len(n.Defs) == 1 && len(n.Uses) <= len(x.uses) && n.Guard.Reg == 0 {
				x.op, d = n.Op, n.Defs[0]
				copy(x.uses[:], n.Uses)
				e.reduced[d] = strings.HasPrefix(n.Op, "REDUX")
			}
		case *Moves:
			for i := range n.List {
				e.operand(&n.List[i].From)
			}
			if m := n.List; len(m) == 1 && m[0].Span == 1 && m[0].Word == 0 && m[0].From.Kind == InReg &&
				e.reduced[m[0].From.Reg] {
				x.op, x.uses[0], d = move, m[0].From, m[0].To
			}
		default:
			clear(known)
		}
		if d != 0 {
			first, ok := known[x]
			if !ok {
				known[x] = d
			} else if e.stands[d] = first; x.op == move {
				n.(*Moves).List = nil // the node is in the list of them all, too
			} else {
				continue
			}
		}
		out = append(out, n)
	}
	return out
}

// elects reports whether an instruction is a part of an election.
func elects(in *Instr) bool {
	switch name, _, _ := strings.Cut(in.Op, "."); name {
	case "VOTE", "FLO", "POPC", "REDUX":
		return true
	case "ISETP":
		return in.Op == "ISETP.EQ.U32.AND"
	case "S2R":
		return in.Uses[0].Name == "SR_LANEID"
	}
	return false
}

func (e *elector) operand(o *Operand) {
	if r := e.stands[o.Reg]; r != 0 && o.Kind == InReg {
		o.Reg = r
	}
}

func (e *elector) instr(in *Instr) {
	for i := range in.Uses {
		e.operand(&in.Uses[i])
	}
	if r := e.stands[in.Guard.Reg]; r != 0 {
		in.Guard.Reg = r
	}
}
