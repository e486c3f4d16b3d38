package tidy

import "slices"

// held drops moves of constants into registers that hold them: a loop that may not be executed begins with what its
// results are without it (ptxas 11.8 clears accumulators once, in front of the branch around their loop). What stands
// in front of copies of a loop that NVVM made is cleared there again, for the loop of the rest (nvcc 11.8: in
// PTX, too).
func held(c *Code) {
	h := &holder{now: map[Reg]Operand{}}
	h.block(c.Body, false)
}

// holder knows which registers hold constants where it stands.
type holder struct {
	now map[Reg]Operand
	log []change // of now
}

type change struct {
	reg Reg
	was Operand
}

// set notes what a register holds from here on, Operand{}: nobody knows.
func (h *holder) set(r Reg, o Operand) {
	was, known := h.now[r]
	if o.Kind == 0 && !known {
		return
	}
	h.log = append(h.log, change{r, was})
	if o.Kind == 0 {
		delete(h.now, r)
	} else {
		h.now[r] = o
	}
}

// back goes back to a place, and lists the registers written since of which is known there what they hold.
func (h *holder) back(mark int) (written []Reg) {
	for len(h.log) > mark {
		x := h.log[len(h.log)-1]
		h.log = h.log[:len(h.log)-1]
		if delete(h.now, x.reg); x.was.Kind != 0 {
			h.now[x.reg] = x.was
			written = append(written, x.reg)
		}
	}
	return written
}

// forget says that nobody knows what registers hold.
func (h *holder) forget(list []Reg) {
	for _, r := range list {
		h.set(r, Operand{})
	}
}

// block drops moves in a block; copies: it belongs to copies of a loop.
func (h *holder) block(b *Block, copies bool) {
	if b == nil {
		return
	}
	again := !copies && slices.ContainsFunc(b.Nodes, ofCopies)
	out := b.Nodes[:0]
	for _, n := range b.Nodes {
		mark := len(h.log)
		switch n := n.(type) {
		case *Instr:
			if h.instr(n) && !again {
				continue
			}
		case *If:
			inside := copies || ofCopies(n)
			h.block(n.Then, inside)
			written := h.back(mark)
			h.block(n.Else, inside)
			h.forget(append(written, h.back(mark)...))
		case *Loop:
			n.Body.Each(func(n Node) {
				if in, ok := n.(*Instr); ok {
					h.forget(in.Defs)
				}
			})
			h.block(n.Body, copies)
			h.forget(h.back(mark))
		case *Region:
			h.block(n.Body, copies)
			h.forget(h.back(mark))
		}
		out = append(out, n)
	}
	b.Nodes = out
}

// ofCopies reports whether a branch is around copies of a loop.
func ofCopies(n Node) bool {
	b, ok := n.(*If)
	return ok && b.From != nil && b.From.Part.Copies > 1
}

// instr reports whether an instruction changes nothing.
func (h *holder) instr(in *Instr) bool {
	var o Operand
	switch {
	case len(in.Defs) != 1 || len(in.Uses) != 1 || in.Part != 0:
	case (in.Op == "MOV" || in.Op == "UMOV") && in.Uses[0].Kind == Immediate,
		in.Op == "CS2R" && in.Uses[0].Name == "SRZ":
		if o = in.Uses[0]; h.now[in.Defs[0]] == o {
			return true
		}
	}
	if in.Guard.Reg != 0 {
		o = Operand{}
	}
	for _, d := range in.Defs {
		h.set(d, o)
	}
	return false
}
