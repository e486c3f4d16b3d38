package resolve

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// CUDA's textures and surfaces are images whose pixels have the type that a fetch asks for.

// isTextureName reports whether a function is one that textureCall types.
func isTextureName(name string, d ast.Dialect) bool {
	_, _, surface := surfaceFunction(name)
	return d == ast.CUDA && (surface || textureDims[name] > 0)
}

// textureCall types a fetch from a texture or an access to a surface; false
// means that the name is none.
func (c *checker) textureCall(name string, texel *ctypes.Type, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	dims, isTexture := textureDims[name]
	surface, write, isSurface := surfaceFunction(name)
	if !isTexture && !isSurface {
		return nil, false
	}
	if isInvalid(args...) {
		return invalidAt(pos), true
	}
	if isSurface {
		return c.surfaceAccess(name, texel, surface, write, args, pos), true
	}
	if len(args) > 0 && args[0].Type().Kind == ctypes.Pointer && texel == nil { // tex1D(&result, object, x)
		out := c.deref(args[0], pos)
		e := c.fetch(name, out.Type(), dims, args[1:], pos)
		if isInvalid(out, e) {
			return invalidAt(pos), true
		}
		return c.assign(out, e, pos), true
	}
	return c.fetch(name, texel, dims, args, pos), true
}

// imageReference is the type surface<T, dimensions>, or texture<T, dimensions, mode>: a texture that knows its pixels.
// Those of cudaReadModeNormalizedFloat are read as numbers between -1 and 1. It is nil of other templates.
func imageReference(t *template, args templateArgs) *ctypes.Type {
	switch {
	case !diag.IsLibrary(t.pos.File):
		return nil
	case t.name == "surface":
		return &ctypes.Type{Kind: ctypes.Opaque, Name: ctypes.Surface}
	case t.name != "texture":
		return nil
	}
	texel := args[0].typ.Type
	if normalized := args[2].value.Int != 0; normalized && texel.IsArith() {
		if texel.Kind == ctypes.Vector {
			texel = ctypes.CUDAVectorOf(ctypes.Float, int64(texel.Lanes()))
		} else {
			texel = ctypes.Scalar(ctypes.Float)
		}
	}
	return &ctypes.Type{Kind: ctypes.Opaque, Name: ctypes.Texture, Elem: texel}
}

// fetch types a read of dims coordinates.
func (c *checker) fetch(name string, texel *ctypes.Type, dims int, args []ast.Expr, pos diag.Pos) ast.Expr {
	if texel == nil && len(args) > 0 && args[0].Type().IsImage() {
		texel = args[0].Type().Elem
	}
	switch {
	case len(args) < 1+dims:
		return c.fail(pos, "%s takes a texture and %s", name, countOf(dims, "coordinate"))
	case texel == nil || !texel.IsArith():
		return c.fail(pos, "%s: the type of the pixels is not known", name)
	case !args[0].Type().IsImage():
		return c.fail(pos, "%s: a texture is needed, this is %v", name, args[0].Type())
	}
	k := ctypes.Float
	if name == "tex1Dfetch" {
		k = ctypes.Int
	}
	coord := c.coordinate(name, k, args[1:1+dims], pos)
	return builtin(builtins.ImageRead, name, texel, pos, args[0], coord)
}

// coordinate makes a vector of coordinates.
func (c *checker) coordinate(name string, k ctypes.Kind, args []ast.Expr, pos diag.Pos) ast.Expr {
	elems := make([]ast.Expr, len(args))
	for i, a := range args {
		elems[i] = c.convert(a, ctypes.Scalar(k), name)
	}
	if len(elems) == 1 {
		return elems[0]
	}
	return &ast.VectorLit{Typed: of(c.vectorOf(k, int64(len(elems))), pos, elems...), Elems: elems}
}

// surfaceAccess types surf2Dread<T>(s, x, y), surf2Dread(&v, s, x, y) and
// surf2Dwrite(v, s, x, y).
func (c *checker) surfaceAccess(name string, texel *ctypes.Type, dims int, write bool, args []ast.Expr,
	pos diag.Pos) ast.Expr {
	var value ast.Expr
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
	coord := c.coordinate(name, ctypes.Int, args[1:1+dims], pos)
	if write {
		if texel != nil {
			value = c.convert(value, texel, name)
		}
		if value = c.rvalue(value); isInvalid(value) || !value.Type().IsArith() {
			return c.fail(pos, "%s: a number or vector is needed", name)
		}
		return builtin(builtins.ImageWrite, name, ctypes.Scalar(ctypes.Void), pos, args[0], coord, value)
	}
	if value == nil {
		return builtin(builtins.ImageRead, name, texel, pos, args[0], coord)
	}
	if value.Type().Kind != ctypes.Pointer || !value.Type().Elem.IsArith() {
		return c.fail(pos, "%s: a pointer to the result is needed", name)
	}
	out := c.deref(value, pos)
	return c.assign(out, builtin(builtins.ImageRead, name, out.Type(), pos, args[0], coord), pos)
}

// textureDims are the coordinates of the texture functions, layers and faces
// included; what follows them is a level of detail or a gradient.
var textureDims = map[string]int{
	"tex1Dfetch": 1, "tex1D": 1, "tex2D": 2, "tex3D": 3, "tex1DLod": 1, "tex2DLod": 2, "tex3DLod": 3, "tex1DGrad": 1,
	"tex2DGrad": 2, "tex3DGrad": 3,
	"tex1DLayered": 2, "tex2DLayered": 3, "texCubemap": 3, "texCubemapLod": 3, "texCubemapLayered": 4,
	"tex2DLayeredLod": 3, "tex2Dgather": 2,
}

// surfaceDims are the coordinates of the surface functions; the first one
// counts bytes.
var surfaceDims = map[string]int{"surf1D": 1, "surf2D": 2, "surf3D": 3, "surf1DLayered": 2, "surf2DLayered": 3,
	"surfCubemap": 3}

// surfaceFunction takes the name of a surface function apart.
func surfaceFunction(name string) (dims int, write, ok bool) {
	if base, found := strings.CutSuffix(name, "read"); found {
		return surfaceDims[base], false, surfaceDims[base] > 0
	}
	base, found := strings.CutSuffix(name, "write")
	return surfaceDims[base], true, found && surfaceDims[base] > 0
}
