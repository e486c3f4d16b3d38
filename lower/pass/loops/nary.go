package loops

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// Nary computes an address whose subscript is a sum as a subscript of an address before it that has one of the two
// (nary-reassociate; LLVM's NaryReassociate.cpp, tryReassociateGEP): &p[x + y] is &p[x] plus y where &p[x] is known.
func Nary(f *ir.Func, c *profile.Context) {
	if !c.Profile.Address.Straight {
		return
	}
	n := &nary{seen: map[subscripted]*ir.Value{}}
	n.block(f.Body)
}

// subscripted is an address by what it is computed from.
type subscripted struct {
	base *ir.Value
	addend
}

type nary struct {
	seen map[subscripted]*ir.Value // the last one in this block and those around
}

func (n *nary) block(b *ir.Block) {
	type old struct {
		key  subscripted
		last *ir.Value
	}
	var undo []old
	for _, in := range b.Instrs {
		for _, inner := range in.Blocks {
			n.block(inner)
		}
		if in.Op != lower.PtrAdd || in.Args[1].IsConst() {
			continue
		}
		key := subscripted{in.Args[0], addend{in.Args[1], in.From, in.Scale}}
		n.address(in)
		undo = append(undo, old{key, n.seen[key]})
		n.seen[key] = in.Results[0]
	}
	for i := len(undo) - 1; i >= 0; i-- {
		if u := undo[i]; u.last == nil {
			delete(n.seen, u.key)
		} else {
			n.seen[u.key] = u.last
		}
	}
}

// address rewrites an address if there is one to compute it from.
func (n *nary) address(in *ir.Instr) {
	sum := ir.Def(in.Args[1], lower.Add)
	if sum == nil || in.From.Size() != 8 {
		return
	}
	for side := range 2 {
		if p := n.seen[subscripted{in.Args[0], extended(sum.Args[side], in)}]; p != nil {
			rest := extended(sum.Args[1-side], in)
			in.Args[0], in.Args[1], in.From = p, rest.value, rest.from
			return
		}
	}
}

// extended is a subscript of an address of 64 bits without its extension, as simplify leaves those of addresses.
func extended(v *ir.Value, in *ir.Instr) addend {
	if d := ir.Def(v, lower.Convert); d != nil && ir.Extends(d) && d.Fn == "" {
		return addend{d.Args[0], d.From, in.Scale}
	}
	return addend{v, in.From, in.Scale}
}
