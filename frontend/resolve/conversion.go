package resolve

import (
	"cmp"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
)

// Implicit conversion sequences (C++17 [over.ics]): what an argument has to go through to become a parameter, and
// which of two sequences is better.

// rank orders sequences, the best first.
type rank uint8

const (
	rankExact rank = iota + 1
	rankPromotion
	rankConversion
	rankUser
	rankEllipsis
	rankNone // there is no conversion
)

// sequence is how an argument becomes a parameter.
type sequence struct {
	rank rank
	// adjusted counts the qualifiers that are added, in an exact one or in what a reference binds to.
	adjusted int
	// distance is how many classes lie between a class and the base that it becomes; void is farther than any.
	distance    int
	bindsRvalue bool // a T && binds to an rvalue
	isRef       bool
	second      rank // of a user-defined one: what follows the function
	boolean     bool // a pointer becomes a bool, which is worse than any other conversion
	list        bool // a list in braces becomes an std::initializer_list
}

const farthest = 1000

// none is that there is no conversion.
var none = sequence{rank: rankNone}

// sequenceTo is how an argument becomes a parameter of a type. Functions that convert classes are considered
// unless user is false.
func (c *checker) sequenceTo(arg ast.Expr, to qtype, user bool) sequence {
	if list, ok := arg.(*braceList); ok {
		return c.sequenceOfBraces(list, to, user)
	}
	if set, ok := arg.(*overloads); ok {
		return c.sequenceOfFunction(set, to)
	}
	from := c.typeOf(arg)
	if from.Kind == 0 || to.Kind == 0 {
		return none
	}
	if to.ref != noRef {
		return c.referenceSequence(arg, from, to, user)
	}
	return c.valueSequence(arg, from, to, user)
}

// referenceSequence binds a reference.
func (c *checker) referenceSequence(arg ast.Expr, from, to qtype, user bool) sequence {
	related := same(from.Type, to.Type)
	distance := 0
	if !related && c.derives(from.Type, to.Type) {
		related, distance = true, c.baseDistance(from.Type, to.Type)
	}
	if !related && from.Kind == ctypes.Array && to.Kind == ctypes.Array && same(from.Elem, to.Elem) &&
		(to.Len < 0 || from.Len == to.Len) {
		related = true
	}
	compatible := related && (to.isConst || !from.isConst) && (to.isVolatile || !from.isVolatile)
	if compatible {
		s := sequence{rank: rankExact, isRef: true, adjusted: added(from, to)}
		if distance > 0 {
			s.rank, s.distance = rankConversion, distance
		}
		switch {
		case to.ref == lvalue && from.ref == lvalue:
			return s
		case to.ref == rvalue && from.ref != lvalue:
			s.bindsRvalue = true
			return s
		case to.ref == lvalue && to.isConst && from.ref != lvalue:
			return s
		}
		return none
	}
	if related {
		return none
	}
	if pointed := c.qualifiedPointer(from, to); pointed && (to.isConst || to.ref == rvalue) {
		return sequence{rank: rankExact, isRef: true, adjusted: 1}
	}
	if to.ref == lvalue && (!to.isConst || to.isVolatile) {
		if user && isClass(from.Type) {
			return c.conversionFunctionSequence(arg, to)
		}
		return none
	}
	if user && to.ref == rvalue && isClass(from.Type) && !isClass(to.Type) {
		f, _, _ := c.chooseConversion(arg, to, false)
		if f != nil && f.sig.result.ref == lvalue && same(f.sig.result.Type, to.Type) {
			return none // it binds to no lvalue of its type ([dcl.init.ref]/5.4)
		}
	}
	s := c.valueSequence(arg, from, qtype{Type: to.Type}, user) // a temporary
	s.isRef, s.bindsRvalue = true, to.ref == rvalue
	return s
}

// qualifiedPointer reports whether a pointer becomes one to the same type with more qualifiers.
func (c *checker) qualifiedPointer(from, to qtype) bool {
	if from.Kind != ctypes.Pointer || to.Kind != ctypes.Pointer {
		return false
	}
	_, ok := qualify(from.Type, to.Type)
	return ok
}

// added counts the qualifiers that a type has more than another.
func added(from, to qtype) int {
	n := 0
	if to.isConst && !from.isConst {
		n++
	}
	if to.isVolatile && !from.isVolatile {
		n++
	}
	return n
}

// qualify counts the qualifiers that are added where a pointer becomes another to the same type; false where it does
// not.
func qualify(from, to *ctypes.Type) (int, bool) {
	n := 0
	for from.Kind == ctypes.Pointer && to.Kind == ctypes.Pointer {
		if from.Const && !to.Const || from.Volatile && !to.Volatile {
			return 0, false
		}
		if to.Const && !from.Const {
			n++
		}
		if to.Volatile && !from.Volatile {
			n++
		}
		from, to = from.Elem, to.Elem
	}
	return n, same(from, to)
}

// valueSequence makes a value of another type.
func (c *checker) valueSequence(arg ast.Expr, from, to qtype, user bool) sequence {
	f, t := from.Type, to.Type
	if f.Kind == ctypes.Array {
		f = ctypes.PointerTo(f.Elem, 0)
		f.Const, f.Volatile = from.isConst, from.isVolatile
	}
	switch {
	case same(f, t):
		return sequence{rank: rankExact}
	case c.derives(f, t):
		return sequence{rank: rankConversion, distance: c.baseDistance(f, t)}
	case isClass(t) || isClass(f):
		if user && c.closureFunction(arg, t) != nil {
			return sequence{rank: rankUser, second: rankExact}
		}
		if user {
			return c.userSequence(arg, to)
		}
		return none
	case t.Kind == ctypes.Pointer && (c.isNull(arg) || f == nullType), c.noMemberOf(arg, t) != nil:
		return sequence{rank: rankConversion}
	case f == nullType && t.Kind != ctypes.Bool:
		return none
	case f.Kind == ctypes.Pointer && t == nullType:
		return none
	case f.Kind == ctypes.Pointer && t.Kind == ctypes.Pointer:
		return c.pointerSequence(f, t)
	case f.Kind == ctypes.Pointer && t.Kind == ctypes.Bool:
		return sequence{rank: rankConversion, boolean: true}
	case c.isScoped(f) || c.isEnum(t):
		if c.ofDerived(arg, t, false) != nil {
			return sequence{rank: rankConversion}
		}
		return none
	case f.IsScalar() && t.IsScalar():
		return c.numberSequence(f, t)
	case f.IsScalar() && t.Kind == ctypes.Vector:
		if c.cfg.Dialect == ast.OpenCL {
			return sequence{rank: rankConversion}
		}
		return none
	case f.Kind == ctypes.Vector && t.Kind == ctypes.Vector && f.Equal(t):
		return sequence{rank: rankExact}
	case f.Kind == ctypes.Opaque && t.Kind == ctypes.Opaque && f.Name == t.Name:
		return sequence{rank: rankExact}
	case f.IsInteger() && t.Kind == ctypes.Opaque && t.Name == typeSampler:
		return sequence{rank: rankConversion}
	}
	return none
}

func (c *checker) pointerSequence(f, t *ctypes.Type) sequence {
	if n, ok := qualify(f, t); ok {
		return sequence{rank: rankExact, adjusted: n}
	}
	if f.Const && !t.Const || f.Volatile && !t.Volatile {
		if c.cfg.Dialect == ast.CUDA {
			return none
		}
	}
	more := added(qtype{qualifiers: qualifiers{isConst: f.Const, isVolatile: f.Volatile}},
		qtype{qualifiers: qualifiers{isConst: t.Const, isVolatile: t.Volatile}})
	switch {
	case c.ofBase(f.Elem, t.Elem):
		return sequence{rank: rankConversion, adjusted: more}
	case t.Elem.Kind == ctypes.Void && f.Elem.Kind != ctypes.Opaque:
		return sequence{rank: rankConversion, distance: farthest, adjusted: more}
	case c.derives(f.Elem, t.Elem):
		return sequence{rank: rankConversion, distance: c.baseDistance(f.Elem, t.Elem), adjusted: more}
	case f.Elem.Equal(t.Elem) && c.cfg.Dialect == ast.OpenCL:
		return sequence{rank: rankConversion}
	}
	if c.cfg.Dialect == ast.OpenCL {
		return sequence{rank: rankConversion, distance: farthest} // as C does, with a warning
	}
	return none
}

// numberSequence converts numbers.
func (c *checker) numberSequence(f, t *ctypes.Type) sequence {
	switch {
	case c.enums[f] != nil && t.Name == "" && c.enums[f].fixed && t.Kind == f.Kind:
		return sequence{rank: rankPromotion}
	case c.enums[f] != nil && t.Name == "" && t.Kind == ctypes.Promoted(f).Kind:
		return sequence{rank: rankPromotion, adjusted: 1} // worse than the underlying type
	case c.cfg.Dialect == ast.CUDA && (f.IsHalf() || t.IsHalf()) && f.Kind != t.Kind:
		// half and __nv_bfloat16 are classes of cuda_fp16.h, with constructors and conversion functions
		if f.IsHalf() && t.Kind == ctypes.Double {
			return sequence{rank: rankUser, second: rankPromotion}
		}
		return sequence{rank: rankUser, second: rankExact}
	case f.IsInteger() && t.Kind == ctypes.Int && t.Name == "" && f.Kind < ctypes.Int:
		return sequence{rank: rankPromotion}
	case f.Kind == ctypes.Float && t.Kind == ctypes.Double:
		return sequence{rank: rankPromotion}
	}
	return sequence{rank: rankConversion}
}

// better compares two sequences of one argument: 1 where a is better, -1 where b is, else 0.
func better(a, b sequence) int {
	truth := func(a, b bool) int { // 1 where a alone holds
		switch {
		case a == b:
			return 0
		case a:
			return 1
		}
		return -1
	}
	switch {
	case a.list != b.list && max(a.rank, b.rank) < rankUser: // [over.ics.rank]/3
		return truth(a.list, b.list)
	case a.rank != b.rank:
		return cmp.Compare(b.rank, a.rank)
	case a.boolean != b.boolean:
		return truth(b.boolean, a.boolean)
	case a.rank == rankUser && a.second != b.second:
		return cmp.Compare(b.second, a.second)
	case a.rank == rankConversion && a.distance != b.distance && a.distance > 0 && b.distance > 0:
		return cmp.Compare(b.distance, a.distance)
	case a.isRef && b.isRef && a.bindsRvalue != b.bindsRvalue:
		return truth(a.bindsRvalue, b.bindsRvalue)
	// What a reference binds to counts only beside another reference ([over.ics.rank]/3.2.6).
	case a.isRef && !b.isRef:
		return min(b.adjusted, 1)
	case b.isRef && !a.isRef:
		return -min(a.adjusted, 1)
	}
	return cmp.Compare(b.adjusted, a.adjusted)
}

// baseDistance is how many steps of inheritance lie between a class and a base of it, 0 where it is none.
func (c *checker) baseDistance(t, b *ctypes.Type) int {
	cl := c.classes[t]
	if cl == nil || t == b {
		return 0
	}
	c.complete(cl)
	for _, direct := range cl.bases {
		if direct.class.typ == b {
			return 1
		}
		if d := c.baseDistance(direct.class.typ, b); d > 0 {
			return d + 1
		}
	}
	return 0
}

// derives reports whether a class is derived from another.
func (c *checker) derives(t, b *ctypes.Type) bool {
	return isClass(t) && c.classes[b] != nil && c.baseDistance(t, b) > 0
}

// asBase is the part of an object that is of a class that it is derived from. Where the base has no data, it is the
// object's own address taken as one of the base.
func (c *checker) asBase(obj ast.Expr, to *ctypes.Type) ast.Expr {
	pos := obj.Pos()
	for !obj.Type().Equal(to) {
		t := obj.Type()
		cl := c.classes[t]
		var step *base
		for i := range cl.bases {
			if b := cl.bases[i].class.typ; b == to || c.baseDistance(b, to) > 0 {
				step = &cl.bases[i]
				break
			}
		}
		if step == nil {
			return c.fail(pos, "%v is not derived from %v", t, to)
		}
		if step.field >= 0 {
			obj = &ast.Member{Typed: ast.Of(step.class.typ, pos), X: stripped(obj), Field: step.field}
			continue
		}
		if !ast.IsLvalue(stripped(obj)) {
			obj = &ast.InitList{Typed: ast.Of(step.class.typ, pos)}
			continue
		}
		p := c.addressOf(stripped(obj), pos)
		q := *p.Type()
		q.Elem = step.class.typ
		obj = &ast.Deref{Typed: ast.Of(step.class.typ, pos), X: &ast.Convert{Typed: ast.Of(&q, pos), X: p}}
	}
	return obj
}
