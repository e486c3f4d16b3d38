package isel

// hoist puts the moves of a side of a branch that has nothing else, but for a jump at its end, in front of the
// branch, where the other side does not read what they overwrite: what PHI elimination does with the copies of
// an edge without a block. Then a side with a jump is a jump under a condition, and one without it is empty.
func hoist(c *Code) {
	f := flatten(c)
	h := &hoister{f: f, spans: f.liveness()}
	c.Body.Nodes = h.list(c.Body.Nodes)
}

type hoister struct {
	f     *flat
	spans [][]span
}

func (h *hoister) list(nodes []Node) []Node {
	out := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case *If:
			n.Then.Nodes = h.list(n.Then.Nodes)
			n.Else.Nodes = h.list(n.Else.Nodes)
			at := h.f.sides[n]
			for i, side := range [...]*Block{n.Then, n.Else} {
				other := [...]*Block{n.Else, n.Then}[i]
				if m := onlyMoves(side); m != nil && !(onlyMoves(other) != nil && i == 0) && h.free(m, at[1-i], n) {
					out = append(out, m)
					side.Nodes = side.Nodes[1:]
				}
			}
		case *Loop:
			n.Body.Nodes = h.list(n.Body.Nodes)
		case *Region:
			n.Body.Nodes = h.list(n.Body.Nodes)
		}
		out = append(out, n)
	}
	return out
}

// onlyMoves are the moves of a block that has nothing else but a jump at its end.
func onlyMoves(b *Block) *moves {
	if len(b.Nodes) == 0 || len(b.Nodes) > 2 {
		return nil
	}
	m, ok := b.Nodes[0].(*moves)
	if !ok {
		return nil
	}
	if len(b.Nodes) == 2 {
		if _, ok := b.Nodes[1].(*Jump); !ok {
			return nil
		}
	}
	return m
}

// free reports whether nothing that moves write is live at a place, or decides the branch.
func (h *hoister) free(m *moves, at int, n *If) bool {
	for _, v := range m.list {
		if v.from.Kind == InReg && v.from.Reg == v.to && max(0, v.from.Word) == v.word {
			continue
		}
		if v.to == n.Cond.Reg {
			return false
		}
		for k := range v.span {
			for _, s := range h.spans[h.f.base[v.to-1]+v.word+k] {
				if s.from <= 4*at && 4*at < s.to {
					return false
				}
			}
		}
	}
	return true
}
