package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Bit-fields lie where the Itanium C++ ABI (2.4, II.1) puts them. Those side by side are bits of unsigned integers of
// their largest type; where such an integer would share bytes with another member, they are bytes, and an access is
// one of the integer of the field's own type that lies around it.

// bitField is the value of a bit-field of an object; assignments take it apart.
type bitField struct {
	ast.Typed
	unit ast.Expr // lvalue of the integer
	of   *field
}

// bitUnit is a member that holds bit-fields: an integer, or bytes.
type bitUnit struct {
	index int
	of    *ctypes.Type
}

// unitKinds are the integers of bit-fields by size.
var unitKinds = map[int64]ctypes.Kind{1: ctypes.UChar, 2: ctypes.UShort, 4: ctypes.UInt, 8: ctypes.ULong}

func unitOf(size int64) *ctypes.Type { return ctypes.Scalar(unitKinds[size]) }

// isBytes reports whether a unit is no integer.
func (u *bitUnit) isBytes() bool { return u.of.Kind == ctypes.Array }

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
	case cl.typ.Kind == ctypes.Union:
		c.endBits(cl, fields, 1)
	}
	f := &field{name: ident, typ: t, index: len(*fields), mutable: specs.Mutable, pos: v.Decl.Pos, bits: int(width),
		signed: !ctypes.Scalar(c.underlying(t.Type)).IsUnsigned() && t.Kind != ctypes.Bool}
	if v.Init.IsSet() {
		f.init = &v.Init
	}
	cl.run = append(cl.run, f)
	if ident != "" {
		cl.fields = append(cl.fields, f)
		cl.scope.declare(&symbol{kind: symField, name: ident, pos: f.pos, in: cl.scope, class: cl, typ: t,
			field: f.index, bits: f})
	}
}

// pack is the alignment that members have at most, 0 where each has its own.
func (cl *class) pack() int64 {
	if attribute(cl.node.Attrs, "packed") != nil {
		return 1
	}
	return cl.node.Pack
}

// endBits places the bit-fields that have been read since the last other member; the next has an alignment.
func (c *checker) endBits(cl *class, fields *[]ctypes.Field, next int64) {
	run := cl.run
	if cl.run = nil; len(run) == 0 {
		return
	}
	so := &ctypes.Type{Kind: ctypes.Struct}
	so.LayOut(slices.Clone(*fields), cl.pack(), 1)
	start := int64(0)
	if n := len(so.Fields); n > 0 && cl.typ.Kind != ctypes.Union {
		start = so.Fields[n-1].End()
	}
	at, largest := 8*start, int64(1)
	for _, f := range run {
		size := 8 * f.typ.Size()
		if f.name != "" { // of others the class is not aligned
			largest = max(largest, f.typ.Size())
		}
		before := at
		if f.bits == 0 || at%size+int64(f.bits) > size {
			at = (at + size - 1) / size * size
		}
		if f.at = int(at - 8*start); f.bits == 0 { // the integers begin in front of what it skips
			f.at = int(before - 8*start)
		}
		at += int64(f.bits)
	}
	if at == 8*start {
		return
	}
	end := (at + 7) / 8
	word := 8 * largest
	first := (8*start + int64(run[0].at)) / word
	lies := func(f *field) bool { // across two integers
		at := 8*start + int64(f.at)
		return f.name != "" && at/word != (at+int64(f.bits)-1)/word
	}
	whole := !slices.ContainsFunc(run, lies)
	if next == 0 { // the class ends, with all of its alignment
		next = largest
	}
	after := (end + next - 1) / next * next // where the next member begins
	if whole = whole && first == (start+largest-1)/largest && after >= ((at-1)/word+1)*largest; whole {
		for i := first; i <= (at-1)/word; i++ {
			cl.units = append(cl.units, &bitUnit{len(*fields), unitOf(largest)})
			*fields = append(*fields, ctypes.Field{Name: run[0].name, Type: unitOf(largest),
				Volatile: run[0].typ.isVolatile})
		}
	} else {
		cl.units = append(cl.units, &bitUnit{len(*fields), ctypes.ArrayOf(ctypes.Scalar(ctypes.UChar), end-start)})
		*fields = append(*fields, ctypes.Field{Name: run[0].name, Type: cl.units[len(cl.units)-1].of})
		cl.align = max(cl.align, largest)
	}
	for _, f := range run {
		at := 8*start + int64(f.at)
		if !whole {
			f.word = unitOf(f.typ.Size())
			f.offset, f.shift = at/(8*f.typ.Size())*f.typ.Size(), int(at%(8*f.typ.Size()))
			continue
		}
		f.index, f.shift = f.index+int(at/word-first), int(at%word)
		f.at = f.shift
		if sym := cl.scope.own(f.name, 0, false); f.name != "" && sym != nil && sym.bits == f {
			sym.field = f.index
		}
	}
}

// bitsOf is a bit-field of an object: unit is the member that holds it.
func (c *checker) bitsOf(x, unit ast.Expr, f *field, pos diag.Pos) *bitField {
	if f.word != nil {
		p := c.addressOf(x, pos)
		unit = c.word(p, f.word, f.offset, pos)
	}
	return &bitField{ast.Of(f.typ.Type, pos), unit, f}
}

// bitsIn is the bit-field that an expression is, perhaps one of a temporary.
func bitsIn(e ast.Expr) (*bitField, bool) {
	if x, ok := e.(*xvalue); ok {
		e = x.x
	}
	b, ok := e.(*bitField)
	return b, ok
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
	if !b.of.signed {
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
func (c *checker) placed(y ast.Expr, of *field, shift int, unit *ctypes.Type, pos diag.Pos) ast.Expr {
	b := &bitField{of: of}
	if y = c.convert(y, of.typ.Type, "initialisation of "+of.name); isInvalid(y) {
		return y
	}
	y = c.convert(c.castValue(y, unit, pos), unit, "a bit-field")
	y = c.binary(ctypes.And, y, c.castValue(number(ctypes.Long, b.mask(), pos), unit, pos), pos)
	y = c.binary(ctypes.Shl, y, number(ctypes.Int, int64(shift), pos), pos)
	return c.castValue(y, unit, pos)
}

// setBits assigns to a bit-field; the other bits of its integer stay.
func (c *checker) setBits(b *bitField, y ast.Expr, pos diag.Pos) ast.Expr {
	unit := b.unit.Type()
	if y = c.placed(y, b.of, b.of.shift, unit, pos); isInvalid(y) || !c.writable(b.unit, pos) {
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
	if !post {
		return c.assignBits(spelling[:1]+"=", b, number(ctypes.Int, 1, pos), pos)
	}
	stmts, unit := c.named(b.unit)
	b = &bitField{b.Typed, unit, b.of}
	decl, before := ownVariable("before", b.value(), pos)
	e := c.assignBits(spelling[:1]+"=", b, number(ctypes.Int, 1, pos), pos)
	if isInvalid(e) {
		return e
	}
	stmts = append(stmts, decl, ast.Do(e, pos))
	return &ast.StmtExpr{Typed: ast.Of(b.T, pos), Stmts: stmts, X: c.castValue(before, b.T, pos)}
}

// bitAggregate types the elements of a class with bit-fields.
func (c *checker) bitAggregate(cl *class, cur *initCursor, list *ast.InitList) ast.Expr {
	units := map[int]ast.Expr{}
	bytes := map[int]*ctypes.Type{}
	for _, u := range cl.units {
		of := u.of
		if u.isBytes() {
			if bytes[u.index], of = of, unitOf(8); u.of.Len > 8 {
				return c.refuse(list.P, "a list for so many bit-fields that share bytes is", "assign them")
			}
		}
		units[u.index] = c.castValue(number(ctypes.Int, 0, list.P), of, list.P)
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
			if e = c.placed(e, f, f.at, units[f.index].Type(), list.P); !isInvalid(e) {
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
		} else if t := bytes[i]; t != nil {
			all := &ast.InitList{Typed: ast.Of(t, list.P)}
			for k := range t.Len {
				byte := c.binary(ctypes.Shr, e, number(ctypes.Int, 8*k, list.P), list.P)
				all.Add(k, c.castValue(byte, t.Elem, list.P))
			}
			e = all
		}
		list.Add(int64(i), e)
	}
	return list
}
