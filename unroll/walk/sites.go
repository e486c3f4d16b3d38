package walk

import (
	"math/bits"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// A site is a place of the code at which lanes go different ways for a branch of the source: a branch, a jump under a
// condition, or the first of the instructions that have the branch's condition. A branch of the source has several
// where loops around it are unrolled, and none where it has become selects or is decided by constants.
type sites struct {
	branches []int32 // by site: the branch's BranchID
	opposite []bool  // the condition is the opposite of the branch's
	ifs      map[*machine.If]int32
	jumps    map[*machine.Jump]int32
	instrs   map[*machine.Instr]int32
	seen     map[*ir.Instr]bool // branches of the IR that have a site
}

func newSites() sites {
	return sites{ifs: map[*machine.If]int32{}, jumps: map[*machine.Jump]int32{}, instrs: map[*machine.Instr]int32{},
		seen: map[*ir.Instr]bool{}}
}

// add numbers the site of a branch of the IR, -1: it is no branch of the source's, or has one.
func (s *sites) add(in *ir.Instr) int32 {
	if in == nil || in.Op != lower.OpIf || in.Source == 0 || s.seen[in] {
		return -1
	}
	s.seen[in] = true
	s.branches, s.opposite = append(s.branches, int32(in.Source)), append(s.opposite, in.Opposite)
	return int32(len(s.branches)) - 1
}

func (s *sites) branch(n *machine.If) {
	if at := s.add(n.From); at >= 0 {
		s.ifs[n] = at
	}
}

func (s *sites) jump(n *machine.Jump) {
	if n.Guard.Value != nil {
		if at := s.add(branchAround(n.From)); at >= 0 {
			s.jumps[n] = at
		}
	}
}

func (s *sites) instr(in *machine.Instr) {
	if in.Guard.Value != nil {
		if at := s.add(branchAround(in.From)); at >= 0 {
			s.instrs[in] = at
		}
	}
}

// branchAround is the branch whose side an operation stands in, nil: none.
func branchAround(in *ir.Instr) *ir.Instr {
	if in == nil || in.Parent == nil || in.Parent.Owner == nil || in.Parent.Owner.Op != lower.OpIf {
		return nil
	}
	return in.Parent.Owner
}

// siteCount is what happened at a site.
type siteCount struct {
	executed                     int64
	taken, skipped, parted, both int64 // executions, by what the lanes did
	known, lanes                 int64 // executions in which that was known, and their lanes
	from                         origin
	chosen                       bool // by --branch
}

// plus adds what happened in repetitions.
func (c *siteCount) plus(before *siteCount, times int64) {
	for _, x := range [...][2]*int64{{&c.executed, &before.executed}, {&c.taken, &before.taken},
		{&c.skipped, &before.skipped}, {&c.parted, &before.parted}, {&c.both, &before.both},
		{&c.known, &before.known}, {&c.lanes, &before.lanes}} {
		*x[0] += (*x[0] - *x[1]) * times
	}
}

// goes notes an execution at a site: the active lanes for which the branch's condition holds, and those of which that
// is known.
func (w *warp) goes(site int32, c *value, yes, known uint64, chosen bool) {
	s := &w.sites[site]
	if w.c.sites.opposite[site] {
		yes = known &^ yes
	}
	s.executed++
	s.from |= c.from
	s.chosen = s.chosen || chosen
	switch {
	case known != w.mask:
		s.both++
		return
	case yes == w.mask:
		s.taken++
	case yes == 0:
		s.skipped++
	default:
		s.parted++
	}
	s.known++
	s.lanes += int64(bits.OnesCount64(w.mask))
}

// branchList is what became of the source's branches in the warps of a group.
func (s *static) branchList(warps []*warp) []idg.Branch {
	if s.kernel == nil {
		return nil
	}
	list := make([]idg.Branch, len(s.kernel.Branches))
	gone := s.gone()
	for i, b := range s.kernel.Branches {
		list[i] = idg.Branch{Pos: b.Pos, Kind: b.Kind, Decision: "not-reached"}
		if gone[i+1] {
			list[i].Decision, list[i].Origin = "folded", "constant"
			if s.code.Func.Selects[i+1] {
				list[i].Decision, list[i].Origin = "select", ""
			}
		}
	}
	sums := make([]siteCount, len(list))
	for _, w := range warps {
		own := make([]siteCount, len(list))
		for at, id := range s.sites.branches {
			own[id-1].add(&w.sites[at])
		}
		for i := range own {
			b := &list[i]
			if own[i].executed == 0 {
				continue
			}
			sums[i].add(&own[i])
			if b.Executed == 0 {
				b.Executed = own[i].executed
			}
			if own[i].known > 0 {
				if b.Divergence == nil {
					b.Divergence = &idg.Divergence{}
				}
				b.Divergence.Warps++
				b.Divergence.Executions += own[i].known
				b.Divergence.Diverged += own[i].parted
				b.Divergence.Lanes += own[i].lanes
				if own[i].parted > 0 {
					b.Divergence.DivergedWarps++
				}
			}
		}
	}
	for i := range sums {
		if sums[i].executed > 0 {
			list[i].Decision, list[i].Origin = sums[i].decision()
		}
	}
	return list
}

func (c *siteCount) add(d *siteCount) {
	c.executed += d.executed
	c.taken += d.taken
	c.skipped += d.skipped
	c.parted += d.parted
	c.both += d.both
	c.known += d.known
	c.lanes += d.lanes
	c.from |= d.from
	c.chosen = c.chosen || d.chosen
}

// decision says which way lanes went, and why.
func (c *siteCount) decision() (decision, from string) {
	from = c.from.String()
	if c.chosen {
		from = "--branch"
	}
	switch c.executed {
	case c.taken:
		return "taken", from
	case c.skipped:
		return "not-taken", from
	case c.parted:
		return "diverged", from
	case c.both:
		return "both", from
	}
	return "varies", from
}

// gone finds the branches of the source that are no branches in the compiled code.
func (s *static) gone() map[int]bool {
	gone := map[int]bool{}
	for i := range s.kernel.Branches {
		gone[i+1] = true
	}
	s.code.Func.Body.Walk(func(in *ir.Instr) {
		if in.Op == lower.OpIf {
			delete(gone, in.Source)
		}
	})
	return gone
}
