package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Bit-fields: those that stand side by side, none of a larger type than the first, are bits of one unsigned integer, as
// the Itanium C++ ABI lays them out (2.4, II.1). Where bits would share bytes with another member they are refused.

// bitField is the value of a bit-field of an object; assignments take it apart.
type bitField struct {
	ast.Typed
	unit ast.Expr // lvalue of the integer
	of   *field
}

// bitUnit is the integer that bit-fields are being put into.
type bitUnit struct {
	index, used int
	of          *ctypes.Type
}

// unitKinds are the integers of bit-fields by size.
var unitKinds = map[int64]ctypes.Kind{1: ctypes.UChar, 2: ctypes.UShort, 4: ctypes.UInt, 8: ctypes.ULong}

// bitMember reads a bit-field.
func (c *checker) bitMember(cl *class, specs *syntax.Specifiers, v *syntax.Var, fields *[]ctypes.Field) {
	t := c.declared(v.Decl.Ops, c.specified(specs), v.Decl.Pos)
	width, ok := c.constantInt(v.Decl.Bits, "the width of a bit-field")
	ident := v.Decl.Ident()
	switch {
	case c.cfg.Dialect == ast.OpenCL:
		c.unsupported(v.Decl.Pos, "bit-fields are", "use a whole integer with shifts and masks")
		return
	case t.Kind == 0 || !ok:
		return
	case !t.IsInteger() || t.ref != noRef:
		c.errorf(v.Decl.Pos, codeDeclare, "the bit-field %s has the type %s", ident, c.spellQual(t))
		return
	case width < 0 || width == 0 && ident != "" || width > 8*t.Size():
		c.errorf(v.Decl.Pos, codeDeclare, "a bit-field of %d bits in %v", width, t.Type)
		return
	case width == 0:
		cl.unit = nil
		return
	}
	u, bits := cl.unit, int(8*t.Size())
	if u != nil && u.used%bits+int(width) > bits {
		u.used = (u.used + bits - 1) / bits * bits
	}
	if u == nil || u.of.Size() < t.Size() || u.index != len(*fields)-1 || u.used+int(width) > int(8*u.of.Size()) ||
		cl.typ.Kind == ctypes.Union {
		u = &bitUnit{index: len(*fields), of: ctypes.Scalar(unitKinds[t.Size()])}
		cl.unit = u
		cl.units = append(cl.units, u)
		*fields = append(*fields, ctypes.Field{Name: ident, Type: u.of, Volatile: t.isVolatile})
	}
	if ident != "" {
		f := &field{name: ident, typ: t, index: u.index, mutable: specs.Mutable, pos: v.Decl.Pos, bits: int(width),
			shift: u.used}
		if v.Init.IsSet() {
			f.init = &v.Init
		}
		cl.fields = append(cl.fields, f)
		cl.scope.declare(&symbol{kind: symField, name: ident, pos: f.pos, in: cl.scope, class: cl, typ: t,
			field: u.index, bits: f})
	}
	u.used += int(width)
}

// checkUnits refuses bit-fields that would lie elsewhere than their integers do.
func (c *checker) checkUnits(cl *class) {
	if cl.typ.Kind == ctypes.Union {
		return
	}
	for _, u := range cl.units {
		f := &cl.typ.Fields[u.index]
		free := int64(0)
		if u.index > 0 {
			before := &cl.typ.Fields[u.index-1]
			free = before.Offset + before.Type.Size()
		}
		bad := free != f.Offset
		if u.index+1 < len(cl.typ.Fields) {
			next := &cl.typ.Fields[u.index+1]
			a := next.Type.Align()
			end := f.Offset + int64(u.used+7)/8
			bad = bad || (end+a-1)/a*a != next.Offset
		}
		if bad {
			c.unsupported(cl.node.Pos, "bit-fields that share bytes with other members are",
				"give them an integer of their own")
		}
	}
}

// bitValue is the value of a bit-field, promoted as [conv.prom] says.
func (b *bitField) value() ast.Expr {
	kind, signed := ctypes.UInt, ctypes.Int
	if b.unit.Type().Size() > 4 {
		kind, signed = ctypes.ULong, ctypes.Long
	}
	whole := int(8 * ctypes.Scalar(kind).Size())
	t := b.T
	literal := func(n int64, k ctypes.Kind) ast.Expr { return ast.LiteralOf(ctypes.IntValue(k, n), b.P) }
	e := ast.Expr(&ast.Convert{Typed: ast.Of(ctypes.Scalar(kind), b.P), X: b.unit})
	if t.IsUnsigned() || t.Kind == ctypes.Bool {
		e = &ast.Binary{Typed: ast.Of(e.Type(), b.P), Op: ctypes.Shr, X: e, Y: literal(int64(b.of.shift), kind)}
		e = &ast.Binary{Typed: ast.Of(e.Type(), b.P), Op: ctypes.And, X: e, Y: literal(b.mask(), kind)}
	} else {
		e = &ast.Binary{Typed: ast.Of(e.Type(), b.P), Op: ctypes.Shl, X: e,
			Y: literal(int64(whole-b.of.shift-b.of.bits), kind)}
		e = &ast.Convert{Typed: ast.Of(ctypes.Scalar(signed), b.P), X: e}
		e = &ast.Binary{Typed: ast.Of(e.Type(), b.P), Op: ctypes.Shr, X: e, Y: literal(int64(whole-b.of.bits), signed)}
	}
	if t.Name == "" && t.Size() >= 4 {
		switch {
		case b.of.bits < 32 || b.of.bits == 32 && !t.IsUnsigned():
			t = ctypes.Scalar(ctypes.Int)
		case b.of.bits == 32:
			t = ctypes.Scalar(ctypes.UInt)
		}
	}
	if e.Type() == t {
		return e
	}
	return &ast.Convert{Typed: ast.Of(t, b.P), X: e}
}

// mask has a one for each bit.
func (b *bitField) mask() int64 {
	if b.of.bits == 64 {
		return -1
	}
	return 1<<b.of.bits - 1
}

// placed is a value of the field's type at its place in an integer.
func (c *checker) placed(y ast.Expr, of *field, unit *ctypes.Type, pos diag.Pos) ast.Expr {
	b := &bitField{of: of}
	if y = c.convert(y, of.typ.Type, "initialisation of "+of.name); isInvalid(y) {
		return y
	}
	y = c.convert(c.castValue(y, unit, pos), unit, "a bit-field")
	y = c.binary(ctypes.And, y, c.castValue(number(ctypes.Long, b.mask(), pos), unit, pos), pos)
	y = c.binary(ctypes.Shl, y, number(ctypes.Int, int64(of.shift), pos), pos)
	return c.castValue(y, unit, pos)
}

// setBits assigns to a bit-field; the other bits of its integer stay.
func (c *checker) setBits(b *bitField, y ast.Expr, pos diag.Pos) ast.Expr {
	unit := b.unit.Type()
	if y = c.placed(y, b.of, unit, pos); isInvalid(y) || !c.writable(b.unit, pos) {
		return invalidAt(pos)
	}
	others := c.castValue(number(ctypes.Long, ^(b.mask()<<b.of.shift), pos), unit, pos)
	kept := c.binary(ctypes.And, b.unit, others, pos)
	return c.assign(b.unit, c.castValue(c.binary(ctypes.Or, kept, y, pos), unit, pos), pos)
}

// assignBits types x = y and its compound forms for a bit-field.
func (c *checker) assignBits(spelling string, b *bitField, y ast.Expr, pos diag.Pos) ast.Expr {
	stmts, unit := c.named(b.unit)
	b = &bitField{b.Typed, unit, b.of}
	if spelling != "=" {
		y = c.binary(assignOps[spelling], b.value(), c.rvalue(y), pos)
		if !isInvalid(y) {
			y = c.castValue(y, b.T, pos)
		}
	}
	set := c.setBits(b, y, pos)
	if isInvalid(set) {
		return set
	}
	v := b.value()
	return &ast.StmtExpr{Typed: ast.Of(v.Type(), pos), Stmts: append(stmts, ast.Do(set, pos)), X: v}
}

// countBits types ++ and -- of a bit-field.
func (c *checker) countBits(b *bitField, spelling string, post bool, pos diag.Pos) ast.Expr {
	e := c.assignBits(spelling[:1]+"=", b, number(ctypes.Int, 1, pos), pos)
	if !post || isInvalid(e) {
		return e
	}
	op := ctypes.Sub
	if spelling == "--" {
		op = ctypes.Add
	}
	return c.castValue(c.binary(op, e, number(ctypes.Int, 1, pos), pos), b.T, pos)
}

// bitAggregate types the elements of a class with bit-fields.
func (c *checker) bitAggregate(cl *class, cur *initCursor, list *ast.InitList) ast.Expr {
	units := map[int]ast.Expr{}
	for _, u := range cl.units {
		units[u.index] = c.castValue(number(ctypes.Int, 0, list.P), u.of, list.P)
	}
	values := map[int]ast.Expr{}
	for i := 0; i < len(cl.fields) && !cur.done(); i++ {
		f := cl.fields[i]
		if cur.designated() {
			i = slices.IndexFunc(cl.fields, func(f *field) bool { return f.name == cur.elems[0].designators[0].Field })
			if i < 0 {
				return c.fail(cur.elems[0].pos, "%v has no member %s", cl.typ, cur.elems[0].designators[0].Field)
			}
			f = cl.fields[i]
		}
		e := c.element(cur, f.typ.Type)
		if f.bits > 0 {
			if e = c.placed(e, f, units[f.index].Type(), list.P); !isInvalid(e) {
				e = c.castValue(c.binary(ctypes.Or, units[f.index], e, list.P), e.Type(), list.P)
			}
			units[f.index] = e
		} else {
			values[f.index] = e
		}
		if isInvalid(e) {
			return e
		}
	}
	for i := range cl.typ.Fields {
		e := units[i]
		if e == nil {
			if e = values[i]; e == nil {
				continue
			}
		}
		list.Add(int64(i), e)
	}
	return list
}
