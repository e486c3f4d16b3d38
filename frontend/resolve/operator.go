package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Operators: those of the language, and functions of the program with their names.

// assignOps are the operations of compound assignments.
var assignOps = map[string]ctypes.Op{
	"*=": ctypes.Mul, "/=": ctypes.Div, "%=": ctypes.Rem, "+=": ctypes.Add, "-=": ctypes.Sub, "<<=": ctypes.Shl,
	">>=": ctypes.Shr, "&=": ctypes.And, "^=": ctypes.Xor, "|=": ctypes.Or,
}

// binaryNode types x op y.
func (c *checker) binaryNode(n *syntax.Binary) ast.Expr {
	switch {
	case n.Op == ",":
		return c.comma(n)
	case n.Op == "=" || assignOps[n.Op] != 0:
		x := c.expr(n.X)
		return c.assignment(n.Op, x, c.argument(n.Y), n.Pos)
	case n.Op == ".*" || n.Op == "->*":
		return c.memberAccess(n)
	}
	op := ctypes.BinaryOp(n.Op)
	if op == 0 && (n.Op != "<=>" || c.cfg.Dialect != ast.CUDA) {
		return c.refuse(n.Pos, "operator "+n.Op+" is", "")
	}
	x := c.expr(n.X)
	// What a constant left side of && or || leaves out is dead: it may divide by
	// a zero that the left side excludes.
	lit, ok := c.rvalue(x).(*ast.Literal)
	short := ok && (op == ctypes.LogAnd && !lit.Value.IsTrue() || op == ctypes.LogOr && lit.Value.IsTrue())
	if short {
		c.dead++
	}
	y := c.expr(n.Y)
	if short {
		c.dead--
	}
	if short && y.Type().Kind != ctypes.Vector && !isClass(y.Type()) {
		return c.asTruth(op, ast.LiteralOf(ctypes.BoolValue(op == ctypes.LogOr), n.Pos))
	}
	return c.operate(n.Op, x, y, n.Pos)
}

// hasNodes reports whether an expression has no value yet: what it is depends on where it stands.
func hasNodes(e ast.Expr) bool {
	switch e.(type) {
	case *overloads, *braceList, *typeOperand:
		return true
	}
	return false
}

// operate types an operation on two operands.
func (c *checker) operate(spelling string, x, y ast.Expr, pos diag.Pos) ast.Expr {
	if isInvalid(x, y) {
		return invalidAt(pos)
	}
	if spelling == "," {
		if own := c.overloaded(",", pos, x, y); own != nil {
			return own
		}
		how := category(y)
		if b, ok := bitsIn(y); ok { // still a bit-field
			unit := &ast.Comma{Typed: ast.Of(b.unit.Type(), pos), X: c.rvalue(c.materialized(x)), Y: b.unit}
			if how == rvalue {
				return &xvalue{ast.Of(b.T, pos), &bitField{ast.Of(b.T, pos), unit, b.of}}
			}
			return &bitField{ast.Of(b.T, pos), c.place(unit), b.of}
		}
		isConst := isClass(y.Type()) && c.typeOf(y).isConst
		y = c.rvalue(y)
		e := &ast.Comma{Typed: ast.Of(y.Type(), pos), X: c.rvalue(c.materialized(x)), Y: y}
		if isConst {
			c.constValues[e] = true
		}
		if how == rvalue {
			return &xvalue{e.Typed, e}
		}
		return e
	}
	if spelling == "=" || assignOps[spelling] != 0 {
		return c.assignment(spelling, x, y, pos)
	}
	if own := c.overloaded(spelling, pos, x, y); own != nil {
		return own
	}
	if own := c.rewritten(spelling, x, y, pos); own != nil {
		return own
	}
	op := ctypes.BinaryOp(spelling)
	x, y = c.rvalue(c.namedPointer(x)), c.rvalue(c.namedPointer(y))
	if op == ctypes.LogAnd || op == ctypes.LogOr {
		x, y = c.truth(x), c.truth(y)
	}
	if isClass(x.Type()) || isClass(y.Type()) {
		x, y = c.builtinOperand(x), c.builtinOperand(y)
	}
	if none := c.noMemberOf(y, x.Type()); none != nil {
		y = none
	} else if none := c.noMemberOf(x, y.Type()); none != nil {
		x = none
	} else if x.Type() != y.Type() {
		x, y = c.memberOfOne(x, y)
	}
	if spelling == "<=>" {
		return c.threeWay(x, y, pos)
	}
	if c.isScoped(x.Type()) && x.Type() == y.Type() && op.IsComparison() {
		t := ctypes.Scalar(x.Type().Kind)
		x, y = c.retyped(x, t), c.retyped(y, t)
	}
	if c.cfg.Dialect == ast.CUDA && op.IsComparison() && isHalfPair(x.Type()) && isHalfPair(y.Type()) {
		return c.bothLanes(op, x, y, pos)
	}
	return c.asTruth(op, c.binary(op, x, y, pos))
}

// asTruth gives the result of an operation that C++ has as a bool, and C as an int, that type.
func (c *checker) asTruth(op ctypes.Op, e ast.Expr) ast.Expr {
	switch op {
	case ctypes.LogAnd, ctypes.LogOr, ctypes.Not:
	default:
		if !op.IsComparison() {
			return e
		}
	}
	if c.cfg.Dialect != ast.CUDA || e.Type() != ctypes.Scalar(ctypes.Int) {
		return e
	}
	return c.convertScalar(e, ctypes.Scalar(ctypes.Bool), false)
}

// truthAsInt is what asTruth was given: an int of 0 or 1.
func truthAsInt(e ast.Expr) ast.Expr {
	conv, ok := e.(*ast.Convert)
	if !ok || conv.Explicit || conv.T != ctypes.Scalar(ctypes.Bool) {
		return e
	}
	switch x := conv.X.(type) {
	case *ast.Binary:
		if x.Op.IsComparison() || x.Op == ctypes.LogAnd || x.Op == ctypes.LogOr {
			return x
		}
	case *ast.Unary:
		if x.Op == ctypes.Not {
			return x
		}
	}
	return e
}

// builtinOperand is an operand of a class as what it converts to.
func (c *checker) builtinOperand(e ast.Expr) ast.Expr {
	if !isClass(e.Type()) {
		return e
	}
	if own := c.converted(e); own != nil {
		return c.rvalue(own)
	}
	return e
}

// overloaded types an operation by the program's operator function; nil if there is none for these operands.
func (c *checker) overloaded(spelling string, pos diag.Pos, args ...ast.Expr) ast.Expr {
	if c.cfg.Dialect != ast.CUDA || isInvalid(args...) {
		return nil
	}
	own, vector := false, false
	for _, a := range args {
		t := a.Type()
		own = own || isClass(t) || c.enums[t] != nil
		vector = vector || t.Kind == ctypes.Vector
	}
	if !own && !vector {
		return nil
	}
	name := "operator" + spelling
	var funcs []*function
	var members []*function
	if cl := c.classes[args[0].Type()]; cl != nil {
		if sym := c.memberOf(cl, name); sym != nil && sym.kind == symFunction {
			members = sym.funcs
		}
	}
	if spelling != "=" && spelling != "[]" && spelling != "()" && spelling != "->" {
		if sym := c.lookupOperator(name); sym != nil {
			for _, f := range sym.funcs {
				if f.class == nil {
					funcs = append(funcs, f)
				}
			}
		}
		funcs = c.argumentDependent(funcs, name, args, nil)
	}
	if len(members) == 0 && len(funcs) == 0 {
		return nil
	}
	var fits []viable
	for _, f := range members {
		if v, _ := c.fit(f, args[0], args[1:], nil, pos); v != nil {
			fits = append(fits, *v)
		}
	}
	for _, f := range funcs {
		if v, _ := c.fit(f, nil, args, nil, pos); v != nil {
			fits = append(fits, *v)
		}
	}
	fits = slices.DeleteFunc(fits, func(v viable) bool { return c.builtinIsBetter(&v, args) })
	if len(fits) == 0 {
		return nil
	}
	top, rival := bestOf(fits, c.isBetterOperator)
	best := &fits[top]
	if rival >= 0 {
		return c.report(name, &failure{ambiguous: []*function{best.f, fits[rival].f}}, pos)
	}
	if spelling == "=" && best.f.isDefaulted {
		return nil
	}
	if best.object {
		return c.callFunction(best.f, args[0], args[1:], pos)
	}
	return c.callFunction(best.f, nil, args, pos)
}

// isBetterOperator compares operators, of which members have their object as the first argument.
func (c *checker) isBetterOperator(a, b viable) bool {
	a.object, b.object = false, false
	return c.betterFunction(&a, &b) > 0
}

// builtinIsBetter reports whether the operator of the language fits operands without classes better.
func (c *checker) builtinIsBetter(best *viable, args []ast.Expr) bool {
	return !slices.ContainsFunc(args, func(a ast.Expr) bool { return isClass(a.Type()) }) &&
		slices.ContainsFunc(best.seqs, func(s sequence) bool { return s.rank > rankExact })
}

// lookupOperator finds operator functions that are not members.
func (c *checker) lookupOperator(name string) *symbol {
	limit := 0
	var all *symbol
	for s := c.scope; s != nil; s = s.up {
		if limit == 0 {
			limit = s.limit
		}
		if s.kind == classScope {
			continue
		}
		if s.isNamespace() {
			if sym := c.lookupIn(s, name, limit, false, nil); sym != nil && sym.kind == symFunction {
				return c.merge(all, sym)
			}
			continue
		}
		if sym := s.names[name]; sym != nil && sym.kind == symFunction {
			return sym
		}
		for _, ns := range s.uses {
			if sym := c.lookupIn(ns, name, limit, false, nil); sym != nil && sym.kind == symFunction {
				all = c.merge(all, sym)
			}
		}
	}
	return all
}

func (c *checker) comma(n *syntax.Binary) ast.Expr {
	x, y := c.expr(n.X), c.expr(n.Y)
	if isInvalid(x, y) {
		return invalidAt(n.X.ExprPos())
	}
	return c.operate(",", x, y, n.Pos)
}

// assignment types = and its compound forms.
func (c *checker) assignment(spelling string, x, y ast.Expr, pos diag.Pos) ast.Expr {
	if isInvalid(x, y) {
		return invalidAt(pos)
	}
	if isClass(x.Type()) || c.enums[x.Type()] != nil || x.Type().Kind == ctypes.Vector || isClass(y.Type()) {
		if spelling != "=" || !c.assignsBits(x, y) {
			if own := c.overloadedAssignment(spelling, x, y, pos); own != nil {
				return own
			}
		}
		if cl := c.classes[x.Type()]; cl != nil && spelling == "=" && !c.isAssignable(cl) {
			return c.fail(pos, "%v has no operator= for %s", x.Type(), c.spellArgument(y))
		}
	}
	if spelling == "=" {
		if set, ok := y.(*overloads); ok {
			if y = c.functionAddress(set, x.Type(), pos); y == nil {
				return c.stray(set)
			}
		}
		if b, ok := x.(*bitField); ok {
			return c.assignBits(spelling, b, y, pos)
		}
		if x = c.place(x); c.classes[x.Type()] != nil {
			x = c.lvalueOf(x)
		}
		if !c.writable(x, pos) {
			return invalidAt(pos)
		}
		return c.assign(x, y, pos)
	}
	y = c.rvalue(y)
	if b, ok := x.(*bitField); ok {
		return c.assignBits(spelling, b, y, pos)
	}
	x = c.place(c.assignable(x))
	if isClass(y.Type()) {
		y = c.builtinOperand(y)
	}
	if isInvalid(x, y) || !c.writable(x, pos) {
		return invalidAt(pos)
	}
	op, t := assignOps[spelling], x.Type()
	if t.Kind == ctypes.Pointer && (op == ctypes.Add || op == ctypes.Sub) {
		if y = c.promote(y); !y.Type().IsInteger() {
			c.badOperands(op, x, y, pos)
			return invalidAt(pos)
		}
		if !c.steppable(t, pos) {
			return invalidAt(pos)
		}
		return &ast.Assign{Typed: ast.Of(t, pos), Op: op, X: x, Y: y}
	}
	common := c.compoundType(op, x, y, pos)
	if common == nil {
		return invalidAt(pos)
	}
	if (op == ctypes.Shl || op == ctypes.Shr) && y.Type().Kind == ctypes.Vector && !y.Type().Equal(common) {
		y = &ast.Convert{Typed: ast.Of(common, y.Pos()), X: y} // lane by lane
	}
	if y = c.convert(y, common, "operand"); isInvalid(y) {
		return y
	}
	if lit, ok := y.(*ast.Literal); ok && (op == ctypes.Div || op == ctypes.Rem) && lit.Type().IsInteger() &&
		lit.Value.Int == 0 && c.dead == 0 {
		c.warnf(pos, codeConstant, "division by zero")
	}
	e := &ast.Assign{Typed: ast.Of(t, pos), Op: op, X: x, Y: y, Common: common}
	if d, ok := x.(*ast.Deref); ok && c.hasEffects(x) {
		if _, chosen := d.X.(*ast.Cond); chosen { // which is chosen once, and read and written
			var stmts []ast.Stmt
			stmts, e.X = c.named(x)
			p := c.addressOf(e.X, pos)
			return &ast.Deref{Typed: ast.Of(t, pos), X: &ast.StmtExpr{Typed: ast.Of(p.Type(), pos),
				Stmts: append(stmts, ast.Do(e, pos)), X: p}}
		}
	}
	return e
}

// overloadedAssignment types an assignment by the program's operator, of which the right side is evaluated first
// ([over.match.oper]); nil if there is none.
func (c *checker) overloadedAssignment(spelling string, x, y ast.Expr, pos diag.Pos) ast.Expr {
	if hasNodes(y) || !c.hasEffects(x) || !c.hasEffects(y) {
		return c.overloaded(spelling, pos, x, y)
	}
	var first []ast.Stmt
	right := y
	if category(y) == noRef {
		decl, ref := ownVariable("value", c.rvalue(y), pos)
		first, right = []ast.Stmt{decl}, &ast.StmtExpr{Typed: ref.Typed, X: ref}
	} else {
		first, right = c.named(y)
		right = moved(right, y)
	}
	e := c.overloaded(spelling, pos, x, right)
	if e == nil || isInvalid(e) {
		return e
	}
	how := category(e)
	if e = c.place(e); how == noRef {
		return &ast.StmtExpr{Typed: ast.Of(e.Type(), pos), Stmts: first, X: e}
	}
	p := c.addressOf(e, pos)
	e = c.deref(&ast.StmtExpr{Typed: ast.Of(p.Type(), pos), Stmts: first, X: p}, pos)
	if how == rvalue {
		return &xvalue{ast.Of(e.Type(), pos), e}
	}
	return e
}

// unaryOps are the operators of one operand that are values.
var unaryOps = map[string]ctypes.Op{"-": ctypes.Neg, "~": ctypes.BitNot, "!": ctypes.Not}

func (c *checker) unaryExpr(n *syntax.Unary) ast.Expr {
	pos := n.Pos
	switch n.Op {
	case "++", "--":
		x := c.expr(n.X)
		if own := c.overloaded(n.Op, pos, x); own != nil {
			return own
		}
		if b, ok := x.(*bitField); ok {
			return c.countBits(b, n.Op, false, pos)
		}
		return c.incDec(c.place(c.assignable(x)), n.Op == "--", false, pos)
	case "&":
		return c.addressExpr(n)
	case "*":
		return c.star(c.expr(n.X), pos)
	case "+":
		x := c.expr(n.X)
		if own := c.overloaded("+", pos, x); own != nil {
			return own
		}
		if cl := c.classes[x.Type()]; cl != nil && cl.closure != nil {
			return x // the function that a lambda becomes
		}
		e := c.promote(c.builtinOperand(c.rvalue(x)))
		if c.isScoped(x.Type()) || !isInvalid(e) && !e.Type().IsArith() && e.Type().Kind != ctypes.Pointer {
			return c.fail(pos, "operator + does not take %v", e.Type())
		}
		return e
	case "-", "~", "!":
		x := c.expr(n.X)
		if isInvalid(x) {
			return x
		}
		if own := c.overloaded(n.Op, pos, x); own != nil {
			return own
		}
		if n.Op == "!" {
			x = c.truth(x)
		}
		op := unaryOps[n.Op]
		return c.asTruth(op, c.unary(op, c.builtinOperand(c.rvalue(x)), pos))
	}
	return c.refuse(pos, "operator "+n.Op+" is", "")
}

// star types *x.
func (c *checker) star(x ast.Expr, pos diag.Pos) ast.Expr {
	if own := c.overloaded("*", pos, x); own != nil {
		return own
	}
	if set, ok := x.(*overloads); ok {
		return set
	}
	return c.deref(c.builtinOperand(c.rvalue(x)), pos)
}

// referred types an expression that a reference or & may take: what *p leads to may be an incomplete class there.
func (c *checker) referred(n syntax.Expr) ast.Expr {
	u, ok := syntax.Bare(n).(*syntax.Unary)
	if !ok || u.Op != "*" {
		return c.expr(n)
	}
	x := c.expr(u.X)
	if t := x.Type(); t.Kind == ctypes.Pointer && isClass(t.Elem) && !c.isComplete(t.Elem) {
		return &ast.Deref{Typed: ast.Of(t.Elem, u.Pos), X: c.rvalue(x)}
	}
	return c.star(x, u.Pos)
}

// addressExpr types &x.
func (c *checker) addressExpr(n *syntax.Unary) ast.Expr {
	if u, ok := syntax.Bare(n.X).(*syntax.Unary); ok && u.Op == "*" && c.cfg.Dialect == ast.OpenCL {
		if e := c.value(u.X); e.Type().Kind == ctypes.Pointer {
			return e // &*p reads nothing (C11 6.5.3.2)
		}
	}
	if e := c.addressOfMember(n.X, n.Pos); e != nil {
		return e
	}
	x := c.referred(n.X)
	if isInvalid(x) {
		return x
	}
	if set, ok := x.(*overloads); ok {
		return set
	}
	if own := c.overloaded("&", n.Pos, x); own != nil {
		return own
	}
	return c.addressOf(c.place(x), n.Pos)
}

func (c *checker) postfixExpr(n *syntax.Postfix) ast.Expr {
	x := c.expr(n.X)
	if isInvalid(x) {
		return x
	}
	if isClass(x.Type()) || c.enums[x.Type()] != nil {
		if own := c.overloaded(n.Op, n.Pos, x, number(ctypes.Int, 0, n.Pos)); own != nil {
			return own
		}
	}
	if b, ok := x.(*bitField); ok {
		return c.countBits(b, n.Op, true, n.Pos)
	}
	return c.incDec(c.place(c.assignable(x)), n.Op == "--", true, n.Pos)
}

// indexExpr types x[i].
func (c *checker) indexExpr(n *syntax.IndexExpr) ast.Expr {
	x, i := c.expr(n.X), c.argument(n.I)
	if isInvalid(x, i) {
		return invalidAt(n.Pos)
	}
	if isClass(x.Type()) {
		if own := c.callMember(x, "operator[]", []ast.Expr{i}, n.Pos); own != nil {
			return own
		}
		x = c.builtinOperand(c.rvalue(x))
	}
	return c.index(c.rvalue(x), c.builtinOperand(c.rvalue(i)), n.Pos)
}
