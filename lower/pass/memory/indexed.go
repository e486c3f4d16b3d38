package memory

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass/ranges"
	"gpupipe/lower/pass/scalar"
	"gpupipe/lower/profile"
)

// Indexed puts private arrays with computed subscripts into registers where comparisons cost less than memory, as the
// stage behind PTX does: a read chooses among the elements by comparing the subscript, a write is one of each element
// that keeps the old value where the subscript is another's. All arrays of a kernel become registers, or none does.
func Indexed(f *ir.Func, c *profile.Context) {
	r := c.Profile.Indexed
	if r.Often == 0 || c.Virtual {
		return
	}
	x := &indexer{f: f, rule: &r, alias: aliasesOf(f), align: ranges.NewAlignments(f), jumps: ir.JumpsOf(f),
		offsets: map[*ir.Value]*ir.Value{}, seen: map[ir.ObjectID]bool{}}
	if !x.collect() || !x.pays() {
		return
	}
	x.rewrite()
	scalar.DCE(f, c)
	Promote(f, c)
	GVN(f, c)
	scalar.Simplify(f, c)
}

// indexer looks at the accesses to private objects.
type indexer struct {
	f        *ir.Func
	rule     *profile.IndexedRule
	alias    *aliases
	align    *ranges.Alignments
	jumps    *ir.Jumps
	accesses []indexedAccess
	bytes    int64 // of the private objects that are accessed
	seen     map[ir.ObjectID]bool
	size     float64                 // of the kernel, by how often it is executed
	offsets  map[*ir.Value]*ir.Value // of pointers from the start of their objects, in bytes
}

// indexedAccess is an access to a private object.
type indexedAccess struct {
	in       *ir.Instr
	object   ir.ObjectID
	computed bool
	often    float64
	stride   int64 // of the places that it can be at, as the subscript's factor alone tells
}

// collect finds the accesses, and reports whether all private objects can be registers and a subscript is computed.
func (x *indexer) collect() bool {
	private := false
	for i := range x.f.Objects {
		o := &x.f.Objects[i]
		if o.Space != idg.SpacePrivate || o.Init != nil {
			continue
		}
		private = true
		if x.alias.classes[x.alias.byID[i]].escaped {
			return false
		}
	}
	return private && x.block(x.f.Body, 1) && x.computed() && x.bytes <= maxPromoted
}

func (x *indexer) computed() bool {
	for i := range x.accesses {
		if x.accesses[i].computed {
			return true
		}
	}
	return false
}

func (x *indexer) block(b *ir.Block, often float64) bool {
	for _, in := range b.Instrs {
		switch {
		case in.Op == lower.Load, in.Op == lower.Store:
			x.size += often * x.rule.Memory
		case in.Op == lower.OpYield, in.Op == lower.OpLoop:
		case in.Type.Size() == 8 && in.Op != lower.PtrAdd:
			x.size += 2 * often
		default:
			x.size += often
		}
		if in.Op != lower.PtrAdd && !x.access(in, often) {
			return false
		}
		inner := often
		if in.Op == lower.OpLoop {
			inner *= x.rule.Often
		}
		for _, s := range in.Blocks {
			if !x.block(s, inner) {
				return false
			}
		}
	}
	return true
}

// access notes an access, and reports whether pointers to private objects are only added to, loaded from and stored to.
func (x *indexer) access(in *ir.Instr, often float64) bool {
	for i, v := range in.Args {
		if v.Type != lower.Ptr {
			continue
		}
		o := x.alias.of(v)
		if o <= 0 || x.f.Object(ir.ObjectID(o)).Space != idg.SpacePrivate {
			continue
		}
		switch {
		case in.Op == lower.OpLoop, in.IsTerminator():
		case i > 0 || in.Op != lower.Load && in.Op != lower.Store || in.Volatile || in.Type.Size() < wordBytes:
			return false
		default:
			stride, ok := x.strideOf(v)
			if !ok {
				return false
			}
			id := ir.ObjectID(o)
			if !x.seen[id] {
				x.seen[id] = true
				x.bytes += x.f.Object(id).Size
			}
			x.accesses = append(x.accesses, indexedAccess{in, id, stride > 0, often, stride})
		}
	}
	return true
}

// wordBytes are those of a register.
const wordBytes = 4

// strideOf is the factor of what is added to the start of an object, 0 where that is constant; not ok where it is not
// followed.
func (x *indexer) strideOf(v *ir.Value) (stride int64, ok bool) {
	add := func(n int64) {
		if n &= -n; stride == 0 || n < stride {
			stride = n
		}
	}
	for {
		switch d := ir.Def(v, lower.PtrAdd); {
		case d != nil && d.Args[1].IsConst():
			v = d.Args[0]
		case d != nil:
			add(d.Scale * shifted(d.Args[1]))
			v = d.Args[0]
		case v.Kind == ir.Address:
			return stride, true
		case v.Kind == ir.BlockArg, v.Kind == ir.Result && v.Def.Nests():
			add(wordBytes) // what loops add is not looked at
			return stride, true
		default:
			return 0, false
		}
	}
}

// shifted is the power of two that an index is multiplied with.
func shifted(v *ir.Value) int64 {
	for v.Kind == ir.Result {
		switch n := v.Def.Args; {
		case v.Def.Op == lower.Convert && v.Def.From.IsInteger():
			v = n[0]
		case v.Def.Op == lower.Shl && n[1].IsConst() && n[1].Bits < 8:
			return 1 << n[1].Bits
		case v.Def.Op == lower.Mul && n[1].IsConst() && n[1].Bits != 0:
			return n[1].Int() & -n[1].Int()
		default:
			return 1
		}
	}
	return 1
}

// pays reports whether registers cost less than memory, and the kernel does not grow too much by that.
func (x *indexer) pays() bool {
	r := x.rule
	var gain, growth, most float64
	var comparisons int64
	for i := range x.accesses {
		a := &x.accesses[i]
		words := float64(elements(a.in) * a.in.Type.Size() / wordBytes)
		most = max(most, a.often)
		if !a.computed {
			gain += a.often * (r.Static[0] + r.Static[1]*words)
			continue
		}
		n := max(1, x.bytes/max(a.stride, wordBytes))
		comparisons += n
		gain += a.often * (r.Dynamic[0] + r.Dynamic[1]*words - float64(n))
		growth += a.often * float64(n) * (1 + words)
	}
	if most > 1 {
		gain += most * r.Looped
	} else {
		gain += r.Straight
	}
	return gain >= 0 && comparisons <= r.Most && growth <= r.Growth*x.size
}
