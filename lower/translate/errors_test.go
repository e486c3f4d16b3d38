package translate

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
	"gpupipe/internal/test/tools"
	"gpupipe/lower/build"
)

// lowerError parses a source that must parse, lowers its first kernel and
// returns the error.
func lowerError(t *testing.T, src string) error {
	t.Helper()
	u, err := frontend.Parse(frontend.Config{File: "k.cl", Text: src, Dialect: ast.OpenCL})
	if err != nil {
		t.Fatalf("parse: %v", err)
	}
	k, err := Kernel(u, u.Kernels[0])
	if err == nil {
		t.Fatalf("lowered without an error:\n%s", build.Build(k))
	}
	if k != nil {
		t.Error("a kernel comes with the error")
	}
	return err
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"large struct by value", "typedef struct { float v[5000]; } S;\nkernel void k(global S *s) {\n" +
			"  s[0] = s[1];\n}", "k.cl:3:11: error[UNSUPPORTED]: copy of struct S by value: it has more than " +
			"1024 members"},
		{"large struct parameter", "typedef struct { float v[5000]; } S;\nkernel void k(S s, global float *o) {\n" +
			"  o[0] = s.v[2];\n}", "k.cl:2:17: error[UNSUPPORTED]: parameter s: struct S has more than 1024 members"},
		{"large initialiser", "kernel void k(global int *o) {\n  int v[100000] = {1};\n  o[0] = v[o[1]];\n}",
			"k.cl:2:7: error[UNSUPPORTED]: initialiser of 100000 elements"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := lowerError(t, c.src)
			if !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			var list diag.List
			if !errors.As(err, &list) {
				t.Errorf("error is a %T", err)
			}
		})
	}
}

// TestInliningExplosion: every level calls the next twice.
func TestInliningExplosion(t *testing.T) {
	tools.Heavy(t)
	var b strings.Builder
	b.WriteString("int f0(int x) { return x * x + 1; }\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&b, "int f%d(int x) { return f%d(x) + f%d(x + 1); }\n", i, i-1, i-1)
	}
	b.WriteString("kernel void k(global int *o) { o[0] = f39(o[1]); }\n")
	err := lowerError(t, b.String())
	if !strings.Contains(err.Error(), "error[TOOLARGE]: kernel k has more than 1500000 operations") {
		t.Error(err)
	}
}

// tree builds syntax that the frontend refuses, which Lower must survive.
func tree(body ...ast.Stmt) *ast.Function {
	return &ast.Function{Name: "k", Kernel: true, Result: ctypes.Scalar(ctypes.Void), Body: &ast.Block{Stmts: body}}
}

func TestRefusedTrees(t *testing.T) {
	intType := ctypes.Scalar(ctypes.Int)
	lit := &ast.Literal{Value: ctypes.Value{Type: intType, Int: 1}}
	lit.T = intType
	stmt := func(e ast.Expr) ast.Stmt { return &ast.ExprStmt{X: e} }

	declared := &ast.Call{Fn: &ast.Function{Name: "f", Result: intType}}
	declared.T = intType

	loop := &ast.Function{Name: "r", Result: intType}
	again := &ast.Call{Fn: loop}
	again.T = intType
	loop.Body = &ast.Block{Stmts: []ast.Stmt{&ast.Return{X: again}}}

	toLiteral := &ast.Assign{X: lit, Y: lit}
	toLiteral.T = intType

	n := &ast.Object{Name: "n", Type: intType}
	dim := &ast.VarRef{Obj: n}
	dim.T = intType
	id := &ast.BuiltinCall{Builtin: &builtins.Function{Name: "get_global_id", Class: builtins.WorkItem},
		Args: []ast.Expr{dim}}
	id.T = ctypes.Scalar(ctypes.ULong)

	unknown := &ast.BuiltinCall{Builtin: &builtins.Function{Name: "warp_speed"}}
	unknown.T = intType

	address := &ast.AddrOf{X: lit}
	address.T = ctypes.PointerTo(intType, 0)

	for _, c := range []struct {
		name string
		fn   *ast.Function
		want string
	}{
		{"declared only", tree(stmt(declared)), "UNDEFINED"},
		{"recursion", tree(stmt(again)), "RECURSION"},
		{"assignment to a literal", tree(stmt(toLiteral)), "UNSUPPORTED"},
		{"address of a literal", tree(stmt(address)), "UNSUPPORTED"},
		{"dimension that is not a constant", tree(&ast.Decl{Obj: n}, stmt(id)), "UNSUPPORTED"},
		{"function of no class", tree(stmt(unknown)), "UNSUPPORTED"},
		{"break outside", tree(&ast.Break{}), "UNSUPPORTED"},
		{"kernel without a body", &ast.Function{Name: "k", Kernel: true}, "UNDEFINED"},
		{"event parameter", &ast.Function{Name: "k",
			Params: []*ast.Object{{Name: "i", Type: &ctypes.Type{Kind: ctypes.Opaque, Name: "event_t"}}},
			Body:   &ast.Block{}}, "UNSUPPORTED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, err := Kernel(&ast.Unit{Dialect: ast.OpenCL}, c.fn)
			if k != nil || err == nil || !strings.Contains(err.Error(), "error["+c.want+"]") {
				t.Errorf("got %v, want code %s", err, c.want)
			}
		})
	}
}
