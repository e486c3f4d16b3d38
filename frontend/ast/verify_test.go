package ast

import (
	"strings"
	"testing"

	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

var (
	pos    = diag.Pos{File: "k.cl", Line: 3, Column: 5}
	number = ctypes.Scalar(ctypes.Int)
	float4 = ctypes.VectorOf(ctypes.Float, 4)
	memory = ctypes.PointerTo(number, idg.SpaceGlobal)
	pair   = ctypes.NewStruct(ctypes.Struct, "pair",
		[]ctypes.Field{{Name: "x", Type: number}, {Name: "y", Type: ctypes.Scalar(ctypes.Float)}})
)

// variable is a reference to a private variable of a type.
func variable(name string, t *ctypes.Type) *VarRef {
	return &VarRef{Typed: Of(t, pos), Obj: &Object{Name: name, Type: t, Space: idg.SpacePrivate, Pos: pos}}
}

func integer(v int64) Expr {
	return &Literal{Typed: Of(number, pos), Value: ctypes.IntValue(ctypes.Int, v)}
}

// unitOf is a unit of a kernel with the given statements.
func unitOf(body ...Stmt) *Unit {
	return &Unit{Kernels: []*Function{{Name: "k", Pos: pos, Kernel: true, Result: ctypes.Scalar(ctypes.Void),
		Body: &Block{Positioned: At(pos), Stmts: body}}}}
}

// trees are expressions, as they print, and what is wrong with them: nothing where that is empty.
func trees() []struct {
	e             Expr
	printed, want string
} {
	n, f, v, p := variable("n", number), variable("f", ctypes.Scalar(ctypes.Float)), variable("v", float4),
		variable("p", memory)
	a, s := variable("a", ctypes.ArrayOf(number, 4)), variable("s", pair)
	callee := &Function{Name: "g", Pos: pos, Params: []*Object{n.Obj}, Result: number,
		Body: &Block{Positioned: At(pos)}}
	return []struct {
		e             Expr
		printed, want string
	}{
		{integer(3), "3", ""},
		{&Literal{Typed: Of(number, pos), Value: ctypes.FloatValue(ctypes.Float, 1)}, "1.0f", "type and value differ"},
		{&Decay{Typed: Of(memory, pos), X: a}, "decay(a)", ""},
		{&Decay{Typed: Of(memory, pos), X: n}, "decay(n)", "not an array that becomes a pointer"},
		{&Unary{Typed: Of(number, pos), Op: ctypes.Neg, X: n}, "-n", ""},
		{&Unary{Typed: Of(number, pos), Op: ctypes.Neg, X: f}, "-f", "the operand has another type"},
		{&Binary{Typed: Of(number, pos), Op: ctypes.Add, X: n, Y: n}, "(n + n)", ""},
		{&Binary{Typed: Of(number, pos), Op: ctypes.Add, X: n, Y: f}, "(n + f)", "operands of types int and float"},
		{&Binary{Typed: Of(number, pos), Op: ctypes.Lt, X: f, Y: f}, "(f <.float f)", ""},
		{&Binary{Typed: Of(number, pos), Op: ctypes.Add, X: f, Y: f}, "(f +.float f)",
			"the result has another type than the operands"},
		{&Binary{Typed: Of(ctypes.Scalar(ctypes.Float), pos), Op: ctypes.LogAnd, X: n, Y: f}, "(n &&.int f)",
			"a logical operation gives int"},
		{&Binary{Typed: Of(number, pos), Op: ctypes.Add, X: p, Y: p}, "(p +.__global int * p)", "not two pointers"},
		{&PtrAdd{Typed: Of(memory, pos), X: p, Index: n, Sub: true}, "(p -p n)", ""},
		{&PtrAdd{Typed: Of(memory, pos), X: p, Index: f}, "(p +p f)", "not pointer and integer"},
		{&Convert{Typed: Of(number, pos), X: f, Explicit: true}, "(cast int)(f)", ""},
		{&Convert{Typed: Of(float4, pos), X: n}, "(float4)(n)",
			"the operand has not been converted to the lane's type"},
		{&Bitcast{Typed: Of(number, pos), X: f}, "bits<int>(f)", ""},
		{&Bitcast{Typed: Of(number, pos), X: v}, "bits<int>(v)", "sizes differ"},
		{&Assign{Typed: Of(number, pos), X: n, Y: integer(1)}, "n = 1", ""},
		{&Assign{Typed: Of(number, pos), X: n, Y: f}, "n = f", "int is assigned float"},
		{&Assign{Typed: Of(number, pos), X: integer(1), Y: n}, "1 = n", "the left side is not an lvalue"},
		{&Assign{Typed: Of(number, pos), Op: ctypes.Add, X: n, Y: n}, "n +=", "no common type"},
		{&Assign{Typed: Of(number, pos), Op: ctypes.Add, X: n, Y: f, Common: number}, "n +=",
			"the right side has not been converted"},
		{&IncDec{Typed: Of(number, pos), X: n, Post: true}, "n++", ""},
		{&IncDec{Typed: Of(number, pos), X: integer(1), Dec: true}, "--1",
			"the operand is not an lvalue of the same type"},
		{&Cond{Typed: Of(number, pos), C: n, X: n, Y: integer(0)}, "(n ? n : 0)", ""},
		{&Cond{Typed: Of(number, pos), C: n, X: n, Y: f}, "(n ? n : f)", "the sides have other types"},
		{&Comma{Typed: Of(number, pos), X: f, Y: n}, "(f, n)", ""},
		{&Index{Typed: Of(number, pos), X: p, I: n}, "p[n]", ""},
		{&Index{Typed: Of(number, pos), X: p, I: f}, "p[f]", "not pointer or vector and integer"},
		{&Deref{Typed: Of(number, pos), X: p}, "(*p)", ""},
		{&Deref{Typed: Of(number, pos), X: n}, "(*n)", "not a pointer to the type"},
		{&AddrOf{Typed: Of(memory, pos), X: n}, "&n", ""},
		{&AddrOf{Typed: Of(memory, pos), X: integer(1)}, "&1", "not the address of an lvalue"},
		{&Member{Typed: Of(number, pos), X: s, Field: 0}, "s.x", ""},
		{&Member{Typed: Of(number, pos), X: s, Field: 1}, "s.y", "no such member"},
		{&Swizzle{Typed: Of(ctypes.VectorOf(ctypes.Float, 2), pos), X: v, Lanes: []int{3, 0}}, "v.s30", ""},
		{&Swizzle{Typed: Of(ctypes.Scalar(ctypes.Float), pos), X: v, Lanes: []int{7}}, "v.s7", "no such component"},
		{&Swizzle{Typed: Of(ctypes.Scalar(ctypes.Float), pos), X: v, Lanes: []int{1, 2}}, "v.s12",
			"not that many components"},
		{&VectorLit{Typed: Of(ctypes.VectorOf(ctypes.Float, 2), pos), Elems: []Expr{f, f}}, "(float2){f, f}", ""},
		{&VectorLit{Typed: Of(float4, pos), Elems: []Expr{f, f}}, "(float4){f, f}", "2 components"},
		{&VectorLit{Typed: Of(ctypes.VectorOf(ctypes.Float, 2), pos), Elems: []Expr{f, n}}, "(float2){f, n}",
			"a component of type int"},
		{&InitList{Typed: Of(pair, pos), Elems: []Expr{f}, Index: []int64{1}}, "", ""},
		{&InitList{Typed: Of(pair, pos), Elems: []Expr{n}, Index: []int64{1}}, "", "element 1 has type int"},
		{&InitList{Typed: Of(pair, pos), Elems: []Expr{n}}, "", "elements and indices differ in number"},
		{&Call{Typed: Of(number, pos), Fn: callee, Args: []Expr{n}}, "g(n)", ""},
		{&Call{Typed: Of(number, pos), Fn: callee}, "g()", "wrong number of arguments"},
		{&Call{Typed: Of(number, pos), Fn: callee, Args: []Expr{f}}, "g(f)",
			"argument 1 has type float, the parameter int"},
		{&Call{Typed: Of(number, pos), Fn: &Function{Name: "h"}}, "h()", "h has no body"},
		{&BuiltinCall{Typed: Of(number, pos), Builtin: &builtins.Function{Name: "abs", Class: builtins.Math},
			Args: []Expr{n}}, "abs.int(n)", ""},
		{&BuiltinCall{Typed: Of(number, pos), Builtin: &builtins.Function{}}, "", "no function"},
		{&StmtExpr{Typed: Of(number, pos), Stmts: []Stmt{&ExprStmt{Positioned: At(pos), X: n}}, X: n},
			"({ n; n; })", ""},
		{variable("u", &ctypes.Type{}), "u", "without a type"},
	}
}

// TestVerify: what is wrong with each expression is found where it stands, and each prints.
func TestVerify(t *testing.T) {
	for _, c := range trees() {
		if c.printed != "" && !strings.HasPrefix(ExprString(c.e), c.printed) {
			t.Errorf("%T prints %q, want %q", c.e, ExprString(c.e), c.printed)
		}
		u := unitOf(&ExprStmt{Positioned: At(pos), X: c.e})
		expectError(t, c.printed, u.Verify(), c.want)
		if c.want == "" && !strings.Contains(u.String(), c.printed) {
			t.Errorf("%s is not in\n%v", c.printed, u)
		}
	}
}

// TestVerifyStatements: likewise for statements.
func TestVerifyStatements(t *testing.T) {
	f := variable("f", ctypes.Scalar(ctypes.Float))
	end := &Labelled{Positioned: At(pos), Name: "end"}
	end.Stmts = []Stmt{&Goto{Positioned: At(pos), Name: "end", Target: end}}
	for _, c := range []struct {
		s    Stmt
		want string
	}{
		{&Decl{Positioned: At(pos), Obj: f.Obj, Init: f}, ""},
		{&Decl{Positioned: At(pos), Obj: f.Obj, Init: integer(1)}, "f has type float, its initialiser int"},
		{&Return{Positioned: At(pos)}, ""},
		{&Return{Positioned: At(pos), X: f}, "return of float in a function of type void"},
		{&Loop{Positioned: At(pos), Kind: ForLoop, Cond: integer(1), Body: &Block{},
			Pragma: &Pragma{Pos: pos, Kind: UnrollFactor, Factor: 4}}, ""},
		{&Loop{Positioned: At(pos), Kind: WhileLoop, Body: &Block{}, Pragma: &Pragma{Pos: pos, Kind: UnrollFactor,
			Factor: 1}}, "with factor 1"},
		{&Loop{Positioned: At(pos), Body: &Block{}}, "loop without a kind"},
		{end, ""},
		{&Goto{Positioned: At(pos), Name: "end"}, "goto end without its target"},
		{&Label{Positioned: At(pos), Name: "end"}, "the label end among the statements"},
		{&Switch{Positioned: At(pos), X: integer(1),
			Cases: []Case{{Pos: pos, Values: []int64{1}, Body: []Stmt{&Break{Positioned: At(pos)}}}}}, ""},
		{&Switch{Positioned: At(pos), X: f}, "switch over float"},
		{&If{Positioned: At(pos), Cond: integer(1), Then: &Block{}, Else: &Return{Positioned: At(pos), X: f}},
			"return of float"},
	} {
		expectError(t, c.want, unitOf(c.s).Verify(), c.want)
	}
	u := unitOf()
	u.Globals = []*Object{{Name: "table", Type: number, Pos: pos, Init: f}}
	expectError(t, "globals", u.Verify(), "table has type int, its initialiser float")
}

func expectError(t *testing.T, name string, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("%s: %v", name, err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("%s: %v, want %q", name, err, want)
	}
}

// TestWalk: all expressions below one are visited once, in source order.
func TestWalk(t *testing.T) {
	n, m := variable("n", number), variable("m", number)
	e := &Assign{Typed: Of(number, pos), X: n, Y: &Binary{Typed: Of(number, pos), Op: ctypes.Add, X: n, Y: m}}
	var seen []string
	WalkExpr(e, func(e Expr) bool { seen = append(seen, ExprString(e)); return true })
	if got := strings.Join(seen, "; "); got != "n = (n + m); n; (n + m); n; m" {
		t.Errorf("visited %s", got)
	}
	for _, c := range trees() {
		below := 0
		WalkExpr(c.e, func(x Expr) bool { below++; return true })
		if want := len(Operands(c.e)); below < want+1 {
			t.Errorf("%s: visited %d of %d", ExprString(c.e), below, want+1)
		}
	}
}

// TestLvalues: the object that an lvalue is a part of, where it lives, and whether it must not be written.
func TestLvalues(t *testing.T) {
	v, p := variable("v", float4), variable("p", memory)
	table := &VarRef{Typed: Of(pair, pos), Obj: &Object{Name: "table", Type: pair, Space: idg.SpaceConstant}}
	for _, c := range []struct {
		e      Expr
		lvalue bool
		object string
		space  idg.Space
		fixed  bool
	}{
		{v, true, "v", idg.SpacePrivate, false},
		{&Swizzle{Typed: Of(ctypes.VectorOf(ctypes.Float, 2), pos), X: v, Lanes: []int{1, 0}}, true, "v",
			idg.SpacePrivate, false},
		{&Swizzle{Typed: Of(ctypes.VectorOf(ctypes.Float, 2), pos), X: v, Lanes: []int{1, 1}}, false, "v",
			idg.SpacePrivate, false},
		{&Index{Typed: Of(number, pos), X: p, I: integer(1)}, true, "", idg.SpaceGlobal, false},
		{&Deref{Typed: Of(number, pos), X: p}, true, "", idg.SpaceGlobal, false},
		{&Member{Typed: Of(number, pos), X: table, Field: 0}, true, "table", idg.SpaceConstant, true},
		{integer(1), false, "", idg.SpacePrivate, false},
	} {
		name := ""
		if o := RootObject(c.e); o != nil {
			name = o.Name
		}
		if IsLvalue(c.e) != c.lvalue || name != c.object || SpaceOf(c.e) != c.space || IsConst(c.e) != c.fixed {
			t.Errorf("%s: lvalue %v, object %q, space %v, const %v", ExprString(c.e), IsLvalue(c.e), name, SpaceOf(c.e),
				IsConst(c.e))
		}
	}
}

// TestKernel: a copy of a template, also in a namespace, is found by the template's name where it is the only one.
func TestKernel(t *testing.T) {
	u := &Unit{Kernels: []*Function{{Name: "k<float>"}, {Name: "j<1>"}, {Name: "j<2>"}, {Name: "n::m<4>"}, {Name: "n::ik"}},
		Broken: []Broken{{Name: "n::b<1>"}, {Name: "n::c"}, {Name: "c"}}}
	if u.Kernel("k") != u.Kernels[0] || u.Kernel("j") != nil || u.Kernel("j<2>") != u.Kernels[2] ||
		u.Kernel("m") != u.Kernels[3] || u.Kernel("n") != nil ||
		u.BrokenKernel("b") == nil || u.BrokenKernel("c") != &u.Broken[2] || u.BrokenKernel("k") != nil {
		t.Error("kernels are not found by their names")
	}
}
