package randomc

func (p *program) block(n int, inLoop, inSwitch bool) execFn {
	p.print("{ ")
	var list []execFn
	for range n {
		list = append(list, p.stmt(inLoop, inSwitch))
	}
	p.print("} ")
	return func() flow { return sequence(list) }
}

func (p *program) stmt(inLoop, inSwitch bool) execFn {
	p.depth++
	defer func() { p.depth-- }()
	kind := p.rng.IntN(18)
	if p.depth > 5 {
		kind = 0
	}
	switch kind {
	case 1, 2, 3:
		return p.ifStmt(inLoop, inSwitch)
	case 4, 5, 6:
		return p.loop()
	case 7:
		return p.switchStmt(inLoop)
	case 8:
		if inLoop || inSwitch {
			return p.jump("break", brk)
		}
	case 9:
		if inLoop {
			return p.jump("continue", cont)
		}
	case 10:
		if p.rng.IntN(4) == 0 {
			return p.jump("return", ret)
		}
	case 11, 12:
		return p.store()
	case 13:
		return p.floatStmt()
	case 15, 16:
		return p.memoryStmt()
	case 14:
		switch p.rng.IntN(3) {
		case 0:
			p.print("barrier(CLK_LOCAL_MEM_FENCE); ")
			return func() flow { return next }
		case 1:
			return p.atomic()
		}
	}
	return p.assignment()
}

func (p *program) ifStmt(inLoop, inSwitch bool) execFn {
	p.print("if (")
	c := p.expr(2)
	p.print(") ")
	then := p.block(1+p.rng.IntN(2), inLoop, inSwitch)
	other := func() flow { return next }
	if p.rng.IntN(2) == 0 {
		p.print("else ")
		other = p.block(1+p.rng.IntN(2), inLoop, inSwitch)
	}
	return func() flow {
		if c() != 0 {
			return then()
		}
		return other()
	}
}

func (p *program) jump(word string, f flow) execFn {
	p.print("if (")
	c := p.expr(1)
	p.print(") %s; ", word)
	return func() flow {
		if c() != 0 {
			return f
		}
		return next
	}
}

func (p *program) assignment() execFn {
	v := p.variable()
	switch p.rng.IntN(5) {
	case 0:
		p.print("v%d++; ", v)
		return func() flow { p.vars[v]++; return next }
	case 1:
		p.print("v%d -= ", v)
		x := p.pure(2)
		p.print("; ")
		return func() flow { p.vars[v] -= x(); return next }
	case 2:
		p.print("h1(&v%d, ", v)
		x := p.pure(1)
		p.print("); ")
		return func() flow {
			p.vars[v] = p.vars[v]*3 + x()
			return next
		}
	}
	p.print("v%d = ", v)
	x := p.expr(3)
	p.print("; ")
	return func() flow { p.vars[v] = x(); return next }
}

// store assigns an element of an array, or four neighbours.
func (p *program) store() execFn {
	switch p.rng.IntN(5) {
	case 0:
		base := 4 * p.rng.IntN(2)
		var list []execFn
		for i := range 4 {
			p.print("o[%d] = ", 4+base+i)
			x := p.pure(1)
			p.print("; ")
			list = append(list, func() flow { p.o[4+base+i] = x(); return next })
		}
		return func() flow { return sequence(list) }
	case 1:
		at := p.place(true)
		p.print(" += ")
		x := p.pure(2)
		p.print("; ")
		return func() flow { *at() += x(); return next }
	}
	at := p.place(true)
	p.print(" = ")
	x := p.pure(2)
	p.print("; ")
	return func() flow {
		v := x()
		*at() = v
		return next
	}
}

// atomic adds to an element of memory that work items share.
func (p *program) atomic() execFn {
	name, at, words := "t", p.rng.IntN(memory), func() []int32 { return p.local[:] }
	if p.rng.IntN(2) == 0 {
		name, at, words = "o", at+4, func() []int32 { return p.o }
	}
	v := p.variable()
	p.print("v%d = atomic_add(&%s[%d], ", v, name, at)
	x := p.pure(1)
	p.print("); ")
	return func() flow {
		y := x()
		p.vars[v] = words()[at]
		words()[at] += y
		return next
	}
}

// floatStmt changes one of the variables of that type.
func (p *program) floatStmt() execFn {
	v := p.rng.IntN(len(p.floats))
	switch p.rng.IntN(3) {
	case 0:
		p.print("f%d += ", v)
		x := p.float(1)
		p.print("; ")
		return func() flow { p.floats[v] += x(); return next }
	case 1:
		p.print("if (f%d > ", v)
		x := p.float(1)
		w := p.variable()
		p.print(") v%d++; ", w)
		return func() flow {
			if p.floats[v] > x() {
				p.vars[w]++
			}
			return next
		}
	}
	p.print("f%d = ", v)
	x := p.float(2)
	p.print("; ")
	return func() flow { p.floats[v] = x(); return next }
}

// maxTrips bounds how often the innermost statements are executed.
const maxTrips = 400

// loop prints one that runs a few times by a counter of its own.
func (p *program) loop() execFn {
	most := min(maxTrips/p.trips, 12)
	if most < 2 {
		return p.assignment()
	}
	p.loops++
	id, n := p.loops, p.rng.IntN(min(most, 5))+1
	if p.rng.IntN(6) == 0 {
		n = most
	}
	pragma := ""
	if k := p.rng.IntN(12); k < 4 {
		pragma = "\n#pragma unroll " + []string{"", "2", "4", "1"}[k] + "\n"
	}
	if p.rng.IntN(2) == 0 {
		p.print("%s", pragma)
		return p.counted(id, n)
	}
	p.print("int c%d = 0; %s", id, pragma)
	return p.conditional(id, n)
}

// counted prints a for loop: by a constant, by n, downwards or in steps. n is not negative.
func (p *program) counted(id, most int) execFn {
	from, to, step := func() int32 { return 0 }, func() int32 { return int32(most) }, int32(1)
	if p.trips*MaxN <= maxTrips && p.rng.IntN(4) == 0 {
		return p.toN(id)
	}
	switch p.rng.IntN(5) {
	case 0:
		p.print("for (int c%d = 0; c%d < (n & 7) && c%d < %d; c%d++) ", id, id, id, most, id)
		to = func() int32 { return min(p.n&7, int32(most)) }
	case 1:
		step = -1
		from, to = func() int32 { return int32(most) }, func() int32 { return 0 }
		p.print("for (int c%d = %d; c%d > 0; c%d--) ", id, most, id, id)
	case 2:
		step = 3
		p.print("for (int c%d = 0; c%d < %d; c%d += 3) ", id, id, most, id)
	case 3:
		v := p.variable()
		from = func() int32 { return p.vars[v] & 1 }
		p.print("for (int c%d = v%d & 1; c%d < %d; c%d++) ", id, v, id, most, id)
	default:
		p.print("for (int c%d = 0; c%d < %d; c%d++) ", id, id, most, id)
	}
	body := p.inside(id, most)
	return func() flow {
		bound := to()
		for i := from(); step < 0 && i > bound || step > 0 && i < bound; i += step {
			p.counters[id] = i
			switch body() {
			case brk:
				return next
			case ret:
				return ret
			}
		}
		return next
	}
}

// toN prints a for loop whose bound is n.
func (p *program) toN(id int) execFn {
	kind := p.rng.IntN(4)
	p.print([]string{"for (int c%d = 0; c%d < n; c%d++) ", "for (int c%d = 1; c%d <= n; c%d += 2) ",
		"for (int c%d = 1; c%d < n; c%d *= 2) ", "for (uint c%d = 0; c%d < (uint)n; c%d += 4) "}[kind], id, id, id)
	body := p.inside(id, MaxN)
	return func() flow {
		i, end := int32(0), p.n
		if kind == 1 || kind == 2 {
			i = 1
		}
		if kind == 1 {
			end++
		}
		for ; i < end; i = []int32{i + 1, i + 2, i * 2, i + 4}[kind] {
			p.counters[id] = i
			switch body() {
			case brk:
				return next
			case ret:
				return ret
			}
		}
		return next
	}
}

// inside prints the body of a loop.
func (p *program) inside(id, most int) execFn {
	trips := p.trips
	p.trips *= most
	p.around = append(p.around, id)
	body := p.block(1+p.rng.IntN(3), true, false)
	p.around = p.around[:len(p.around)-1]
	p.trips = trips
	return body
}

// conditional prints a while or do loop with a condition besides its counter.
func (p *program) conditional(id, most int) execFn {
	do := p.rng.IntN(2) == 0
	var c evalFn
	if do {
		p.print("do ")
	} else {
		p.print("while (c%d++ < %d && (", id, most)
		c = p.expr(2)
		p.print(")) ")
	}
	body := p.inside(id, most)
	if do {
		p.print("while (++c%d < %d && (", id, most)
		c = p.expr(2)
		p.print(")); ")
	}
	return func() flow {
		p.counters[id] = 0
		for i := int32(0); ; i++ {
			if !do {
				p.counters[id]++
				if i >= int32(most) || c() == 0 {
					return next
				}
			}
			switch body() {
			case brk:
				return next
			case ret:
				return ret
			}
			if do {
				if p.counters[id]++; i+1 >= int32(most) || c() == 0 {
					return next
				}
			}
		}
	}
}

func (p *program) switchStmt(inLoop bool) execFn {
	p.print("switch ((")
	x := p.expr(2)
	p.print(") & 3) { ")
	n := p.rng.IntN(4) + 1
	def := p.rng.IntN(n + 1) // n = no default
	bodies := make([]execFn, n)
	for i := range n {
		if i == def {
			p.print("default: ")
		} else {
			p.print("case %d: ", i)
		}
		bodies[i] = p.block(1, inLoop, true)
		if p.rng.IntN(2) == 0 {
			p.print("break; ")
			body := bodies[i]
			bodies[i] = func() flow {
				if f := body(); f != next {
					return f
				}
				return brk
			}
		}
	}
	p.print("} ")
	return func() flow {
		at := int(x() & 3)
		if at >= n || at == def {
			at = def
		}
		for ; at < n; at++ {
			if f := bodies[at](); f == brk {
				return next
			} else if f != next {
				return f
			}
		}
		return next
	}
}
