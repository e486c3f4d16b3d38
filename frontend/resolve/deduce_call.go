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

// Deduction from the arguments of a call ([temp.deduct.call]).

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

// mismatch says what an argument and its parameter are, and what the arguments before it have made of the template's
// parameters.
func (d *deduction) mismatch(p *syntax.Param, i int, arg ast.Expr) string {
	var known []string
	for k, q := range d.params.list {
		if a := d.args[k]; a.kind != argNone && a.kind != argPack && syntax.Mentions(p, q.Ident) {
			known = append(known, q.Ident+"="+d.c.spellArgList(templateArgs{a})[0])
		}
	}
	why := fmt.Sprintf("argument %d is %s, the parameter %s", i+1, d.c.spellArgument(arg), p.Written())
	if len(known) > 0 {
		why += " with " + strings.Join(known, ", ")
	}
	return why
}

// explicit sets the arguments that are written.
func (d *deduction) explicit(args templateArgs) string {
	next := 0
	for i, p := range d.params.list {
		if p.Pack && next < len(args) {
			d.args[i].kind = argPack
		}
		for ; next < len(args); next++ {
			a, why := d.oneExplicit(p, args[next], i)
			if why != "" {
				return why
			}
			if p.Pack {
				d.args[i].pack = append(d.args[i].pack, a)
				continue
			}
			if next++; a.kind != argNone {
				d.args[i] = a
				d.written++
			}
			break
		}
		if p.Pack || next == len(args) {
			break
		}
	}
	if next < len(args) {
		return "too many template arguments"
	}
	return ""
}

// oneExplicit is a written argument for parameter i, or why it is none; what is not known stays so.
func (d *deduction) oneExplicit(p *syntax.TemplateParam, a templateArg, i int) (templateArg, string) {
	if a.kind == argNone {
		return a, ""
	}
	ok := false
	errs := d.c.quietly(func() { a, ok = d.c.argumentFor(p, a, d.params, d.args[:i], p.Pos) })
	if !ok || len(errs) > 0 {
		return a, misfit(p, errs)
	}
	return a, ""
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
	if !slices.ContainsFunc(d.params.list[d.written:], func(q *syntax.TemplateParam) bool {
		return syntax.Mentions(p,
			q.Ident)
	}) {
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
		if ref, ok := first(ops).(*syntax.RefOp); ok && len(ops) == 1 {
			if f := set.funcs; len(f) > 0 && f[0].takesThis() { // &C::f
				return d.typ(nil, p.Specs, plain(d.c.callableOf(set)))
			}
			if ref.Rvalue {
				t.ref = lvalue
			}
			return d.typ(nil, p.Specs, t)
		}
		if len(ops) > 0 {
			if _, ref := ops[0].(*syntax.RefOp); ref {
				ops = ops[1:]
			}
			if _, pointer := first(ops).(*syntax.PointerOp); pointer {
				if ops = ops[1:]; len(set.funcs) > 0 && set.funcs[0].takesThis() {
					return false
				}
			}
			return d.typ(ops, p.Specs, t)
		}
		return d.typ(ops, p.Specs, plain(d.c.callableOf(set)))
	}
	t := d.c.typeOf(arg)
	if len(ops) > 0 {
		if ref, ok := ops[0].(*syntax.RefOp); ok {
			if ref.Rvalue && len(ops) == 1 && !p.Specs.Quals.Const &&
				d.isBareParam(&syntax.TypeID{Specs: p.Specs, Decl: p.Decl}) && t.ref == lvalue {
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
	if _, ref := first(ops).(*syntax.RefOp); len(ops) == 0 || ref && len(ops) == 1 {
		if n, ok := specs.Type.(*syntax.NamedType); ok {
			return d.initList(n.Name, list)
		}
	}
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
