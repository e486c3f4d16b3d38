package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// vectorShuffle types shuffle(x, mask) and shuffle2(x, y, mask) (OpenCL C
// 6.12.12). With a constant mask it is a selection of components.
func (c *checker) vectorShuffle(name string, args []ast.Expr, pos diag.Pos) ast.Expr {
	sources := len(args) - 1
	want := 2
	if name == "shuffle2" {
		want = 3
	}
	if !c.takes(name, want, args, pos) {
		return invalidAt(pos)
	}
	x, mask := args[0], args[sources]
	t, m := x.Type(), mask.Type()
	switch {
	case t.Kind != ctypes.Vector || sources == 2 && !args[1].Type().Equal(t):
		return c.fail(pos, "%s: vectors of one type are needed, this is %v", name, t)
	case m.Kind != ctypes.Vector || !m.Elem.IsUnsigned() || m.Elem.Size() != t.Elem.Size():
		return c.fail(pos, "%s: the mask is a vector of unsigned integers as wide as %v, this is %v", name, t.Elem, m)
	}
	result := c.vectorOf(t.Elem.Kind, m.Len)
	return builtin(builtins.VectorShuffle, name, result, pos, args...)
}

// upsample types upsample(hi, lo): (wider)hi << bits | lo (OpenCL C 6.12.3).
func (c *checker) upsample(args []ast.Expr, pos diag.Pos) ast.Expr {
	if !c.takes("upsample", 2, args, pos) {
		return invalidAt(pos)
	}
	hi, lo := args[0], args[1]
	t := hi.Type()
	k := t.Base().Kind
	if !t.Base().IsInteger() || k == ctypes.Bool || t.Base().Size() == 8 || !lo.Type().Base().IsInteger() ||
		lo.Type().Size() != t.Size() {
		return c.fail(pos, "upsample: two integers of one width below 64 bits are needed, these are %v and %v", t,
			lo.Type())
	}
	wide := c.withLanes(k+2, t) // kinds come in pairs of signed and unsigned
	widen := func(e ast.Expr) ast.Expr {
		if e.Type().Kind != ctypes.Vector {
			return c.convertScalar(e, wide, true)
		}
		return &ast.Convert{Typed: ast.Of(wide, pos), X: e, Explicit: true}
	}
	if !lo.Type().Base().IsUnsigned() {
		u := c.withLanes(lo.Type().Base().Kind+1, lo.Type())
		lo = &ast.Bitcast{Typed: ast.Of(u, pos), X: lo}
	}
	bits := number(wide.Base().Kind, 8*t.Base().Size(), pos)
	if wide.Kind == ctypes.Vector {
		bits = c.splat(bits, wide, false)
	}
	shifted := &ast.Binary{Typed: ast.Of(wide, pos), Op: ctypes.Shl, X: widen(hi), Y: bits}
	return &ast.Binary{Typed: ast.Of(wide, pos), Op: ctypes.Or, X: shifted, Y: widen(lo)}
}

// asyncCopy types async_work_group_copy(dst, src, n, event) and
// async_work_group_strided_copy(dst, src, n, stride, event) (OpenCL C 6.12.10).
// The result is the event.
func (c *checker) asyncCopy(name string, args []ast.Expr, pos diag.Pos) ast.Expr {
	want := 4
	if name == "async_work_group_strided_copy" {
		want = 5
	}
	if !c.takes(name, want, args, pos) {
		return invalidAt(pos)
	}
	dst, src := args[0].Type(), args[1].Type()
	switch {
	case dst.Kind != ctypes.Pointer || src.Kind != ctypes.Pointer || !dst.Elem.Equal(src.Elem) || !dst.Elem.IsArith():
		return c.fail(pos, "%s: two pointers to numbers or vectors of one type are needed, these are %v and %v", name,
			dst, src)
	case dst.Const:
		return c.fail(pos, "%s: the destination is constant", name)
	}
	event := args[want-1].Type()
	if event.Kind != ctypes.Opaque || event.Name != typeEvent {
		event = &ctypes.Type{Kind: ctypes.Opaque, Name: typeEvent}
		if args[want-1] = c.convert(args[want-1], event, "the event of "+name); isInvalid(args[want-1]) {
			return invalidAt(pos)
		}
	}
	out := args[:2:2]
	for _, a := range args[2 : want-1] {
		out = append(out, c.convert(a, ctypes.Scalar(ctypes.ULong), name))
	}
	return builtin(builtins.AsyncCopy, name, event, pos, out...)
}
