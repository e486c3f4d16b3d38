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
// are aligned. Of any other size it is a loop over bytes (LLVM's createMemCpyLoop, which NVPTX uses).
func (c *checker) memoryCopy(args []ast.Expr, pos diag.Pos) ast.Expr {
	size, ok := c.rvalue(args[2]).(*ast.Literal)
	switch {
	case !ok || size.Value.Int < 1 || size.Value.Int > maxCopy:
		return c.preludeCall("klCopyBytes", args, pos)
	case args[0].Type().Kind != ctypes.Pointer || args[1].Type().Kind != ctypes.Pointer:
		return c.fail(pos, "memcpy takes two pointers, these are %v and %v", args[0].Type(), args[1].Type())
	}
	var copies ast.Expr
	for at := int64(0); at < size.Value.Int; {
		word := copyWord(size.Value.Int - at)
		copies = then(copies, c.assign(c.word(args[0], word, at, pos), c.word(args[1], word, at, pos), pos))
		at += word.Size()
	}
	return copies
}

// preludeCall calls a function of the texts that are read before the program.
func (c *checker) preludeCall(name string, args []ast.Expr, pos diag.Pos) ast.Expr {
	f, why := c.selectFunction(c.lookupFrom(c.file, name, false).funcs, nil, args, nil, pos)
	if f == nil {
		return c.report(name, why, pos)
	}
	return c.callFunction(f, nil, args, pos)
}

// word is the word that lies so many bytes behind a pointer.
func (c *checker) word(p ast.Expr, word *ctypes.Type, at int64, pos diag.Pos) ast.Expr {
	t := ctypes.PointerTo(word, p.Type().Space)
	t.Const = p.Type().Const
	words := &ast.Convert{Typed: ast.Of(t, pos), X: p, Explicit: true}
	return c.deref(c.pointerAdd(words, number(ctypes.Int, at/word.Size(), pos), false, pos), pos)
}

// then is y behind x, which is nil of the first.
func then(x, y ast.Expr) ast.Expr {
	if x == nil {
		return y
	}
	return &ast.Comma{Typed: ast.Of(y.Type(), y.Pos()), X: x, Y: y}
}

// memorySet types memset(p, value, n) of constants as assignments: of elements of an array of numbers in
// registers, whose words these are then, else of bytes. What is not constant is a loop over bytes.
func (c *checker) memorySet(args []ast.Expr, pos diag.Pos) ast.Expr {
	value, known := c.rvalue(args[1]).(*ast.Literal)
	size, ok := c.rvalue(args[2]).(*ast.Literal)
	p := c.rvalue(args[0])
	switch {
	case !known || !ok || size.Value.Int < 1 || size.Value.Int > maxSet:
		return c.preludeCall("klSetBytes", args, pos)
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
		byte := number(ctypes.Int, value.Value.Int&0xff, pos)
		sets = then(sets, c.assign(c.word(p, word, at, pos), byte, pos))
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
