package syntax

import (
	"slices"
	"strings"

	"gpupipe/frontend/preprocess"
)

// primary reads literals, names, parentheses and what is written like a call of a keyword.
func (p *parser) primary() Expr {
	t := p.peek()
	switch t.Kind {
	case preprocess.Number:
		p.i++
		return &Lit{t.Pos, numberKind(t.Text), t.Text}
	case preprocess.Char:
		p.i++
		return p.ownLiteral(&Lit{t.Pos, CharLit, t.Text})
	case preprocess.String:
		return p.ownLiteral(p.stringLiteral())
	case preprocess.Punct:
		switch t.Text {
		case "(":
			return p.parenthesised()
		case "[":
			if p.Language == CUDA {
				return p.lambda()
			}
		case "^":
			if p.Language == OpenCL {
				p.unsupported(t.Pos, "a block is", "write a function")
			}
		case "::":
			return p.nameExpr()
		}
	case preprocess.Ident:
		if x := p.keyword(t); x != nil {
			return x
		}
		if p.isName(0) || p.is("operator") && p.Language == CUDA {
			return p.nameExpr()
		}
	}
	p.fail(t.Pos, "an expression is expected, not %s", p.spelled())
	return nil
}

// ownLiteral is a literal, or with a suffix behind it the call of its literal operator: of a string with its length
// ([lex.ext]).
func (p *parser) ownLiteral(x *Lit) Expr {
	t := p.peek()
	if p.Language != CUDA || t.Kind != preprocess.Ident || !p.adjacent(0) || t.Text[0] != '_' {
		return x
	}
	p.i++
	args := []Expr{x}
	if x.Kind == StringLit {
		first := &IndexExpr{Pos: x.Pos, X: x, I: &Lit{x.Pos, IntLit, "0"}}
		n := &Binary{x.Pos, x.Pos, "/", &SizeOf{Pos: x.Pos, X: x}, &SizeOf{Pos: x.Pos, X: first}}
		args = append(args, &Binary{x.Pos, x.Pos, "-", n, &Lit{x.Pos, IntLit, "1"}})
	}
	return &CallExpr{x.Pos, &Ident{&Name{Pos: x.Pos, Parts: []Part{{Pos: x.Pos, Ident: `operator""` + t.Text}}}}, args}
}

// numberKind tells integers from floating-point numbers.
func numberKind(text string) LitKind {
	lower, _, _ := strings.Cut(strings.ToLower(text), "_") // without the suffix of a literal operator
	if strings.HasPrefix(lower, "0x") {
		if strings.ContainsAny(lower, ".p") {
			return FloatLit
		}
		return IntLit
	}
	if strings.ContainsAny(lower, ".e") || strings.HasSuffix(lower, "f") && !strings.HasPrefix(lower, "0b") {
		return FloatLit
	}
	return IntLit
}

// keyword reads an expression that begins with a keyword; nil if none does here.
func (p *parser) keyword(t *preprocess.Token) Expr {
	cxx := p.Language == CUDA
	switch t.Text {
	case "this":
		if cxx {
			p.i++
			return &This{t.Pos}
		}
	case "true", "false":
		if cxx || p.lookUp(t.Text).kind == unknownName {
			p.i++
			return &Lit{t.Pos, BoolLit, t.Text}
		}
	case "nullptr":
		if cxx {
			p.i++
			return &Lit{t.Pos, NullLit, t.Text}
		}
	case "static_cast", "const_cast", "reinterpret_cast", "dynamic_cast":
		if cxx {
			return p.namedCast(t)
		}
	case "typename":
		if cxx {
			return p.construct()
		}
	case "decltype":
		if cxx {
			return p.construct()
		}
	case "requires":
		if p.startsRequires(0) {
			return p.requires()
		}
	case "typeid":
		if cxx {
			p.unsupported(t.Pos, "typeid is", "types are known when a kernel is compiled")
		}
	case "__builtin_offsetof", "offsetof":
		if p.at(1).Is("(") {
			return p.offsetOf(t)
		}
	case "__builtin_types_compatible_p":
		return p.trait(t)
	case "_Generic":
		p.unsupported(t.Pos, "_Generic is", "call the function for the type")
	}
	if p.isTrait() {
		return p.trait(t)
	}
	if typeWords[t.Text] {
		return p.construct()
	}
	return nil
}

// construct reads T(args) and T{list} of a type that keywords name.
func (p *parser) construct() Expr {
	t := &TypeID{Specs: &Specifiers{Pos: p.pos()}}
	certain := !p.is("decltype")
	if typeWords[p.peek().Text] {
		b := &Builtin{Pos: p.pos()}
		for typeWords[p.peek().Text] {
			b.Words = append(b.Words, p.peek().Text)
			p.i++
		}
		t.Specs.Type = b
	} else if !p.typeSpec(t.Specs, inType) {
		p.fail(p.pos(), "a type is expected, not %s", p.spelled())
	}
	t.Decl = &Declarator{Pos: p.pos()}
	if n, ok := t.Specs.Type.(*NamedType); ok && !certain && !p.is("{") { // decltype(x)::value, or what is called
		return &Ident{n.Name}
	}
	return p.constructed(t)
}

// constructed reads the arguments of T(args) and T{list}.
func (p *parser) constructed(t *TypeID) Expr {
	c := &Construct{Pos: t.Specs.Pos, Type: t}
	switch {
	case p.is("{"):
		c.List = p.list()
	case p.is("("):
		p.i++
		c.Args = p.arguments()
		p.expect(")", "behind the arguments")
	default:
		p.fail(p.pos(), "( or { is expected behind a type in an expression, not %s", p.spelled())
	}
	return c
}

// nameExpr reads a name, or T(args) and T{list} where it is that of a type.
func (p *parser) nameExpr() Expr {
	at := p.pos()
	n := p.name()
	if p.Language != CUDA || !p.is("(") && !p.is("{") {
		return &Ident{n}
	}
	k := p.kindOf(n)
	named := func() *TypeID {
		return &TypeID{Specs: &Specifiers{Pos: at, Type: &NamedType{Name: n}}, Decl: &Declarator{Pos: p.pos()}}
	}
	switch {
	case p.is("{"):
		if k.kind == valueName {
			return &Ident{n}
		}
		return p.constructed(named())
	case k.kind == typeName:
		return p.constructed(named())
	}
	return &Ident{n}
}

// parenthesised reads (x), a fold, or a statement expression.
func (p *parser) parenthesised() Expr {
	at := p.pos()
	p.i++
	defer p.inAngles(false)()
	switch {
	case p.is("{"):
		s := &StmtExpr{Pos: at, Body: &Body{Pos: p.pos()}}
		p.compoundInto(s.Body)
		p.expect(")", "behind the statements")
		return s
	case p.is("...") && p.Language == CUDA:
		p.i++
		f := &Fold{Pos: at, Left: true}
		var n int
		f.Op, n = p.operator()
		p.i += n
		f.Pack = p.unary()
		p.expect(")", "behind the fold")
		return f
	}
	x := p.foldOr()
	if f, ok := x.(*Fold); ok && f.Pos == (Pos{}) {
		f.Pos = at
		p.expect(")", "behind the fold")
		return f
	}
	for p.is(",") {
		comma := p.pos()
		p.i++
		x = &Binary{From: x.ExprPos(), Pos: comma, Op: ",", X: x, Y: p.assignment()}
	}
	p.expect(")", "behind the expression")
	return &Paren{at, x}
}

// foldOr reads an expression, or a fold without its parenthesis: pack op ..., pack op ... op init, init op ... op pack.
func (p *parser) foldOr() (x Expr) {
	x = p.assignment()
	op, n := p.operator()
	if precedence[op] == 0 && op != "," && !slices.Contains(assignments, op) || !p.at(n).Is("...") ||
		p.Language != CUDA {
		return x
	}
	p.i += n + 1
	f := &Fold{Op: op, Pack: x}
	if p.is(")") {
		return f
	}
	again, m := p.operator()
	if again != op {
		p.fail(p.pos(), "the two operators of a fold differ: %s and %s", op, again)
	}
	p.i += m
	f.Init = p.unary()
	if hasPack(f.Init) && !hasPack(f.Pack) { // init op ... op pack
		f.Pack, f.Init, f.Left = f.Init, f.Pack, true
	}
	return f
}

// hasPack reports whether an expression may hold a pack: what is not a literal.
func hasPack(x Expr) bool {
	switch x := x.(type) {
	case *Lit:
		return false
	case *Unary:
		return hasPack(x.X)
	case *Paren:
		return hasPack(x.X)
	case *CastExpr:
		return hasPack(x.X)
	}
	return true
}

func (p *parser) namedCast(t *preprocess.Token) Expr {
	c := &NamedCast{Pos: t.Pos, Kind: t.Text}
	p.i++
	p.expect("<", "behind "+t.Text)
	leave := p.inAngles(true)
	c.Type = p.typeID()
	leave()
	p.expect(">", "behind the type")
	p.expect("(", "behind the type")
	c.X = p.inParens()
	return c
}

func (p *parser) offsetOf(t *preprocess.Token) Expr {
	o := &OffsetOf{Pos: t.Pos}
	p.i++
	p.expect("(", "here")
	o.Type = p.typeID()
	p.expect(",", "behind the type")
	o.Member = p.conditional()
	p.expect(")", "behind the member")
	return o
}

// isTrait reports whether a builtin that takes types begins here.
func (p *parser) isTrait() bool {
	name := p.peek().Text
	return (strings.HasPrefix(name, "__is_") || strings.HasPrefix(name, "__has_") && p.Language == CUDA) &&
		p.at(1).Is("(") && p.lookUp(name).kind == unknownName
}

// trait reads __is_same(T, U) and its like.
func (p *parser) trait(t *preprocess.Token) Expr {
	x := &TypeTrait{Pos: t.Pos, Name: t.Text}
	p.i++
	p.expect("(", "behind "+t.Text)
	for !p.is(")") {
		a := TemplateArg{Pos: p.pos()}
		if !p.try(func() bool {
			if p.startsType() == notType {
				return false
			}
			a.Type = p.typeID()
			return p.is(",") || p.is(")") || p.is("...")
		}) {
			a.Type = nil
			a.Expr = p.assignment()
		}
		a.Pack = p.take("...")
		x.Args = append(x.Args, a)
		if !p.take(",") {
			break
		}
	}
	p.expect(")", "behind the types")
	return x
}

// lambda reads [captures](params) -> T { body }.
func (p *parser) lambda() Expr {
	l := &Lambda{Pos: p.pos()}
	p.i++
	p.separated("]", func() { p.capture(l) })
	p.expect("]", "behind the captures")
	inside := newScope(p.scope)
	p.within(inside, func() {
		if p.is("<") {
			l.Params = p.templateParams()
		}
		requires := p.requiresClause(nil)
		var attrs []Attr
		for p.attributes(&attrs) || p.isAttributeWord(p.peek().Text) {
			if p.isAttributeWord(p.peek().Text) {
				p.i++
			}
		}
		if p.is("(") {
			l.Decl = p.function()
			inside.declareParams(l.Decl.Params)
		}
		for p.is("mutable") || p.is("constexpr") || p.is("static") || p.isAttributeWord(p.peek().Text) {
			l.Mutable = l.Mutable || p.is("mutable")
			p.i++
		}
		if l.Decl == nil {
			l.Decl = &FuncOp{}
		}
		p.afterParams(l.Decl)
		if requires != nil {
			l.Decl.Requires = both(requires, l.Decl.Requires)
		}
		l.Params = append(l.Params, l.Decl.autoParams()...)
		l.Body = p.lazyBody(inside)
		l.Body.parseNow()
	})
	return l
}

func (p *parser) capture(l *Lambda) {
	c := Capture{Pos: p.pos()}
	switch {
	case p.is("=") || p.is("&") && (p.at(1).Is("]") || p.at(1).Is(",")):
		l.Default = p.peek().Text
		p.i++
		return
	case p.take("this"):
		c.This = true
	case p.is("*") && p.at(1).Is("this"):
		p.i += 2
		c.This, c.Copy = true, true
	default:
		c.Ref = p.take("&")
		c.Pack = p.take("...")
		c.Ident, c.Pos = p.ident("a variable to capture")
		if p.is("=") || p.is("{") || p.is("(") {
			in := p.initialiser()
			c.Init = &in
			p.scope.declare(c.Ident, symbol{kind: valueName})
		}
		c.Pack = p.take("...") || c.Pack
	}
	l.Captures = append(l.Captures, c)
}
