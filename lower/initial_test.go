package lower

import (
	"testing"

	"gpupipe/frontend"
	"gpupipe/idg"
)

// TestInitialisers covers trees that the frontend folds into other ones today:
// braces around a vector with vectors inside, braces around a scalar, an empty
// list, and a list as an rvalue too large for registers.
func TestInitialisers(t *testing.T) {
	i32 := frontend.Scalar(frontend.Int)
	lit := func(n int64) frontend.Expr {
		e := &frontend.Literal{Value: frontend.Value{Type: i32, Int: n}}
		e.T = i32
		return e
	}
	list := func(t *frontend.Type, elems ...frontend.Expr) *frontend.InitList {
		e := &frontend.InitList{Elems: elems}
		for i := range elems {
			e.Index = append(e.Index, int64(i))
		}
		e.T = t
		return e
	}
	pair := &frontend.VectorLit{Elems: []frontend.Expr{lit(1), lit(2)}}
	pair.T = frontend.VectorOf(frontend.Int, 2)
	vec := list(frontend.VectorOf(frontend.Int, 4), pair, lit(3))
	vec.Index = []int64{0, 2}
	big := frontend.NewStruct(frontend.Struct, "B", []frontend.Field{{Name: "v", Type: frontend.ArrayOf(i32, 100)}})

	for _, c := range []struct {
		name string
		init frontend.Expr
		want []int32
	}{
		{"vector", vec, []int32{1, 2, 3, 0}},
		{"scalar in braces", list(i32, lit(7)), []int32{7}},
		{"empty braces", list(i32), []int32{0}},
		{"large struct", list(big, list(frontend.ArrayOf(i32, 100), lit(4), lit(5))), []int32{4, 5, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ty := c.init.Type()
			v := &frontend.Object{Name: "v", Type: ty, Space: idg.SpacePrivate}
			o := &frontend.Object{Name: "o", Type: frontend.PointerTo(ty, idg.SpaceGlobal), Param: true}
			ref := func(o *frontend.Object) *frontend.VarRef {
				r := &frontend.VarRef{Obj: o}
				r.T = o.Type
				return r
			}
			target := &frontend.Deref{X: ref(o)}
			target.T = ty
			store := &frontend.Assign{X: target, Y: ref(v)}
			store.T = ty
			direct := &frontend.Assign{X: target, Y: c.init} // as an rvalue
			direct.T = ty
			for _, body := range [][]frontend.Stmt{
				{&frontend.Decl{Obj: v, Init: c.init}, &frontend.ExprStmt{X: store}},
				{&frontend.ExprStmt{X: direct}},
			} {
				fn := tree(body...)
				fn.Params = []*frontend.Object{o}
				k, err := Lower(&frontend.Unit{Dialect: frontend.OpenCL}, fn)
				if err != nil {
					t.Fatal(err)
				}
				if err := k.Verify(); err != nil {
					t.Fatalf("%v\n%s", err, k)
				}
				mem := make([]byte, 400)
				in := &interp{k: k}
				if err := in.run(map[string][]byte{"o": mem}, nil); err != nil {
					t.Fatal(err)
				}
				if got := mem[:4*len(c.want)]; string(got) != string(words(c.want...)) {
					t.Errorf("got %v, want %v\n%s", got, c.want, k)
				}
			}
		})
	}
}
