package idg

import (
	"fmt"
	"slices"
)

// Limits on launch sizes, far beyond any device and low enough that products of
// sizes stay exact, also in JSON readers that hold numbers as doubles.
const (
	MaxGroupItems = 1 << 20 // work items per group
	MaxTotalItems = 1 << 53 // work items per launch
	MaxWarpSize   = 64      // lanes per warp
)

// maxOffset bounds the byte offsets of an access: more than any GPU addresses.
const maxOffset = 1 << 53

// part names the part of a graph in which Verify found something.
type part uint8

const (
	partLaunch part = iota + 1
	partResources
	partLoop
	partBranch
	partNote
	partAccess
	partInstr
	partProgram
	partLocality
	partFootprint
	partKind
)

// violation is a broken invariant: element index of a part of the graph.
type violation struct {
	part  part
	index int
	text  string
}

func (v *violation) Error() string { return "idg: " + v.text }

func broken(p part, index int, format string, args ...any) *violation {
	return &violation{p, index, fmt.Sprintf(format, args...)}
}

// Verify checks the invariants that the type system does not (the package
// comment lists them) and that sizes and counts are within the limits.
func (g *Graph) Verify() error {
	if v := g.violation(); v != nil {
		return v
	}
	return nil
}

func (g *Graph) violation() *violation {
	if v := verifyLaunch(&g.Launch); v != nil {
		return v
	}
	if v := g.verifyHeader(); v != nil {
		return v
	}
	for i := range g.accesses {
		if v := verifyAccess(i, &g.accesses[i]); v != nil {
			return v
		}
	}
	for i := range g.instrs {
		if v := g.verifyInstr(i, &g.instrs[i]); v != nil {
			return v
		}
	}
	if v := g.verifyLocality(); v != nil {
		return v
	}
	if v := g.verifyWarps(); v != nil {
		return v
	}
	for i, p := range g.programs {
		if v := p.violation(i, len(g.instrs)); v != nil {
			return v
		}
	}
	if v := g.verifyKinds(); v != nil {
		return v
	}
	return nil
}

// verifyLaunch checks the sizes without computing a product that could
// overflow.
func verifyLaunch(l *Launch) *violation {
	if l.WarpSize < 1 || l.WarpSize > MaxWarpSize {
		return broken(partLaunch, 0, "warp size %d is not 1 to %d", l.WarpSize, MaxWarpSize)
	}
	for d := range 3 {
		if l.Local[d] < 1 || l.Groups[d] < 1 {
			return broken(partLaunch, 0, "launch sizes must be at least 1: local %v, groups %v", l.Local, l.Groups)
		}
	}
	items, ok := product(1, l.Local, MaxGroupItems)
	if !ok {
		return broken(partLaunch, 0, "local size %v is more than %d work items per group", l.Local, MaxGroupItems)
	}
	if _, ok := product(items, l.Groups, MaxTotalItems); !ok {
		return broken(partLaunch, 0, "local size %v in groups %v is more than 2^53 work items", l.Local, l.Groups)
	}
	return nil
}

// product multiplies by positive factors and reports whether the result is at
// most limit.
func product(n int64, factors [3]int64, limit int64) (int64, bool) {
	for _, f := range factors {
		if f > limit/n {
			return 0, false
		}
		n *= f
	}
	return n, true
}

func (g *Graph) verifyHeader() *violation {
	if r := g.Resources; r.LocalBytes < 0 || r.Registers < 0 || r.PrivateBytes < 0 || r.SpilledBytes < 0 ||
		r.Unbounded < 0 {
		return broken(partResources, 0, "negative resources: %d bytes of local memory, %d registers, %d bytes of "+
			"private arrays, %d bytes spilled", r.LocalBytes, r.Registers, r.PrivateBytes, r.SpilledBytes)
	}
	for i := range g.Loops {
		l := &g.Loops[i]
		if !plausible(l.Pos) {
			return broken(partLoop, i, "loop %d has the position %d:%d", i, l.Pos.Line, l.Pos.Column)
		}
		if l.Depth < 0 || l.Trips < -1 || l.Executed < 0 || l.Factor < 0 || l.Remainder < 0 {
			return broken(partLoop, i, "loop %d has a negative count: depth %d, trips %d, executed %d, factor %d, "+
				"remainder %d",
				i, l.Depth, l.Trips, l.Executed, l.Factor, l.Remainder)
		}
	}
	for i := range g.Branches {
		b := &g.Branches[i]
		if !plausible(b.Pos) {
			return broken(partBranch, i, "branch %d has the position %d:%d", i, b.Pos.Line, b.Pos.Column)
		}
		if b.Executed < 0 {
			return broken(partBranch, i, "branch %d was executed %d times", i, b.Executed)
		}
		if v := b.Divergence.verify(i); v != nil {
			return v
		}
	}
	for i := range g.Notes {
		if p := g.Notes[i].Pos; !plausible(p) {
			return broken(partNote, i, "note %d has the position %d:%d", i, p.Line, p.Column)
		}
	}
	return nil
}

// plausible reports whether a position's numbers are not negative.
func plausible(p Pos) bool { return p.Line >= 0 && p.Column >= 0 }

func verifyAccess(i int, a *Access) *violation {
	id := i + 1
	if a.Space < SpaceGlobal || a.Space > SpaceImage {
		return broken(partAccess, i, "access %d has no address space", id)
	}
	if a.Width == 0 {
		return broken(partAccess, i, "access %d is 0 bytes wide", id)
	}
	if !a.Known() {
		return nil
	}
	if len(a.Offsets) == 0 || len(a.Offsets) > MaxWarpSize {
		return broken(partAccess, i, "access %d has offsets for %d lanes", id, len(a.Offsets))
	}
	if low := slices.Min(a.Offsets); low < 0 || low >= alignment {
		return broken(partAccess, i, "access %d is not normalised: its lowest offset %d is not in 0 to %d", id, low,
			alignment-1)
	}
	if high := slices.Max(a.Offsets); high > maxOffset {
		return broken(partAccess, i, "access %d spans %d bytes", id, high)
	}
	if a.Assumed != "" || a.Same || a.Within != 0 || a.Near != 0 || a.Places != 0 {
		return broken(partAccess, i, "access %d has offsets and a reason for having none", id)
	}
	return nil
}

func (g *Graph) verifyInstr(i int, in *Instr) *violation {
	id := i + 1
	if in.Op == "" {
		return broken(partInstr, i, "instruction class %d has no op", id)
	}
	if in.Lanes < 1 || int(in.Lanes) > g.Launch.WarpSize {
		return broken(partInstr, i, "instruction class %d (%s) has %d active lanes of %d", id, in.Op, in.Lanes,
			g.Launch.WarpSize)
	}
	if !plausible(in.Pos) {
		return broken(partInstr, i, "instruction class %d (%s) has the position %d:%d", id, in.Op, in.Pos.Line,
			in.Pos.Column)
	}
	if in.Access == 0 {
		return nil
	}
	if int64(in.Access) > int64(len(g.accesses)) {
		return broken(partInstr, i, "instruction class %d (%s) has access %d of %d", id, in.Op, in.Access,
			len(g.accesses))
	}
	if a := g.Access(in.Access); a.Known() && len(a.Offsets) != int(in.Lanes) {
		return broken(partInstr, i, "instruction class %d (%s) has %d active lanes but access %d has offsets for %d",
			id, in.Op, in.Lanes, in.Access, len(a.Offsets))
	}
	return nil
}

// verifyWarps checks which warps the programs list; see ProgramOf.
func (g *Graph) verifyWarps() *violation {
	if len(g.programs) == 0 {
		return broken(partProgram, 0, "the graph has no program")
	}
	warps := g.Launch.WarpsPerGroup()
	listed := make([]bool, warps)
	for i, p := range g.programs {
		if len(p.Warps) == 0 {
			return broken(partProgram, i, "program %d lists no warps", i)
		}
		for k, w := range p.Warps {
			if int64(w) >= warps {
				return broken(partProgram, i, "program %d lists warp %d; a group of %d work items has %d", i, w,
					g.Launch.WorkItems(), warps)
			}
			if k > 0 && w <= p.Warps[k-1] {
				return broken(partProgram, i, "program %d lists warp %d after warp %d", i, w, p.Warps[k-1])
			}
			if listed[w] {
				return broken(partProgram, i, "warp %d is listed by two programs", w)
			}
			listed[w] = true
		}
		if i > 0 && p.Warps[0] < g.programs[i-1].Warps[0] {
			return broken(partProgram, i, "program %d begins with warp %d, before the program that precedes it", i,
				p.Warps[0])
		}
	}
	if !listed[0] {
		return broken(partProgram, 0, "no program lists warp 0")
	}
	return nil
}
