package resolve

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// imageForm is what the name of an image type says.
type imageForm struct {
	dims  int // coordinates that its pixels have, the layer of an array included
	depth bool
}

// formOf takes the name of an image type apart: image2d_array_depth_t.
func formOf(t *ctypes.Type) (f imageForm) {
	switch {
	case strings.HasPrefix(t.Name, "image1d"):
		f.dims = 1
	case strings.HasPrefix(t.Name, "image2d"):
		f.dims = 2
	default:
		f.dims = 3
	}
	if strings.Contains(t.Name, "_array") {
		f.dims++
	}
	f.depth = strings.Contains(t.Name, "_depth")
	return f
}

// imageElems are the components that the suffix of read_image and write_image
// stands for.
var imageElems = map[string]ctypes.Kind{"f": ctypes.Float, "i": ctypes.Int, "ui": ctypes.UInt, "h": ctypes.Half}

// imageQueries are the functions that ask for a property of an image (OpenCL C
// 6.12.14.5) and the type of the answer.
var imageQueries = map[string]*ctypes.Type{
	"get_image_width": ctypes.Scalar(ctypes.Int), "get_image_height": ctypes.Scalar(ctypes.Int),
	"get_image_depth": ctypes.Scalar(ctypes.Int), "get_image_array_size": ctypes.Scalar(ctypes.ULong),
	"get_image_channel_data_type": ctypes.Scalar(ctypes.Int), "get_image_channel_order": ctypes.Scalar(ctypes.Int),
	"get_image_num_mip_levels": ctypes.Scalar(ctypes.Int), "get_image_num_samples": ctypes.Scalar(ctypes.Int),
}

// imageCall types the functions on images; false means that the name is none of
// them.
func (c *checker) imageCall(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	if kind, ok := strings.CutPrefix(name, "read_image"); ok && imageElems[kind] != 0 {
		return c.readImage(name, imageElems[kind], args, pos), true
	}
	if kind, ok := strings.CutPrefix(name, "write_image"); ok && imageElems[kind] != 0 {
		return c.writeImage(name, imageElems[kind], args, pos), true
	}
	result := imageQueries[name]
	if result == nil && name != "get_image_dim" {
		return nil, false
	}
	if !c.takes(name, 1, args, pos) || !c.image(name, args[0]) {
		return invalidAt(pos), true
	}
	if name == "get_image_dim" {
		n := int64(2)
		if strings.HasPrefix(args[0].Type().Name, "image3d") {
			n = 4
		}
		result = c.vectorOf(ctypes.Int, n)
	}
	return builtin(builtins.ImageQuery, name, result, pos, args...), true
}

// image checks that an argument is an image.
func (c *checker) image(name string, arg ast.Expr) bool {
	switch {
	case isInvalid(arg):
		return false
	case !arg.Type().IsImage():
		c.errorf(arg.Pos(), codeType, "%s: an image is needed, this is %v", name, arg.Type())
		return false
	}
	return true
}

// coordinates converts an image's coordinates to int or float and leaves out the
// components that have no meaning: the last ones of (x, y, z, 0).
func (c *checker) coordinates(name string, image *ctypes.Type, e ast.Expr) ast.Expr {
	n := formOf(image).dims
	t := e.Type()
	switch {
	case !t.IsArith() || t.Lanes() < n:
		return c.fail(e.Pos(), "%s: %s are needed for %v, this is %v", name, countOf(n, "coordinate"), image, t)
	case t.Base().Kind != ctypes.Int && t.Base().Kind != ctypes.Float:
		k := ctypes.Int
		if t.Base().IsFloat() {
			k = ctypes.Float
		}
		e = &ast.Convert{Typed: ast.Of(c.withLanes(k, t), e.Pos()), X: e}
		if t.Kind != ctypes.Vector {
			e = c.convert(e.(*ast.Convert).X, ctypes.Scalar(k), name)
		}
	}
	if t = e.Type(); t.Lanes() == n {
		return e
	}
	lanes := []int{0, 1, 2, 3}[:n]
	return &ast.Swizzle{Typed: ast.Of(c.lanesOf(t.Elem.Kind, n), e.Pos()), X: e, Lanes: lanes}
}

// lanesOf is a vector of n components, or the scalar.
func (c *checker) lanesOf(k ctypes.Kind, n int) *ctypes.Type {
	if n == 1 {
		return ctypes.Scalar(k)
	}
	return c.vectorOf(k, int64(n))
}

// pixel is the type of what one access of an image moves.
func (c *checker) pixel(image *ctypes.Type, k ctypes.Kind) *ctypes.Type {
	if formOf(image).depth {
		return ctypes.Scalar(k)
	}
	return c.vectorOf(k, 4)
}

// readImage types read_imagef(image, [sampler,] coord) and its like. A sample's
// number, a level of detail or gradients may follow; they do not change what is
// accessed in a model of time.
func (c *checker) readImage(name string, k ctypes.Kind, args []ast.Expr, pos diag.Pos) ast.Expr {
	if isInvalid(args...) || len(args) > 0 && !c.image(name, args[0]) {
		return invalidAt(pos)
	}
	var sampler []ast.Expr
	rest := args
	if len(args) > 2 {
		if lit, ok := args[1].(*ast.Literal); ok && lit.Type().IsInteger() { // a sampler written as its number
			args[1] = c.convert(lit, &ctypes.Type{Kind: ctypes.Opaque, Name: typeSampler}, "the sampler of "+name)
		}
	}
	if len(args) > 1 && args[1].Type().Kind == ctypes.Opaque && args[1].Type().Name == typeSampler {
		sampler, rest = args[1:2], append(args[:1:1], args[2:]...)
	}
	if len(rest) < 2 || len(rest) > 4 {
		return c.fail(pos, "%s takes an image, a sampler and coordinates", name)
	}
	image := args[0].Type()
	coord := c.coordinates(name, image, rest[1])
	if len(sampler) == 0 && coord.Type().Base().Kind == ctypes.Float {
		return c.fail(pos, "%s: coordinates of type float need a sampler", name)
	}
	out := append([]ast.Expr{args[0], coord}, sampler...)
	return builtin(builtins.ImageRead, name, c.pixel(image, k), pos, out...)
}

// writeImage types write_imagef(image, coord, [lod,] color) and its like.
func (c *checker) writeImage(name string, k ctypes.Kind, args []ast.Expr, pos diag.Pos) ast.Expr {
	if isInvalid(args...) || len(args) > 0 && !c.image(name, args[0]) {
		return invalidAt(pos)
	}
	if len(args) != 3 && len(args) != 4 {
		return c.fail(pos, "%s takes an image, coordinates and a color", name)
	}
	image := args[0].Type()
	if image.Const {
		c.errorf(pos, codeType, "%s: the image is read_only", name).WithNote("declare it write_only or read_write")
		return invalidAt(pos)
	}
	coord := c.coordinates(name, image, args[1])
	color := c.convert(args[len(args)-1], c.pixel(image, k), "the color of "+name)
	return builtin(builtins.ImageWrite, name, ctypes.Scalar(ctypes.Void), pos, args[0], coord, color)
}
