package scalar

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// MachineSink moves what only one side of a branch reads into that side, whatever stands between, and leaves loads
// where they are (LLVM's MachineSinking, which the AMDGPU target runs behind the selection of instructions): all
// that loads bring then lives up to the branch. Comparisons stay, whose results are registers of the machine.
func MachineSink(f *ir.Func, c *profile.Context) {
	if !c.Profile.MachineSink {
		return
	}
	s := machineSinker{readers: make([][]*ir.Instr, f.NumValues())}
	f.Body.Walk(func(in *ir.Instr) {
		for _, a := range in.Args {
			s.readers[a.ID] = append(s.readers[a.ID], in)
		}
	})
	s.block(f.Body)
}

type machineSinker struct {
	readers [][]*ir.Instr // by value
}

// block sinks what stands in a block, from its end on, so that what is read by what has sunk follows; then what stands
// in the blocks inside.
func (s *machineSinker) block(b *ir.Block) {
	sunk := map[*ir.Block][]*ir.Instr{} // from the last to the first
	out := make([]*ir.Instr, 0, len(b.Instrs))
	for _, in := range slices.Backward(b.Instrs) {
		if side := s.side(in, b); side != nil {
			in.Parent = side
			sunk[side] = append(sunk[side], in)
			continue
		}
		out = append(out, in)
	}
	slices.Reverse(out)
	b.Instrs = out
	for _, in := range out {
		for _, inner := range in.Blocks {
			if moved := sunk[inner]; len(moved) > 0 {
				slices.Reverse(moved)
				inner.Instrs = append(moved, inner.Instrs...)
			}
			s.block(inner)
		}
	}
}

// side is the side of a branch in a block that all readers of an instruction stand in, nil if there is none.
func (s *machineSinker) side(in *ir.Instr, b *ir.Block) (side *ir.Block) {
	if len(in.Results) != 1 || !ir.Pure(in) || in.Type == lower.Pred || in.Results[0].Type == lower.Pred {
		return nil
	}
	for _, r := range s.readers[in.Results[0].ID] {
		at := r.Parent
		for at != nil && at.Owner != nil && at.Owner.Parent != b {
			at = at.Owner.Parent
		}
		if at == nil || at.Owner == nil || at.Owner.Op != lower.OpIf || side != nil && at != side {
			return nil
		}
		side = at
	}
	return side
}
