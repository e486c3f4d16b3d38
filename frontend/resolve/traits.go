package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// typeTrait answers what a library asks of the compiler about types.
func (c *checker) typeTrait(x *syntax.TypeTrait) ast.Expr {
	args, ok := c.templateArguments(x.Args)
	if !ok || len(args) == 0 {
		return invalidAt(x.Pos)
	}
	for _, a := range args {
		if a.kind != argType {
			return c.fail(x.Pos, "%s takes types", x.Name)
		}
	}
	t := args[0].typ
	holds := false
	switch x.Name {
	case "__is_same", "__is_same_as":
		if len(args) != 2 {
			return c.fail(x.Pos, "%s takes two types", x.Name)
		}
		holds = sameQual(t, args[1].typ)
	case "__is_class":
		holds = t.ref == noRef && t.Kind == ctypes.Struct
	case "__is_union":
		holds = t.ref == noRef && t.Kind == ctypes.Union
	case "__is_enum":
		holds = t.ref == noRef && c.isEnum(t.Type)
	case "__is_empty":
		holds = isClass(t.Type) && c.isComplete(t.Type) && c.classes[t.Type] != nil && c.classes[t.Type].empty &&
			!c.classes[t.Type].isPolymorphic()
	case "__is_base_of":
		if len(args) != 2 {
			return c.fail(x.Pos, "%s takes two types", x.Name)
		}
		u := args[1].typ
		holds = t.ref == noRef && u.ref == noRef && t.Kind == ctypes.Struct &&
			(t.Type == u.Type || c.derives(u.Type, t.Type))
	case "__is_trivially_copyable":
		holds = t.ref == noRef && c.copiesBits(innermost(t.Type))
	case "__is_pod", "__is_trivial":
		holds = t.ref == noRef && c.isTrivial(innermost(t.Type))
	case "__is_integral":
		holds = t.ref == noRef && t.IsInteger() && !c.isEnum(t.Type) && c.memberPointers[t.Type] == nil
	case "__is_floating_point":
		holds = t.ref == noRef && (t.Kind == ctypes.Float || t.Kind == ctypes.Double)
	case "__is_signed":
		holds = t.ref == noRef && (t.IsInteger() && !t.IsUnsigned() && !c.isEnum(t.Type) &&
			c.memberPointers[t.Type] == nil || t.Kind == ctypes.Float || t.Kind == ctypes.Double)
	case "__is_pointer":
		holds = t.ref == noRef && t.Kind == ctypes.Pointer && t.Type != nullType && !c.isOfClass(t.Elem)
	case "__is_convertible", "__is_convertible_to":
		if len(args) != 2 {
			return c.fail(x.Pos, "%s takes two types", x.Name)
		}
		from := t
		if from.ref == noRef {
			from.ref = rvalue
		}
		c.quietly(func() { holds = c.sequenceTo(c.probe(from), args[1].typ, true).rank != rankNone })
	default:
		return c.refuse(x.Pos, x.Name+" is", "")
	}
	if holds {
		return number(ctypes.Bool, 1, x.Pos)
	}
	return number(ctypes.Bool, 0, x.Pos)
}

// isTrivial reports whether objects of a type are copied as their bytes and begin with any.
func (c *checker) isTrivial(t *ctypes.Type) bool {
	cl := c.classes[t]
	return c.copiesBits(t) && (cl == nil || c.isAggregate(cl) && !c.needsInit(cl))
}

// isPOD reports whether a class is one for the layout of what derives from it: as g++ has it, which nvcc follows.
func (c *checker) isPOD(cl *class) bool {
	return len(cl.bases) == 0 && c.isTrivial(cl.typ) &&
		!slices.ContainsFunc(cl.scope.order, func(s *symbol) bool {
			return s.kind == symField && (s.access != isPublic || s.ref != noRef)
		})
}

// copiesBits reports whether objects of a type are copied, moved and destroyed as their bytes ([class.prop]).
func (c *checker) copiesBits(t *ctypes.Type) bool {
	cl := c.classes[t]
	if cl == nil {
		return true
	}
	c.complete(cl)
	if cl.dtor != nil && !cl.dtor.isDefaulted || c.destructor(cl) != nil || cl.isPolymorphic() {
		return false
	}
	if f := c.ownAssignment(cl); f != nil && !f.isDeleted {
		return false
	}
	for _, f := range cl.ctors {
		if f.params != nil || f.isDefaulted || f.isDeleted || len(functionOp(f.decl.Decl).Params) == 0 {
			continue
		}
		if sig := c.signatureOf(f); sig == nil || sig.params[0].typ.Type == t && sig.optionalFrom(1) {
			return false
		}
	}
	for i, f := range cl.typ.Fields {
		if own := cl.field(i); (own == nil || own.typ.ref == noRef) && !c.copiesBits(innermost(f.Type)) {
			return false
		}
	}
	return true
}
