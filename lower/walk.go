package lower

import "fmt"

// Walk visits every statement of a block in textual order, a statement before
// what it contains. A loop's condition comes before its body, a do loop's after
// its Post block.
func Walk(b Block, visit func(Stmt)) {
	for _, s := range b {
		visit(s)
		switch s := s.(type) {
		case *If:
			Walk(s.Then, visit)
			Walk(s.Else, visit)
		case *Loop:
			for _, b := range s.blocks() {
				Walk(*b, visit)
			}
		case *Switch:
			for i := range s.Cases {
				Walk(s.Cases[i].Body, visit)
			}
		case *Region:
			Walk(s.Body, visit)
		}
	}
}

// rewrite makes a block anew: f appends what becomes of each statement, behind what becomes of those inside it.
func rewrite(b Block, f func(out Block, s Stmt) Block) Block {
	out := b[:0:0]
	inside := func(b *Block) { *b = rewrite(*b, f) }
	for _, s := range b {
		switch s := s.(type) {
		case *If:
			inside(&s.Then)
			inside(&s.Else)
		case *Loop:
			for _, b := range s.blocks() {
				inside(b)
			}
		case *Switch:
			for i := range s.Cases {
				inside(&s.Cases[i].Body)
			}
		case *Region:
			inside(&s.Body)
		}
		out = f(out, s)
	}
	return out
}

// Position is where a statement stands.
func Position(s Stmt) *Pos {
	switch s := s.(type) {
	case *Instr:
		return &s.Pos
	case *If:
		return &s.Pos
	case *Loop:
		return &s.Pos
	case *Switch:
		return &s.Pos
	case *Region:
		return &s.Pos
	case *Leave:
		return &s.Pos
	case *Continue:
		return &s.Pos
	}
	panic(fmt.Sprintf("lower: statement %T", s))
}

// blocks lists a loop's blocks in the order in which they run.
func (p *Loop) blocks() []*Block {
	if p.Kind == "do" {
		return []*Block{&p.Body, &p.Post, &p.Cond}
	}
	return []*Block{&p.Cond, &p.Body, &p.Post}
}
