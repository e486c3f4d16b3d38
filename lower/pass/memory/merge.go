package memory

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// MergeStores makes one store to private memory of one in front of a branch and one in the branch to the same place,
// which stores what the branch chose (ptxas 11.8: CS2R R4, SRZ; @P0 LDG R4; STL [R1], R4. It leaves those to other
// memory, which other threads see).
func MergeStores(f *ir.Func, c *profile.Context) {
	if !c.Profile.MergeStores || c.Virtual || !slices.ContainsFunc(f.Objects, isPrivate) {
		return
	}
	m := &storeMerger{f: f, alias: aliasesOf(f)}
	m.block(f.Body)
}

func isPrivate(o ir.Object) bool { return o.Space == idg.SpacePrivate }

type storeMerger struct {
	f     *ir.Func
	alias *aliases
}

func (m *storeMerger) block(b *ir.Block) {
	for i := 0; i < len(b.Instrs); i++ {
		in := b.Instrs[i]
		for _, inner := range in.Blocks {
			m.block(inner)
		}
		if in.Op != lower.OpIf || len(in.Results) > 0 {
			continue
		}
		for side, s := range in.Blocks {
			if len(in.Blocks[1-side].Instrs) > 1 || !ir.Yields(s) || !ir.Yields(in.Blocks[1-side]) {
				continue
			}
			if last := m.only(s); last != nil {
				if first := m.before(b.Instrs[:i], last); first >= 0 {
					m.merge(b, in, side, first, last)
				}
			}
		}
	}
}

// object is the private object that an access leads to, 0 if it leads to other memory.
func (m *storeMerger) object(in *ir.Instr) origin {
	if in.Op != lower.Load && in.Op != lower.Store {
		return 0
	}
	o := m.alias.of(in.Args[0])
	if o <= 0 || !isPrivate(m.f.Objects[o-1]) || m.alias.classes[m.alias.byID[o-1]].escaped {
		return 0
	}
	return o
}

// only is the store of a block that has no other access to private memory, nil if there is none.
func (m *storeMerger) only(b *ir.Block) *ir.Instr {
	var store *ir.Instr
	for _, in := range b.Instrs {
		switch {
		case in.Nests():
			return nil
		case m.object(in) == 0:
		case store != nil || in.Op == lower.Load || in.Volatile:
			return nil
		default:
			store = in
		}
	}
	return store
}

// before is where, in code in front of a branch, the store is that another one overwrites before anything else
// accesses the object, -1 if there is none.
func (m *storeMerger) before(list []*ir.Instr, last *ir.Instr) int {
	for i, in := range slices.Backward(list) {
		switch {
		case in.Nests():
			return -1
		case m.object(in) != m.object(last):
		case in.Op == lower.Store && in.Args[0] == last.Args[0] && in.Type == last.Type && !in.Volatile &&
			len(in.Args) == len(last.Args):
			return i
		default:
			return -1
		}
	}
	return -1
}

// merge puts the store of what a branch chooses behind it.
func (m *storeMerger) merge(b *ir.Block, in *ir.Instr, side, first int, last *ir.Instr) {
	old := b.Instrs[first]
	store := *last
	store.Args = slices.Clone(last.Args)
	for k := 1; k < len(last.Args); k++ {
		in.Blocks[side].Last().Args = append(in.Blocks[side].Last().Args, last.Args[k])
		in.Blocks[1-side].Last().Args = append(in.Blocks[1-side].Last().Args, old.Args[k])
		store.Args[k] = m.f.AddResult(in, last.Args[k].Type, "")
	}
	in.Blocks[side].Instrs = slices.DeleteFunc(in.Blocks[side].Instrs, func(x *ir.Instr) bool { return x == last })
	at := slices.Index(b.Instrs, in)
	b.Instrs = slices.Delete(slices.Insert(b.Instrs, at+1, &store), first, first+1)
	store.Parent = b
}
