package resolve

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
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
			if t.Kind != ctypes.Pointer || t.Type == nullType {
				return false
			}
			return d.typ(ops[1:], specs, pointee(t.Type))
		case *syntax.MemberPtrOp:
			m := d.c.memberPointers[t.Type]
			if m == nil {
				return false
			}
			class := &syntax.Specifiers{Type: &syntax.NamedType{Name: op.Class}}
			return d.typ(nil, class, plain(m.class)) && d.typ(ops[1:], specs, m.elem)
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
	if f == nil {
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

// instance matches arguments with those of a class that is an instance of a template, of any where tmpl is nil; where it
// is none or they do not fit, with those of its bases. The template is parameter i of its own, -1 of none.
func (d *deduction) instance(cl *class, tmpl *template, i int, written []syntax.TemplateArg) bool {
	if cl.tmpl != nil && (tmpl == nil || cl.tmpl == tmpl) {
		before := slices.Clone(d.args)
		for i := range before {
			before[i].pack = slices.Clone(before[i].pack)
		}
		if (i < 0 || d.set(i, templateArg{kind: argTemplate, tmpl: &symbol{kind: symTemplate, name: cl.tmpl.name, tmpl: cl.tmpl}})) &&
			d.list(written, flat(cl.args)) {
			return true
		}
		d.args = before
	}
	if cl.node == nil && cl.state != complete && cl.tmpl == nil {
		return false
	}
	d.c.complete(cl)
	for _, b := range cl.bases {
		if d.instance(b.class, tmpl, i, written) {
			return true
		}
	}
	return false
}

// alias matches an alias template with arguments: what it stands for, with the arguments in place of its parameters.
func (d *deduction) alias(a *template, written []syntax.TemplateArg, t qtype) bool {
	of, ok := a.alias.Type.Specs.Type.(*syntax.NamedType)
	if !ok {
		return true
	}
	ops := a.alias.Type.Decl.Ops
	place := func(w syntax.TemplateArg) syntax.TemplateArg {
		name := nameIn(&w)
		if name == nil || name.Simple() == "" || w.Type != nil && w.Type.Specs.Quals != (syntax.Quals{}) {
			return w
		}
		for i, p := range a.params.list {
			switch {
			case p.Ident != name.Simple() || p.Pack:
			case i < len(written):
				return written[i]
			case a.params.defaultOf(i) != nil:
				return *a.params.defaultOf(i)
			}
		}
		return w
	}
	if of.Name.Simple() != "" { // using pointer = T *
		w := place(syntax.TemplateArg{Type: &syntax.TypeID{Specs: &syntax.Specifiers{Type: of}, Decl: &syntax.Declarator{}}})
		if w.Type == nil || w.Type.Specs.Type == syntax.TypeSpec(of) {
			return true
		}
		specs := *w.Type.Specs
		specs.Quals.Const = specs.Quals.Const || a.alias.Type.Specs.Quals.Const
		return d.typ(append(slices.Clone(ops), w.Type.Decl.Ops...), &specs, t)
	}
	last := of.Name.Last()
	if !last.HasArgs || len(ops) > 0 {
		return true
	}
	var list []syntax.TemplateArg
	for _, w := range last.Args {
		if at := a.packAt(w); at >= 0 {
			list = append(list, written[min(at, len(written)):]...)
			continue
		}
		list = append(list, place(w))
	}
	var sym *symbol
	d.c.quietlyIn(a.in, func() { sym = d.c.lookupQuietly(withoutArgs(of.Name)) })
	if sym == nil || sym.kind != symTemplate {
		return true
	}
	if sym.tmpl.alias != nil {
		return d.alias(sym.tmpl, list, t)
	}
	cl := d.c.classes[t.Type]
	return sym.tmpl.class == nil || cl != nil && d.instance(cl, sym.tmpl, -1, list)
}

// packAt is the index of the template's pack that an argument expands, -1 if it is none.
func (t *template) packAt(w syntax.TemplateArg) int {
	name := nameIn(&w)
	if !w.Pack || name == nil {
		return -1
	}
	return slices.IndexFunc(t.params.list, func(p *syntax.TemplateParam) bool { return p.Pack && spelled(name) == p.Ident })
}

// nameIn is the name that is all of a written argument, else nil.
func nameIn(w *syntax.TemplateArg) *syntax.Name {
	if id, is := w.Expr.(*syntax.Ident); is {
		return id.Name
	}
	if w.Expr != nil || w.Type == nil {
		return nil
	}
	return w.Type.Named()
}

// instanceIn is the class itself or the base of it that is an instance of a template; of any where tmpl is nil.
func (c *checker) instanceIn(cl *class, tmpl *template) *class {
	if cl.tmpl != nil && (tmpl == nil || cl.tmpl == tmpl) {
		return cl
	}
	if cl.node == nil && cl.state != complete && cl.tmpl == nil {
		return nil
	}
	c.complete(cl)
	for _, b := range cl.bases {
		if found := c.instanceIn(b.class, tmpl); found != nil {
			return found
		}
	}
	return nil
}

// flat is a list of arguments with the packs in it taken apart.
func flat(args templateArgs) (out templateArgs) {
	for _, a := range args {
		if a.kind == argPack {
			out = append(out, a.pack...)
			continue
		}
		out = append(out, a)
	}
	return out
}

// list matches written arguments with those that are there.
func (d *deduction) list(written []syntax.TemplateArg, there templateArgs) bool {
	next := 0
	for i := range written {
		w := &written[i]
		if w.Pack {
			outer := d.element
			for d.element = 0; next < len(there); next++ {
				if !d.arg(w, there[next]) {
					return false
				}
				d.element++
			}
			if d.element == 0 {
				d.emptyPacks(patternOf(w))
			}
			d.element = outer
			continue
		}
		if next == len(there) {
			return false
		}
		if !d.arg(w, there[next]) {
			return false
		}
		next++
	}
	return next == len(there)
}

// emptyPacks notes that the packs of an expansion have no elements.
func (d *deduction) emptyPacks(of any) {
	for i, p := range d.params.list {
		if p.Pack && d.args[i].kind == argNone && mentions(of, p.Ident) {
			d.args[i].kind = argPack
		}
	}
}

// arg matches one written argument.
func (d *deduction) arg(w *syntax.TemplateArg, a templateArg) bool {
	switch a.kind {
	case argType:
		if w.Type == nil {
			return false
		}
		return d.exactType(w.Type, a.typ)
	case argTemplate:
		if w.Type == nil {
			return d.equal(w, a)
		}
	}
	if i := d.index(nameIn(w)); i >= 0 {
		return d.set(i, a)
	}
	return d.equal(w, a)
}

// exactType matches a written type with an equal one: where it names no parameter it must be it.
func (d *deduction) exactType(w *syntax.TypeID, t qtype) bool {
	ops := w.Decl.Ops
	if !d.mentionsParams(w) {
		return d.equal(&syntax.TemplateArg{Pos: w.Specs.Pos, Type: w}, templateArg{kind: argType, typ: t})
	}
	if len(ops) == 0 {
		if w.Specs.Quals.Const && !t.isConst || w.Specs.Quals.Volatile && !t.isVolatile || t.ref != noRef && !d.isBareParam(w) {
			return false
		}
	} else if _, isRef := ops[0].(*syntax.RefOp); t.ref != noRef && !isRef {
		return false
	}
	if _, ok := first(ops).(*syntax.PointerOp); ok && len(ops) == 1 && t.Kind == ctypes.Pointer && w.Specs.Quals.Const && !t.Const {
		return false
	}
	return d.typ(ops, w.Specs, t)
}

func (d *deduction) isBareParam(w *syntax.TypeID) bool {
	n, ok := w.Specs.Type.(*syntax.NamedType)
	return ok && d.index(n.Name) >= 0
}

func (d *deduction) mentionsParams(x any) bool {
	return slices.ContainsFunc(d.params.list, func(p *syntax.TemplateParam) bool { return p.Ident != "" && mentions(x, p.Ident) })
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

// matchPartial matches the arguments of a class with a partial specialisation.
func (c *checker) matchPartial(p *partial, args templateArgs) (templateArgs, bool) {
	d := c.newDeduction(p.params)
	if !d.list(p.args, flat(args)) {
		return nil, false
	}
	for i, q := range p.params.list {
		if d.args[i].kind == argNone && q.Pack {
			d.args[i].kind = argPack
		}
		if d.args[i].kind == argNone {
			a, ok := c.defaultArgumentQuietly(p.params, d.args, i)
			if !ok {
				return nil, false
			}
			d.args[i] = a
		}
	}
	// What is not deducible, as in enable_if_t<...>, is read with what has been found.
	var got templateArgs
	ok := true
	errs := c.quietlyIn(c.bind(p.params, d.args, p.in, p.seq), func() { got, ok = c.templateArguments(p.args) })
	if !ok || len(errs) > 0 {
		return nil, false
	}
	return d.args, slices.EqualFunc(flat(got), flat(args), c.sameArg)
}

func (c *checker) defaultArgumentQuietly(params *templateParams, before templateArgs, i int) (a templateArg, ok bool) {
	errs := c.quietly(func() { a, ok = c.defaultArgument(params, before, i) })
	return a, ok && len(errs) == 0
}

// deduce is the instance of a function template for the arguments of a call; nil where there is none, and why.
func (c *checker) deduce(f *function, args []ast.Expr, explicit templateArgs, pos diag.Pos) (*function, string) {
	d := c.newDeduction(f.params)
	if why := d.explicit(explicit); why != "" {
		return nil, why
	}
	op := functionOp(f.decl.Decl)
	next := 0
	for _, p := range op.Params {
		if p.Decl.Pack {
			for d.element = 0; next < len(args); next++ {
				if !d.argument(p, args[next]) {
					return nil, d.mismatch(p, next, args[next])
				}
				d.element++
			}
			d.emptyPacks(p)
			d.element = -1
			continue
		}
		if next == len(args) {
			break
		}
		if !d.argument(p, args[next]) {
			return nil, d.mismatch(p, next, args[next])
		}
		next++
	}
	if next < len(args) && !op.Variadic {
		return nil, countOf(len(op.Params), "argument") + " expected, " + countOf(len(args), "argument") + " given"
	}
	if why := d.finish(); why != "" {
		return nil, why
	}
	return c.functionInstance(f, d.args)
}

// mismatch says what an argument and its parameter are, and what the arguments before it have made of the template's parameters.
func (d *deduction) mismatch(p *syntax.Param, i int, arg ast.Expr) string {
	var known []string
	for k, q := range d.params.list {
		if a := d.args[k]; a.kind != argNone && a.kind != argPack && mentions(p, q.Ident) {
			known = append(known, q.Ident+"="+d.c.spellArgList(templateArgs{a})[0])
		}
	}
	why := fmt.Sprintf("argument %d is %s, the parameter %s", i+1, d.c.spellArgument(arg), writtenParam(p))
	if len(known) > 0 {
		why += " with " + strings.Join(known, ", ")
	}
	return why
}

// explicit sets the arguments that are written.
func (d *deduction) explicit(args templateArgs) string {
	next := 0
	for i, p := range d.params.list {
		if p.Pack {
			if next < len(args) {
				d.args[i].kind = argPack
			}
			for ; next < len(args); next++ {
				d.args[i].pack = append(d.args[i].pack, args[next])
			}
			return ""
		}
		if next == len(args) {
			return ""
		}
		if args[next].kind == argNone {
			next++
			continue
		}
		var a templateArg
		ok := false
		errs := d.c.quietly(func() { a, ok = d.c.argumentFor(p, args[next], d.params, d.args[:i], p.Pos) })
		if !ok || len(errs) > 0 {
			return misfit(p, errs)
		}
		d.args[i] = a
		next++
		d.written++
	}
	if next < len(args) {
		return "too many template arguments"
	}
	return ""
}

// misfit says why an argument is none of a parameter.
func misfit(p *syntax.TemplateParam, errs diag.List) string {
	if len(errs) > 0 {
		return errs[0].Message
	}
	return "the template argument for " + p.Ident + " does not fit"
}

// finish fills in what has not been deduced from defaults.
func (d *deduction) finish() string {
	for i, p := range d.params.list {
		switch {
		case d.args[i].kind == argPack:
			for _, e := range d.args[i].pack {
				if e.kind == argNone {
					return "the pack " + p.Ident + " cannot be deduced"
				}
			}
		case d.args[i].kind != argNone:
			if d.args[i].kind == argValue && !p.Type && p.Template == nil { // to the parameter's own type
				var a templateArg
				ok := false
				errs := d.c.quietly(func() { a, ok = d.c.argumentFor(p, d.args[i], d.params, d.args[:i], p.Pos) })
				if !ok || len(errs) > 0 {
					return misfit(p, errs)
				}
				d.args[i] = a
			}
		case p.Pack:
			d.args[i].kind = argPack
		default:
			a, ok := d.c.defaultArgumentQuietly(d.params, d.args, i)
			if !ok {
				if d.params.defaultOf(i) != nil {
					return "the default of the template argument " + p.Ident + " does not hold for these"
				}
				return "the template argument " + p.Ident + " cannot be deduced"
			}
			d.args[i] = a
		}
	}
	return ""
}

// argument matches a parameter of a function with the argument of a call.
func (d *deduction) argument(p *syntax.Param, arg ast.Expr) bool {
	ops := p.Decl.Ops
	if !slices.ContainsFunc(d.params.list[d.written:], func(q *syntax.TemplateParam) bool { return mentions(p, q.Ident) }) {
		return true // nothing is left to deduce: the argument is converted
	}
	if list, ok := arg.(*braceList); ok {
		return d.braces(ops, p.Specs, list)
	}
	if set, ok := arg.(*overloads); ok {
		t := d.c.functionTypeOf(set)
		if t.Type == nil && len(set.funcs) == 0 {
			t = plain(d.c.callableOf(set))
		}
		if t.Type == nil {
			return true // not deduced from several functions
		}
		if len(ops) > 0 {
			if _, ref := ops[0].(*syntax.RefOp); ref {
				ops = ops[1:]
			}
			if _, pointer := first(ops).(*syntax.PointerOp); pointer {
				ops = ops[1:]
			} else if len(ops) == 0 {
				return d.typ(ops, p.Specs, plain(d.c.callableOf(set)))
			}
			return d.typ(ops, p.Specs, t)
		}
		return d.typ(ops, p.Specs, plain(d.c.callableOf(set)))
	}
	t := d.c.typeOf(arg)
	if len(ops) > 0 {
		if ref, ok := ops[0].(*syntax.RefOp); ok {
			if ref.Rvalue && len(ops) == 1 && !p.Specs.Quals.Const && d.isBareParam(&syntax.TypeID{Specs: p.Specs, Decl: p.Decl}) && t.ref == lvalue {
				return d.typ(nil, p.Specs, t) // a forwarding reference
			}
			t.ref = noRef
			return d.typ(ops[1:], p.Specs, t)
		}
	}
	if t.Kind == ctypes.Array {
		if _, array := first(ops).(*syntax.ArrayOp); array {
			ops = append([]syntax.DeclOp{&syntax.PointerOp{}}, ops[1:]...)
		}
		t = plain(d.c.pointerTo(qtype{t.Elem, t.qualifiers}, false))
	} else if _, array := first(ops).(*syntax.ArrayOp); array {
		ops = append([]syntax.DeclOp{&syntax.PointerOp{}}, ops[1:]...)
	}
	return d.typ(ops, p.Specs, plain(t.Type))
}

func first(ops []syntax.DeclOp) syntax.DeclOp {
	if len(ops) == 0 {
		return nil
	}
	return ops[0]
}

// braces matches a list in braces with a parameter: of an array, by its elements.
func (d *deduction) braces(ops []syntax.DeclOp, specs *syntax.Specifiers, list *braceList) bool {
	if len(ops) < 2 {
		return true
	}
	op, ok := ops[1].(*syntax.ArrayOp)
	if !ok {
		return true
	}
	for _, e := range list.elems {
		if !d.typ(ops[2:], specs, plain(d.c.rvalue(e.value(d.c)).Type())) {
			return false
		}
	}
	if op.Size != nil {
		v := ctypes.IntValue(ctypes.ULong, int64(len(list.elems)))
		return d.value(op.Size, templateArg{kind: argValue, value: &v})
	}
	return true
}

// functionOp is the parameter list of the declarator of a function.
func functionOp(d *syntax.Declarator) *syntax.FuncOp {
	if f := d.Func(); f != nil {
		return f
	}
	return &syntax.FuncOp{}
}
