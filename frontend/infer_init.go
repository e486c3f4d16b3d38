package frontend

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"

	"modernc.org/cc/v4"
)

// initializer types the initialiser of an object and completes the length of an
// array declared with []. It returns nil where there is nothing to assign.
func (c *checker) initializer(in *cc.Initializer, obj *Object) Expr {
	t := obj.Type
	if t.Kind == 0 {
		if in.Case == cc.InitializerExpr {
			c.expr(in.AssignmentExpression)
		}
		return nil
	}
	if in.Case == cc.InitializerExpr {
		if t.Kind == Array {
			return c.stringInit(in, obj)
		}
		return c.convert(c.expr(in.AssignmentExpression), t, "initialisation of "+obj.Name)
	}
	e, length := c.braced(in.InitializerList, t, c.p.Pos(in.Token))
	if t.Kind == Array && t.Len < 0 {
		obj.Type = ArrayOf(t.Elem, length)
		if length == 0 {
			c.errorf(obj.Pos, codeDeclare, "an array of 0 elements")
			obj.Type = invalidType
			return nil
		}
		if l, ok := e.(*InitList); ok {
			l.T = obj.Type
		}
	}
	return e
}

// stringInit initialises a character array with a string literal.
func (c *checker) stringInit(in *cc.Initializer, obj *Object) Expr {
	pos, t := c.p.Pos(in), obj.Type
	p, ok := in.AssignmentExpression.(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionString || t.Elem.Kind != Char && t.Elem.Kind != UChar {
		if !isInvalid(c.expr(in.AssignmentExpression)) {
			c.errorf(pos, codeType, "array %s is initialised by a single value", obj.Name).WithNote("write { ... }")
		}
		return nil
	}
	bytes, problem := ctypes.Unquote(p.Token.SrcStr())
	if problem != "" {
		c.errorf(pos, codeConstant, "%s", problem)
		return nil
	}
	bytes = append(bytes, 0)
	if t.Len < 0 {
		obj.Type = ArrayOf(t.Elem, int64(len(bytes)))
	}
	return byteList(bytes, obj.Type, pos)
}

// byteList is an initialiser of an array of characters, as far as bytes fill it.
func byteList(bytes []byte, t *Type, pos Pos) *InitList {
	list := &InitList{Typed: ast.Of(t, pos)}
	for i, b := range bytes[:min(int64(len(bytes)), t.Len)] {
		list.Elems = append(list.Elems, &Literal{Typed: ast.Of(t.Elem, pos), Value: ctypes.IntValue(t.Elem.Kind, int64(b))})
		list.Index = append(list.Index, int64(i))
	}
	return list
}

// stringLiteral is an array of characters in constant memory.
func (c *checker) stringLiteral(text string, pos Pos) Expr {
	bytes, problem := ctypes.Unquote(text)
	if problem != "" {
		c.errorf(pos, codeConstant, "%s", problem)
		return invalidAt(pos)
	}
	bytes = append(bytes, 0)
	t := ArrayOf(Scalar(Char), int64(len(bytes)))
	obj := &Object{Name: "string", Type: t, Space: idg.SpaceConstant, Pos: pos, Const: true, Init: byteList(bytes, t, pos)}
	return &VarRef{Typed: ast.Of(t, pos), Obj: obj}
}

// compoundLiteral types (T){...}.
func (c *checker) compoundLiteral(x *cc.PostfixExpression) Expr {
	pos := c.p.Pos(x)
	if isContextList(x) {
		return &contextList{ast.Of(bracesType, pos), x.InitializerList}
	}
	t := c.declaredType(c.typeName(x.TypeName).Type)
	switch t.Kind {
	case 0:
		return invalidAt(pos)
	case Array:
		return c.arrayLiteral(x, t, pos)
	}
	e, _ := c.braced(x.InitializerList, t, pos)
	return e
}

// initCursor walks the elements of a brace-enclosed list.
type initCursor struct {
	l     *cc.InitializerList
	typed Expr // the current element's expression, once typed
}

func (i *initCursor) next() { i.l, i.typed = i.l.InitializerList, nil }

// expr types the current element's expression, once.
func (i *initCursor) expr(c *checker) Expr {
	if i.typed == nil {
		i.typed = c.expr(i.l.Initializer.AssignmentExpression)
	}
	return i.typed
}

// braced types a brace-enclosed list for a type; length is how many elements
// an array needs.
func (c *checker) braced(l *cc.InitializerList, t *Type, pos Pos) (e Expr, length int64) {
	cur := &initCursor{l: l}
	switch t.Kind {
	case Array, Struct, Union:
		e, length = c.aggregate(cur, t, pos, true)
	case Vector:
		var elems []Expr
		for ; cur.l != nil; cur.next() {
			if cur.l.Initializer.Case != cc.InitializerExpr || cur.l.Designation != nil {
				c.unsupported(pos, "braces and designators inside a vector are", "write the components one after another")
				return invalidAt(pos), 0
			}
			elems = append(elems, c.rvalue(cur.expr(c)))
		}
		return c.makeVector(elems, t, true, pos), 0
	default:
		if cur.l == nil || cur.l.InitializerList != nil || cur.l.Initializer.Case != cc.InitializerExpr {
			return c.fail(pos, "%v takes exactly one value", t), 0
		}
		return c.convert(cur.expr(c), t, "initialisation"), 0
	}
	if cur.l != nil && !isInvalid(e) {
		c.errorf(c.p.Pos(cur.l.Initializer), codeType, "more values than %v has elements", t)
	}
	return e, length
}

// aggregate types the elements of an array, struct or union from the cursor.
// Without own braces it takes only as many values as it needs (brace elision).
func (c *checker) aggregate(cur *initCursor, t *Type, pos Pos, own bool) (Expr, int64) {
	list := &InitList{Typed: ast.Of(t, pos)}
	var at, length int64
	limit := t.Len
	if t.Kind != Array {
		limit = int64(len(t.Fields))
		if t.Kind == Union {
			limit = min(limit, 1)
		}
	}
	for cur.l != nil && (limit < 0 || at < limit || own && cur.l.Designation != nil) {
		var rest *cc.DesignatorList
		if d := cur.l.Designation; d != nil {
			if !own {
				break // it designates an element of the enclosing braces
			}
			i, ok := c.designated(d.DesignatorList.Designator, t)
			if !ok {
				return invalidAt(pos), 0
			}
			at, rest = i, d.DesignatorList.DesignatorList
		}
		if rest != nil {
			c.unsupported(c.p.Pos(cur.l.Initializer), "designators with more than one step are", "nest braces")
			return invalidAt(pos), 0
		}
		e := c.element(cur, t.Element(at))
		if isInvalid(e) {
			return invalidAt(pos), 0
		}
		list.Elems = append(list.Elems, e)
		list.Index = append(list.Index, at)
		at++
		length = max(length, at)
	}
	return list, length
}

// element types one element of an aggregate and moves the cursor past it.
func (c *checker) element(cur *initCursor, t *Type) Expr {
	in := cur.l.Initializer
	if in.Case == cc.InitializerInitList {
		e, _ := c.braced(in.InitializerList, t, c.p.Pos(in.Token))
		cur.next()
		return e
	}
	pos := c.p.Pos(in)
	if t.Kind == Array && t.Elem.Kind <= UChar && isString(in.AssignmentExpression) {
		obj := &Object{Type: t, Pos: pos}
		cur.next()
		if e := c.stringInit(in, obj); e != nil {
			return e
		}
		return invalidAt(pos)
	}
	if t.Kind == Struct || t.Kind == Union {
		// A struct value initialises the whole element; anything else is the first
		// value of an element without braces of its own.
		if e := cur.expr(c); e.Type().Equal(t) || isInvalid(e) {
			cur.next()
			return e
		}
	}
	switch {
	case t.Kind == Array || t.Kind == Struct || t.Kind == Union:
		e, _ := c.aggregate(cur, t, pos, false)
		return e
	case t.Kind == Vector && !cur.expr(c).Type().Equal(t):
		return c.elidedVector(cur, t, pos)
	}
	e := c.convert(cur.expr(c), t, "initialisation")
	cur.next()
	return e
}

// elidedVector takes as many values as a vector has components.
func (c *checker) elidedVector(cur *initCursor, t *Type, pos Pos) Expr {
	var elems []Expr
	for lanes := 0; lanes < t.Lanes() && cur.l != nil && cur.l.Initializer.Case == cc.InitializerExpr && cur.l.Designation == nil; cur.next() {
		e := c.rvalue(cur.expr(c))
		elems = append(elems, e)
		lanes += e.Type().Lanes()
	}
	return c.makeVector(elems, t, true, pos)
}

func isString(n cc.ExpressionNode) bool {
	p, ok := n.(*cc.PrimaryExpression)
	return ok && p.Case == cc.PrimaryExpressionString
}

// designated is the element that a designator names.
func (c *checker) designated(d *cc.Designator, t *Type) (int64, bool) {
	switch d.Case {
	case cc.DesignatorIndex:
		i, ok := c.constantInt(d.ConstantExpression, "a designator")
		if ok && (t.Kind != Array || i < 0 || t.Len >= 0 && i >= t.Len || i > maxObjectSize/max(1, t.Elem.Size())) {
			c.errorf(c.p.Pos(d), codeType, "%v has no element %d", t, i)
			ok = false
		}
		return i, ok
	case cc.DesignatorIndex2:
		c.unsupported(c.p.Pos(d), "ranges of designators are", "")
		return 0, false
	}
	tok := d.Token2
	if d.Case == cc.DesignatorField2 {
		tok = d.Token
	}
	if path := findField(t, tok.SrcStr()); len(path) == 1 {
		return int64(path[0]), true
	}
	c.errorf(c.p.Pos(d), codeUndeclared, "%v has no member %s", t, tok.SrcStr())
	return 0, false
}
