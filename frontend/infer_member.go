package frontend

import (
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/cxx"
	"gpupipe/idg"

	"modernc.org/cc/v4"
)

// Member functions and overloaded operators of CUDA's C++, which member_write.go
// has made functions of the object.

// methodOf returns the selection in front of a call's parentheses: a.f or p->f.
func methodOf(x *cc.PostfixExpression) *cc.PostfixExpression {
	m, ok := x.PostfixExpression.(*cc.PostfixExpression)
	if ok && (m.Case == cc.PostfixExpressionSelect || m.Case == cc.PostfixExpressionPSelect) {
		return m
	}
	return nil
}

// methodCall types a.f(...) and p->f(...).
func (c *checker) methodCall(x, m *cc.PostfixExpression) Expr {
	name, pos := strings.TrimPrefix(m.Token2.SrcStr(), cxx.MethodMark), c.p.Pos(m.Token2)
	var obj Expr
	if m.Case == cc.PostfixExpressionSelect {
		obj = c.expr(m.PostfixExpression)
	} else {
		obj = c.deref(c.value(m.PostfixExpression), pos)
	}
	args, ok := c.arguments(x)
	if !ok || isInvalid(obj) {
		return invalidAt(pos)
	}
	t := obj.Type()
	if isGroup(t) {
		return c.groupMethod(obj, name, args, pos)
	}
	if isBarrier(t) || isPipeline(t) {
		return c.asyncMethod(obj, name, args, pos)
	}
	if (t.Kind != Struct && t.Kind != Union) || !c.hasMethod(t, name) {
		return c.fail(pos, "%v has no member function %s", t, name)
	}
	return c.callMember(obj, name, args, pos)
}

// hasMethod reports whether a struct has a member function, or a template of one, or inherits it.
func (c *checker) hasMethod(t *Type, name string) bool {
	return c.ownsMethod(t, name) || c.inherits(t, name) != nil
}

// ownsMethod reports whether a struct has a member function of its own, or a template of one.
func (c *checker) ownsMethod(t *Type, name string) bool {
	sym := c.lookup(t.Name + cxx.MemberMark + name)
	return sym != nil && sym.kind == symFunction || c.p.Program.Templates.Makes(t.Name+cxx.MemberMark+name)
}

// callMember calls a member function, or a template of one that fits better; a static one takes
// no object.
func (c *checker) callMember(obj Expr, name string, args []Expr, pos Pos) Expr {
	if !c.ownsMethod(obj.Type(), name) {
		if base := c.inherits(obj.Type(), name); base != nil {
			return c.callMember(c.asBase(obj, base), name, args, pos)
		}
	}
	full := obj.Type().Name + cxx.MemberMark + name
	withObject := append([]Expr{obj}, args...)
	sym := c.lookup(full)
	if sym != nil && sym.kind == symFunction && !slices.ContainsFunc(sym.funcs, func(f *funcInfo) bool { return len(f.Params) == len(withObject) }) {
		values := c.p.Defaults[full] // begin with the object's
		for n := len(withObject); takesObject(sym) && n < len(values) && values[n] != nil; n++ {
			withObject = append(withObject, c.value(values[n]))
		}
	}
	var f *funcInfo
	why := "no template of this name fits these arguments"
	if sym != nil && sym.kind == symFunction {
		c.use(sym)
		if takesObject(sym) {
			args = withObject
		}
		f, why = c.selectFunction(sym, args)
	}
	if (f == nil || c.callCost(f, args) > 1) && c.p.Program.Templates.Makes(full) {
		for _, list := range [][]Expr{withObject, args} {
			before := len(*c.errs)
			if t, all := c.deducedFunction(full, list, pos); t != nil {
				return c.callFunction(t, name, all, pos)
			} else if len(*c.errs) > before {
				return invalidAt(pos)
			}
		}
	}
	if f == nil {
		return c.fail(pos, "%s: %s", c.p.Program.Templates.Display(name), why)
	}
	return c.callFunction(f, name, args, pos)
}

func takesObject(sym *symbol) bool {
	return len(sym.funcs) > 0 && len(sym.funcs[0].Params) > 0 && sym.funcs[0].Params[0].Name == cxx.This
}

// callFunction calls a function of the user's.
func (c *checker) callFunction(f *funcInfo, name string, args []Expr, pos Pos) Expr {
	if f.takesCallable() {
		return c.callInline(f, args, pos)
	}
	if c.fn != nil && c.dead == 0 {
		c.fn.calls = append(c.fn.calls, callSite{f, pos})
	}
	c.noteRandom(f, pos)
	args = append([]Expr(nil), args...)
	for i, p := range f.Params {
		if f.refs[i] {
			if list, ok := args[i].(*contextList); ok {
				args[i] = c.ofBraces(list, p.Type.Elem)
			}
			if c.isBase(p.Type.Elem, args[i].Type()) {
				args[i] = c.asBase(args[i], p.Type.Elem)
			}
			switch named := ast.IsLvalue(args[i]); {
			case !named && p.Name == cxx.This:
				args[i] = c.temporary(args[i])
			case !named && p.Type.Const:
				args[i] = c.temporary(c.convert(args[i], p.Type.Elem, "argument "+strconv.Itoa(i+1)+" of "+name))
			default:
				args[i] = c.addressOf(args[i], args[i].Pos())
			}
		}
		args[i] = c.convert(args[i], p.Type, "argument "+strconv.Itoa(i+1)+" of "+name)
	}
	if isInvalid(args...) || f.Result.Kind == 0 {
		return invalidAt(pos)
	}
	call := &Call{Typed: ast.Of(f.Result, pos), Fn: f.Function, Args: args}
	if f.returnsRef {
		return c.deref(call, pos)
	}
	return call
}

// temporary is the address of a variable with the value of e: a member function's object that has no name, or what a
// reference to const is bound to.
func (c *checker) temporary(e Expr) Expr {
	obj := &Object{Name: "temporary", Type: e.Type(), Space: idg.SpacePrivate, Pos: e.Pos()}
	address := c.addressOf(&VarRef{Typed: ast.Of(obj.Type, e.Pos()), Obj: obj}, e.Pos())
	return &StmtExpr{Typed: ast.Of(address.Type(), e.Pos()), Stmts: []Stmt{&Decl{Positioned: ast.At(e.Pos()), Obj: obj, Init: e}}, X: address}
}

// this is the object that a member function belongs to, nil in others.
func (c *checker) this(pos Pos) Expr {
	if c.cfg.Dialect != CUDA {
		return nil
	}
	if sym := c.lookup(cxx.This); sym != nil && sym.kind == symObject {
		return c.ident(cxx.This, pos)
	}
	return nil
}

// lookupLocal finds a name that is declared in the function itself, or nil.
func (c *checker) lookupLocal(name string) *symbol {
	for s := c.scope; s != nil && s.up != nil; s = s.up {
		if sym := s.names[name]; sym != nil {
			return sym
		}
	}
	return nil
}

// ownMember types a name that stands for a member of the object, in a member
// function; nil if it does not.
func (c *checker) ownMember(name string, pos Pos) Expr {
	if name == cxx.This || c.lookupLocal(name) != nil {
		return nil
	}
	obj := c.this(pos)
	if obj == nil || findField(obj.Type(), name) == nil {
		return nil
	}
	return c.member(obj, name, pos)
}

// ownMethod is the object whose member function an unqualified call in a member
// function means, nil if it means none.
func (c *checker) ownMethod(name string, pos Pos) (obj Expr) {
	if c.cfg.Dialect != CUDA || c.lookupLocal(name) != nil {
		return nil
	}
	if obj = c.this(pos); obj == nil || !c.hasMethod(obj.Type(), name) {
		return nil
	}
	return obj
}

// maxOperatorCost is the conversion that an operand of a vector type may need
// for an overloaded operator to be meant: none.
const maxOperatorCost = 3

// overloaded types an operation by the user's operator function; nil if there
// is none for these operands.
func (c *checker) overloaded(op string, args []Expr, pos Pos) Expr {
	if c.cfg.Dialect != CUDA || isInvalid(args...) {
		return nil
	}
	own, vector := false, false
	for _, a := range args {
		own = own || a.Type().Kind == Struct
		vector = vector || a.Type().Kind == Vector
	}
	if !own && !vector {
		return nil
	}
	return c.operatorCall(cxx.OperatorPrefix+op, args, pos)
}

// operatorCall calls the operator function that fits without conversions.
func (c *checker) operatorCall(name string, args []Expr, pos Pos) Expr {
	var f *funcInfo
	if sym := c.lookup(name); sym != nil && sym.kind == symFunction {
		if best, _ := c.selectFunction(sym, args); best != nil {
			if cost := c.callCost(best, args); cost <= maxOperatorCost || cost < 1000 && hasStruct(args) {
				c.use(sym)
				f = best
			}
		}
	}
	if f == nil {
		if f, args = c.deducedFunction(name, args, pos); f == nil {
			return nil
		}
	}
	return c.callFunction(f, name, args, pos)
}

func hasStruct(args []Expr) bool {
	for _, a := range args {
		if a.Type().Kind == Struct {
			return true
		}
	}
	return false
}

// callCost is what converting the arguments of a call costs.
func (c *checker) callCost(f *funcInfo, args []Expr) (cost int) {
	for i, p := range f.Params {
		cost += conversionCost(args[i], p.Type, f.refs[i])
	}
	return cost
}

// operatorOf names operators as member_write.go does.
var operatorOf = map[Op]string{
	Add: "add", Sub: "sub", Mul: "mul", Div: "div", Rem: "rem", Shl: "shl", Shr: "shr", And: "and", Or: "or", Xor: "xor",
	Lt: "lt", Gt: "gt", Le: "le", Ge: "ge", Eq: "eq", Ne: "ne", LogAnd: "logand", LogOr: "logor", Neg: "sub", BitNot: "bitnot", Not: "not",
}

// converted applies the conversion operator of a struct that leads to type t,
// or to a pointer or number where any will do; nil if there is none.
func (c *checker) converted(e Expr, t *Type) Expr {
	if c.cfg.Dialect != CUDA || e.Type().Kind != Struct {
		return nil
	}
	sym := c.lookup(cxx.OperatorPrefix + "conv")
	if sym == nil || sym.kind != symFunction {
		return nil
	}
	var found *funcInfo
	for _, f := range sym.funcs {
		if len(f.Params) != 1 || conversionCost(e, f.Params[0].Type, f.refs[0]) > 1 {
			continue
		}
		if f.Result.Equal(t) || found == nil && (f.Result.Kind == t.Kind || f.Result.IsScalar() && t.IsScalar()) {
			found = f
		}
	}
	if found == nil {
		return nil
	}
	return c.callFunction(found, "conversion", []Expr{e}, e.Pos())
}

// constructed is the value that a struct's constructor without arguments gives
// to a variable; nil if it has none.
func (c *checker) constructed(t *Type, pos Pos) Expr {
	if c.cfg.Dialect != CUDA || t.Kind != Struct {
		return nil
	}
	sym := c.lookup(cxx.ConstructorPrefix + t.Name)
	if sym == nil || c.fn == nil || c.fn.Name == c.p.Program.Templates.Display(sym.name) {
		return nil
	}
	for _, f := range sym.funcs {
		if len(f.Params) == 0 {
			return c.callFunction(f, t.Name, nil, pos)
		}
	}
	return nil
}
