package syntax

import (
	"slices"
	"strings"

	"gpupipe/frontend/preprocess"
	"gpupipe/internal/diag"
)

// name reads a name, qualified or not. Where it is that of a declarator, destructors and conversions are taken too.
func (p *parser) name() *Name {
	defer p.deeper()()
	n := &Name{Pos: p.pos(), Global: p.take("::")}
	var at *scope // where the next part is looked up; nil = it is the first, or that is not known
	if n.Global {
		at = p.scope.global()
	}
	first, dependent := !n.Global, false
	for {
		part, found := p.part(at, first, dependent)
		n.Parts = append(n.Parts, part)
		if !p.is("::") || !p.startsPart(1) {
			return n
		}
		p.i++
		at, first = found.scope, false
		dependent = dependent || at == nil && (found.kind == typeName || part.Decltype != nil)
	}
}

// startsPart reports whether the token n from here may be part of a name.
func (p *parser) startsPart(n int) bool {
	t := p.at(n)
	return p.isName(n) || t.Is("~") || t.Is("operator") || t.Is("template")
}

// part reads one identifier with its template arguments. It is looked up in at, or from here outwards if it is the
// first.
func (p *parser) part(at *scope, first, dependent bool) (Part, symbol) {
	part := Part{Pos: p.pos()}
	isTemplate := p.take("template")
	switch {
	case p.is("operator"):
		p.operatorName(&part)
		if p.is("<") && p.Language == CUDA && part.Convert == nil {
			part.HasArgs = p.try(func() bool { part.Args = p.templateArgs(); return p.is("(") })
		}
		return part, symbol{kind: valueName}
	case p.is("decltype") && first:
		part.Decltype = p.decltypeOperand().X
		return part, symbol{}
	case p.take("~"):
		part.Destroys = true
	}
	part.Ident, part.Pos = p.ident("something")
	found := symbol{}
	switch {
	case at != nil:
		found, _ = at.member(part.Ident)
	case first:
		found = p.lookUp(part.Ident)
	}
	if p.is("<") && p.Language == CUDA && p.takesArgs(found, isTemplate, dependent) {
		part.HasArgs = true
		if isTemplate || found.template {
			part.Args = p.templateArgs()
		} else if !p.try(func() bool { part.Args = p.templateArgs(); return p.mayFollowTemplate() }) {
			part.HasArgs, part.Args = false, nil
		}
	}
	return part, found
}

// takesArgs reports whether < begins template arguments, or may do so.
func (p *parser) takesArgs(found symbol, isTemplate, dependent bool) bool {
	switch {
	case isTemplate || found.template:
		return true
	case found.kind == valueName || dependent:
		return false
	case found.kind == typeName:
		return found.scope == nil // a class that is known to be no template is compared
	}
	return !p.at(1).Is("<") || p.adjacent(1)
}

// mayFollowTemplate reports whether what follows a > ends a template name rather than a comparison.
func (p *parser) mayFollowTemplate() bool {
	t := p.peek()
	switch t.Kind {
	case preprocess.Ident:
		return true
	case preprocess.Punct:
		return slices.Contains([]string{"(", "::", "{", ")", ",", ";", "&", "*", ">", "...", "[", "&&", "<<", "=",
			"||", "?", ":", "==", "!=", "]", "}", "|", "^", "/", "%", "<", "<=", "."}, t.Text)
	}
	return t.Kind == preprocess.EOF
}

// templateArgs reads <...>.
func (p *parser) templateArgs() []TemplateArg {
	p.expect("<", "before template arguments")
	defer p.inAngles(true)()
	args := []TemplateArg{}
	p.separated(">", func() { args = append(args, p.templateArg()) })
	p.expect(">", "behind template arguments")
	return args
}

// TemplateArguments parses a list of template arguments, < and > included, that stands for itself.
func TemplateArguments(tokens []preprocess.Token, o Options) (args []TemplateArg, err *diag.Error) {
	p := newParser(tokens, 0, o)
	p.scope = newScope(nil)
	defer func() {
		if x := recover(); x != nil {
			y, mine := x.(bail)
			if !mine {
				panic(x)
			}
			err = y.err
		}
	}()
	args = p.templateArgs()
	if p.peek().Kind != preprocess.EOF {
		p.fail(p.pos(), "%s is not expected behind the template arguments", p.spelled())
	}
	return args, nil
}

// templateArg reads one argument: a type where it can be one and the end of the argument follows.
func (p *parser) templateArg() TemplateArg {
	a := TemplateArg{Pos: p.pos()}
	from := p.i
	ends := func() bool { return p.is(",") || p.is(">") || p.is("...") }
	isType := !p.isTrait() && p.startsType() != notType && p.try(func() bool { a.Type = p.typeID(); return ends() })
	if !isType {
		a.Type = nil
		a.Expr = p.conditional()
	} else if n, ok := a.Type.Specs.Type.(*NamedType); ok && n.Tag == "" && len(a.Type.Decl.Ops) == 0 &&
		!p.tokens[from].Is("typename") {
		if k := p.kindOf(n.Name); k.kind != typeName || k.scope == nil { // a parameter, or not known
			a.Expr = &Ident{n.Name}
		}
		if p.kindOf(n.Name).kind == valueName {
			a.Type = nil
		}
	}
	a.Pack = p.take("...")
	return a
}

// operators that can be overloaded, of several tokens the longest first.
var operators = [][]string{
	{"(", ")"}, {"[", "]"}, {">", ">", "="}, {">", ">"}, {">", "="}, {">"}, {"<<="}, {"<<"}, {"<=>"}, {"<="}, {"<"},
	{"->*"}, {"->"}, {"++"}, {"--"},
	{"&&"}, {"||"}, {"=="}, {"!="}, {"+="}, {"-="}, {"*="}, {"/="}, {"%="}, {"&="}, {"|="}, {"^="}, {"+"}, {"-"}, {"*"},
	{"/"}, {"%"}, {"^"}, {"&"}, {"|"}, {"~"}, {"!"}, {"="}, {","},
}

// operatorName reads operator+ and its like, and operator T.
func (p *parser) operatorName(part *Part) {
	p.expect("operator", "here")
	for _, word := range []string{"new", "delete"} {
		if p.take(word) {
			if p.take("[") {
				p.expect("]", "behind [")
			}
			part.Ident = "operator " + word
			return
		}
	}
	if t := p.peek(); t.Kind == preprocess.String { // operator""_s
		p.i++
		suffix := strings.TrimPrefix(t.Text, `""`)
		if suffix == "" {
			suffix, _ = p.ident("a literal operator")
		}
		part.Ident = `operator""` + suffix
		return
	}
	for _, op := range operators {
		ok := true
		for i, t := range op {
			ok = ok && p.at(i).Is(t) && (i == 0 || op[0] == "(" || op[0] == "[" || p.adjacent(i))
		}
		if ok {
			p.i += len(op)
			part.Ident = "operator"
			for _, t := range op {
				part.Ident += t
			}
			return
		}
	}
	t := &TypeID{Specs: p.specifiers(inType)}
	t.Decl = &Declarator{Pos: p.pos(), Ops: p.pointers()}
	slices.Reverse(t.Decl.Ops)
	part.Convert = t
}
