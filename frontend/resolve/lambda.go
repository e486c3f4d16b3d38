package resolve

import (
	"slices"

	"strconv"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// A lambda is an object of a class of its own: what it captures are members, and operator() is its body.

// closure is the class of a lambda.
type closure struct {
	class    *class
	node     *syntax.Lambda
	captures []*capture
	this     *capture
}

// capture is one captured variable.
type capture struct {
	sym   *symbol
	field int
	byRef bool
}

// lambda types a lambda: the object with its captures.
func (c *checker) lambda(n *syntax.Lambda) ast.Expr {
	c.lambdas++
	name := "lambda " + strconv.Itoa(c.lambdas)
	cl := &class{name: name, typ: &ctypes.Type{Kind: ctypes.Struct, Name: name}, seq: c.seq, state: complete,
		local: c.fn}
	cl.scope = &scope{kind: classScope, up: c.scope.snapshot(), class: cl}
	cl.symbol = &symbol{kind: symType, name: name, pos: n.Pos, typ: plain(cl.typ)}
	cl.node = &syntax.Class{Pos: n.Pos, Key: "struct", Define: true}
	c.classes[cl.typ] = cl
	k := &closure{class: cl, node: n}
	cl.closure = k
	var fields []ctypes.Field
	list := &ast.InitList{Typed: ast.Of(cl.typ, n.Pos)}
	add := func(name string, t *ctypes.Type, e ast.Expr) int {
		fields = append(fields, ctypes.Field{Name: name, Type: t})
		list.Add(int64(len(fields)-1), e)
		return len(fields) - 1
	}
	ok := true
	captured := map[*symbol]bool{}
	one := func(sym *symbol, byRef bool, pos diag.Pos) {
		if captured[sym] || !c.isCaptured(sym) {
			return
		}
		captured[sym] = true
		var value ast.Expr
		if sym.kind == symBinding {
			value = c.atPos(sym.expr, pos)
		} else {
			value = c.variableExpr(sym, pos)
		}
		if isInvalid(value) {
			ok = false
			return
		}
		if _, is := value.(*overloads); is {
			return
		}
		if byRef {
			p := c.addressOf(stripped(value), pos)
			ok = ok && !isInvalid(p)
			k.captures = append(k.captures, &capture{sym, add(sym.name, p.Type(), p), true})
			return
		}
		if value.Type().Kind == ctypes.Array {
			value = c.arrayCopy(value, pos)
			ok = ok && !isInvalid(value)
		} else {
			value = c.copied(value)
			ok = ok && !isInvalid(value)
		}
		k.captures = append(k.captures, &capture{sym, add(sym.name, value.Type(), value), false})
	}
	needsThis, copiesThis := false, false
	for i := range n.Captures {
		x := &n.Captures[i]
		switch {
		case x.This:
			needsThis, copiesThis = true, x.Copy
		case x.Init != nil && x.Pack: // [...x = e] (C++20)
			pack := &symbol{kind: symPack, name: x.Ident, pos: x.Pos, in: cl.scope}
			c.expand(x.Init, func() { pack.pack = append(pack.pack, c.initCapture(x, cl, add)) })
			ok = ok && !slices.Contains(pack.pack, nil)
			cl.scope.declare(pack)
		case x.Init != nil:
			sym := c.initCapture(x, cl, add)
			if ok = ok && sym != nil; sym != nil {
				cl.scope.declare(sym)
			}
		default:
			sym := c.lookup(x.Ident)
			if sym == nil {
				c.undeclared(x.Pos, x.Ident, "name")
				ok = false
				continue
			}
			if sym.kind == symPack {
				for _, e := range sym.pack {
					one(e, x.Ref, x.Pos)
				}
				continue
			}
			one(sym, x.Ref, x.Pos)
		}
	}
	if n.Default != "" {
		syntax.Visit(n.Body, func(x any) bool {
			switch x := x.(type) {
			case *syntax.Name:
				if x.Global || len(x.Parts) == 0 {
					return true
				}
				if sym := c.lookup(x.Parts[0].Ident); sym != nil {
					switch {
					case len(x.Parts) > 1:
					case sym.kind == symPack:
						for _, e := range sym.pack {
							one(e, n.Default == "&", n.Pos)
						}
					case sym.kind == symField || sym.kind == symFunction && len(sym.funcs) > 0 &&
						sym.funcs[0].class != nil:
						needsThis = true
					default:
						one(sym, n.Default == "&", n.Pos)
					}
				}
			case *syntax.This:
				needsThis = true
			}
			return true
		})
	}
	if needsThis && c.thisObject() != nil && c.fn != nil {
		obj := c.thisObject()
		if c.fn.closure != nil {
			if outer := c.capturedThis(); outer != nil {
				obj = outer
			}
		}
		p := obj
		if copiesThis {
			p = c.copied(obj)
		} else {
			p = c.addressOf(obj, n.Pos)
		}
		ok = ok && !isInvalid(p)
		k.this = &capture{nil, add("this", p.Type(), p), !copiesThis}
	}
	cl.typ.LayOut(fields, 0, 1)
	if cl.empty = len(fields) == 0; cl.empty {
		cl.typ.TakeByte()
	}
	for i, f := range fields {
		if cl.scope.names[f.Name] == nil {
			continue // only those with initialisers have names
		}
		cl.fields = append(cl.fields, &field{name: f.Name, typ: plain(f.Type), index: i})
	}
	c.callOperator(k)
	if !ok {
		return invalidAt(n.Pos)
	}
	return list
}

// initCapture is the member that "[x = e]" makes, nil with an error.
func (c *checker) initCapture(x *syntax.Capture, cl *class, add func(string, *ctypes.Type, ast.Expr) int) *symbol {
	e := c.initValue(x.Init)
	if isInvalid(e) {
		return nil
	}
	sym := &symbol{kind: symField, name: x.Ident, pos: x.Pos, class: cl, in: cl.scope}
	if x.Ref {
		p := c.addressOf(stripped(e), x.Pos)
		if isInvalid(p) {
			return nil
		}
		sym.ref, sym.typ = lvalue, qtype{e.Type(), qualifiers{ref: lvalue}}
		sym.field = add(x.Ident, p.Type(), p)
	} else {
		if e = c.copied(e); isInvalid(e) {
			return nil
		}
		sym.typ = plain(e.Type())
		sym.field = add(x.Ident, e.Type(), e)
	}
	return sym
}

// isCaptured reports whether a name stands for a variable that a lambda has to capture.
func (c *checker) isCaptured(sym *symbol) bool {
	if sym.kind != symObject && sym.kind != symBinding || sym.owner == nil || sym.obj == nil {
		return false
	}
	if sym.kind == symBinding {
		return true
	}
	if sym.obj.Constant != nil || sym.obj.Type.Kind == 0 {
		return false
	}
	return sym.obj.Space == idg.SpacePrivate || sym.obj.Param
}

// callOperator declares the operator() of a closure.
func (c *checker) callOperator(k *closure) {
	n := k.node
	op := *n.Decl
	op.Const = !n.Mutable
	specs := &syntax.Specifiers{Pos: n.Pos, Type: &syntax.Auto{Pos: n.Pos}}
	d := &syntax.Function{Specs: specs, Body: n.Body, Decl: &syntax.Declarator{Pos: n.Pos,
		Name: &syntax.Name{Pos: n.Pos, Parts: []syntax.Part{{Pos: n.Pos, Ident: "operator()"}}},
		Ops:  []syntax.DeclOp{&op}}}
	var tp *templateParams
	if len(n.Params) > 0 {
		tp = &templateParams{list: n.Params, in: k.class.scope}
	}
	f := c.newFunction(d, tp, k.class.scope)
	f.class, f.closure, f.isConst = k.class, k, !n.Mutable
	f.seq, f.defSeq = c.seq, 0
	c.addFunction(k.class.scope, f)
}

// captured is a variable of a function around, in the body of a lambda: the closure's member. nil where it is not
// captured.
func (c *checker) captured(sym *symbol, pos diag.Pos) ast.Expr {
	if c.fn == nil || c.fn.closure == nil {
		if sym.obj.Constant != nil || c.dead > 0 {
			return nil
		}
		if c.fn != nil {
			return c.fail(pos, "%s is a variable of another function", sym.name)
		}
		return nil
	}
	if e := c.captureIn(c.fn.closure, c.fn.this, sym, pos); e != nil {
		return e
	}
	if sym.obj.Constant != nil || sym.obj.Space == idg.SpaceLocal || sym.obj.Space == idg.SpaceConstant ||
		sym.obj.Space == idg.SpaceGlobal || c.dead > 0 {
		return nil
	}
	return c.fail(pos, "%s is not captured", sym.name)
}

func (c *checker) captureIn(k *closure, this ast.Expr, sym *symbol, pos diag.Pos) ast.Expr {
	for _, x := range k.captures {
		if x.sym != sym && (x.sym.obj == nil || x.sym.obj != sym.obj || x.sym.kind == symBinding) {
			continue
		}
		e := ast.Expr(&ast.Member{Typed: ast.Of(k.class.typ.Fields[x.field].Type, pos), X: this, Field: x.field})
		if x.byRef {
			return c.deref(e, pos)
		}
		return e
	}
	return nil
}

// capturedThis is the object that a lambda has captured as this; nil where there is none.
func (c *checker) capturedThis() ast.Expr {
	if c.fn == nil || c.fn.closure == nil || c.fn.closure.this == nil || c.fn.this == nil {
		return nil
	}
	k := c.fn.closure
	pos := k.node.Pos
	t := k.class.typ.Fields[k.this.field].Type
	obj := &ast.Member{Typed: ast.Of(t, pos), X: c.fn.this, Field: k.this.field}
	if k.this.byRef {
		return c.deref(obj, pos)
	}
	return obj
}
