package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
)

// vectorShuffle types shuffle(x, mask) and shuffle2(x, y, mask) (OpenCL C
// 6.12.12). With a constant mask it is a selection of components.
func (c *checker) vectorShuffle(name string, args []Expr, pos Pos) Expr {
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
	case t.Kind != Vector || sources == 2 && !args[1].Type().Equal(t):
		return c.fail(pos, "%s: vectors of one type are needed, this is %v", name, t)
	case m.Kind != Vector || !m.Elem.IsUnsigned() || m.Elem.Size() != t.Elem.Size():
		return c.fail(pos, "%s: the mask is a vector of unsigned integers as wide as %v, this is %v", name, t.Elem, m)
	}
	result := c.vectorOf(t.Elem.Kind, m.Len)
	return &BuiltinCall{Typed: ast.Of(result, pos), Builtin: &Builtin{Name: name, Class: VectorShuffle}, Args: args}
}

// upsample types upsample(hi, lo): (wider)hi << bits | lo (OpenCL C 6.12.3).
func (c *checker) upsample(args []Expr, pos Pos) Expr {
	if !c.takes("upsample", 2, args, pos) {
		return invalidAt(pos)
	}
	hi, lo := args[0], args[1]
	t := hi.Type()
	k := t.Base().Kind
	if !t.Base().IsInteger() || k == Bool || t.Base().Size() == 8 || !lo.Type().Base().IsInteger() || lo.Type().Size() != t.Size() {
		return c.fail(pos, "upsample: two integers of one width below 64 bits are needed, these are %v and %v", t, lo.Type())
	}
	wide := c.withLanes(k+2, t) // kinds come in pairs of signed and unsigned
	widen := func(e Expr) Expr {
		if e.Type().Kind != Vector {
			return c.convertScalar(e, wide, true)
		}
		return &Convert{Typed: ast.Of(wide, pos), X: e, Explicit: true}
	}
	if !lo.Type().Base().IsUnsigned() {
		u := c.withLanes(lo.Type().Base().Kind+1, lo.Type())
		lo = &Bitcast{Typed: ast.Of(u, pos), X: lo}
	}
	bits := Expr(&Literal{Typed: ast.Of(wide.Base(), pos), Value: ctypes.IntValue(wide.Base().Kind, 8*t.Base().Size())})
	if wide.Kind == Vector {
		bits = c.splat(bits, wide, false)
	}
	shifted := &Binary{Typed: ast.Of(wide, pos), Op: Shl, X: widen(hi), Y: bits}
	return &Binary{Typed: ast.Of(wide, pos), Op: Or, X: shifted, Y: widen(lo)}
}

// asyncCopy types async_work_group_copy(dst, src, n, event) and
// async_work_group_strided_copy(dst, src, n, stride, event) (OpenCL C 6.12.10).
// The result is the event.
func (c *checker) asyncCopy(name string, args []Expr, pos Pos) Expr {
	want := 4
	if name == "async_work_group_strided_copy" {
		want = 5
	}
	if !c.takes(name, want, args, pos) {
		return invalidAt(pos)
	}
	dst, src := args[0].Type(), args[1].Type()
	switch {
	case dst.Kind != Pointer || src.Kind != Pointer || !dst.Elem.Equal(src.Elem) || !dst.Elem.IsArith():
		return c.fail(pos, "%s: two pointers to numbers or vectors of one type are needed, these are %v and %v", name, dst, src)
	case dst.Const:
		return c.fail(pos, "%s: the destination is constant", name)
	}
	event := args[want-1].Type()
	if event.Kind != Opaque || event.Name != typeEvent {
		event = &Type{Kind: Opaque, Name: typeEvent}
		if args[want-1] = c.convert(args[want-1], event, "the event of "+name); isInvalid(args[want-1]) {
			return invalidAt(pos)
		}
	}
	out := args[:2:2]
	for _, a := range args[2 : want-1] {
		if a = c.convert(a, Scalar(ULong), name); isInvalid(a) {
			return a
		}
		out = append(out, a)
	}
	return &BuiltinCall{Typed: ast.Of(event, pos), Builtin: &Builtin{Name: name, Class: AsyncCopy}, Args: out}
}
