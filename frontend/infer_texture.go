package frontend

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/encoding"
)

// CUDA's textures and surfaces are images whose pixels have the type that a fetch asks for.

// isTextureName reports whether a function is one that textureCall types.
func isTextureName(name string, d Dialect) bool {
	_, _, surface := encoding.SurfaceFunction(name)
	return d == CUDA && (surface || encoding.TextureDims[name] > 0)
}

// textureCall types a fetch from a texture or an access to a surface; false
// means that the name is none.
func (c *checker) textureCall(name string, args []Expr, pos Pos) (Expr, bool) {
	plain, typedCall := strings.CutPrefix(name, encoding.TexturePrefix)
	dims, isTexture := encoding.TextureDims[plain]
	surface, write, isSurface := encoding.SurfaceFunction(plain)
	if !isTexture && !isSurface {
		return nil, false
	}
	if isInvalid(args...) {
		return invalidAt(pos), true
	}
	var texel *Type
	if typedCall {
		if len(args) == 0 || args[0].Type().Kind != Pointer {
			return c.fail(pos, "%s: the type of the pixels is not known", plain), true
		}
		texel = args[0].Type().Elem
		args = args[1:]
	}
	if isSurface {
		return c.surfaceAccess(plain, texel, surface, write, args, pos), true
	}
	if len(args) > 0 && args[0].Type().Kind == Pointer && texel == nil { // tex1D(&result, object, x)
		out := c.deref(args[0], pos)
		e := c.fetch(plain, out.Type(), dims, args[1:], pos)
		if isInvalid(out, e) {
			return invalidAt(pos), true
		}
		return c.assign(out, e, pos), true
	}
	if ref, ok := first(args).(*VarRef); ok && texel == nil {
		if sym := c.lookup(ref.Obj.Name + encoding.TexelMark); sym != nil && sym.kind == symType {
			texel = sym.typ.Type
		}
	}
	return c.fetch(plain, texel, dims, args, pos), true
}

func first(args []Expr) Expr {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// fetch types a read of dims coordinates.
func (c *checker) fetch(name string, texel *Type, dims int, args []Expr, pos Pos) Expr {
	switch {
	case len(args) < 1+dims:
		return c.fail(pos, "%s takes a texture and %s", name, countOf(dims, "coordinate"))
	case texel == nil || !texel.IsArith():
		return c.fail(pos, "%s: the type of the pixels is not known", name)
	case !args[0].Type().IsImage():
		return c.fail(pos, "%s: a texture is needed, this is %v", name, args[0].Type())
	}
	k := Float
	if name == "tex1Dfetch" {
		k = Int
	}
	coord := c.coordinate(name, k, args[1:1+dims], pos)
	if isInvalid(coord) {
		return coord
	}
	return &BuiltinCall{Typed: ast.Of(texel, pos), Builtin: &Builtin{Name: name, Class: ImageRead}, Args: []Expr{args[0], coord}}
}

// coordinate makes a vector of coordinates.
func (c *checker) coordinate(name string, k Kind, args []Expr, pos Pos) Expr {
	elems := make([]Expr, len(args))
	for i, a := range args {
		if elems[i] = c.convert(a, Scalar(k), name); isInvalid(elems[i]) {
			return elems[i]
		}
	}
	if len(elems) == 1 {
		return elems[0]
	}
	return &VectorLit{Typed: ast.Of(c.vectorOf(k, int64(len(elems))), pos), Elems: elems}
}

// surfaceAccess types surf2Dread<T>(s, x, y), surf2Dread(&v, s, x, y) and
// surf2Dwrite(v, s, x, y).
func (c *checker) surfaceAccess(name string, texel *Type, dims int, write bool, args []Expr, pos Pos) Expr {
	var value Expr
	if texel == nil || write {
		if len(args) == 0 {
			return c.fail(pos, "%s takes a value, a surface and %s", name, countOf(dims, "coordinate"))
		}
		value, args = args[0], args[1:]
	}
	switch {
	case len(args) < 1+dims:
		return c.fail(pos, "%s takes a surface and %s", name, countOf(dims, "coordinate"))
	case !args[0].Type().IsImage():
		return c.fail(pos, "%s: a surface is needed, this is %v", name, args[0].Type())
	}
	coord := c.coordinate(name, Int, args[1:1+dims], pos)
	if isInvalid(coord) {
		return coord
	}
	if write {
		if texel != nil {
			value = c.convert(value, texel, name)
		}
		if value = c.rvalue(value); isInvalid(value) || !value.Type().IsArith() {
			return c.fail(pos, "%s: a number or vector is needed", name)
		}
		return &BuiltinCall{Typed: ast.Of(Scalar(Void), pos), Builtin: &Builtin{Name: name, Class: ImageWrite}, Args: []Expr{args[0], coord, value}}
	}
	if value == nil {
		return &BuiltinCall{Typed: ast.Of(texel, pos), Builtin: &Builtin{Name: name, Class: ImageRead}, Args: []Expr{args[0], coord}}
	}
	if value.Type().Kind != Pointer || !value.Type().Elem.IsArith() {
		return c.fail(pos, "%s: a pointer to the result is needed", name)
	}
	out := c.deref(value, pos)
	return c.assign(out, &BuiltinCall{Typed: ast.Of(out.Type(), pos), Builtin: &Builtin{Name: name, Class: ImageRead}, Args: []Expr{args[0], coord}}, pos)
}
