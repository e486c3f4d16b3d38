package resolve

import (
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// Families are functions whose name says the type: convert_float4_rte, as_uint,
// vload8, make_int2. family types such a call; false means that the name is none
// of them.
func (c *checker) family(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	if c.cfg.Dialect == ast.CUDA {
		return c.cudaFamily(name, args, pos)
	}
	prefix, rest, _ := strings.Cut(name, "_")
	switch name {
	case "shuffle", "shuffle2":
		return c.vectorShuffle(name, args, pos), true
	case "upsample":
		return c.upsample(args, pos), true
	case "async_work_group_copy", "async_work_group_strided_copy":
		return c.asyncCopy(name, args, pos), true
	}
	if e, ok := c.imageCall(name, args, pos); ok {
		return e, true
	}
	switch prefix {
	case "convert":
		return c.convertCall(name, rest, args, pos)
	case "as":
		if t := c.namedType(rest); t != nil {
			return c.reinterpret(name, t, args, pos), true
		}
		return nil, false
	}
	if n, half, ok := vectorAccess(name, "vload"); ok {
		return c.vload(name, n, half, args, pos), true
	}
	if n, half, ok := vectorAccess(name, "vstore"); ok {
		return c.vstore(name, n, half, args, pos), true
	}
	return nil, false
}

// takes checks the number of arguments and that all could be typed.
func (c *checker) takes(name string, n int, args []ast.Expr, pos diag.Pos) bool {
	if isInvalid(args...) {
		return false
	}
	if len(args) != n {
		c.errorf(pos, codeType, "%s: %s expected, %s given", name, countOf(n, "argument"),
			countOf(len(args), "argument"))
		return false
	}
	return true
}

// convertCall types convert_T[_sat][_mode](x); spec is what follows convert_.
func (c *checker) convertCall(name, spec string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	typeName, modes, _ := strings.Cut(spec, "_")
	t := c.namedType(typeName)
	if t == nil {
		return nil, false
	}
	conv := &ast.Convert{Typed: ast.Of(t, pos), Explicit: true}
	if modes == "sat" || strings.HasPrefix(modes, "sat_") {
		conv.Saturate = true
		modes = strings.TrimPrefix(strings.TrimPrefix(modes, "sat"), "_")
	}
	switch modes {
	case "", "rte", "rtz", "rtp", "rtn":
		conv.Rounding = modes
	default:
		return nil, false
	}
	if !c.takes(name, 1, args, pos) {
		return invalidAt(pos), true
	}
	x := args[0]
	switch from := x.Type(); {
	case !from.IsArith() || from.Lanes() != t.Lanes():
		return c.fail(pos, "%s: %s of a number needed, this is %v", name, countOf(t.Lanes(), "component"), from), true
	case from.Equal(t) && !conv.Saturate:
		return x, true
	}
	if _, ok := x.(*ast.Literal); ok && conv.Rounding == "" && !conv.Saturate {
		return c.convertScalar(x, t, true), true
	}
	conv.X = x
	return conv, true
}

// reinterpret types as_T(x) and CUDA's __float_as_int(x).
func (c *checker) reinterpret(name string, t *ctypes.Type, args []ast.Expr, pos diag.Pos) ast.Expr {
	if !c.takes(name, 1, args, pos) {
		return invalidAt(pos)
	}
	from := args[0].Type()
	if !from.IsArith() || from.Size() != t.Size() {
		return c.fail(pos, "%s: %d bytes needed, %v has %d", name, t.Size(), from, from.Size())
	}
	if from.Equal(t) {
		return args[0]
	}
	return &ast.Bitcast{Typed: ast.Of(t, pos), X: args[0]}
}

// vectorAccess decodes vloadN, vload_half, vload_halfN and vloada_halfN (and
// the same for vstore, which may end in a rounding mode). n is 1 for scalars.
func vectorAccess(name, prefix string) (n int64, half, ok bool) {
	rest, found := strings.CutPrefix(name, prefix)
	if !found {
		return 0, false, false
	}
	rest = strings.TrimPrefix(rest, "a")
	if tail, isHalf := strings.CutPrefix(rest, "_half"); isHalf {
		half = true
		rest = tail
		if prefix == "vstore" {
			for _, mode := range []string{"_rte", "_rtz", "_rtp", "_rtn"} {
				rest = strings.TrimSuffix(rest, mode)
			}
		}
		if rest == "" {
			return 1, true, true
		}
	}
	switch rest {
	case "2", "3", "4", "8", "16":
		n, _ = strconv.ParseInt(rest, 10, 64)
		return n, half, true
	}
	return 0, false, false
}

// vload types vloadN(offset, p). Half-precision data is converted to float.
func (c *checker) vload(name string, n int64, half bool, args []ast.Expr, pos diag.Pos) ast.Expr {
	if !c.takes(name, 2, args, pos) {
		return invalidAt(pos)
	}
	offset, p := c.promote(args[0]), args[1]
	if !c.accessArgs(name, offset, p, half) {
		return invalidAt(pos)
	}
	elem := p.Type().Elem
	var e ast.Expr
	switch {
	case n == 1:
		e = c.index(p, offset, pos)
	case strings.HasPrefix(name, "vloada"):
		e = c.index(c.vectorPointer(p, n), offset, pos)
	default:
		t := c.vectorOf(elem.Kind, n)
		e = builtin(builtins.VLoad, "vload"+strconv.FormatInt(n, 10), t, pos, offset, p)
	}
	if half {
		return &ast.Convert{Typed: ast.Of(c.withLanes(ctypes.Float, e.Type()), pos), X: e, Explicit: true}
	}
	return e
}

// vectorPointer is p as a pointer to whole vectors, which are aligned and of
// which those of three components take the room of four: what vloada and vstorea
// access (OpenCL C 6.12.7).
func (c *checker) vectorPointer(p ast.Expr, n int64) ast.Expr {
	t := *p.Type()
	t.Elem = c.vectorOf(t.Elem.Kind, n)
	return &ast.Convert{Typed: ast.Of(&t, p.Pos()), X: p, Explicit: true}
}

// vstore types vstoreN(v, offset, p).
func (c *checker) vstore(name string, n int64, half bool, args []ast.Expr, pos diag.Pos) ast.Expr {
	if !c.takes(name, 3, args, pos) {
		return invalidAt(pos)
	}
	v, offset, p := args[0], c.promote(args[1]), args[2]
	if !c.accessArgs(name, offset, p, half) {
		return invalidAt(pos)
	}
	if p.Type().Const {
		return c.fail(pos, "%s: the pointer leads to something constant", name)
	}
	t := p.Type().Elem
	if n > 1 {
		t = c.vectorOf(t.Kind, n)
	}
	if half && v.Type().Lanes() == int(n) && v.Type().Base().IsFloat() {
		v = &ast.Convert{Typed: ast.Of(t, pos), X: v, Explicit: true, Rounding: storeRounding(name)}
	}
	if v.Type().Kind != ctypes.Vector && n > 1 {
		return c.fail(pos, "%s: %v needed, this is %v", name, t, v.Type())
	}
	if v = c.convert(v, t, name); isInvalid(v) {
		return v
	}
	if n == 1 {
		return &ast.Assign{Typed: ast.Of(t, pos), X: c.index(p, offset, pos), Y: v}
	}
	if strings.HasPrefix(name, "vstorea") {
		return &ast.Assign{Typed: ast.Of(t, pos), X: c.index(c.vectorPointer(p, n), offset, pos), Y: v}
	}
	return builtin(builtins.VStore, "vstore"+strconv.FormatInt(n, 10), ctypes.Scalar(ctypes.Void), pos, v, offset, p)
}

func storeRounding(name string) string {
	if i := strings.LastIndexByte(name, '_'); strings.HasPrefix(name[i+1:], "rt") {
		return name[i+1:]
	}
	return ""
}

// accessArgs checks the offset and pointer of vload and vstore.
func (c *checker) accessArgs(name string, offset, p ast.Expr, half bool) bool {
	t := p.Type()
	switch {
	case !offset.Type().IsInteger():
		c.errorf(offset.Pos(), codeType, "%s: the offset is an integer, this is %v", name, offset.Type())
	case t.Kind != ctypes.Pointer || !t.Elem.IsScalar() || half && t.Elem.Kind != ctypes.Half:
		want := "a pointer to a scalar"
		if half {
			want = "a pointer to half"
		}
		c.errorf(p.Pos(), codeType, "%s: %s is needed, this is %v", name, want, t)
	default:
		return true
	}
	return false
}

// cudaFamily types make_T, conversion intrinsics and arithmetic intrinsics.
func (c *checker) cudaFamily(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	if typeName, ok := strings.CutPrefix(name, "make_"); ok {
		t := c.namedType(typeName)
		if t == nil || t.Kind != ctypes.Vector {
			return nil, false
		}
		return c.makeVector(args, t, false, pos), true
	}
	from, to, rounding, bits, ok := builtins.CUDAConversion(name)
	if !ok {
		return nil, false
	}
	if !c.takes(name, 1, args, pos) {
		return invalidAt(pos), true
	}
	x := c.convert(args[0], ctypes.Scalar(from), name)
	if bits {
		return c.reinterpret(name, ctypes.Scalar(to), []ast.Expr{x}, pos), true
	}
	return &ast.Convert{Typed: of(ctypes.Scalar(to), pos, x), X: x, Explicit: true, Rounding: rounding}, true
}
