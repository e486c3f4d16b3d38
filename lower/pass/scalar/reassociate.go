package scalar

import (
	"cmp"
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/profile"
)

// Reassociate adds, multiplies and combines integers in an order in which what is known first comes first (LLVM's
// Reassociate): base + k * stride + x is (base + x) + k * stride in a loop over k, and the sum in brackets is hoisted.
// Constants come last, where accesses take them as their offset. Only values that nobody else reads are taken apart.
// Ranks are those of LLVM: of what cannot be moved its place in the text, of others one more than the highest of their
// operands.
func Reassociate(f *ir.Func, c *profile.Context) {
	r := &reassociation{f: f, uses: f.Uses(), ranks: make([]int, f.NumValues()), readers: readersOf(f)}
	for i, a := range f.Args {
		r.set(a, i+1)
	}
	r.next = 1 << 16
	r.block(f.Body)
	DCE(f, c)
}

// readersOf is the instruction that reads each value, by ID, where only one does.
func readersOf(f *ir.Func) []*ir.Instr {
	out := make([]*ir.Instr, f.NumValues())
	f.Body.Walk(func(in *ir.Instr) {
		for _, a := range in.Args {
			out[a.ID] = in
		}
	})
	return out
}

type reassociation struct {
	f       *ir.Func
	uses    []int
	readers []*ir.Instr
	ranks   []int
	next    int // rank of what cannot be moved
	out     *ir.Block
}

func (r *reassociation) set(v *ir.Value, rank int) {
	if n := int(v.ID) + 1; n > len(r.ranks) {
		r.ranks = append(r.ranks, make([]int, n+n/2-len(r.ranks))...)
	}
	r.ranks[v.ID] = rank
}

func (r *reassociation) rank(v *ir.Value) int {
	if int(v.ID) < len(r.ranks) {
		return r.ranks[v.ID]
	}
	return 0
}

// enter begins a block.
func (r *reassociation) enter() { r.next = (r.next>>16 + 1) << 16 }

func (r *reassociation) block(b *ir.Block) {
	r.enter()
	for _, p := range b.Params {
		r.next++
		r.set(p, r.next)
	}
	around := r.out
	r.out = b.Anew()
	for _, in := range b.Instrs {
		if r.root(in) {
			r.rewrite(in)
		}
		for _, inner := range in.Blocks {
			r.block(inner)
		}
		if in.Nests() {
			r.enter()
		}
		r.append(in)
	}
	b.Take(r.out)
	r.out = around
}

// append puts an instruction behind those of its block, and ranks what it gives.
func (r *reassociation) append(in *ir.Instr) {
	r.out.Append(in)
	rank := 0
	if movable(in) {
		for _, a := range in.Args {
			rank = max(rank, r.rank(a)+1)
		}
	} else {
		r.next++
		rank = r.next
	}
	for _, v := range in.Results {
		r.set(v, rank)
	}
}

// movable reports whether the rank of an operation is that of its operands.
func movable(in *ir.Instr) bool {
	return ir.Pure(in) && in.Op != lower.Div && in.Op != lower.Rem && in.Op != lower.Call && in.Op != lower.Index
}

// kind is the operation that an expression is made of, 0 for one that is not reordered. A difference is a sum.
func kind(in *ir.Instr) ir.Op {
	if !in.Type.IsInteger() {
		return 0
	}
	switch in.Op {
	case lower.Add, lower.Mul, lower.And, lower.Or, lower.Xor:
		return in.Op
	case lower.Sub:
		return lower.Add
	}
	return 0
}

// inner reports whether a value is part of the expression of the one that reads it.
func (r *reassociation) inner(v *ir.Value, k ir.Op, t ir.Type) bool {
	return v.Kind == ir.Result && int(v.ID) < len(r.uses) && r.uses[v.ID] == 1 && kind(v.Def) == k && v.Def.Type == t
}

// root reports whether an expression of more than two values ends with an instruction.
func (r *reassociation) root(in *ir.Instr) bool {
	k := kind(in)
	if k == 0 || !r.inner(in.Args[0], k, in.Type) && !r.inner(in.Args[1], k, in.Type) {
		return false
	}
	v := in.Result()
	reader := r.readers[v.ID]
	return r.uses[v.ID] != 1 || reader == nil || kind(reader) != k || reader.Type != in.Type
}

// leaf is an operand of an expression, or its negation.
type leaf struct {
	value    *ir.Value
	negative bool
	rank     int
}

// maxLeaves is how many operands an expression has at most.
const maxLeaves = 64

// leaves are the operands of an expression in the order of the text; ok is false where there are too many.
func (r *reassociation) leaves(list []leaf, in *ir.Instr, k ir.Op, negative bool) ([]leaf, bool) {
	for i, a := range in.Args {
		sign := negative != (in.Op == lower.Sub && i == 1)
		ok := true
		if r.inner(a, k, in.Type) {
			list, ok = r.leaves(list, a.Def, k, sign)
		} else {
			list = append(list, leaf{a, sign, r.rank(a)})
		}
		if !ok || len(list) > maxLeaves {
			return list, false
		}
	}
	return list, true
}

// rewrite gives the expression that ends with an instruction its order.
func (r *reassociation) rewrite(in *ir.Instr) {
	k := kind(in)
	list, ok := r.leaves(nil, in, k, false)
	if !ok {
		return
	}
	slices.SortStableFunc(list, func(a, b leaf) int {
		if c := b.value.IsConst(); c != a.value.IsConst() { // constants are last
			if c {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.value.ID, b.value.ID))
	})
	if list[0].negative { // a difference begins with what is not taken away
		i := slices.IndexFunc(list, func(l leaf) bool { return !l.negative })
		if i < 0 {
			return
		}
		first := list[i]
		copy(list[1:i+1], list[:i])
		list[0] = first
	}
	sum := list[0].value
	for i, l := range list[1:] {
		op := k
		if l.negative {
			op = lower.Sub
		}
		if i == len(list)-2 {
			in.Op, in.Args = op, []*ir.Value{sum, l.value}
			return
		}
		part := &ir.Instr{Op: op, Type: in.Type, Args: []*ir.Value{sum, l.value}, Pos: in.Pos, Subscript: in.Subscript,
			Component: in.Component}
		sum = r.f.AddResult(part, in.Type, "")
		r.append(part)
	}
}
