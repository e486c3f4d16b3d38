package lower

// trimKernel removes the jumps at the end of what they leave.
func trimKernel(k *Kernel) {
	Walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Region:
			Trim(&s.Body, s.Label)
		case *Loop:
			trimContinue(&s.Body, s.Label)
		case *Switch:
			if n := len(s.Cases); n > 0 {
				Trim(&s.Cases[n-1].Body, s.Label)
			}
		}
	})
}

// Trim removes Leaves of label at the end of b, also at the ends of a branch
// there.
func Trim(b *Block, label Label) {
	trimTail(b, func(s Stmt) bool {
		v, ok := s.(*Leave)
		return ok && v.Label == label
	})
}

// trimContinue removes Continues of label at the end of a loop's body.
func trimContinue(b *Block, label Label) {
	trimTail(b, func(s Stmt) bool {
		c, ok := s.(*Continue)
		return ok && c.Label == label
	})
}

func trimTail(b *Block, jump func(Stmt) bool) {
	n := len(*b)
	if n == 0 {
		return
	}
	last := (*b)[n-1]
	if jump(last) {
		*b = (*b)[:n-1]
		return
	}
	if s, ok := last.(*If); ok {
		trimTail(&s.Then, jump)
		trimTail(&s.Else, jump)
	}
}
