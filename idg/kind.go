package idg

import (
	"math"
	"slices"
)

// Kind is a kind of work group that executes other programs than most, as groups
// at the edges of the launch do.
type Kind struct {
	Group  int64 // number of the group that was resolved, in launch order (see GroupReuse)
	Groups int64 // how many groups of the launch are of this kind

	programs []*Program
}

// Programs is what the kind's groups execute, like Graph.Programs.
func (k *Kind) Programs() []*Program { return k.programs }

// Kinds returns the kinds of groups of which the programs differ from the
// graph's own; all other groups execute these. The slice must not be modified.
func (g *Graph) Kinds() []Kind { return g.kinds }

// GroupKind is a graph and how many groups of a launch execute it.
type GroupKind struct {
	Graph  *Graph
	Groups int64
}

// GroupKinds returns a graph for each kind of group, the graph's own first. They
// share everything but their programs.
func (g *Graph) GroupKinds() []GroupKind {
	own := *g
	own.kinds = nil
	out := []GroupKind{{&own, g.Launch.TotalGroups()}}
	for i := range g.kinds {
		k := &g.kinds[i]
		other := own
		other.programs = k.programs
		out = append(out, GroupKind{&other, k.Groups})
		out[0].Groups -= k.Groups
	}
	return out
}

// BeginKind starts the programs of another kind of group, of which a launch has so
// many; group is the number of one of them. The programs that stand before the
// first BeginKind are those of all groups that are of no such kind. Kinds with equal
// programs, but for the alignment of accesses, are one.
func (b *Builder) BeginKind(group, groups int64) {
	b.endKind()
	b.programs = nil
	b.groupKinds = append(b.groupKinds, Kind{Group: group, Groups: groups})
}

// endKind ends the programs of the current kind.
func (b *Builder) endKind() {
	b.settle()
	programs := b.programs
	slices.SortFunc(programs, func(p, q *Program) int { return slices.Compare(p.Warps, q.Warps) })
	last := len(b.groupKinds) - 1
	if last < 0 {
		b.own = programs
		return
	}
	k := b.groupKinds[last]
	b.alike.extend(b)
	same := b.alike.programs(b.own, programs)
	for i := range b.groupKinds[:last] {
		if !same && b.alike.programs(b.groupKinds[i].programs, programs) {
			b.groupKinds[i].Groups += k.Groups
			same = true
		}
	}
	if same {
		b.groupKinds = b.groupKinds[:last]
		return
	}
	b.groupKinds[last].programs = programs
}

// alike finds instruction classes that differ in no more than where their bytes
// begin. Whether the first byte of a group's data lies at a multiple of 256 or between
// two differs from group to group within the launch too, and makes no kind.
type alike struct {
	first    []InstrID // by InstrID less one: the first class that is alike
	classes  map[Instr]InstrID
	patterns map[string]AccessID
}

// extend looks at the classes that the builder has come to know since.
func (a *alike) extend(b *Builder) {
	if a.classes == nil {
		a.classes, a.patterns = map[Instr]InstrID{}, map[string]AccessID{}
	}
	for i := len(a.first); i < len(b.instrs); i++ {
		in := b.instrs[i]
		if in.Access != 0 {
			key := b.accesses[in.Access-1].key(b.key[:0], true)
			b.key = key
			if a.patterns[string(key)] == 0 {
				a.patterns[string(key)] = in.Access
			}
			in.Access = a.patterns[string(key)]
		}
		if a.classes[in] == 0 {
			a.classes[in] = InstrID(i + 1)
		}
		a.first = append(a.first, a.classes[in])
	}
}

// programs reports whether two kinds of groups execute the same.
func (a *alike) programs(these, those []*Program) bool {
	return slices.EqualFunc(these, those, func(p, q *Program) bool {
		if !slices.Equal(p.Warps, q.Warps) || p.StaticLen() != q.StaticLen() ||
			!slices.Equal(p.Repeats(), q.Repeats()) {
			return false
		}
		for s := range StaticID(p.StaticLen()) {
			if a.first[p.StaticInstr(s)-1] != a.first[q.StaticInstr(s)-1] ||
				!slices.Equal(p.StaticPreds(s), q.StaticPreds(s)) {
				return false
			}
		}
		return true
	})
}

func (g *Graph) verifyKinds() *violation {
	total := g.Launch.TotalGroups()
	rest := total
	for i := range g.kinds {
		k := &g.kinds[i]
		if k.Group < 0 || k.Group >= total {
			return broken(partKind, i, "kind %d is that of group %d of %d", i, k.Group, total)
		}
		if k.Groups < 1 || k.Groups >= rest {
			return broken(partKind, i, "kind %d has %d of %d groups; one at least is of none", i, k.Groups, rest)
		}
		rest -= k.Groups
		v := (&Graph{Header: Header{Launch: g.Launch}, programs: k.programs}).verifyWarps()
		for n, p := range k.programs {
			if v == nil {
				v = p.violation(n, len(g.instrs))
			}
		}
		if v != nil {
			return broken(partKind, i, "kind %d: %s", i, v.text)
		}
	}
	return nil
}

func (k *Kind) members(fold bool) []keyed {
	return []keyed{
		count("group", "a group", &k.Group).required(),
		number("groups", "the number of groups", &k.Groups, 1, math.MaxInt64).required(),
		programs(&k.programs, 0, fold),
	}
}
