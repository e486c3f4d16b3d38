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
	if dim < 0 {
		return builtin(builtins.WorkItem, name, ctypes.Scalar(kind), pos)
	}
	return builtin(builtins.WorkItem, name, ctypes.Scalar(kind), pos, number(ctypes.Int, int64(dim), pos))
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

// cudaSpecials are the CUDA functions that are more than a call, with the number of their arguments.
var cudaSpecials = map[string]int{
	"__kl_sync_grid": 0, "__kl_cluster_sync": 0, "__kl_cluster_map": 1,
	"malloc": 1, "free": 1, "memcpy": 3, "memset": 3, "__saturatef": 1,
	"__cvta_generic_to_shared": 1, "__cvta_generic_to_global": 1, "__cvta_generic_to_local": 1,
	"__cvta_generic_to_constant": 1,
	"__cvta_shared_to_generic":   1, "__cvta_global_to_generic": 1, "__cvta_local_to_generic": 1,
	"__cvta_constant_to_generic": 1,
	"__stcs":                     2, "__stcg": 2, "__stwb": 2, "__stwt": 2,
	"__ldcv": 1, "__ldlu": 1, "__ldg": 1, "__ldca": 1, "__ldcg": 1, "__ldcs": 1,
	"sincosf": 3, "sincos": 3, "__sincosf": 3,
}

// cudaSpecial types these and the functions of their families.
func (c *checker) cudaSpecial(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	for _, family := range []func(string, []ast.Expr, diag.Pos) (ast.Expr, bool){c.tensorCall, c.warpCall,
		c.wordsOfDouble} {
		if e, ok := family(name, args, pos); ok {
			return e, true
		}
	}
	switch {
	case name == "__builtin_assume_aligned" && len(args) > 0:
		return args[0], true
	case name == "__pipeline_memcpy_async":
		return c.primitiveCopy(args, pos), true
	}
	n, known := cudaSpecials[name]
	switch {
	case !known:
		return nil, false
	case !c.takes(name, n, args, pos):
		return invalidAt(pos), true
	}
	return c.cudaCall(name, args, pos), true
}

func (c *checker) cudaCall(name string, args []ast.Expr, pos diag.Pos) ast.Expr {
	switch name {
	case "__kl_sync_grid":
		return c.gridSync(pos)
	case "__kl_cluster_sync", "__kl_cluster_map":
		return c.clusterCall(strings.TrimPrefix(name, "__kl_cluster_"), args, pos)
	case "malloc":
		// New memory of the device's heap (CUDA C++ Programming Guide, Dynamic Global Memory Allocation):
		// nothing is known of its address.
		heap := ctypes.PointerTo(ctypes.Scalar(ctypes.Void), idg.SpaceGlobal)
		address := c.castValue(workItemBuiltin(builtins.HeapAddress, ctypes.ULong, -1, pos), heap, pos)
		return &ast.Comma{Typed: ast.Of(heap, pos), X: c.convert(args[0], ctypes.Scalar(ctypes.ULong), name),
			Y: address}
	case "free":
		return c.castValue(args[0], ctypes.Scalar(ctypes.Void), pos)
	case "memcpy":
		return c.memoryCopy(args, pos)
	case "memset":
		return c.memorySet(args, pos)
	case "__stcs", "__stcg", "__stwb", "__stwt":
		target := c.deref(args[0], pos)
		if isInvalid(target) {
			return target
		}
		return c.assign(target, args[1], pos)
	case "__saturatef":
		one := func(v float64) ast.Expr { return ast.LiteralOf(ctypes.FloatValue(ctypes.Float, v), pos) }
		x := c.convert(args[0], ctypes.Scalar(ctypes.Float), name)
		return c.resolve("clamp", builtins.OpenCL().Find("clamp"), []ast.Expr{x, one(0), one(1)}, pos)
	case "sincosf":
		return c.cudaSincos(name, "sincos", ctypes.Float, args, pos)
	case "sincos":
		return c.cudaSincos(name, "sincos", ctypes.Double, args, pos)
	case "__sincosf":
		return c.cudaSincos(name, "native_sincos", ctypes.Float, args, pos)
	}
	cast, address := strings.CutPrefix(name, "__cvta_")
	space, _, toGeneric := strings.Cut(cast, "_to_generic")
	switch {
	case !address: // a load
		return c.deref(args[0], pos)
	case !toGeneric:
		return c.castValue(args[0], ctypes.Scalar(ctypes.ULong), pos)
	}
	t := ctypes.PointerTo(ctypes.Scalar(ctypes.Void), inlineptx.SpaceNamed(space))
	return c.castValue(c.convert(args[0], ctypes.Scalar(ctypes.ULong), name), t, pos)
}

// cudaSincos types sincosf(x, s, c), which is *s = sincos(x, c) of OpenCL's.
func (c *checker) cudaSincos(name, canonical string, k ctypes.Kind, args []ast.Expr, pos diag.Pos) ast.Expr {
	t := ctypes.Scalar(k)
	for _, p := range args[1:] {
		if p.Type().Kind != ctypes.Pointer || !p.Type().Elem.Equal(t) {
			return c.fail(p.Pos(), "%s: a pointer to %v is needed, this is %v", name, t, p.Type())
		}
	}
	sine := c.deref(args[1], pos)
	call := builtin(builtins.MathOut, canonical, t, pos, c.convert(args[0], t, "argument 1 of "+name), args[2])
	return &ast.Assign{Typed: of(t, pos, sine, call), X: sine, Y: call}
}

// cudaIndexMember types threadIdx.x and its like; nil if x is none.
func (c *checker) cudaIndexMember(x *syntax.MemberExpr) ast.Expr {
	id, ok := x.X.(*syntax.Ident)
	if !ok || len(id.Name.Parts) != 1 {
		return nil
	}
	name := id.Name.Parts[0].Ident
	fn, member := cudaIndices[name], x.Name.String()
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
