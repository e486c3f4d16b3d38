package randomc

// expr prints an expression without side effects on its own operands: every assignment inside is sequenced by &&,
// ||, ?: or a comma.
func (p *program) expr(depth int) evalFn {
	if depth == 0 || p.rng.IntN(6) == 0 {
		return p.leaf()
	}
	depth--
	switch p.rng.IntN(16) {
	case 0, 1, 2, 3:
		return p.unary(depth)
	case 4:
		return p.quotient(depth)
	case 5:
		v := p.variable()
		p.print("(")
		c := p.expr(depth)
		p.print(" ? (v%d = ", v)
		x := p.expr(depth)
		p.print(") : ")
		y := p.expr(depth)
		p.print(")")
		return func() int32 {
			if c() != 0 {
				p.vars[v] = x()
				return p.vars[v]
			}
			return y()
		}
	case 6:
		v := p.variable()
		p.print("(")
		x := p.expr(depth)
		y := int32(p.rng.IntN(9))
		p.print(" && v%d++ > %d)", v, y)
		return func() int32 {
			if x() == 0 {
				return 0
			}
			p.vars[v]++
			return bit(p.vars[v]-1 > y)
		}
	case 7:
		p.print("(")
		x := p.expr(depth)
		p.print(" || ")
		y := p.expr(depth)
		p.print(")")
		return func() int32 { return bit(x() != 0 || y() != 0) }
	case 8:
		v := p.variable()
		p.print("(v%d += ", v)
		x := p.pure(depth)
		p.print(", ")
		y := p.expr(depth)
		p.print(")")
		return func() int32 { p.vars[v] += x(); return y() }
	case 9:
		return p.function(depth)
	default:
		return p.binary(p.pure, depth)
	}
}

// leaf prints a constant, a variable or an element of an array.
func (p *program) leaf() evalFn {
	switch p.rng.IntN(8) {
	case 0, 1:
		c := int32(p.rng.IntN(20) - 5)
		p.print("(%d)", c)
		return func() int32 { return c }
	case 2:
		switch p.rng.IntN(3) {
		case 0:
			return p.member()
		case 1:
			if len(p.around) > 0 {
				p.print("p")
				at := p.affine()
				return func() int32 { return p.p[at()] }
			}
		}
		return p.element()
	case 3:
		if len(p.around) > 0 {
			return p.counter()
		}
		if p.rng.IntN(3) == 0 {
			p.print("l")
			return func() int32 { return 0 }
		}
		p.print("n")
		return func() int32 { return p.n }
	}
	v := p.variable()
	p.print("v%d", v)
	return func() int32 { return p.vars[v] }
}

// counter prints that of a loop around.
func (p *program) counter() evalFn {
	c := p.around[p.rng.IntN(len(p.around))]
	p.print("(int)c%d", c)
	return func() int32 { return p.counters[c] }
}

// array is memory that a program reads and maybe writes.
type array struct {
	name     string
	constant bool
	offset   int // of its elements
	mask     int32
	words    func(p *program) []int32
}

var arrays = []array{
	{name: "x", mask: memory - 1, words: func(p *program) []int32 { return p.private[:] }},
	{name: "x", mask: memory - 1, words: func(p *program) []int32 { return p.private[:] }},
	{name: "t", mask: memory - 1, words: func(p *program) []int32 { return p.local[:] }},
	{name: "o", offset: 4, mask: memory - 1, words: func(p *program) []int32 { return p.o }},
	{name: "q", constant: true, mask: SizeQ - 1, words: func(p *program) []int32 { return p.q }},
}

// place prints an element of an array, to assign to or not.
func (p *program) place(assigned bool) func() *int32 {
	list := arrays
	if assigned {
		list = list[:len(list)-1]
	}
	a := list[p.rng.IntN(len(list))]
	p.print("%s[", a.name)
	if a.offset > 0 {
		p.print("%d + ", a.offset)
	}
	var at evalFn
	switch {
	case p.rng.IntN(3) == 0:
		c := int32(p.rng.IntN(int(a.mask) + 1))
		p.print("%d", c)
		at = func() int32 { return c }
	case len(p.around) > 0 && p.rng.IntN(2) == 0:
		c := int32(p.rng.IntN(3))
		p.print("(")
		x := p.counter()
		p.print(" + %d & %d)", c, a.mask)
		at = func() int32 { return (x() + c) & a.mask }
	default:
		p.print("(")
		x := p.variable()
		p.print("v%d & %d)", x, a.mask)
		at = func() int32 { return p.vars[x] & a.mask }
	}
	p.print("]")
	return func() *int32 { return &a.words(p)[int32(a.offset)+at()] }
}

// element reads one of an array.
func (p *program) element() evalFn {
	at := p.place(false)
	return func() int32 { return *at() }
}

// unaryOps are conversions and signs, as text around an operand.
var unaryOps = []struct {
	before, after string
	eval          func(x int32) int32
}{
	{"-(", ")", func(x int32) int32 { return -x }},
	{"!(", ")", func(x int32) int32 { return bit(x == 0) }},
	{"~(", ")", func(x int32) int32 { return ^x }},
	{"(uchar)(", ")", func(x int32) int32 { return int32(uint8(x)) }},
	{"(char)(", ")", func(x int32) int32 { return int32(int8(x)) }},
	{"(short)(", ")", func(x int32) int32 { return int32(int16(x)) }},
	{"(int)abs(", ")", func(x int32) int32 { return max(x, -x) }},
	{"((", ") << 3)", func(x int32) int32 { return x << 3 }},
	{"((", ") >> 5)", func(x int32) int32 { return x >> 5 }},
	{"(int)((uint)(", ") / 3u)", func(x int32) int32 { return int32(uint32(x) / 3) }},
	{"(int)((uint)(", ") % 8u)", func(x int32) int32 { return int32(uint32(x) % 8) }},
	{"(int)((long)(", ") * 1000003L >> 9)", func(x int32) int32 { return int32(int64(x) * 1000003 >> 9) }},
	{"(int)((ulong)(", ") >> 33)", func(x int32) int32 { return int32(uint64(int64(x)) >> 33) }},
}

func (p *program) unary(depth int) evalFn {
	op := unaryOps[p.rng.IntN(len(unaryOps))]
	p.print("%s", op.before)
	x := p.expr(depth)
	p.print("%s", op.after)
	return func() int32 { return op.eval(x()) }
}

// quotient prints a division by a number that is never 0 or -1.
func (p *program) quotient(depth int) evalFn {
	p.print("(")
	x := p.pure(depth)
	rest := p.rng.IntN(2) == 0
	op := "/"
	if rest {
		op = "%"
	}
	p.print(" %s ", op)
	c := int32(p.rng.IntN(9) + 2)
	y := func() int32 { return c }
	if p.rng.IntN(3) == 0 {
		v := p.variable()
		p.print("((v%d & 7) + 1))", v)
		y = func() int32 { return p.vars[v]&7 + 1 }
	} else {
		p.print("%d)", c)
	}
	return func() int32 {
		if rest {
			return x() % y()
		}
		return x() / y()
	}
}

// functions are of two numbers, as the text around them.
var functions = []struct {
	before, between, after string
	eval                   func(x, y int32) int32
}{
	{"min((int)(", "), (int)(", "))", func(x, y int32) int32 { return min(x, y) }},
	{"max((int)(", "), (int)(", "))", func(x, y int32) int32 { return max(x, y) }},
	{"h0(", ", ", ")", h0},
	{"(int)((uint)(", ") >> ((", ") & 15))", func(x, y int32) int32 { return int32(uint32(x) >> uint(y&15)) }},
	{"((", ") << ((", ") & 7))", func(x, y int32) int32 { return x << uint(y&7) }},
	{"((uint)(", ") < (uint)(", "))", func(x, y int32) int32 { return bit(uint32(x) < uint32(y)) }},
	{"(int)((long)(", ") * (", ") >> 32)", func(x, y int32) int32 { return int32(int64(x) * int64(y) >> 32) }},
	{"((long)(", ") + (", ") > 5L)", func(x, y int32) int32 { return bit(int64(x)+int64(y) > 5) }},
	{"mul_hi((int)(", "), (int)(", "))", func(x, y int32) int32 { return int32(int64(x) * int64(y) >> 32) }},
}

func (p *program) function(depth int) evalFn {
	f := functions[p.rng.IntN(len(functions))]
	p.print("%s", f.before)
	x := p.pure(depth)
	p.print("%s", f.between)
	y := p.pure(depth)
	p.print("%s", f.after)
	return func() int32 { return f.eval(x(), y()) }
}

// pure prints an expression without assignments, for operands whose order C leaves open.
func (p *program) pure(depth int) evalFn {
	if depth == 0 {
		return p.leaf()
	}
	if p.rng.IntN(5) == 0 {
		return p.function(depth - 1)
	}
	return p.binary(p.pure, depth-1)
}

// binaryOps are C's.
var binaryOps = []struct {
	text string
	eval func(a, b int32) int32
}{
	{"+", func(a, b int32) int32 { return a + b }},
	{"-", func(a, b int32) int32 { return a - b }},
	{"*", func(a, b int32) int32 { return a * b }},
	{"&", func(a, b int32) int32 { return a & b }},
	{"|", func(a, b int32) int32 { return a | b }},
	{"^", func(a, b int32) int32 { return a ^ b }},
	{"<", func(a, b int32) int32 { return bit(a < b) }},
	{"<=", func(a, b int32) int32 { return bit(a <= b) }},
	{">", func(a, b int32) int32 { return bit(a > b) }},
	{">=", func(a, b int32) int32 { return bit(a >= b) }},
	{"==", func(a, b int32) int32 { return bit(a == b) }},
	{"!=", func(a, b int32) int32 { return bit(a != b) }},
}

func (p *program) binary(operand func(int) evalFn, depth int) evalFn {
	op := binaryOps[p.rng.IntN(len(binaryOps))]
	p.print("(")
	x := operand(depth)
	p.print(" %s ", op.text)
	y := operand(depth)
	p.print(")")
	return func() int32 { return op.eval(x(), y()) }
}

// float prints an expression of floats that are at most 15^(2^depth).
func (p *program) float(depth int) func() float32 {
	if depth == 0 {
		if p.rng.IntN(3) == 0 {
			c := p.rng.IntN(16)
			p.print("%d.0f", c)
			return func() float32 { return float32(c) }
		}
		p.print("(float)(")
		x := p.leaf()
		p.print(" & 15)")
		return func() float32 { return float32(x() & 15) }
	}
	op := p.rng.IntN(5)
	text := []string{"(", " + ", ")", "(", " - ", ")", "(", " * ", ")", "fmax(", ", ", ")", "fabs(", " - ", ")"}[3*op:]
	p.print("%s", text[0])
	x := p.float(depth - 1)
	p.print("%s", text[1])
	y := p.float(depth - 1)
	p.print("%s", text[2])
	return func() float32 {
		a, b := x(), y()
		switch op {
		case 0:
			return a + b
		case 1:
			return a - b
		case 2:
			return a * b
		case 3:
			return max(a, b)
		}
		return max(a-b, b-a)
	}
}
