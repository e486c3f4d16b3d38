package resolve

import (
	"maps"
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
	k := &closing{checker: c, closure: &closure{class: cl, node: n}, seen: map[*symbol]bool{}, ok: true,
		list: &ast.InitList{Typed: ast.Of(cl.typ, n.Pos)}}
	cl.closure = k.closure
	k.written()
	if n.Default != "" {
		in := &capturing{map[string]bool{}, k.byDefault, func() { k.needsThis = true }}
		in.body(n)
	}
	if k.needsThis && c.thisObject() != nil {
		k.captureThis()
	}
	k.layOut()
	for i, f := range k.fields {
		if cl.scope.names[f.Name] == nil {
			continue // only those with initialisers have names
		}
		cl.fields = append(cl.fields, &field{name: f.Name, typ: plain(f.Type), index: i})
	}
	k.odrUses(c.callOperator(k.closure))
	if !k.ok {
		return invalidAt(n.Pos)
	}
	return k.list
}

// closing is a lambda whose captures are being found.
type closing struct {
	*checker
	*closure
	fields     []ctypes.Field
	list       *ast.InitList
	seen       map[*symbol]bool
	constants  []*symbol // that the body names by default
	needsThis  bool
	copiesThis bool
	ok         bool
}

func (k *closing) layOut() {
	t := k.class.typ
	t.LayOut(k.fields, 0, 1)
	if k.class.empty = len(k.fields) == 0; k.class.empty {
		t.Extend(1)
	}
}

// add makes a member with the value of an expression; -1 where there is none.
func (k *closing) add(name string, e ast.Expr) int {
	if isInvalid(e) {
		k.ok = false
		return -1
	}
	k.fields = append(k.fields, ctypes.Field{Name: name, Type: e.Type()})
	k.list.Add(int64(len(k.fields)-1), e)
	return len(k.fields) - 1
}

// capture captures a variable, where it has to be.
func (k *closing) capture(sym *symbol, byRef bool, pos diag.Pos) {
	if k.seen[sym] || !k.isCaptured(sym) {
		return
	}
	k.seen[sym] = true
	var value ast.Expr
	switch sym.kind {
	case symBinding:
		value = k.symbolExpr(&found{sym: sym}, pos)
	case symField:
		value = k.ownField(sym, nil, pos)
	default:
		value = k.variableExpr(sym, pos)
	}
	if _, is := value.(*overloads); is {
		return
	}
	switch {
	case isInvalid(value):
	case byRef:
		value = k.addressOf(stripped(value), pos)
	case value.Type().Kind == ctypes.Array:
		value = k.arrayCopy(value, pos)
	default:
		value = k.copied(value)
	}
	if field := k.add(sym.name, value); field >= 0 {
		k.captures = append(k.captures, &capture{sym, field, byRef})
	}
}

// constant captures a constant: the closure is larger, but the body reads the value itself.
func (k *closing) constant(sym *symbol, byRef bool, pos diag.Pos) {
	e := ast.Expr(ast.RefTo(sym.obj, pos))
	if byRef {
		e = k.addressOf(e, pos)
	}
	k.add(sym.name, e)
}

// written makes the captures between the brackets.
func (k *closing) written() {
	for i := range k.node.Captures {
		x := &k.node.Captures[i]
		switch {
		case x.This:
			k.needsThis, k.copiesThis = true, x.Copy
		case x.Init != nil && x.Pack: // [...x = e] (C++20)
			pack := &symbol{kind: symPack, name: x.Ident, pos: x.Pos, in: k.class.scope}
			k.expand(x.Init, func() { pack.pack = append(pack.pack, k.initCapture(x)) })
			k.class.scope.declare(pack)
		case x.Init != nil:
			k.class.scope.declare(k.initCapture(x))
		default:
			sym := k.lookup(x.Ident)
			if sym == nil {
				k.undeclared(x.Pos, x.Ident, "name")
				k.ok = false
				continue
			}
			for _, one := range sym.elements() {
				if k.isConstant(one) && !k.seen[one] {
					k.seen[one] = true
					k.constant(one, x.Ref, x.Pos)
				}
				k.capture(one, x.Ref, x.Pos)
			}
		}
	}
}

// elements are the symbols of a pack, else the symbol.
func (s *symbol) elements() []*symbol {
	if s.kind == symPack {
		return s.pack
	}
	return []*symbol{s}
}

// byDefault captures what a name in the body needs.
func (k *closing) byDefault(ident string) {
	sym := k.lookup(ident)
	switch {
	case sym == nil:
	case sym.kind == symField && sym.class.closure == nil,
		sym.kind == symFunction && len(sym.funcs) > 0 && sym.funcs[0].class != nil:
		k.needsThis = true
	default:
		for _, one := range sym.elements() {
			if k.isConstant(one) && !k.seen[one] {
				k.seen[one] = true
				k.constants = append(k.constants, one)
			}
			k.capture(one, k.node.Default == "&", k.node.Pos)
		}
	}
}

func (k *closing) captureThis() {
	obj, pos := k.thisObject(), k.node.Pos
	if k.copiesThis {
		obj = k.copied(obj)
	} else {
		obj = k.addressOf(obj, pos)
	}
	if field := k.add("this", obj); field >= 0 {
		k.this = &capture{nil, field, !k.copiesThis}
	}
}

// initCapture is the member that "[x = e]" makes.
func (k *closing) initCapture(x *syntax.Capture) *symbol {
	sym := &symbol{kind: symField, name: x.Ident, pos: x.Pos, class: k.class, in: k.class.scope}
	e := k.initValue(x.Init)
	switch {
	case isInvalid(e):
	case x.Ref:
		sym.ref, sym.typ = lvalue, qtype{e.Type(), qualifiers{ref: lvalue}}
		e = k.addressOf(stripped(e), x.Pos)
	default:
		e = k.copied(e)
		sym.typ = plain(e.Type())
	}
	sym.field = k.add(x.Ident, e)
	return sym
}

// capturing finds what a body captures by default ([expr.prim.lambda.capture] 7): names that it does not declare, in
// operands that are evaluated.
type capturing struct {
	hidden map[string]bool
	name   func(ident string)
	this   func()
}

func (k *capturing) inner() *capturing { return &capturing{maps.Clone(k.hidden), k.name, k.this} }

// body visits what a lambda does.
func (k *capturing) body(n *syntax.Lambda) {
	in := k.inner()
	for _, x := range n.Captures {
		in.hidden[x.Ident] = in.hidden[x.Ident] || x.Init != nil
	}
	in.below(n.Decl)
	syntax.Visit(n.Body, in.node)
}

// below visits what a node consists of.
func (k *capturing) below(n any) {
	syntax.Visit(n, func(x any) bool { return x == n || k.node(x) })
}

// node visits a node; it reports whether what it consists of is to be visited, too.
func (k *capturing) node(n any) bool {
	switch n := n.(type) {
	case *syntax.SizeOf, *syntax.Noexcept, *syntax.Decltype, *syntax.Requires, *syntax.OffsetOf, *syntax.TypeTrait,
		*syntax.TemplateArg, *syntax.StaticAssert, *syntax.Class, *syntax.Enum:
	case *syntax.Body, *syntax.IfStmt, *syntax.SwitchStmt, *syntax.WhileStmt, *syntax.ForStmt, *syntax.FuncOp:
		k.inner().below(n)
	case *syntax.RangeStmt:
		in := k.inner()
		for _, x := range []any{n.Init, n.Range, n.Var, n.Body} {
			syntax.Visit(x, in.node)
		}
	case *syntax.Lambda:
		for _, x := range n.Captures {
			switch syntax.Visit(x.Init, k.node); {
			case x.This:
				k.this()
			case x.Init == nil && !k.hidden[x.Ident]:
				k.name(x.Ident)
			}
		}
		k.body(n)
	case *syntax.Var:
		for _, p := range n.Names {
			k.hidden[p.Ident] = true
		}
		k.hidden[n.Decl.Ident()] = true
		syntax.Visit(n.Decl.Ops, k.node)
		syntax.Visit(&n.Init, k.node)
	case *syntax.Param:
		k.hidden[n.Decl.Ident()] = true
	case *syntax.MemberExpr:
		syntax.Visit(n.X, k.node)
	case *syntax.This:
		k.this()
	case *syntax.Name:
		if !n.Global && len(n.Parts) == 1 && !k.hidden[n.Parts[0].Ident] {
			k.name(n.Parts[0].Ident)
		}
	default:
		return true
	}
	return false
}

// isConstant reports whether a name stands for a variable of a function around that is a known number.
func (c *checker) isConstant(sym *symbol) bool {
	return sym.kind == symObject && sym.owner != nil && sym.usable && sym.obj.Space == idg.SpacePrivate
}

// isCaptured reports whether a name stands for a variable that a lambda has to capture.
func (c *checker) isCaptured(sym *symbol) bool {
	if sym.kind == symField {
		return sym.class.closure != nil && c.fn != nil && c.fn.closure != nil
	}
	if sym.kind != symObject && sym.kind != symBinding || sym.owner == nil || sym.obj == nil {
		return false
	}
	if sym.kind == symBinding {
		return true
	}
	if sym.usable || sym.obj.Type.Kind == 0 {
		return false
	}
	return sym.obj.Space == idg.SpacePrivate || sym.obj.Param
}

// callOperator declares the operator() of a closure.
func (c *checker) callOperator(k *closure) *function {
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
	return f
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

// capturedThis is the object that a lambda has captured as this.
func (c *checker) capturedThis() ast.Expr {
	k := c.fn.closure
	pos := k.node.Pos
	t := k.class.typ.Fields[k.this.field].Type
	obj := &ast.Member{Typed: ast.Of(t, pos), X: c.fn.this, Field: k.this.field}
	if k.this.byRef {
		return c.deref(obj, pos)
	}
	return obj
}
