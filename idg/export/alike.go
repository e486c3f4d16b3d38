package export

import (
	"slices"

	"gpupipe/idg"
)

// kind is warps of which the graphs look the same: other addresses make no other drawing.
type kind struct {
	program *idg.Program
	warps   []uint32
}

// kindsOf sorts programs by how they look.
func kindsOf(g *idg.Graph) (kinds []kind, err error) {
	for _, p := range g.Programs() {
		f, err := p.Expanded(idg.MaxExpanded)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(kinds, func(k kind) bool {
			other, err := k.program.Expanded(idg.MaxExpanded)
			return err == nil && looksLike(g, f, other)
		})
		if i < 0 {
			i = len(kinds)
			kinds = append(kinds, kind{program: p})
		}
		kinds[i].warps = append(kinds[i].warps, p.Warps...)
	}
	for i := range kinds {
		slices.Sort(kinds[i].warps)
	}
	return kinds, nil
}

// looksLike reports whether two programs differ in the addresses and lanes of instructions at most.
func looksLike(g *idg.Graph, a, b *idg.Flat) bool {
	if a.Len() != b.Len() {
		return false
	}
	for v := range idg.NodeID(a.Len()) {
		x, y := g.Instr(a.Instr(v)), g.Instr(b.Instr(v))
		fromX, kindX := a.Preds(v)
		fromY, kindY := b.Preds(v)
		if x.Op != y.Op || x.Type != y.Type || x.Pos != y.Pos {
			return false
		}
		if !slices.Equal(fromX, fromY) || !slices.Equal(kindX, kindY) {
			return false
		}
	}
	return true
}
