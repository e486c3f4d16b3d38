package resolve

import (
	"strconv"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Templates are instantiated by reading their tree again in a scope that binds their parameters. Instances are
// remembered by their arguments.

// argKind is what a template argument is.
type argKind uint8

const (
	argNone argKind = iota // not deduced so far
	argType
	argValue
	argTemplate
	argFunction // or an object with static storage
	argPack
)

// templateArg is one argument of a template.
type templateArg struct {
	kind  argKind
	typ   qtype
	value *ctypes.Value
	tmpl  *symbol
	expr  ast.Expr // argFunction: an overloads or the address of an object
	pack  []templateArg
}

type templateArgs []templateArg

// templateParams are the parameters of a template.
type templateParams struct {
	list     []*syntax.TemplateParam
	requires syntax.Expr // the constraint of the template beside those of the parameters; nil: none
	in       *scope      // that the template is declared in
	// defaults of an earlier declaration count for a later one.
	defaults []*syntax.TemplateArg
	// inner are those of the member template that "template <...> template <...>" defines, behind the two outer ones.
	inner *templateParams
}

// inherit takes over the defaults of an earlier declaration.
func (p *templateParams) inherit(earlier *templateParams) {
	p.defaults = nil
	for i := range earlier.list {
		p.defaults = append(p.defaults, earlier.defaultOf(i))
	}
}

// template is a template of classes, aliases or variables.
type template struct {
	name      string
	pos       diag.Pos
	seq       int
	in        *scope
	params    *templateParams
	class     *syntax.Class // nil of others; of a declaration without a body until its definition is read
	alias     *syntax.Alias
	vars      *syntax.Vars
	partials  []*partial
	outside   []*outside // members that are defined outside of the class
	instances map[string]*symbol
	holder    *ctypes.Type // see placeholder
	written   []*function  // deduction guides of the program's
	guides    []*function  // see guidesOf
}

// partial is a partial or explicit specialisation.
type partial struct {
	params *templateParams // none of an explicit one
	args   []syntax.TemplateArg
	class  *syntax.Class
	vars   *syntax.Vars
	in     *scope
	seq    int
	pos    diag.Pos
	// outside are the members that are defined outside of it.
	outside []*outside
}

// outside is the definition of a member outside of its class.
type outside struct {
	params   *templateParams // of the class's template
	inner    *templateParams // of the member's own
	decl     syntax.Decl
	seq      int
	nested   []syntax.Part // classes between the template and the member
	explicit bool
}

// maxInstances bounds the instances of one file, and maxDepth how deep they are in each other.
const (
	maxInstances = 20000
	maxDepth     = 512
)

// oneTooMany says why a further instance is not made; "" where it is.
func (c *checker) oneTooMany(name string, args templateArgs) string {
	c.count++
	limit := ""
	switch {
	case c.nesting >= maxDepth:
		limit = strconv.Itoa(maxDepth) + " instances of templates are in each other"
	case c.count > maxInstances:
		limit = strconv.Itoa(maxInstances) + " instances of templates are made"
	default:
		return ""
	}
	const longest = 60
	if name += c.spellArgs(args); len(name) > longest {
		name = name[:longest] + "..."
	}
	return name + " is not instantiated: " + limit + " already"
}

// bind makes the scope of an instance: the parameters with their arguments.
func (c *checker) bind(params *templateParams, args templateArgs, in *scope, limit int) *scope {
	s := &scope{kind: templateScope, up: in, limit: limit}
	for i, p := range params.list {
		if p.Ident == "" || i >= len(args) || args[i].kind == argNone {
			continue
		}
		s.declare(symbolOfArg(p.Ident, p.Pos, args[i]))
	}
	return s
}

// symbolOfArg is what a parameter's name stands for.
func symbolOfArg(name string, pos diag.Pos, a templateArg) *symbol {
	sym := &symbol{name: name, pos: pos}
	switch a.kind {
	case argType:
		sym.kind, sym.typ = symType, a.typ
	case argValue:
		sym.kind, sym.value = symValue, a.value
	case argTemplate:
		alias := *a.tmpl
		alias.name = name
		return &alias
	case argFunction:
		sym.kind, sym.expr = symBinding, a.expr
	case argPack:
		sym.kind = symPack
		for _, e := range a.pack {
			sym.pack = append(sym.pack, symbolOfArg(name, pos, e))
		}
	}
	return sym
}

// complement checks arguments against parameters: packs are gathered, defaults filled in and values converted.
// Those that are argNone are left to deduction where partial is set.
func (c *checker) complement(params *templateParams, args templateArgs, name string, pos diag.Pos) (templateArgs,
	bool) {
	out := make(templateArgs, len(params.list))
	next := 0
	for i, p := range params.list {
		switch {
		case p.Pack:
			out[i] = templateArg{kind: argPack}
			for ; next < len(args); next++ {
				a, ok := c.argumentFor(p, args[next], params, out[:i], pos)
				if !ok {
					return nil, false
				}
				out[i].pack = append(out[i].pack, a)
			}
		case next < len(args):
			a, ok := c.argumentFor(p, args[next], params, out[:i], pos)
			if !ok {
				return nil, false
			}
			out[i] = a
			next++
		default:
			a, ok := c.defaultArgument(params, out, i)
			if !ok {
				if params.defaultOf(i) == nil {
					c.errorf(pos, codeType, "%s: the template argument %s is missing", name, p.Ident)
				}
				return nil, false
			}
			out[i] = a
		}
	}
	if next < len(args) {
		c.errorf(pos, codeType, "%s takes %s, these are %d", name, countOf(len(params.list), "template argument"),
			len(args))
		return nil, false
	}
	return out, true
}

// defaultOf is the default argument of parameter i, nil if it has none.
func (p *templateParams) defaultOf(i int) *syntax.TemplateArg {
	if d := p.list[i].Default; d != nil {
		return d
	}
	if i < len(p.defaults) {
		return p.defaults[i]
	}
	return nil
}

// defaultArgument evaluates the default of parameter i, in the scope of those before it.
func (c *checker) defaultArgument(params *templateParams, before templateArgs, i int) (a templateArg, ok bool) {
	d := params.defaultOf(i)
	if d == nil {
		return a, false
	}
	defer c.inside(c.bind(params, before[:i], params.in, 0))()
	if a, ok = c.templateArgument(d); !ok {
		return a, false
	}
	return c.argumentFor(params.list[i], a, params, before[:i], d.Pos)
}

// argumentFor checks that an argument is of the kind of its parameter, and converts a value to its type.
func (c *checker) argumentFor(p *syntax.TemplateParam, a templateArg, params *templateParams, before templateArgs,
	pos diag.Pos) (templateArg, bool) {
	switch {
	case p.Template != nil:
		if a.kind == argTemplate {
			return a, true
		}
		if a.kind == argType { // the injected name of a class
			if cl := c.classes[a.typ.Type]; cl != nil && cl.tmpl != nil {
				return templateArg{kind: argTemplate, tmpl: &symbol{kind: symTemplate, name: cl.name, tmpl: cl.tmpl}},
					true
			}
		}
		c.errorf(pos, codeType, "the template argument for %s must be a template", p.Ident)
		return a, false
	case p.Type:
		if a.kind != argType {
			c.errorf(pos, codeType, "the template argument for %s must be a type", p.Ident)
			return a, false
		}
		if c.cfg.Dialect == ast.CUDA {
			a.typ.Type = withoutSpaces(a.typ.Type)
			a.typ.space, a.typ.isRestrict = 0, false
		}
		return a, true
	case a.kind != argValue && a.kind != argFunction:
		c.errorf(pos, codeType, "the template argument for %s must be a value", p.Ident)
		return a, false
	}
	leave := c.inside(c.bind(params, before, params.in, 0))
	t := c.declared(p.Decl.Ops, c.specified(p.Specs), p.Pos)
	leave()
	switch {
	case t.Kind == 0:
		return a, false
	case isClass(t.Type) || c.holders[t.Type] != nil || t.Type == autoType && c.isObject(a):
		if a.expr == nil {
			a.expr = ast.LiteralOf(*a.value, pos)
		}
		return c.objectArgument(a.expr, t, pos)
	case a.kind == argFunction && c.isObject(a) && t.Type != autoType:
		c.notConstant(a.expr, "a template argument")
		return a, false
	case a.kind == argFunction:
		if set, ok := a.expr.(*overloads); ok && len(set.funcs) > 1 { // ([over.over])
			if one := c.chosen(set, functionIn(t.Type)); one != nil {
				a.expr = one
			}
		}
		return a, true
	case t.Type == autoType:
		return a, true
	case !t.IsScalar() && t.Kind != ctypes.Pointer:
		c.errorf(pos, codeType, "a template parameter of type %v", t.Type)
		return a, false
	}
	if from := a.value.Type; c.cfg.Dialect == ast.CUDA && from.IsScalar() && t.IsScalar() &&
		losesValue(*a.value, t.Type) {
		c.errorf(pos, codeType, "the template argument for %s is %s, which %v does not hold", p.Ident,
			c.spellValue(*a.value), t.Type)
		return a, false
	}
	e := c.convert(&ast.Literal{Typed: ast.Of(a.value.Type, pos), Value: *a.value}, t.Type,
		"template argument "+p.Ident)
	lit, ok := e.(*ast.Literal)
	if !ok {
		if !isInvalid(e) && t.Kind == ctypes.Pointer {
			return templateArg{kind: argFunction, expr: e}, true
		}
		return a, false
	}
	v := lit.Value
	v.Type = t.Type
	return templateArg{kind: argValue, value: &v}, true
}

// withoutSpaces takes the address spaces off the pointers of a type of CUDA, where types have none.
func withoutSpaces(t *ctypes.Type) *ctypes.Type {
	if t.Kind != ctypes.Pointer && t.Kind != ctypes.Array {
		return t
	}
	elem := withoutSpaces(t.Elem)
	if elem == t.Elem && t.Space == 0 && !t.Restrict {
		return t
	}
	u := *t
	u.Elem, u.Space, u.Restrict = elem, 0, false
	return &u
}

// instanceOf is what a template with arguments stands for; nil, with an error, where it cannot be made.
func (c *checker) instanceOf(t *template, written templateArgs, pos diag.Pos) *symbol {
	if t.alias != nil && t.in == nil {
		return nil
	}
	args, ok := c.complement(t.params, written, t.name, pos)
	if !ok {
		return nil
	}
	key := c.argKey(args)
	if sym := t.instances[key]; sym != nil {
		if len(sym.errs) > 0 {
			c.blame(sym.errs)
		}
		return sym
	}
	if why := c.oneTooMany(t.name, args); why != "" {
		c.errorf(pos, codeTemplate, "%s", why)
		return nil
	}
	if t.instances == nil {
		t.instances = map[string]*symbol{}
	}
	saved := c.enterDeclaration()
	defer saved()
	if !c.meets(t.params, c.bind(t.params, args, t.in, t.seq)) {
		c.errorf(pos, codeType, "%s%s: the arguments do not meet the constraints", t.name, c.spellArgs(args))
		return nil
	}
	switch {
	case t.vars != nil && t.vars.Specs.Concept:
		return c.conceptInstance(t, args, key)
	case t.alias != nil:
		c.scope = c.bind(t.params, args, t.in, t.seq)
		typ := c.typeID(t.alias.Type)
		if typ.Kind == 0 {
			return nil
		}
		sym := &symbol{kind: symType, name: t.name, pos: t.pos, typ: typ}
		t.instances[key] = sym
		return sym
	case t.vars != nil:
		return c.variableInstance(t, args, key)
	}
	return c.classInstance(t, args, key)
}

// specialisation chooses the partial specialisation that fits arguments; nil where none does. bound are the arguments
// of its parameters.
func (c *checker) specialisation(t *template, args templateArgs, pos diag.Pos) (best *partial, bound templateArgs,
	ok bool) {
	type fit struct {
		p     *partial
		bound templateArgs
	}
	var fits []fit
	for _, p := range t.partials {
		if b, matches := c.matchPartial(t, p, args); matches {
			fits = append(fits, fit{p, b})
		}
	}
	if len(fits) == 0 {
		return nil, nil, true
	}
	top, rival := bestOf(fits, func(a, b fit) bool {
		return c.partialIsMoreSpecial(t, a.p, b.p) || !c.partialIsMoreSpecial(t, b.p, a.p) &&
			subsumes(c.atomsOf(a.p.params, nil, c.bind(a.p.params, a.bound, a.p.in, a.p.seq)),
				c.atomsOf(b.p.params, nil, c.bind(b.p.params, b.bound, b.p.in, b.p.seq))) > 0
	})
	if rival >= 0 {
		e := c.errorf(pos, codeType, "%s%s is ambiguous", t.name, c.spellArgs(args))
		_ = e.WithNote("it may be the specialisation at %v or that at %v", fits[top].p.pos, fits[rival].p.pos)
		return nil, nil, false
	}
	return fits[top].p, fits[top].bound, true
}

// blame reports errors of something that what is being read uses, once.
func (c *checker) blame(errs diag.List) {
	for _, e := range errs {
		c.blameOne(e)
	}
}
