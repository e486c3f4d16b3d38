package translate

import (
	"gpupipe/internal/test/irverify"
	"gpupipe/lower/build"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
)

// TestInitialisers covers trees that the frontend folds into other ones today:
// braces around a vector with vectors inside, braces around a scalar, an empty
// list, and a list as an rvalue too large for registers.
func TestInitialisers(t *testing.T) {
	i32 := ctypes.Scalar(ctypes.Int)
	lit := func(n int64) ast.Expr {
		e := &ast.Literal{Value: ctypes.Value{Type: i32, Int: n}}
		e.T = i32
		return e
	}
	list := func(t *ctypes.Type, elems ...ast.Expr) *ast.InitList {
		e := &ast.InitList{Elems: elems}
		for i := range elems {
			e.Index = append(e.Index, int64(i))
		}
		e.T = t
		return e
	}
	pair := &ast.VectorLit{Elems: []ast.Expr{lit(1), lit(2)}}
	pair.T = ctypes.VectorOf(ctypes.Int, 2)
	vec := list(ctypes.VectorOf(ctypes.Int, 4), pair, lit(3))
	vec.Index = []int64{0, 2}
	big := ctypes.NewStruct(ctypes.Struct, "B", []ctypes.Field{{Name: "v", Type: ctypes.ArrayOf(i32, 100)}})

	for _, c := range []struct {
		name string
		init ast.Expr
		want []int32
	}{
		{"vector", vec, []int32{1, 2, 3, 0}},
		{"scalar in braces", list(i32, lit(7)), []int32{7}},
		{"empty braces", list(i32), []int32{0}},
		{"large struct", list(big, list(ctypes.ArrayOf(i32, 100), lit(4), lit(5))), []int32{4, 5, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ty := c.init.Type()
			v := &ast.Object{Name: "v", Type: ty, Space: idg.SpacePrivate}
			o := &ast.Object{Name: "o", Type: ctypes.PointerTo(ty, idg.SpaceGlobal), Param: true}
			ref := func(o *ast.Object) *ast.VarRef {
				r := &ast.VarRef{Obj: o}
				r.T = o.Type
				return r
			}
			target := &ast.Deref{X: ref(o)}
			target.T = ty
			store := &ast.Assign{X: target, Y: ref(v)}
			store.T = ty
			direct := &ast.Assign{X: target, Y: c.init} // as an rvalue
			direct.T = ty
			for _, body := range [][]ast.Stmt{
				{&ast.Decl{Obj: v, Init: c.init}, &ast.ExprStmt{X: store}},
				{&ast.ExprStmt{X: direct}},
			} {
				fn := tree(body...)
				fn.Params = []*ast.Object{o}
				k, err := Kernel(&ast.Unit{Dialect: ast.OpenCL}, fn)
				if err != nil {
					t.Fatal(err)
				}
				if err := irverify.Verify(build.Build(k)); err != nil {
					t.Fatalf("%v\n%s", err, build.Build(k))
				}
				mem := make([]byte, 400)
				if err := executeKernel(k, map[string][]byte{"o": mem}, nil, nil); err != nil {
					t.Fatal(err)
				}
				if got := mem[:4*len(c.want)]; string(got) != string(words(c.want...)) {
					t.Errorf("got %v, want %v\n%s", got, c.want, build.Build(k))
				}
			}
		})
	}
}
