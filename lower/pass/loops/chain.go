package loops

import (
	"math/bits"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/ranges"
	"gpupipe/lower/profile"
)

// chainDepth is how many addresses of an object are looked back for one at the distance of a multiple of a value.
const chainDepth = 4

// Chain computes an address at a distance from the one before it that is a multiple of a value as that one plus the
// distance, where several addresses in a row have the same (base address strength reduction of chains, as NVVM's
// options name it): one addition of 64 bits instead of an index, its extension and its product. Distances are exact
// where sums are: signed ones. An address that several accesses share stays by itself where the distance is a value by
// itself, other than in nvcc: whole rows of a filter that hang on one another are ordered with more registers than
// ptxas needs. Where it is a product, each index by itself would be a counter of the loop.
func Chain(f *ir.Func, c *profile.Context) {
	rule := c.Profile.Address.Chain
	if rule.Length == 0 || accesses(f.Body) < rule.Accesses {
		return
	}
	ch := &chainer{f: f, uses: f.Uses(), sums: newSums(f, c), last: map[*ir.Value][]*link{}}
	ch.sums.visit(f.Body)
	ch.block(f.Body)
	ch.rewrite(f.Body, rule.Length)
}

// accesses counts what reads or writes memory.
func accesses(b *ir.Block) (n int) {
	b.Walk(func(in *ir.Instr) {
		if in.Op == lower.Load || in.Op == lower.Store || in.Op == lower.Atomic {
			n++
		}
	})
	return n
}

// link is an address, and how it follows from another one.
type link struct {
	in    *ir.Instr
	basis *link
	by    *ir.Value // nil: there is no basis
	k     int64     // bytes a unit of by
	run   int       // addresses at the same distances before and behind it
}

type chainer struct {
	f     *ir.Func
	uses  []int
	sums  *sums
	last  map[*ir.Value][]*link // by object, in the order of the text, those of the blocks around included
	links []*link
}

func (ch *chainer) block(b *ir.Block) {
	var mine []*ir.Value
	for _, in := range b.Instrs {
		for _, inner := range in.Blocks {
			ch.block(inner)
		}
		if in.Op == lower.PtrAdd && in.From == lower.S32 && !in.Args[1].IsConst() && !ch.sums.near.has(in.Args[0]) {
			ch.address(in)
			mine = append(mine, in.Args[0])
		}
	}
	for _, base := range mine {
		list := ch.last[base]
		ch.last[base] = list[:len(list)-1]
	}
}

// address looks for the nearest address that this one follows from.
func (ch *chainer) address(in *ir.Instr) {
	list := ch.last[in.Args[0]]
	l := &link{in: in}
	to := ch.sums.find(in.Results[0])
	for i := len(list) - 1; i >= 0 && i >= len(list)-chainDepth; i-- {
		d := to.plus(ch.sums.find(list[i].in.Results[0]), -1, lower.Ptr)
		if d == nil || d.c != 0 || len(d.terms) != 1 || list[i].in.Scale != in.Scale {
			continue
		}
		if ch.uses[in.Results[0].ID] > 1 && d.terms[0].v[1] == nil {
			continue
		}
		if by, k := ch.multipleOf(d.terms[0], in.Args[1]); by != nil && k%in.Scale == 0 {
			l.basis, l.by, l.k = list[i], by, k/in.Scale
			break
		}
	}
	ch.last[in.Args[0]] = append(list, l)
	ch.links = append(ch.links, l)
}

// multipleOf is the value of which a term is a multiple, and how often: itself, or a factor of the index.
func (ch *chainer) multipleOf(t term, index *ir.Value) (*ir.Value, int64) {
	if t.v[1] == nil {
		if t.v[0].Type != lower.S32 {
			return nil, 0
		}
		return t.v[0], t.k
	}
	if def := index.Def; def != nil && def.Op == lower.Mul && index.Type == lower.S32 {
		for _, v := range def.Args {
			if f := ch.sums.find(v); f.c == 0 && len(f.terms) == 1 && f.terms[0].v == t.v && t.k%f.terms[0].k == 0 {
				return v, t.k / f.terms[0].k
			}
		}
	}
	return nil, 0
}

// rewrite computes the addresses of rows that are long enough from those before them.
func (ch *chainer) rewrite(b *ir.Block, length int) {
	for _, l := range ch.links { // in the order of the text: a basis is counted before what follows from it
		if l.run = 1; l.basis != nil {
			l.run = 2
			if l.basis.by == l.by && l.basis.k == l.k {
				l.run = l.basis.run + 1
			}
		}
	}
	long := map[*ir.Instr]*link{}
	for i := len(ch.links) - 1; i >= 0; i-- {
		l := ch.links[i]
		if l.basis == nil {
			continue
		}
		if l.basis.by == l.by && l.basis.k == l.k {
			l.basis.run = max(l.basis.run, l.run)
		}
		if l.run >= length {
			long[l.in] = l
		}
	}
	if len(long) == 0 {
		return
	}
	b.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		if l := long[in]; l != nil {
			in.Args = []*ir.Value{l.basis.in.Results[0], ch.multiple(out, in, l)}
		}
		return in
	})
}

// multiple is k times what an address is moved by.
func (ch *chainer) multiple(out *ir.Block, in *ir.Instr, l *link) *ir.Value {
	op, by := lower.Mul, ch.f.Int(lower.S32, l.k)
	switch {
	case l.k == 1:
		return l.by
	case l.k > 0 && ranges.PowerOfTwo(l.k):
		op, by = lower.Shl, ch.f.Int(lower.U32, int64(bits.TrailingZeros64(uint64(l.k))))
	}
	return ch.f.Emit(out, &ir.Instr{Op: op, Type: lower.S32, Args: []*ir.Value{l.by, by}, Subscript: in.Subscript,
		Pos: in.Pos})
}
