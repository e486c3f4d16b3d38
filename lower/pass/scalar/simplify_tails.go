package scalar

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// tails makes yields of the leaves of a region that stand where nothing follows up to its end, in a block that ends in
// an exit of the region: if c { leave R x } rest; yield y is if c { yield x } else { rest; yield y }, which is the same
// graph of basic blocks. It gives how many leaves there are, and changes them only with do.
func (s *simplifier) tails(b *ir.Block, region *ir.Instr, do bool) int {
	n := 0
	end := len(b.Instrs) - 1
	open := b.Last().Op == lower.OpYield || b.Last().Target == region
	for i := end - 1; i >= 0; i-- {
		in := b.Instrs[i]
		if in.Op != lower.OpIf && in.Op != lower.OpSwitch {
			continue
		}
		leaves, reached := 0, 0
		for _, side := range in.Blocks {
			if last := side.Last(); last.Op == lower.OpYield {
				reached++
			} else if last.Target == region {
				leaves++
			}
		}
		behind := i < end-1 || !open
		switch {
		case leaves == 0 && behind:
			continue
		case behind && (reached != 1 || len(in.Results) > 0):
			return n
		}
		n += leaves
		if !do || leaves == 0 {
			inner := s.tailsOfSides(in, region, behind)
			if n += inner; leaves+inner == 0 {
				continue
			}
		}
		if do {
			s.tail(b, i, region, behind)
		}
		if leaves > 0 {
			end, open = i+1, true
		}
	}
	return n
}

// tailsOfSides counts those in the blocks of an if or switch.
func (s *simplifier) tailsOfSides(in, region *ir.Instr, behind bool) int {
	n := 0
	for _, side := range in.Blocks {
		if last := side.Last(); last.Target == region || last.Op == lower.OpYield && !behind {
			n += s.tails(side, region, false)
		}
	}
	return n
}

// tail makes yields of the leaves of an if or switch, instruction i of a block. What follows goes to its only block
// that is left by its end.
func (s *simplifier) tail(b *ir.Block, i int, region *ir.Instr, behind bool) {
	in, last := b.Instrs[i], b.Last()
	if last.Op != lower.OpYield { // what follows does not reach the end of the region
		b.Append(&ir.Instr{Op: lower.OpYield, Pos: in.Pos})
		last = b.Last()
	}
	for _, side := range in.Blocks {
		end := side.Last()
		switch {
		case end.Op == lower.OpYield:
			if behind {
				s.moveInto(side, b.Instrs[i+1:len(b.Instrs)-1], last)
			} else {
				end.Args = s.through(in, end, last.Args)
				s.tails(side, region, true)
			}
		case end.Target == region:
			end.Op, end.Target = lower.OpYield, nil
			s.tails(side, region, true)
		}
	}
	if in.Op == lower.OpIf {
		in.Kind = "return"
	}
	in.Results = nil
	last.Args = make([]*ir.Value, len(region.Results))
	for j, r := range region.Results {
		last.Args[j] = s.f.AddResult(in, r.Type, r.Name)
	}
	b.Instrs = append(b.Instrs[:i+1], last) // what followed has been copied
	s.sameResults(in)
	s.repl.Operands(last)
}

// through are values that follow an if or switch, as one of its blocks passes them.
func (s *simplifier) through(in, end *ir.Instr, values []*ir.Value) []*ir.Value {
	out := slices.Clone(values)
	for i, v := range out {
		if v = s.repl.Find(v); v.Kind == ir.Result && v.Def == in {
			v = end.Args[v.Index]
		}
		out[i] = v
	}
	return out
}

// moveInto makes instructions those of a block. Where they do not end it, it yields what last does.
func (s *simplifier) moveInto(b *ir.Block, list []*ir.Instr, last *ir.Instr) {
	b.Instrs = make([]*ir.Instr, 0, len(list)+1)
	for _, in := range list {
		b.Append(in)
	}
	if len(list) == 0 || !list[len(list)-1].IsTerminator() {
		b.Append(&ir.Instr{Op: lower.OpYield, Args: slices.Clone(last.Args), Pos: last.Pos})
	}
}
