package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// maxCopy bounds memcpy in device code, in bytes: it becomes loads and stores.
const maxCopy = 256

// memoryCopy types memcpy(to, from, n) of a constant size as assignments of the
// widest words that fit, which is what compilers make of it where both sides
// are aligned.
func (c *checker) memoryCopy(args []ast.Expr, pos diag.Pos) ast.Expr {
	if !c.takes("memcpy", 3, args, pos) {
		return invalidAt(pos)
	}
	size, ok := c.rvalue(args[2]).(*ast.Literal)
	switch {
	case !ok || size.Value.Int < 1 || size.Value.Int > maxCopy:
		c.unsupported(pos, "memcpy of a size that is not a small constant is", "write a loop")
		return invalidAt(pos)
	case args[0].Type().Kind != ctypes.Pointer || args[1].Type().Kind != ctypes.Pointer:
		return c.fail(pos, "memcpy takes two pointers, this are %v and %v", args[0].Type(), args[1].Type())
	}
	var copies ast.Expr
	for at := int64(0); at < size.Value.Int; {
		word := copyWord(size.Value.Int - at)
		side := func(p ast.Expr) ast.Expr {
			t := ctypes.PointerTo(word, p.Type().Space)
			t.Const = p.Type().Const
			return c.deref(c.pointerAdd(&ast.Convert{Typed: ast.Of(t, pos), X: p, Explicit: true}, c.number(ctypes.Int, at/word.Size(), pos), false, pos), pos)
		}
		one := c.assign(side(args[0]), side(args[1]), pos)
		if copies == nil {
			copies = one
		} else {
			copies = &ast.Comma{Typed: ast.Of(one.Type(), pos), X: copies, Y: one}
		}
		at += word.Size()
	}
	return copies
}

// memorySet types memset(p, value, n) of constants as assignments: of elements of an array of numbers in
// registers, whose words these are then, else of bytes.
func (c *checker) memorySet(args []ast.Expr, pos diag.Pos) ast.Expr {
	if !c.takes("memset", 3, args, pos) {
		return invalidAt(pos)
	}
	value, known := c.rvalue(args[1]).(*ast.Literal)
	size, ok := c.rvalue(args[2]).(*ast.Literal)
	p := c.rvalue(args[0])
	switch {
	case !known || !ok || size.Value.Int < 1 || size.Value.Int > maxSet:
		c.unsupported(pos, "memset of a value or size that is not a small constant is", "write a loop")
		return invalidAt(pos)
	case p.Type().Kind != ctypes.Pointer:
		return c.fail(pos, "memset takes a pointer, this is %v", p.Type())
	}
	elem := p.Type().Elem
	for elem.Kind == ctypes.Array {
		elem = elem.Elem
	}
	zero := value.Value.Int&0xff == 0
	var sets ast.Expr
	for at := int64(0); at < size.Value.Int; {
		word := ctypes.Scalar(ctypes.UChar)
		if zero && (elem.IsInteger() || elem.IsFloat()) && size.Value.Int%elem.Size() == 0 {
			word = elem
		}
		t := ctypes.PointerTo(word, p.Type().Space)
		to := c.deref(c.pointerAdd(&ast.Convert{Typed: ast.Of(t, pos), X: p, Explicit: true}, c.number(ctypes.Int, at/word.Size(), pos), false, pos), pos)
		one := c.assign(to, c.number(ctypes.Int, value.Value.Int&0xff, pos), pos)
		if sets == nil {
			sets = one
		} else {
			sets = &ast.Comma{Typed: ast.Of(one.Type(), pos), X: sets, Y: one}
		}
		at += word.Size()
	}
	return sets
}

// maxSet bounds memset in device code, in bytes: all registers of a work item.
const maxSet = 1024

// copyWord is the widest word of at most n bytes.
func copyWord(n int64) *ctypes.Type {
	switch {
	case n >= 16:
		return ctypes.VectorOf(ctypes.UInt, 4)
	case n >= 8:
		return ctypes.VectorOf(ctypes.UInt, 2)
	case n >= 4:
		return ctypes.Scalar(ctypes.UInt)
	case n >= 2:
		return ctypes.Scalar(ctypes.UShort)
	}
	return ctypes.Scalar(ctypes.UChar)
}
