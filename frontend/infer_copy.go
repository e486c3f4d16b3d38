package frontend

// maxCopy bounds memcpy in device code, in bytes: it becomes loads and stores.
const maxCopy = 256

// memoryCopy types memcpy(to, from, n) of a constant size as assignments of the
// widest words that fit, which is what compilers make of it where both sides
// are aligned.
func (c *checker) memoryCopy(args []Expr, pos Pos) Expr {
	if !c.takes("memcpy", 3, args, pos) {
		return invalidAt(pos)
	}
	size, ok := c.rvalue(args[2]).(*Literal)
	switch {
	case !ok || size.Value.Int < 1 || size.Value.Int > maxCopy:
		c.unsupported(pos, "memcpy of a size that is not a small constant is", "write a loop")
		return invalidAt(pos)
	case args[0].Type().Kind != Pointer || args[1].Type().Kind != Pointer:
		return c.fail(pos, "memcpy takes two pointers, this are %v and %v", args[0].Type(), args[1].Type())
	}
	var copies Expr
	for at := int64(0); at < size.Value.Int; {
		word := copyWord(size.Value.Int - at)
		side := func(p Expr) Expr {
			t := PointerTo(word, p.Type().Space)
			t.Const = p.Type().Const
			return c.deref(c.pointerAdd(&Convert{typed: typed{t, pos}, X: p, Explicit: true}, c.number(Int, at/word.Size(), pos), false, pos), pos)
		}
		one := c.assign(side(args[0]), side(args[1]), pos)
		if copies == nil {
			copies = one
		} else {
			copies = &Comma{typed{one.Type(), pos}, copies, one}
		}
		at += word.Size()
	}
	return copies
}

// copyWord is the widest word of at most n bytes.
func copyWord(n int64) *Type {
	switch {
	case n >= 16:
		return VectorOf(UInt, 4)
	case n >= 8:
		return VectorOf(UInt, 2)
	case n >= 4:
		return Scalar(UInt)
	case n >= 2:
		return Scalar(UShort)
	}
	return Scalar(UChar)
}
