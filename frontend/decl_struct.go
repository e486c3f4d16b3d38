package frontend

import (
	"strings"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/cxx"
	"gpupipe/frontend/encoding"

	"modernc.org/cc/v4"
)

// structSpecifier reads a struct or union: its definition, or a mention of its
// tag.
func (c *checker) structSpecifier(s *cc.StructOrUnionSpecifier) *Type {
	kind := Struct
	if s.StructOrUnion.Case == cc.StructOrUnionUnion {
		kind = Union
	}
	tag := s.Token.SrcStr()
	if s.Case == cc.StructOrUnionSpecifierTag {
		if t := c.lookupTag(tag); t != nil {
			if errs := c.tagErrs[t]; len(errs) > 0 {
				c.blameOn(errs)
				return invalidType
			}
			return t
		}
		t := &Type{Kind: kind, Name: tag}
		c.declareTag(tag, t)
		return t
	}
	t := c.scope.tags[tag]
	if t == nil || tag == "" || t.IsComplete() {
		t = &Type{Kind: kind, Name: tag}
		if tag != "" {
			c.declareTag(tag, t)
		}
	}
	before := len(*c.errs)
	fields, ok := c.structFields(s)
	if !ok {
		c.tagErrs[t] = (*c.errs)[before:]
		return invalidType
	}
	attrs := encoding.AttributesOf(nil, s.AttributeSpecifierList)
	attrs = append(attrs, encoding.AttributesOf(nil, s.AttributeSpecifierList2)...)
	t.LayOut(fields, encoding.AttributeNamed(attrs, "packed") != nil, c.alignAttribute(attrs))
	return t
}

// alignAttribute is the argument of aligned(n), 1 if there is none.
func (c *checker) alignAttribute(attrs []*cc.AttributeValue) int64 {
	a := encoding.AttributeNamed(attrs, "aligned")
	if a == nil || a.ArgumentExpressionList == nil {
		return 1
	}
	n, ok := c.constantInt(a.ArgumentExpressionList.AssignmentExpression, "an alignment")
	if ok && (n < 1 || n > 4096 || n&(n-1) != 0) {
		c.errorf(c.p.Pos(a), codeDeclare, "alignment %d is not a power of two up to 4096", n)
		return 1
	}
	return max(1, n)
}

// structFields reads the members of a struct; false if one is unusable.
func (c *checker) structFields(s *cc.StructOrUnionSpecifier) (fields []Field, ok bool) {
	ok = true
	seen := map[string]bool{}
	for l := s.StructDeclarationList; l != nil; l = l.StructDeclarationList {
		d := l.StructDeclaration
		if d.Case == cc.StructDeclarationAssert {
			continue
		}
		base := c.qualifierList(d.SpecifierQualifierList)
		if d.StructDeclaratorList == nil {
			// An anonymous struct or union: its members belong to this one.
			if base.Kind == Struct || base.Kind == Union {
				fields = append(fields, Field{Type: base.Type})
			}
			ok = ok && base.Kind != 0
		}
		for q := d.StructDeclaratorList; q != nil; q = q.StructDeclaratorList {
			sd := q.StructDeclarator
			if sd.Case == cc.StructDeclaratorBitField {
				c.unsupported(c.p.Pos(sd), "bit-fields are", "use a whole integer with shifts and masks")
				return nil, false
			}
			dr := c.declarator(sd.Declarator, base)
			t := c.declaredType(dr.typ.Type)
			switch {
			case dr.isFunc:
				c.unsupported(dr.pos, "member functions are", "write an ordinary function")
				return nil, false
			case t.Kind != 0 && !t.IsComplete():
				c.errorf(dr.pos, codeDeclare, "member %s has the incomplete type %v", dr.name, t)
				return nil, false
			case seen[dr.name]:
				c.errorf(dr.pos, codeDeclare, "two members are called %s", dr.name)
			}
			seen[dr.name] = true
			ok = ok && t.Kind != 0
			fields = append(fields, Field{Name: dr.name, Type: t, Volatile: dr.typ.isVolatile})
		}
	}
	return fields, ok
}

// enumSpecifier declares the constants of an enumeration, which are ints.
func (c *checker) enumSpecifier(s *cc.EnumSpecifier) *Type {
	var next int64
	for l := s.EnumeratorList; l != nil; l = l.EnumeratorList {
		e := l.Enumerator
		if e.ConstantExpression != nil {
			if v, ok := c.constantBits(e.ConstantExpression, "the value of an enumerator"); ok {
				next = v
			}
		}
		v := ctypes.IntValue(Int, next)
		if v.Int != next {
			v = ctypes.IntValue(Long, next)
		}
		c.declare(&symbol{kind: symEnumerator, name: e.Token.SrcStr(), value: &v})
		next++
	}
	return Scalar(Int)
}

// findField finds a member, looking into anonymous members too. The result is
// the path of field indices.
func findField(t *Type, name string) []int {
	for i, f := range t.Fields {
		if f.Name == name {
			return []int{i}
		}
		if f.Name == "" || strings.HasPrefix(f.Name, cxx.BaseMark) {
			if path := findField(f.Type, name); path != nil {
				return append([]int{i}, path...)
			}
		}
	}
	return nil
}
