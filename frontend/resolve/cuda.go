package resolve

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// cudaIndices are CUDA's index variables by the work-item function that they
// are.
var cudaIndices = map[string]string{
	"threadIdx": "get_local_id",
	"blockIdx":  "get_group_id",
	"blockDim":  "get_local_size",
	"gridDim":   "get_num_groups",
}

// workItemBuiltin makes a call of a work-item function for a CUDA variable.
// dim < 0 means that the function takes no dimension.
func workItemBuiltin(name string, kind ctypes.Kind, dim int, pos diag.Pos) ast.Expr {
	call := &ast.BuiltinCall{Typed: ast.Of(ctypes.Scalar(kind), pos), Builtin: &builtins.Function{Name: name, Class: builtins.WorkItem}, Args: nil}
	if dim >= 0 {
		call.Args = []ast.Expr{&ast.Literal{Typed: ast.Of(ctypes.Scalar(ctypes.Int), pos), Value: ctypes.IntValue(ctypes.Int, int64(dim))}}
	}
	return call
}

// cudaIndex types an object of the prelude that is used as a whole.
func (c *checker) cudaIndex(name string, pos diag.Pos) ast.Expr {
	if name == "warpSize" {
		return workItemBuiltin("get_sub_group_size", ctypes.Int, -1, pos)
	}
	fn := cudaIndices[name]
	if fn == "" {
		c.undeclared(pos, name, "name")
		return invalidAt(pos)
	}
	v := &ast.VectorLit{Typed: ast.Of(c.vectorOf(ctypes.UInt, 3), pos)}
	for dim := range 3 {
		v.Elems = append(v.Elems, workItemBuiltin(fn, ctypes.UInt, dim, pos))
	}
	return v
}

// cudaSpecial types the CUDA functions that are more than a call.
func (c *checker) cudaSpecial(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	if e, ok := c.asyncCall(name, args, pos); ok {
		return e, true
	}
	if e, ok := c.tensorCall(name, args, pos); ok {
		return e, true
	}
	if e, ok := c.warpCall(name, args, pos); ok {
		return e, true
	}
	if e, ok := c.wordsOfDouble(name, args, pos); ok {
		return e, true
	}
	switch name {
	case "__kl_sync_grid":
		return c.gridSync(pos), true
	case "__cvta_generic_to_shared", "__cvta_generic_to_global", "__cvta_generic_to_local", "__cvta_generic_to_constant":
		if !c.takes(name, 1, args, pos) {
			return invalidAt(pos), true
		}
		return c.castValue(args[0], ctypes.Scalar(ctypes.ULong), pos), true
	case "__cvta_shared_to_generic", "__cvta_global_to_generic", "__cvta_local_to_generic", "__cvta_constant_to_generic":
		if !c.takes(name, 1, args, pos) {
			return invalidAt(pos), true
		}
		space, _, _ := strings.Cut(strings.TrimPrefix(name, "__cvta_"), "_")
		return c.castValue(c.convert(args[0], ctypes.Scalar(ctypes.ULong), name), ctypes.PointerTo(ctypes.Scalar(ctypes.Void), inlineptx.SpaceNamed(space)), pos), true
	case "malloc":
		if !c.takes(name, 1, args, pos) {
			return invalidAt(pos), true
		}
		// New memory of the device's heap (CUDA C++ Programming Guide, Dynamic Global Memory Allocation):
		// nothing is known of its address.
		address := c.castValue(workItemBuiltin(heapAddress, ctypes.ULong, -1, pos), ctypes.PointerTo(ctypes.Scalar(ctypes.Void), idg.SpaceGlobal), pos)
		return &ast.Comma{Typed: ast.Of(address.Type(), pos), X: c.convert(args[0], ctypes.Scalar(ctypes.ULong), name), Y: address}, true
	case "free":
		if !c.takes(name, 1, args, pos) {
			return invalidAt(pos), true
		}
		return c.castValue(args[0], ctypes.Scalar(ctypes.Void), pos), true
	case "memcpy":
		return c.memoryCopy(args, pos), true
	case "memset":
		return c.memorySet(args, pos), true
	case "__builtin_assume_aligned":
		if len(args) == 0 || isInvalid(args...) {
			return invalidAt(pos), true
		}
		return args[0], true
	case "__stcs", "__stcg", "__stwb", "__stwt":
		if !c.takes(name, 2, args, pos) {
			return invalidAt(pos), true
		}
		target := c.deref(args[0], pos)
		if isInvalid(target) {
			return target, true
		}
		return c.assign(target, args[1], pos), true
	case "__ldcv", "__ldlu":
		if !c.takes(name, 1, args, pos) {
			return invalidAt(pos), true
		}
		return c.deref(args[0], pos), true
	case "__ldg", "__ldca", "__ldcg", "__ldcs":
		if !c.takes(name, 1, args, pos) {
			return invalidAt(pos), true
		}
		return c.deref(args[0], pos), true
	case "__saturatef":
		if !c.takes(name, 1, args, pos) {
			return invalidAt(pos), true
		}
		zero := &ast.Literal{Typed: ast.Of(ctypes.Scalar(ctypes.Float), pos), Value: ctypes.FloatValue(ctypes.Float, 0)}
		one := &ast.Literal{Typed: ast.Of(ctypes.Scalar(ctypes.Float), pos), Value: ctypes.FloatValue(ctypes.Float, 1)}
		return c.resolve("clamp", builtins.OpenCL().Find("clamp"), []ast.Expr{c.convert(args[0], ctypes.Scalar(ctypes.Float), name), zero, one}, pos), true
	case "sincosf":
		return c.cudaSincos(name, "sincos", ctypes.Float, args, pos), true
	case "sincos":
		return c.cudaSincos(name, "sincos", ctypes.Double, args, pos), true
	case "__sincosf":
		return c.cudaSincos(name, "native_sincos", ctypes.Float, args, pos), true
	}
	return nil, false
}

// cudaSincos types sincosf(x, s, c), which is *s = sincos(x, c) of OpenCL's.
func (c *checker) cudaSincos(name, canonical string, k ctypes.Kind, args []ast.Expr, pos diag.Pos) ast.Expr {
	if !c.takes(name, 3, args, pos) {
		return invalidAt(pos)
	}
	t := ctypes.Scalar(k)
	for _, p := range args[1:] {
		if p.Type().Kind != ctypes.Pointer || !p.Type().Elem.Equal(t) {
			return c.fail(p.Pos(), "%s: a pointer to %v is needed, this is %v", name, t, p.Type())
		}
	}
	x := c.convert(args[0], t, "argument 1 of "+name)
	sine := c.deref(args[1], pos)
	if isInvalid(x, sine) {
		return invalidAt(pos)
	}
	call := &ast.BuiltinCall{Typed: ast.Of(t, pos), Builtin: &builtins.Function{Name: canonical, Class: builtins.MathOut}, Args: []ast.Expr{x, args[2]}}
	return &ast.Assign{Typed: ast.Of(t, pos), Op: 0, X: sine, Y: call, Common: nil}
}

// cudaIndexMember types threadIdx.x and its like; nil if x is none.
func (c *checker) cudaIndexMember(x *syntax.MemberExpr) ast.Expr {
	id, ok := x.X.(*syntax.Ident)
	if !ok || c.cfg.Dialect != ast.CUDA || len(id.Name.Parts) != 1 {
		return nil
	}
	name := id.Name.Parts[0].Ident
	fn, member := cudaIndices[name], spelled(x.Name)
	if sym := c.lookup(name); fn == "" || sym == nil || !sym.builtin {
		return nil
	}
	pos := id.Name.Pos
	lanes := swizzleLanes(3, member)
	if len(lanes) != 1 {
		return c.fail(pos, "%s has no member %s", name, member)
	}
	return workItemBuiltin(fn, ctypes.UInt, lanes[0], pos)
}
