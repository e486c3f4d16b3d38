package legal

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// quotients writes divisions by variables of 32 bits as products with the reciprocal of the divisor, where that
// is shared by some of them or does not change in a loop. A compiler writes every division out so (LLVM's
// AMDGPUCodeGenPrepare::expandDivRem32, and ptxas), and then finds common subexpressions and loop invariants;
// a division alone is left to the table of instructions.
type quotients struct {
	f       *ir.Func
	sass    bool
	number  map[*ir.Instr]int
	seen    map[divisorKey]*divisor
	of      map[*ir.Instr]*divisor
	first   map[*ir.Instr]*divisor   // by the instruction in front of which it is computed
	outside map[*ir.Instr][]*divisor // by the loop
}

// divisorKey tells divisors apart. What ptxas writes for quotients and for remainders of signed numbers
// differs, and it shares nothing between them.
type divisorKey struct {
	y  *ir.Value
	op lower.Op
}

// divisor is what divisions by a number have in common.
type divisor struct {
	y    *ir.Value
	n    int // divisions
	loop bool
	code *ir.Block

	abs, reciprocal, nonzero, zero, sign *ir.Value
}

func variableDivision(in *ir.Instr) bool {
	return (in.Op == lower.Div || in.Op == lower.Rem) && in.Type.IsInteger() && in.Type.Size() == 4 &&
		!in.Args[1].IsConst()
}

func divideByVariables(f *ir.Func, sass bool) {
	pairs(f)
	q := &quotients{f: f, sass: sass, number: map[*ir.Instr]int{}, seen: map[divisorKey]*divisor{},
		of: map[*ir.Instr]*divisor{}, first: map[*ir.Instr]*divisor{}, outside: map[*ir.Instr][]*divisor{}}
	any := false
	f.Body.Walk(func(in *ir.Instr) { any = any || variableDivision(in) })
	if !any {
		return
	}
	f.Body.Walk(func(in *ir.Instr) { q.number[in] = len(q.number) + 1 })
	q.find(f.Body)
	f.Body.Rewrite(q.rewrite)
}

func (q *quotients) key(in *ir.Instr) divisorKey {
	k := divisorKey{y: in.Args[1]}
	if q.sass && in.Type.IsSigned() {
		k.op = in.Op
	}
	return k
}

// find makes the divisors, each where the first division by it is, or in front of the loops that it does not
// change in.
func (q *quotients) find(b *ir.Block) {
	var mine []divisorKey
	add := func(in *ir.Instr) *divisor {
		k := q.key(in)
		d := q.seen[k]
		if d == nil {
			d = &divisor{y: in.Args[1]}
			q.seen[k] = d
			mine = append(mine, k)
			return d
		}
		return nil
	}
	for _, in := range b.Instrs {
		if variableDivision(in) {
			if d := add(in); d != nil {
				q.first[in] = d
			}
			d := q.seen[q.key(in)]
			d.n++
			q.of[in] = d
		}
		if in.Op == lower.OpLoop {
			divisions := q.always(in.Blocks[0], nil)
			straight, loads := true, false
			if q.sass && len(divisions) > 0 {
				straight, loads = shape(in.Blocks[0])
			}
			for k, inner := range divisions {
				if !straight || k > 0 && loads && inner.Type.IsSigned() {
					break
				}
				if q.defined(inner.Args[1]) < q.number[in] {
					if d := add(inner); d != nil {
						d.loop = true
						q.outside[in] = append(q.outside[in], d)
					}
				}
			}
		}
		for _, inner := range in.Blocks {
			q.find(inner)
		}
	}
	for _, k := range mine {
		delete(q.seen, k)
	}
}

// shape says whether a loop is one basic block of machine code, as far as operations tell, branches being predicated,
// and whether it loads from device memory. ptxas computes reciprocals of divisors in front of loops of one block, but
// where these load, of signed divisions the first one's alone (nvcc 11.8 and 12.4, sm_80: 60 loops with one to three
// divisions, branches, inner loops, or sin, sqrt and divisions of floats).
func shape(b *ir.Block) (straight, loads bool) {
	straight = true
	b.Walk(func(in *ir.Instr) {
		switch in.Op {
		case lower.OpLoop, lower.OpRegion, lower.OpSwitch, lower.OpOpaque:
			straight = false
		case lower.Load:
			loads = loads || in.Space == idg.SpaceGlobal
		case lower.Div:
			straight = straight && !in.Type.IsFloat()
		case lower.Call:
			straight = straight && !branches[in.Fn] && !(in.Fn == "rsqrt" && in.Type == lower.F64)
		}
	})
	return straight, loads
}

// branches are functions with a path of their own for some numbers (nvcc 11.8, sm_80, each in a loop with a division;
// cbrt, exp, log1p, tanh and rsqrt of floats have none).
var branches = map[string]bool{"sqrt": true, "sin": true, "cos": true, "tan": true, "sincos": true, "pow": true,
	"fmod": true, "hypot": true, "log": true, "erf": true, "asin": true, "atan": true, "atan2": true, "tgamma": true,
	"lgamma": true}

// always lists the divisions that are executed whenever a block is.
func (q *quotients) always(b *ir.Block, list []*ir.Instr) []*ir.Instr {
	for _, in := range b.Instrs {
		switch {
		case variableDivision(in):
			list = append(list, in)
		case in.Op == lower.OpLoop:
			list = q.always(in.Blocks[0], list)
		}
	}
	return list
}

// defined is where a value is known from on.
func (q *quotients) defined(v *ir.Value) int {
	if v.Def == nil {
		return 0
	}
	return q.number[v.Def]
}

func (q *quotients) rewrite(out *ir.Block, in *ir.Instr) *ir.Instr {
	for _, d := range q.outside[in] {
		out.Instrs = append(out.Instrs, d.code.Instrs...)
	}
	d := q.of[in]
	if d == nil || d.n < 2 && !d.loop {
		return in
	}
	if d.code == nil {
		q.invert(d, in)
	}
	if q.first[in] == d {
		out.Instrs = append(out.Instrs, d.code.Instrs...)
	}
	w := &divider{f: q.f, in: in, out: out}
	if q.sass {
		q.sequence(w, d)
	} else {
		q.products(w, d)
	}
	return nil
}

// invert computes the reciprocal of a divisor.
func (q *quotients) invert(d *divisor, in *ir.Instr) {
	w := &divider{f: q.f, in: in, out: &ir.Block{}}
	t := in.Type
	d.abs = d.y
	switch {
	case t.IsSigned() && q.sass:
		d.abs = w.op(lower.Abs, t, d.y)
	case t.IsSigned():
		d.sign = w.op(lower.Shr, t, d.y, w.amount(31))
		d.abs = w.op(lower.Xor, lower.U32, w.op(lower.Add, t, d.y, d.sign), d.sign)
	}
	if q.sass {
		d.reciprocal = w.call("reciprocal", t, lower.U32, d.abs)
		d.nonzero = w.op2(lower.Ne, lower.U32, lower.Pred, d.y, q.f.Int(lower.U32, 0))
		d.zero = w.op(lower.Not, lower.U32, d.y)
	} else {
		r := w.call("reciprocal", lower.U32, lower.U32, d.abs)
		e := w.op(lower.Mul, lower.U32, w.op(lower.Neg, lower.U32, d.abs), r)
		d.reciprocal = w.op(lower.Add, lower.U32, r, w.op(lower.MulHi, lower.U32, r, e))
	}
	d.code = w.out
}

// sequence makes a division the rest of the sequence that the table has for it.
func (q *quotients) sequence(w *divider, d *divisor) {
	in := w.in
	name := "quotient"
	if in.Op == lower.Rem {
		name = "remainder"
	}
	r := w.call(name, in.Type, in.Type, in.Args[0], d.y, d.reciprocal, d.abs)
	*in = ir.Instr{Op: lower.Select, Type: in.Type, Args: []*ir.Value{d.nonzero, r, d.zero}, Results: in.Results,
		Pos: in.Pos}
	w.out.Append(in)
}

// products writes a division as LLVM does: a quotient that may be too small by two, and its remainder.
func (q *quotients) products(w *divider, d *divisor) {
	in := w.in
	u := ir.Type(lower.U32)
	x, sign := in.Args[0], (*ir.Value)(nil)
	if in.Type.IsSigned() {
		sign = w.op(lower.Shr, in.Type, x, w.amount(31))
		x = w.op(lower.Xor, u, w.op(lower.Add, in.Type, x, sign), sign)
	}
	quotient := w.op(lower.MulHi, u, x, d.reciprocal)
	rest := w.op(lower.Sub, u, x, w.op(lower.Mul, u, quotient, d.abs))
	for range 2 {
		enough := w.op2(lower.Ge, u, lower.Pred, rest, d.abs)
		if in.Op == lower.Div {
			quotient = w.op(lower.Select, u, enough, w.op(lower.Add, u, quotient, q.f.Int(u, 1)), quotient)
		}
		rest = w.op(lower.Select, u, enough, w.op(lower.Sub, u, rest, d.abs), rest)
	}
	v := rest
	if in.Op == lower.Div {
		w.out.Instrs = slices.DeleteFunc(w.out.Instrs, func(i *ir.Instr) bool {
			return i == rest.Def || i == rest.Def.Args[1].Def
		})
		v = quotient
	}
	if sign != nil {
		if in.Op == lower.Div {
			sign = w.op(lower.Xor, in.Type, sign, d.sign)
		}
		v = w.op(lower.Sub, in.Type, w.op(lower.Xor, in.Type, v, sign), sign)
	}
	v.Def.Results = in.Results
	in.Results[0].Def = v.Def
}

// op2 appends an operation of another type than its result.
func (d *divider) op2(op lower.Op, t, result ir.Type, args ...*ir.Value) *ir.Value {
	in := &ir.Instr{Op: op, Type: t, Args: args, Pos: d.in.Pos}
	return d.f.AddResult(d.out.Append(in), result, "")
}

// call appends a part of a sequence of the table.
func (d *divider) call(fn string, t, result ir.Type, args ...*ir.Value) *ir.Value {
	v := d.op2(lower.Call, t, result, args...)
	v.Def.Fn = fn
	return v
}

// pairs computes a remainder of the quotient where both are asked for (LLVM's DivRemPairs).
func pairs(f *ir.Func) {
	p := &pairer{f: f, seen: map[pairKey]*ir.Instr{}, other: map[*ir.Instr]*ir.Instr{}}
	p.find(f.Body)
	if len(p.other) == 0 {
		return
	}
	quotient := map[*ir.Instr]*ir.Value{} // of remainders that are in front of their quotients
	for second, first := range p.other {
		if second.Op == lower.Div {
			quotient[first] = second.Results[0]
		}
	}
	f.Body.Rewrite(func(out *ir.Block, in *ir.Instr) *ir.Instr {
		first := p.other[in]
		switch {
		case first != nil && in.Op == lower.Div:
			return nil
		case first == nil && quotient[in] == nil:
			return in
		}
		w := &divider{f: f, in: in, out: out}
		q := quotient[in]
		if q != nil {
			n := &ir.Instr{Op: lower.Div, Type: in.Type, Args: slices.Clone(in.Args), Results: []*ir.Value{q},
				Pos: in.Pos}
			q.Def = n
			w.out.Append(n)
		} else {
			q = first.Results[0]
		}
		v := w.op(lower.Sub, in.Type, in.Args[0], w.op(lower.Mul, in.Type, q, in.Args[1]))
		v.Def.Results = in.Results
		in.Results[0].Def = v.Def
		return nil
	})
}

type pairKey struct {
	x, y *ir.Value
	t    ir.Type
}

type pairer struct {
	f     *ir.Func
	seen  map[pairKey]*ir.Instr
	other map[*ir.Instr]*ir.Instr // the second of two to the first
}

func (p *pairer) find(b *ir.Block) {
	var mine []pairKey
	for _, in := range b.Instrs {
		if (in.Op == lower.Div || in.Op == lower.Rem) && in.Type.IsInteger() && !in.Args[1].IsConst() {
			k := pairKey{in.Args[0], in.Args[1], in.Type}
			switch first := p.seen[k]; {
			case first == nil:
				p.seen[k] = in
				mine = append(mine, k)
			case first.Op != in.Op:
				p.other[in] = first
			}
		}
		for _, inner := range in.Blocks {
			p.find(inner)
		}
	}
	for _, k := range mine {
		delete(p.seen, k)
	}
}
