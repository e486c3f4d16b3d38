package memory

import (
	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// origin is the object that a pointer leads into (LLVM's getUnderlyingObject), or that it is not known.
type origin int32

const (
	nowhere   origin = 0 // nothing found yet
	elsewhere origin = -1
)

// class is a set of memory locations that accesses are compared within; accesses to different classes touch each other
// only as its kind says.
type class struct {
	kind  classKind
	space ir.Space
	// escaped: unknown pointers may lead here
	escaped bool
}

type classKind uint8

// The kinds of classes.
const (
	invariant classKind = iota + 1 // nobody writes it while the kernel runs: constants, const restrict buffers
	object                         // one object that no argument leads to: private, or a restrict buffer
	static                         // one local or global array; a pointer argument may lead into it, too
	arguments                      // all buffers of a space behind arguments without restrict
	unknown                        // pointers of a space that come from elsewhere
)

// aliases says which memory each pointer of a kernel leads to.
type aliases struct {
	f       *ir.Func
	origins []origin // by value
	classes []class
	byID    []int // the class of each object, by ObjectID - 1
	unknown map[ir.Space]int
}

// aliasesOf follows the pointers of a kernel.
func aliasesOf(f *ir.Func) *aliases {
	a := &aliases{f: f, origins: make([]origin, f.NumValues()), unknown: map[ir.Space]int{}}
	escaped := make([]bool, len(f.Objects))
	var exposed []*ir.Value
	var moves []*ir.Instr
	f.Body.Walk(func(in *ir.Instr) {
		for i, v := range in.Args {
			if v.Type == lower.Ptr && exposes(in, i) {
				exposed = append(exposed, v)
			}
		}
		if movesPointer(in) {
			moves = append(moves, in)
		}
	})
	a.follow(moves, escaped)
	for _, v := range exposed {
		if o := a.of(v); o > 0 {
			escaped[o-1] = true
		}
	}
	shared := map[ir.Space]int{}
	for i := range f.Objects {
		o := &f.Objects[i]
		c := class{kind: a.kindOf(ir.ObjectID(i + 1)), space: o.Space, escaped: escaped[i]}
		if c.kind != arguments {
			a.byID = append(a.byID, len(a.classes))
			a.classes = append(a.classes, c)
			continue
		}
		n, ok := shared[o.Space]
		if !ok {
			n = len(a.classes)
			shared[o.Space] = n
			c.escaped = true
			a.classes = append(a.classes, c)
		}
		a.byID = append(a.byID, n)
	}
	return a
}

// exposes reports whether operand i of an instruction lets a pointer get where it is not followed.
func exposes(in *ir.Instr, i int) bool {
	switch in.Op {
	case lower.Store, lower.Atomic:
		return i > 0
	case lower.Load, lower.PtrAdd, lower.PtrDiff, lower.Copy, lower.BulkCopy, lower.CopyGroup, lower.Select,
		lower.OpLoop, lower.OpYield, lower.OpLeave, lower.OpContinue, lower.MatrixRow, lower.ImageLoad,
		lower.ImageStore:
		return false
	}
	return !in.Op.IsComparison()
}

// kindOf is the kind of an object's class.
func (a *aliases) kindOf(id ir.ObjectID) classKind {
	o := a.f.Object(id)
	parameter := false
	for _, p := range a.f.Params {
		parameter = parameter || p.Object == id
	}
	switch {
	case o.Init != nil, o.Space == idg.SpaceConstant, o.ReadOnly && o.Restrict && parameter:
		return invariant
	case o.Space == idg.SpacePrivate, o.Restrict:
		return object
	case parameter:
		return arguments
	}
	return static
}

// of is the origin of a value.
func (a *aliases) of(v *ir.Value) origin {
	switch v.Kind {
	case ir.KernelArg, ir.Address:
		if v.Object != 0 {
			return origin(v.Object)
		}
		return elsewhere
	case ir.Undef:
		return nowhere
	case ir.Const:
		return elsewhere
	}
	if int(v.ID) < len(a.origins) {
		return a.origins[v.ID]
	}
	if d := ir.Def(v, lower.PtrAdd); d != nil {
		return a.of(d.Args[0])
	}
	return elsewhere
}

// follow finds the origins of all pointers: the least that holds for all assignments, found by rounds over those that
// move one, of which nested loops need some more than one.
func (a *aliases) follow(moves []*ir.Instr, escaped []bool) {
	for changed := true; changed; {
		changed = false
		set := func(to, from *ir.Value) {
			if to.Type != lower.Ptr {
				return
			}
			have, o := a.origins[to.ID], a.of(from)
			switch {
			case o == nowhere || o == have || have == elsewhere && o == elsewhere:
				return
			case have == nowhere:
				a.origins[to.ID] = o
			default: // it leads to one or the other
				for _, x := range []origin{have, o} {
					if x > 0 {
						escaped[x-1] = true
					}
				}
				if have == elsewhere {
					return
				}
				a.origins[to.ID] = elsewhere
			}
			changed = true
		}
		for _, in := range moves {
			a.assign(in, set)
		}
	}
}

func movesPointer(in *ir.Instr) bool {
	for _, r := range in.Results {
		if r.Type == lower.Ptr {
			return true
		}
	}
	for _, v := range in.Args {
		if v.Type == lower.Ptr {
			return in.Op == lower.OpLoop || in.IsTerminator()
		}
	}
	return false
}

// assign calls set for each pointer that an instruction makes of others.
func (a *aliases) assign(in *ir.Instr, set func(to, from *ir.Value)) {
	switch in.Op {
	case lower.PtrAdd, lower.MatrixRow, lower.Mov:
		set(in.Results[0], in.Args[0])
	case lower.Select:
		set(in.Results[0], in.Args[1])
		set(in.Results[0], in.Args[2])
	case lower.OpLoop:
		for i, p := range in.Blocks[0].Params {
			set(p, in.Args[i])
		}
	case lower.OpContinue:
		for i, p := range in.Target.Blocks[0].Params {
			set(p, in.Args[i])
		}
	case lower.OpLeave:
		for i, r := range in.Target.Results {
			set(r, in.Args[i])
		}
	case lower.OpYield:
		if in.Parent.Owner != nil {
			for i, r := range in.Parent.Owner.Results {
				set(r, in.Args[i])
			}
		}
	case lower.OpIf, lower.OpSwitch, lower.OpRegion:
	default:
		for _, r := range in.Results {
			if r.Type == lower.Ptr {
				a.origins[r.ID] = elsewhere
			}
		}
	}
}

// classOf is the class of an access through a pointer.
func (a *aliases) classOf(p *ir.Value, space ir.Space) int {
	if o := a.of(p); o > 0 {
		return a.byID[o-1]
	}
	n, ok := a.unknown[space]
	if !ok {
		n = len(a.classes)
		a.classes = append(a.classes, class{kind: unknown, space: space, escaped: true})
		a.unknown[space] = n
	}
	return n
}

// touches reports whether a write to class w may change what is read from another class r.
func (a *aliases) touches(w, r int) bool {
	x, y := a.classes[w], a.classes[r]
	if y.kind == unknown {
		x, y = y, x
	}
	switch {
	case y.kind == invariant || x.kind == invariant:
		return false
	case x.kind == unknown && y.kind == object:
		return y.escaped
	case x.kind == unknown, x.kind == arguments && y.kind == static, x.kind == static && y.kind == arguments:
		return x.space == y.space
	}
	return false
}

// shared reports whether other work items, or code that is not seen, may read and write a class. A restrict buffer of
// which no pointer gets elsewhere is only the kernel's, even at barriers (LLVM's isNonEscapingLocalObject has noalias
// arguments among them).
func (a *aliases) shared(c int) bool {
	k := a.classes[c]
	return k.kind != invariant && (k.kind != object || k.escaped)
}

// scaled is a value that is part of an address, times a constant.
type scaled struct {
	value *ir.Value
	scale int64
}

// address is what a pointer is but for a constant: one value that it begins with, and what is added to it. Pointers
// with equal addresses differ by constants that are known (LLVM's BasicAA decomposes them so).
type address struct {
	base  *ir.Value
	terms [3]scaled // by the ID of the value; none: nil
}

// decompose is the address of a pointer and the constant behind it, in bytes.
func decompose(p *ir.Value) (address, int64) {
	var a address
	offset, n := int64(0), 0
	whole := p
	for d := ir.Def(p, lower.PtrAdd); d != nil; d = ir.Def(p, lower.PtrAdd) {
		i, plus := splitIndex(d.Args[1])
		offset += plus * d.Scale
		if i != nil {
			if n == len(a.terms) { // one term too many: as it is
				return address{base: whole}, 0
			}
			a.terms[n] = scaled{i, d.Scale}
			n++
		}
		p = d.Args[0]
	}
	a.base = p
	a.sort(n)
	return a, offset
}

// sort orders the first n terms and adds those of one value.
func (a *address) sort(n int) {
	for i := 1; i < n; i++ {
		for j := i; j > 0 && a.terms[j].value.ID < a.terms[j-1].value.ID; j-- {
			a.terms[j], a.terms[j-1] = a.terms[j-1], a.terms[j]
		}
	}
	k := 0
	for i := range n {
		t := a.terms[i]
		a.terms[i] = scaled{}
		if k > 0 && a.terms[k-1].value == t.value {
			a.terms[k-1].scale += t.scale
			continue
		}
		a.terms[k] = t
		k++
	}
}

// splitIndex takes constants off an index: sums of 64 bits, and signed ones, which do not wrap.
func splitIndex(i *ir.Value) (*ir.Value, int64) {
	plus := int64(0)
	for {
		d := ir.DefConst(i, lower.Add)
		switch {
		case i.IsConst():
			return nil, plus + i.Int()
		case d != nil && (i.Type.IsSigned() || i.Type.Size() == 8):
		case i.DefOp() == lower.Convert && ir.Extends(i.Def) && i.Def.From.IsSigned():
			d = ir.DefConst(i.Def.Args[0], lower.Add)
		default:
			d = nil
		}
		if d == nil {
			return i, plus
		}
		plus += d.Args[1].Int()
		i = d.Args[0]
	}
}
