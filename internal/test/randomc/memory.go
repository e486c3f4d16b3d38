package randomc

// affine prints a subscript of counters of loops in brackets, below SizeP.
func (p *program) affine() func() int32 {
	k := int32(p.rng.IntN(16))
	p.print("[")
	var list []func() int32
	for range 1 + p.rng.IntN(2) {
		stride := []int32{1, 2, 4, 8, 3, 0}[p.rng.IntN(6)]
		x := p.counter()
		switch {
		case stride == 0:
			p.print(" * n + ")
			list = append(list, func() int32 { return x() * p.n })
		case stride == 1:
			p.print(" + ")
			list = append(list, x)
		default:
			p.print(" * %d + ", stride)
			list = append(list, func() int32 { return x() * stride })
		}
	}
	p.print("%d]", k)
	return func() int32 {
		sum := k
		for _, x := range list {
			sum += x()
		}
		return sum
	}
}

// member prints a read of a member of an array of structs.
func (p *program) member() evalFn {
	at := p.structAt()
	switch p.rng.IntN(3) {
	case 0:
		p.print(".a")
		return func() int32 { return p.structs[at()].a }
	case 1:
		p.print(".b")
		return func() int32 { return int32(p.structs[at()].b) }
	}
	i := p.rng.IntN(2)
	p.print(".c[%d]", i)
	return func() int32 { return int32(p.structs[at()].c[i]) }
}

// structAt prints an element of the array of structs.
func (p *program) structAt() func() int32 {
	if p.rng.IntN(2) == 0 {
		i := int32(p.rng.IntN(4))
		p.print("s[%d]", i)
		return func() int32 { return i }
	}
	v := p.variable()
	p.print("s[v%d & 3]", v)
	return func() int32 { return p.vars[v] & 3 }
}

// memoryStmt changes memory in the ways that the others do not.
func (p *program) memoryStmt() execFn {
	switch p.rng.IntN(6) {
	case 0:
		return p.structStmt()
	case 1:
		return p.vector()
	case 2:
		if len(p.around) > 0 {
			return p.pointer()
		}
	case 3, 4:
		if len(p.around) > 0 {
			return p.floatElement()
		}
	}
	if len(p.around) == 0 {
		return p.structStmt()
	}
	p.print("p")
	at := p.affine()
	op := p.rng.IntN(2)
	p.print("%s", []string{" = ", " += "}[op])
	x := p.pure(1)
	p.print("; ")
	return func() flow {
		y := x()
		if op == 1 {
			y += p.p[at()]
		}
		p.p[at()] = y
		return next
	}
}

// floatElement prints an assignment of an element of f, and maybe one of a variable.
func (p *program) floatElement() execFn {
	p.print("f")
	at := p.affine()
	if p.rng.IntN(2) == 0 {
		v := p.rng.IntN(len(p.floats))
		p.print(" = ")
		x := p.float(1)
		p.print("; f%d += f[%d]; ", v, 5)
		return func() flow {
			p.f[at()] = x()
			p.floats[v] += p.f[5]
			return next
		}
	}
	p.print(" = ")
	x := p.float(1)
	p.print("; ")
	return func() flow { p.f[at()] = x(); return next }
}

func (p *program) structStmt() execFn {
	at := p.structAt()
	switch p.rng.IntN(4) {
	case 0:
		p.print(".a += ")
		x := p.pure(1)
		p.print("; ")
		return func() flow { p.structs[at()].a += x(); return next }
	case 1:
		p.print(".b = ")
		x := p.pure(1)
		p.print("; ")
		return func() flow { p.structs[at()].b = int16(x()); return next }
	case 2:
		i := p.rng.IntN(2)
		p.print(".c[%d] = ", i)
		x := p.pure(1)
		p.print("; ")
		return func() flow { p.structs[at()].c[i] = uint8(x()); return next }
	}
	p.print(" = ")
	from := p.structAt()
	p.print("; ")
	return func() flow { p.structs[at()] = p.structs[from()]; return next }
}

// vector prints a load and a store of four words.
func (p *program) vector() execFn {
	p.loops++
	from, to := p.rng.IntN(8), p.rng.IntN(8)
	v := p.variable()
	p.print("{ int4 w%[1]d = vload4(%[2]d, p); w%[1]d.yz += v%[3]d; "+
		"vstore4(w%[1]d.wzyx, %[4]d, p); v%[3]d = w%[1]d.x; } ",
		p.loops, from, v, to)
	return func() flow {
		w := [4]int32(p.p[4*from:])
		w[1] += p.vars[v]
		w[2] += p.vars[v]
		copy(p.p[4*to:], []int32{w[3], w[2], w[1], w[0]})
		p.vars[v] = w[0]
		return next
	}
}

// pointer prints a walk with a pointer.
func (p *program) pointer() execFn {
	p.loops++
	c := p.around[p.rng.IntN(len(p.around))]
	v, step, n := p.variable(), p.rng.IntN(3)+1, p.rng.IntN(5)+1
	p.print("{ global int *r%[1]d = p + c%[2]d * 4; for (int i = 0; i < %[3]d; i++) { v%[4]d ^= *r%[1]d; "+
		"*r%[1]d = i + r%[1]d[1]; r%[1]d += %[5]d; } } ", p.loops, c, n, v, step)
	return func() flow {
		at := int(p.counters[c]) * 4
		for i := range n {
			p.vars[v] ^= p.p[at]
			p.p[at] = int32(i) + p.p[at+1]
			at += step
		}
		return next
	}
}
