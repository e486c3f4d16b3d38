package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
)

// Deduction of template arguments (C++17 [temp.deduct]): a parameter's type as written is compared with the type that
// is there, and what stands in place of a parameter of the template is its argument.

// deduction is the state of one: what the parameters have been found to be.
type deduction struct {
	c      *checker
	params *templateParams
	args   templateArgs
	// element is the element of the packs that is being matched, -1 outside of expansions.
	element int
	written int // parameters whose arguments are written
	// exact is set among template arguments, where no qualifiers are added.
	exact bool
}

func (c *checker) newDeduction(params *templateParams) *deduction {
	return &deduction{c: c, params: params, args: make(templateArgs, len(params.list)), element: -1}
}

// index is the number of the parameter of a name, -1 if it is none.
func (d *deduction) index(n *syntax.Name) int {
	if n == nil || n.Simple() == "" {
		return -1
	}
	return slices.IndexFunc(d.params.list, func(p *syntax.TemplateParam) bool { return p.Ident == n.Simple() })
}

// set notes what a parameter is; it fails where it has been found to be something else.
func (d *deduction) set(i int, a templateArg) bool {
	slot := &d.args[i]
	if d.params.list[i].Pack {
		if slot.kind == argNone {
			slot.kind = argPack
		}
		if d.element < 0 {
			return false
		}
		for len(slot.pack) <= d.element {
			slot.pack = append(slot.pack, templateArg{})
		}
		slot = &slot.pack[d.element]
	}
	if a.kind == argType && d.c.cfg.Dialect == ast.CUDA {
		a.typ.Type = withoutSpaces(a.typ.Type)
		a.typ.space, a.typ.isRestrict = 0, false
	}
	if slot.kind == argNone {
		*slot = a
		return true
	}
	return d.c.sameArg(*slot, a)
}

// sameArg reports whether two arguments are equal.
func (c *checker) sameArg(a, b templateArg) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case argType:
		return sameQual(a.typ, b.typ)
	case argValue: // the types of the array bounds and the parameters may differ
		return a.value.Int == b.value.Int && a.value.Float == b.value.Float
	case argTemplate:
		return a.tmpl.tmpl == b.tmpl.tmpl
	case argFunction:
		return c.exprKey(a.expr) == c.exprKey(b.expr)
	}
	return slices.EqualFunc(a.pack, b.pack, c.sameArg)
}

// typ matches the type that operators and specifiers write with one that is there. What is not deducible fits.
func (d *deduction) typ(ops []syntax.DeclOp, specs *syntax.Specifiers, t qtype) bool {
	if len(ops) > 0 {
		switch op := ops[0].(type) {
		case *syntax.PointerOp:
			if t.Kind != ctypes.Pointer || t.Type == nullType || d.c.isOfClass(t.Elem) {
				return false
			}
			return d.typ(ops[1:], specs, pointee(t.Type))
		case *syntax.MemberPtrOp:
			class := &syntax.Specifiers{Type: &syntax.NamedType{Name: op.Class}}
			if m := d.c.memberPointers[t.Type]; m != nil {
				return d.typ(nil, class, plain(m.class)) && d.typ(ops[1:], specs, m.elem)
			}
			f := d.c.funcTypes[functionIn(t.Type)]
			return f != nil && f.class != nil && d.typ(nil, class, plain(f.class)) &&
				d.typ(ops[1:], specs, plain(d.c.functionsOf(functionIn(t.Type), nil)))
		case *syntax.RefOp:
			if t.ref == noRef || op.Rvalue != (t.ref == rvalue) {
				return t.ref != noRef && op.Rvalue
			}
			return d.typ(ops[1:], specs, t.value())
		case *syntax.ArrayOp:
			if t.Kind != ctypes.Array {
				return false
			}
			if op.Size != nil && t.Len >= 0 {
				v := ctypes.IntValue(ctypes.ULong, t.Len)
				if !d.value(op.Size, templateArg{kind: argValue, value: &v}) {
					return false
				}
			}
			return d.typ(ops[1:], specs, qtype{t.Elem, t.qualifiers})
		case *syntax.FuncOp:
			return d.function(op, ops[1:], specs, t)
		}
		return false
	}
	n, ok := specs.Type.(*syntax.NamedType)
	if !ok {
		return true
	}
	if i := d.index(n.Name); i >= 0 && d.params.list[i].Type {
		if specs.Quals.Const && (t.ref != noRef || d.exact && !t.isConst) { // what a reference refers to is const
			return false
		}
		if specs.Quals.Const {
			t.isConst = false
		}
		if specs.Quals.Volatile {
			t.isVolatile = false
		}
		return d.set(i, templateArg{kind: argType, typ: t})
	}
	return d.named(n.Name, t)
}

// function matches the type of a function.
func (d *deduction) function(op *syntax.FuncOp, rest []syntax.DeclOp, specs *syntax.Specifiers, t qtype) bool {
	f := d.c.funcTypes[t.Type]
	if f == nil || op.Const != f.isConst {
		return false
	}
	if !d.typ(rest, specs, f.result) {
		return false
	}
	return d.parameters(op.Params, f.params)
}

// parameters matches the parameters of a function's type.
func (d *deduction) parameters(list []*syntax.Param, types []qtype) bool {
	next := 0
	for _, p := range list {
		ops := p.Decl.Ops
		if p.Decl.Pack {
			for d.element = 0; next < len(types); next++ {
				if !d.typ(ops, p.Specs, types[next]) {
					return false
				}
				d.element++
			}
			d.element = -1
			continue
		}
		if next == len(types) {
			if p.IsVoid() {
				break
			}
			return false
		}
		if !d.typ(ops, p.Specs, types[next]) {
			return false
		}
		next++
	}
	return next == len(types)
}

// named matches the instance of a template, as in vec<T, N>.
func (d *deduction) named(n *syntax.Name, t qtype) bool {
	last := n.Last()
	if !last.HasArgs {
		return true
	}
	for i := range n.Parts[:len(n.Parts)-1] {
		if n.Parts[i].HasArgs {
			return true // a nested name is not deduced
		}
	}
	i := d.index(&syntax.Name{Parts: []syntax.Part{{Ident: last.Ident}}})
	var tmpl *template
	if len(n.Parts) > 1 || i < 0 {
		var sym *symbol
		d.c.quietlyIn(d.params.in, func() { sym = d.c.lookupQuietly(withoutArgs(n)) })
		if sym == nil {
			return true
		}
		switch {
		case sym.kind == symTemplate:
			tmpl = sym.tmpl
		case sym.kind == symType && d.c.classes[sym.typ.Type] != nil:
			tmpl = d.c.classes[sym.typ.Type].tmpl
		}
		if tmpl != nil && tmpl.alias != nil {
			return d.alias(tmpl, last.Args, t)
		}
		if tmpl == nil || tmpl.class == nil {
			return true
		}
	}
	cl := d.c.classes[t.Type]
	if cl == nil {
		return false
	}
	if i >= 0 && len(n.Parts) > 1 {
		i = -1
	}
	return d.instance(cl, tmpl, i, last.Args)
}

// exactType matches a written type with an equal one: where it names no parameter it must be it.
func (d *deduction) exactType(w *syntax.TypeID, t qtype) bool {
	ops := w.Decl.Ops
	if !d.mentionsParams(w) {
		return d.equal(&syntax.TemplateArg{Pos: w.Specs.Pos, Type: w}, templateArg{kind: argType, typ: t})
	}
	if len(ops) == 0 {
		if w.Specs.Quals.Const && !t.isConst || w.Specs.Quals.Volatile && !t.isVolatile ||
			t.ref != noRef && !d.isBareParam(w) {
			return false
		}
	} else if _, isRef := ops[0].(*syntax.RefOp); t.ref != noRef && !isRef {
		return false
	}
	if _, ok := first(ops).(*syntax.PointerOp); ok && len(ops) == 1 && t.Kind == ctypes.Pointer &&
		w.Specs.Quals.Const && !t.Const {
		return false
	}
	return d.typ(ops, w.Specs, t)
}

func (d *deduction) isBareParam(w *syntax.TypeID) bool {
	n, ok := w.Specs.Type.(*syntax.NamedType)
	return ok && d.index(n.Name) >= 0
}

func (d *deduction) mentionsParams(x any) bool {
	return slices.ContainsFunc(d.params.list, func(p *syntax.TemplateParam) bool {
		return p.Ident != "" &&
			syntax.Mentions(x, p.Ident)
	})
}

// value matches an expression with a value: a parameter is it, another expression must have it, if it has no parameter.
func (d *deduction) value(x syntax.Expr, a templateArg) bool {
	return d.arg(&syntax.TemplateArg{Pos: x.ExprPos(), Expr: x}, a)
}

// equal compares a written argument without parameters with one that is there; one with parameters is not deduced, and
// is compared when all are known.
func (d *deduction) equal(w *syntax.TemplateArg, a templateArg) bool {
	x := any(w.Expr)
	if w.Type != nil {
		x = w.Type
	}
	if d.mentionsParams(x) {
		return true
	}
	var got templateArg
	ok := false
	errs := d.c.quietlyIn(d.params.in, func() { got, ok = d.c.templateArgument(w) })
	return ok && len(errs) == 0 && d.c.sameArg(got, a)
}

// functionOp is the parameter list of the declarator of a function.
func functionOp(d *syntax.Declarator) *syntax.FuncOp {
	if f := d.Func(); f != nil {
		return f
	}
	return &syntax.FuncOp{}
}
