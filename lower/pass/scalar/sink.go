package scalar

import (
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// Sink moves what only one side of a branch reads into that side, so that it is not computed, or loaded, in vain
// (InstCombine's TryToSinkInstruction): a value with one reader, in the straight code in front of the branch, of
// which the reader stands in the straight code that the side begins with.
func Sink(f *ir.Func, _ *profile.Context) {
	s := &sinker{uses: f.Uses(), readers: readersOf(f), depth: map[*ir.Instr]int{}}
	s.block(f.Body)
}

// SinkCopies does the same to what unrolled loops have become, where the compiler combines instructions once more.
func SinkCopies(f *ir.Func, ctx *profile.Context) {
	if ctx.Profile.SinkCopies {
		Sink(f, ctx)
	}
}

type sinker struct {
	uses    []int
	readers []*ir.Instr
	stay    []*ir.Instr       // what the last branch left in front of it
	depth   map[*ir.Instr]int // through how many branches it has sunk
}

func (s *sinker) block(b *ir.Block) {
	start := 0
	out := make([]*ir.Instr, 0, len(b.Instrs))
	for _, in := range b.Instrs {
		if in.Op == lower.OpIf {
			out = append(out[:start], s.branch(out[start:], in)...)
		}
		out = append(out, in)
		for _, inner := range in.Blocks {
			s.block(inner)
		}
		if in.Nests() {
			start = len(out)
		}
	}
	clear(b.Instrs[len(out):])
	b.Instrs = out
}

// sinkReach is how many instructions in front of a branch are looked at that stay there, and sinkDepth through how many
// branches one sinks: what would sink through all of many branches is looked at at each (LLVM bounds such scans
// likewise, as dse-memoryssa-scanlimit does).
const (
	sinkReach = 4096
	sinkDepth = 8
)

// branch moves instructions in front of an if into its blocks and gives what stays.
func (s *sinker) branch(list []*ir.Instr, in *ir.Instr) []*ir.Instr {
	first := map[*ir.Instr]int{} // what the blocks begin with
	for i, b := range in.Blocks {
		for _, x := range b.Instrs {
			first[x] = i
			if x.Nests() {
				break
			}
		}
	}
	written := false
	stay := s.stay[:0]
	moved := make([][]*ir.Instr, len(in.Blocks))
	from := len(list)
	for from > 0 && len(stay) < sinkReach {
		from--
		x := list[from]
		if side, ok := s.side(x, first); ok && (x.Op != lower.Load || !written) {
			x.Parent = in.Blocks[side]
			first[x] = side
			s.depth[x]++
			moved[side] = append(moved[side], x)
			continue
		}
		written = written || hasEffect(x) || x.Op == lower.SubGroup
		stay = append(stay, x)
	}
	slices.Reverse(stay)
	s.stay = stay
	for i, b := range in.Blocks {
		if len(moved[i]) > 0 {
			slices.Reverse(moved[i])
			b.Instrs = append(moved[i], b.Instrs...)
		}
	}
	return append(list[:from], stay...)
}

// side is the block of an if that an instruction may be moved into.
func (s *sinker) side(x *ir.Instr, first map[*ir.Instr]int) (side int, ok bool) {
	if len(x.Results) != 1 || x.Volatile || !ir.Pure(x) && x.Op != lower.Load || s.uses[x.Results[0].ID] != 1 ||
		s.depth[x] == sinkDepth {
		return 0, false
	}
	side, ok = first[s.readers[x.Results[0].ID]]
	return side, ok
}
