package resolve

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Comparisons of C++20: <=>, operators that stand for others, and those that a compiler writes.

// mirrored are the comparisons of exchanged operands.
var mirrored = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "=="}

// rewritten types a comparison of objects by another operator of the program ([over.match.oper]); nil where there is
// none. It comes behind the operators of the language, so that programs of C++17 keep their meaning.
func (c *checker) rewritten(spelling string, x, y ast.Expr, pos diag.Pos) ast.Expr {
	if c.comparesAsNumber(x) && c.comparesAsNumber(y) {
		return nil
	}
	switch mirror := mirrored[spelling]; {
	case spelling == "!=":
		e := c.overloaded("==", pos, x, y)
		if e == nil {
			e = c.overloaded("==", pos, y, x)
		}
		if e != nil && !isInvalid(e) {
			return c.asTruth(ctypes.Not, c.unary(ctypes.Not, c.truth(c.rvalue(e)), pos))
		}
		return e
	case spelling == "==":
		return c.overloaded("==", pos, y, x)
	case mirror != "":
		zero := number(ctypes.Int, 0, pos)
		if e := c.overloaded("<=>", pos, x, y); e != nil {
			return c.operate(spelling, e, zero, pos)
		}
		if e := c.overloaded("<=>", pos, y, x); e != nil {
			return c.operate(mirror, e, zero, pos)
		}
	}
	return nil
}

// comparesAsNumber reports whether an operand is a number or pointer, or becomes one by itself.
func (c *checker) comparesAsNumber(e ast.Expr) bool {
	return !isClass(e.Type()) || c.converted(e) != nil
}

// ordering is a class of <compare>, or a function; nil, with an error, where the header is not included.
func (c *checker) ordering(name string, pos diag.Pos) *symbol {
	n := &syntax.Name{Pos: pos, Global: true, Parts: []syntax.Part{{Pos: pos, Ident: "std"}, {Pos: pos, Ident: name}}}
	if sym := c.lookupQuietly(n); sym != nil {
		return sym
	}
	c.errorf(pos, codeUndeclared, "operator <=> needs #include <compare>")
	return nil
}

// threeWay types x <=> y of numbers and pointers.
func (c *checker) threeWay(x, y ast.Expr, pos diag.Pos) ast.Expr {
	sym := c.ordering("kl_three_way", pos)
	if sym == nil || isInvalid(x, y) {
		return invalidAt(pos)
	}
	set := &overloads{Typed: ast.Of(overloadType, pos), name: "operator<=>", funcs: sym.funcs}
	return c.callSet(set, []ast.Expr{x, y}, nil, pos)
}

// defaulted writes the body of a comparison that the program leaves to the compiler ([class.compare.default]).
func (c *checker) defaulted(f *function, out *[]ast.Stmt) {
	pos := f.pos
	var sides []ast.Expr
	objects := f.fn.Params
	if f.takesThis() {
		sides, objects = append(sides, f.this), objects[1:]
	}
	for i, o := range objects {
		e := ast.Expr(ast.RefTo(o, pos))
		if f.sig.params[i].typ.ref != noRef {
			e = c.deref(e, pos)
		}
		sides = append(sides, e)
	}
	var e ast.Expr
	op := strings.TrimPrefix(f.name, "operator")
	if len(sides) == 2 && sides[0].Type() == sides[1].Type() && c.comparesParts(sides[0].Type()) {
		switch op {
		case "==":
			e = c.allEqual(sides[0], sides[1], pos)
		case "<=>":
			e = c.firstDifference(f, sides[0], sides[1], pos)
		default:
			e = c.rewritten(op, sides[0], sides[1], pos)
		}
	}
	if e == nil || isInvalid(e) {
		c.unsupported(pos, "this defaulted function is", "write it out")
		return
	}
	*out = append(*out, &ast.Return{Positioned: ast.At(pos), X: c.convert(e, f.fn.Result, "return value")})
}

// comparesParts reports whether objects of a class are compared by their parts: bit-fields are none.
func (c *checker) comparesParts(t *ctypes.Type) bool {
	cl := c.classes[t]
	return cl != nil && len(cl.units) == 0
}

// parts calls a function with each pair of parts of two objects: bases, members, elements of arrays of these.
func (c *checker) parts(x, y ast.Expr, pos diag.Pos, f func(x, y ast.Expr)) {
	var one func(x, y ast.Expr)
	one = func(x, y ast.Expr) {
		if x.Type().Kind != ctypes.Array {
			f(x, y)
			return
		}
		for i := range x.Type().Len {
			one(c.elementOf(x, i, pos), c.elementOf(y, i, pos))
		}
	}
	for i := range x.Type().Fields {
		one(c.partOf(x, x, i, false, pos), c.partOf(y, y, i, false, pos))
	}
}

func (c *checker) allEqual(x, y ast.Expr, pos diag.Pos) ast.Expr {
	var all ast.Expr
	c.parts(x, y, pos, func(x, y ast.Expr) {
		e := c.operate("==", x, y, pos)
		if all != nil {
			e = c.operate("&&", all, e, pos)
		}
		all = e
	})
	if all == nil {
		all = number(ctypes.Bool, 1, pos)
	}
	return all
}

// firstDifference is how the first parts of two objects compare that are not equal.
func (c *checker) firstDifference(f *function, x, y ast.Expr, pos diag.Pos) ast.Expr {
	var orders []ast.Expr
	c.parts(x, y, pos, func(x, y ast.Expr) {
		orders = append(orders, c.rvalue(c.operate("<=>", x, y, pos)))
	})
	if isInvalid(orders...) {
		return invalidAt(pos)
	}
	if f.sig.auto && hasAutoQ(f.sig.result) {
		name := "strong_ordering"
		for _, e := range orders {
			if cl := c.classes[e.Type()]; cl != nil && (cl.name == "partial_ordering" || cl.name == "weak_ordering" &&
				name == "strong_ordering") {
				name = cl.name
			}
		}
		sym := c.ordering(name, pos)
		if sym == nil {
			return invalidAt(pos)
		}
		f.sig.result, f.fn.Result = sym.typ, sym.typ.Type
	}
	result := f.fn.Result
	equal := ast.Expr(&ast.InitList{Typed: ast.Of(result, pos)})
	for i := len(orders) - 1; i >= 0; i-- {
		decl, order := ownVariable("order", orders[i], pos)
		differ := c.operate("!=", order, number(ctypes.Int, 0, pos), pos)
		value := c.convert(order, result, "return value")
		if isInvalid(differ, value) {
			return invalidAt(pos)
		}
		equal = &ast.StmtExpr{Typed: ast.Of(result, pos), Stmts: []ast.Stmt{decl},
			X: &ast.Cond{Typed: ast.Of(result, pos), C: differ, X: value, Y: equal}}
	}
	return equal
}

// declareEqual declares the == that comes with a defaulted <=>.
func (c *checker) declareEqual(cl *class) {
	for _, d := range cl.node.Body {
		f, ok := d.(*syntax.Function)
		if !ok || !f.Default || f.Decl.Name == nil || f.Decl.Name.Last().Ident != "operator<=>" ||
			cl.scope.own("operator==", 0, false) != nil {
			continue
		}
		equal, specs, decl, name := *f, *f.Specs, *f.Decl, *f.Decl.Name
		name.Parts = []syntax.Part{{Pos: f.Decl.Pos, Ident: "operator=="}}
		specs.Type = &syntax.Builtin{Pos: f.Decl.Pos, Words: []string{"bool"}}
		equal.Specs, equal.Decl, decl.Name = &specs, &decl, &name
		if f.Specs.Friend {
			c.friend(&equal, nil, cl)
		} else {
			c.declareMember(cl, &equal, nil)
		}
	}
}
