package resolve

import (
	"slices"

	"strconv"

	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// Partial ordering ([temp.func.order], [temp.class.order]): of two templates the one is more special whose parameters,
// with types of their own for what is open, fit the other's.

// invented are arguments that are equal to nothing else, for the parameters of a template: n for a pack.
func (c *checker) invented(params *templateParams, n int) templateArgs {
	var args templateArgs
	for i, p := range params.list {
		a := c.inventedArg(p, i)
		if p.Pack {
			one := a
			a = templateArg{kind: argPack, pack: make([]templateArg, n)}
			for k := range a.pack {
				a.pack[k] = one
			}
		}
		args = append(args, a)
	}
	return args
}

func (c *checker) inventedArg(p *syntax.TemplateParam, i int) templateArg {
	switch {
	case p.Template != nil:
		t := &template{name: p.Ident, params: &templateParams{list: p.Template, in: c.file},
			class: &syntax.Class{Key: "struct"}, in: c.file}
		return templateArg{kind: argTemplate, tmpl: &symbol{kind: symTemplate, name: p.Ident, tmpl: t}}
	case p.Type:
		t := &ctypes.Type{Kind: ctypes.Struct, Name: "T" + strconv.Itoa(i)}
		t.LayOut([]ctypes.Field{{Name: "x", Type: ctypes.Scalar(ctypes.Int)}}, 0, 1)
		c.unique[t] = true
		return templateArg{kind: argType, typ: plain(t)}
	}
	v := ctypes.IntValue(ctypes.Int, int64(100003+i)) // that no program writes
	return templateArg{kind: argValue, value: &v}
}

// moreSpecialised compares two function templates by their first n parameters: 1 where a is more special.
func (c *checker) moreSpecialised(a, b *function, n int) int {
	ab, ba := c.atLeastAsSpecial(a, b, n), c.atLeastAsSpecial(b, a, n)
	switch {
	case ab && !ba:
		return 1
	case ba && !ab:
		return -1
	}
	if d := moreReferred(functionOp(a.decl.Decl).Params, functionOp(b.decl.Decl).Params, n); ab && d != 0 {
		return d
	}
	pa, pb := hasPack(functionOp(a.decl.Decl)), hasPack(functionOp(b.decl.Decl))
	switch {
	case pa && !pb:
		return -1
	case pb && !pa:
		return 1
	}
	return 0
}

// moreReferred compares parameters that are references to types as special as each other ([temp.deduct.partial]/9): 1
// where those of a are lvalue references and those of b rvalue references, or refer to more qualified types, -1 where
// it is the other way round, else 0.
func moreReferred(a, b []*syntax.Param, n int) (result int) {
	for i := 0; i < min(len(a), len(b), n); i++ {
		if a[i].Decl.Pack != b[i].Decl.Pack {
			break
		}
		x, constX := referenceIn(a[i])
		y, constY := referenceIn(b[i])
		d := 0
		switch {
		case x == nil || y == nil:
		case x.Rvalue != y.Rvalue:
			d = map[bool]int{true: -1, false: 1}[x.Rvalue]
		case constX != constY:
			d = map[bool]int{true: 1, false: -1}[constX]
		}
		if d != 0 && result == -d {
			return 0
		} else if d != 0 {
			result = d
		}
	}
	return result
}

// referenceIn is the reference that a parameter is, nil if it is none, and whether it refers to a const type.
func referenceIn(p *syntax.Param) (ref *syntax.RefOp, isConst bool) {
	ops := p.Decl.Ops
	if ref, _ = first(ops).(*syntax.RefOp); ref == nil {
		return nil, false
	}
	if len(ops) == 1 {
		return ref, p.Specs.Quals.Const
	}
	q, ok := ops[1].(*syntax.PointerOp)
	return ref, ok && q.Quals.Const
}

func hasPack(op *syntax.FuncOp) bool {
	return slices.ContainsFunc(op.Params, func(p *syntax.Param) bool { return p.Decl.Pack })
}

// atLeastAsSpecial reports whether the types of a's parameters fit those of b.
func (c *checker) atLeastAsSpecial(a, b *function, n int) bool {
	outer := c.scope
	defer func() { c.scope = outer }()
	args := c.invented(a.params, 1)
	scope := c.bind(a.params, args, a.params.in, 0)
	d := c.newDeduction(b.params)
	from, to := functionOp(a.decl.Decl).Params, functionOp(b.decl.Decl).Params
	ok := true
	for i, j := 0, 0; i < len(from) && i < n && ok; i++ {
		if j == len(to) {
			return false
		}
		p, q := from[i], to[j]
		var t qtype
		c.scope = scope
		pPack, qPack := p.Decl.Pack, q.Decl.Pack
		errs := c.quietly(func() {
			if pPack {
				c.expandScopes(p, func() { t = c.parameterType(p) })
			} else {
				t = c.parameterType(p)
			}
		})
		if len(errs) > 0 || t.Type == nil || t.Kind == 0 {
			j++ // not deducible: it orders nothing
			continue
		}
		if pPack && !qPack {
			return false
		}
		ops := q.Decl.Ops
		if _, ref := first(ops).(*syntax.RefOp); ref {
			ops = ops[1:]
		}
		t.ref = noRef
		if len(ops) == 0 && !hasRef(q) {
			t = plain(t.Type)
		}
		if qPack {
			if d.element < 0 {
				d.element = 0
			}
			ok = d.typ(ops, q.Specs, t)
			d.element++
			continue
		}
		ok = d.typ(ops, q.Specs, t) && d.fits(q, ops, t)
		j++
	}
	return ok
}

func hasRef(p *syntax.Param) bool {
	_, ref := first(p.Decl.Ops).(*syntax.RefOp)
	return ref
}

// fits reports whether a parameter with what has been deduced is a type.
func (d *deduction) fits(p *syntax.Param, ops []syntax.DeclOp, t qtype) bool {
	if d.mentionsParams(p) {
		if len(ops) > 0 {
			_, pointer := ops[0].(*syntax.PointerOp)
			q := p.Specs.Quals
			if pointer && len(ops) == 1 && t.Kind == ctypes.Pointer && d.c.funcTypes[t.Elem] == nil {
				return (!q.Const || t.Const) && (!q.Volatile || t.Volatile)
			}
		}
		return true
	}
	var want qtype
	errs := d.c.quietlyIn(d.params.in, func() { want = d.c.parameterType(p) })
	return len(errs) == 0 && want.Type != nil && same(want.Type, t.Type)
}

// partialIsMoreSpecial reports whether one partial specialisation is more special than another.
func (c *checker) partialIsMoreSpecial(t *template, a, b *partial) bool {
	with := func(a, b *partial, n int) bool {
		var args templateArgs
		ok := false
		errs := c.quietlyIn(c.bind(a.params, c.invented(a.params, n), a.in, 0),
			func() {
				args, ok = c.patternArgs(t, a)
			})
		if !ok || len(errs) > 0 {
			return n != 1 || len(a.params.list) < len(b.params.list) // a condition in it makes it more special
		}
		d := c.newDeduction(b.params)
		if !t.omits(b, len(args)) {
			return d.list(b.args, flat(args))
		}
		return d.list(b.args, args[:len(b.args)]) && c.hasDefaults(t, b, d.args, args)
	}
	fits := func(a, b *partial) bool { // of whatever length packs are
		return with(a, b, 1) && with(a, b, 0) && with(a, b, 2)
	}
	return fits(a, b) && !fits(b, a)
}

// omits reports whether a partial specialisation leaves some of n arguments to the template's defaults.
func (t *template) omits(p *partial, n int) bool {
	written := len(p.args)
	return written <= n && written < len(t.params.list) && t.params.defaultOf(written) != nil &&
		!slices.ContainsFunc(p.args, func(a syntax.TemplateArg) bool { return a.Pack })
}

// hasDefaults reports whether arguments are those of a partial specialisation for these arguments of its own, with the
// template's defaults behind them.
func (c *checker) hasDefaults(t *template, p *partial, bound, args templateArgs) bool {
	var got templateArgs
	ok := false
	errs := c.quietlyIn(c.bind(p.params, bound, p.in, p.seq), func() {
		got, ok = c.patternArgs(t, p)
	})
	return ok && len(errs) == 0 && slices.EqualFunc(flat(got), flat(args), c.sameArg)
}

// patternArgs are the arguments that a partial specialisation writes, and the template's defaults behind them.
func (c *checker) patternArgs(t *template, p *partial) (args templateArgs, ok bool) {
	args, ok = c.templateArguments(p.args)
	for i := len(args); ok && t.omits(p, i) && i < len(t.params.list) && !t.params.list[i].Pack; i++ {
		var a templateArg
		if a, ok = c.defaultArgument(t.params, args, i); ok {
			args = append(args, a)
		}
	}
	return args, ok
}
