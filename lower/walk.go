package lower

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

// blocks lists a loop's blocks in the order in which they run.
func (p *Loop) blocks() []*Block {
	if p.Kind == "do" {
		return []*Block{&p.Body, &p.Post, &p.Cond}
	}
	return []*Block{&p.Cond, &p.Body, &p.Post}
}
