package resolve

import (
	"fmt"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Arguments of templates as written, as keys of instances and in messages.

// templateArguments evaluates written arguments.
func (c *checker) templateArguments(list []syntax.TemplateArg) (args templateArgs, ok bool) {
	ok = true
	for i := range list {
		a := &list[i]
		if a.Pack {
			c.expand(patternOf(a), func() {
				one, good := c.templateArgument(a)
				ok = ok && good
				args = append(args, one)
			})
			continue
		}
		one, good := c.templateArgument(a)
		ok = ok && good
		args = append(args, one)
	}
	return args, ok
}

// patternOf is what of an argument an expansion repeats.
func patternOf(a *syntax.TemplateArg) any {
	if a.Type != nil {
		return a.Type
	}
	return a.Expr
}

// templateArgument evaluates one argument: what may be a type is one where its name is that of a type.
func (c *checker) templateArgument(a *syntax.TemplateArg) (templateArg, bool) {
	if a.Type != nil && a.Expr != nil {
		if id, ok := a.Expr.(*syntax.Ident); ok {
			f := c.find(id.Name, false, "name")
			if f == nil {
				return templateArg{}, false
			}
			switch f.sym.kind {
			case symTemplate:
				return templateArg{kind: argTemplate, tmpl: f.sym}, true
			case symType:
				t := c.typeID(a.Type) // with its qualifiers
				return templateArg{kind: argType, typ: t}, t.Kind != 0
			}
			return c.valueArgument(a.Expr)
		}
		if c.isTypeID(a.Type) {
			t := c.typeID(a.Type)
			return templateArg{kind: argType, typ: t}, t.Kind != 0
		}
		return c.valueArgument(a.Expr)
	}
	if a.Type != nil {
		if n := a.Type.Named(); n != nil {
			sym := c.lookupQuietly(n)
			if sym != nil && sym.kind == symTemplate {
				return templateArg{kind: argTemplate, tmpl: sym}, true
			}
		}
		t := c.typeID(a.Type)
		return templateArg{kind: argType, typ: t}, t.Kind != 0
	}
	return c.valueArgument(a.Expr)
}

// isTypeID reports whether what may be a type begins with the name of one.
func (c *checker) isTypeID(t *syntax.TypeID) bool {
	n, ok := t.Specs.Type.(*syntax.NamedType)
	if !ok {
		return true
	}
	sym := c.lookupQuietly(n.Name)
	return sym != nil && (sym.kind == symType || sym.kind == symTemplate && sym.tmpl.class != nil)
}

// valueArgument evaluates an argument that is a value: a constant, a function or the address of an object.
func (c *checker) valueArgument(x syntax.Expr) (templateArg, bool) {
	if isString(x) { // of which a class makes an object
		return templateArg{kind: argFunction, expr: c.argument(x)}, true
	}
	e := c.constantExpr(x)
	whole := e
	if isClass(e.Type()) { // what it converts to
		if own, ok := c.evaluated(c.builtinOperand(e)).(*ast.Literal); ok {
			e = own
		}
	}
	if set, ok := stripAddress(e).(*overloads); ok {
		return templateArg{kind: argFunction, expr: set}, true
	}
	if lit, ok := c.evaluated(e).(*ast.Literal); ok {
		v := lit.Value
		v.Type = lit.T
		return templateArg{kind: argValue, value: &v, expr: whole}, true
	}
	if isInvalid(e) {
		return templateArg{}, false
	}
	if isStatic(e) && e.Type().Kind == ctypes.Pointer || isClass(e.Type()) {
		return templateArg{kind: argFunction, expr: e}, true
	}
	c.notConstant(e, "a template argument")
	return templateArg{}, false
}

// objectArgument is the object that a parameter of a class stands for: one for each value ([temp.param]/8).
func (c *checker) objectArgument(e ast.Expr, t qtype, pos diag.Pos) (templateArg, bool) {
	c.dead++
	c.constants++
	if t.Type == autoType {
		t.Type = e.Type()
	}
	if ref, ok := e.(*ast.VarRef); !ok || ref.T != t.Type || c.values[ref.Obj] == nil {
		e = c.construct(t, []ast.Expr{e}, pos)
	}
	c.dead--
	c.constants--
	value := c.evaluated(e)
	key, ok := c.valueKey(value)
	if !ok {
		c.notConstant(e, "a template argument")
		return templateArg{}, false
	}
	ref := c.argumentObjects[key]
	if ref == nil {
		obj := &ast.Object{Name: "argument", Pos: pos, Type: e.Type(), Const: true, Space: idg.SpaceConstant,
			Init: value}
		c.values[obj] = value
		c.unit.Globals = append(c.unit.Globals, obj)
		ref = &ast.VarRef{Typed: ast.Of(obj.Type, pos), Obj: obj}
		c.argumentObjects[key] = ref
	}
	return templateArg{kind: argFunction, expr: ref}, true
}

// isObject reports whether an argument is an object of a class, other than a lambda's.
func (c *checker) isObject(a templateArg) bool {
	if a.expr == nil || hasNodes(a.expr) || !isClass(a.expr.Type()) {
		return false
	}
	cl := c.classes[a.expr.Type()]
	return cl != nil && cl.closure == nil
}

// valueKey names a value of a class by its type and its numbers; ok is false where it has others.
func (c *checker) valueKey(e ast.Expr) (key string, ok bool) {
	switch x := e.(type) {
	case *ast.Literal:
		return x.Value.String(), true
	case *ast.InitList:
		key = c.key(plain(x.T)) + "{"
		for i, y := range x.Elems {
			part, ok := c.valueKey(y)
			if !ok {
				return "", false
			}
			key += fmt.Sprintf("%d:%s,", x.Index[i], part)
		}
		return key + "}", true
	}
	return "", false
}

// stripAddress is what an address is taken of, else the expression.
func stripAddress(e ast.Expr) ast.Expr {
	if a, ok := e.(*ast.AddrOf); ok {
		return a.X
	}
	return e
}

// argKey names arguments for the memory of instances.
func (c *checker) argKey(args templateArgs) string {
	var b strings.Builder
	for _, a := range args {
		switch a.kind {
		case argType:
			b.WriteString(c.key(a.typ))
		case argValue:
			fmt.Fprintf(&b, "%s=%v", c.key(plain(a.value.Type)), *a.value)
		case argTemplate:
			fmt.Fprintf(&b, "%p", a.tmpl.tmpl)
		case argFunction:
			b.WriteString(c.exprKey(a.expr))
		case argPack:
			b.WriteString("{" + c.argKey(a.pack) + "}")
		}
		b.WriteByte(';')
	}
	return b.String()
}

func (c *checker) exprKey(e ast.Expr) string {
	if set, ok := e.(*overloads); ok {
		var b strings.Builder
		b.WriteString(set.name)
		for _, f := range set.funcs {
			fmt.Fprintf(&b, "%p", f)
		}
		return b.String()
	}
	if isZero(e) { // a null pointer
		return "0"
	}
	return fmt.Sprintf("%p", e)
}

// spellArgs prints arguments as C++ does: <float, 4>.
func (c *checker) spellArgs(args templateArgs) string {
	return "<" + strings.Join(c.spellArgList(args), ", ") + ">"
}

func (c *checker) spellArgList(args templateArgs) (parts []string) {
	for _, a := range args {
		switch a.kind {
		case argType:
			parts = append(parts, c.spellQual(a.typ))
		case argValue:
			parts = append(parts, c.spellValue(*a.value))
		case argTemplate:
			parts = append(parts, a.tmpl.name)
		case argFunction:
			if set, ok := a.expr.(*overloads); ok {
				parts = append(parts, set.name)
			} else {
				parts = append(parts, "an address")
			}
		case argPack:
			parts = append(parts, c.spellArgList(a.pack)...)
		}
	}
	return parts
}

// spellValue prints a constant argument.
func (c *checker) spellValue(v ctypes.Value) string {
	switch {
	case v.Type.Kind == ctypes.Bool && v.Int != 0:
		return "true"
	case v.Type.Kind == ctypes.Bool:
		return "false"
	case c.enums[v.Type] != nil:
		e := c.enums[v.Type]
		for _, sym := range e.scope.order {
			switch {
			case sym.value == nil || sym.value.Int != v.Int:
			case e.scoped:
				return join(join(e.in.path(), e.name), sym.name)
			default:
				return join(e.in.path(), sym.name)
			}
		}
	}
	if v.Type.IsInteger() {
		if v.Type.Kind == ctypes.ULong {
			return fmt.Sprint(uint64(v.Int))
		}
		return fmt.Sprint(v.Int)
	}
	return v.String()
}
