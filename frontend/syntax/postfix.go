package syntax

// What follows a primary expression.

// arguments reads expressions and lists up to a closing parenthesis, which is left.
func (p *parser) arguments() []Expr {
	defer p.inAngles(false)()
	list := []Expr{}
	p.separated(")", func() { list = append(list, p.argument()) })
	return list
}

// argument reads an element of a list: an expression, a list or a pack.
func (p *parser) argument() Expr {
	var x Expr
	if p.is("{") {
		x = p.list()
	} else {
		x = p.assignment()
	}
	if at := p.pos(); p.take("...") {
		return &PackExpansion{at, x}
	}
	return x
}

// postfix reads what follows a primary expression.
func (p *parser) postfix(x Expr) Expr {
	for {
		t := p.peek()
		switch {
		case t.Is("("):
			p.i++
			c := &CallExpr{Pos: t.Pos, Fn: x, Args: p.arguments()}
			p.expect(")", "behind the arguments")
			x = c
		case t.Is("["):
			p.i++
			leave := p.inAngles(false)
			i := &IndexExpr{Pos: t.Pos, X: x}
			if p.is("{") {
				i.I = p.list()
			} else {
				i.I = p.expression()
			}
			leave()
			p.expect("]", "behind the subscript")
			x = i
		case t.Is(".") || t.Is("->"):
			p.i++
			x = p.member(x, t.Is("->"))
		case t.Is("++") || t.Is("--"):
			p.i++
			x = &Postfix{t.Pos, t.Text, x}
		case t.Is("<<") && p.at(1).Is("<") && p.Language == CUDA: // with a space between them, too
			p.i += 2
			x = p.launch(x, t.Pos)
		default:
			return x
		}
	}
}

// member reads the name behind . or ->.
func (p *parser) member(x Expr, arrow bool) Expr {
	m := &MemberExpr{Pos: p.pos(), X: x, Arrow: arrow}
	n := &Name{Pos: p.pos(), Global: p.take("::")}
	for {
		// What the class is is not known here: a template needs the word, or <T>( behind it.
		part, _ := p.memberPart()
		n.Parts = append(n.Parts, part)
		if !p.take("::") {
			break
		}
	}
	m.Name = n
	m.Pos = n.Last().Pos
	return m
}

// memberPart reads a name whose scope is not known: f<4>(x) is a call where < and > enclose template arguments and a
// parenthesis follows, unless a number or variable does.
func (p *parser) memberPart() (Part, bool) {
	if p.is("template") || p.is("operator") || p.is("~") {
		part, _ := p.part(nil, false, true)
		return part, true
	}
	part := Part{Pos: p.pos()}
	part.Ident, part.Pos = p.ident("a member")
	if p.is("<") && p.Language == CUDA {
		part.HasArgs = p.try(func() bool {
			part.Args = p.templateArgs()
			return p.is("(") && p.allTypesOrConstants(part.Args) || p.is("::")
		})
		if !part.HasArgs {
			part.Args = nil
		}
	}
	return part, false
}

// allTypesOrConstants reports whether arguments may be those of a template: x.a < b > (c) compares.
func (p *parser) allTypesOrConstants(args []TemplateArg) bool {
	for _, a := range args {
		if a.Type == nil {
			if n, ok := a.Expr.(*Ident); ok && p.kindOf(n.Name).kind == valueName && len(args) == 1 {
				return p.scope.outer == nil || p.isConstantName(n.Name)
			}
		}
	}
	return true
}

// isConstantName reports whether a name is a parameter of a template or declared outside of the function.
func (p *parser) isConstantName(n *Name) bool {
	if len(n.Parts) != 1 {
		return true
	}
	for s := p.scope; s != nil; s = s.outer {
		if _, ok := s.names[n.Parts[0].Ident]; ok {
			return !s.block
		}
	}
	return true
}

// launch reads <<<grid, block>>>(args), from behind <<<.
func (p *parser) launch(x Expr, at Pos) Expr {
	l := &LaunchExpr{Pos: at, Fn: x}
	outer, outerEnd := p.noGreater, p.launchEnd
	p.noGreater, p.launchEnd = false, p.endOfLaunch()
	for p.i != p.launchEnd {
		l.Config = append(l.Config, p.argument())
		if !p.take(",") {
			break
		}
	}
	p.noGreater, p.launchEnd = outer, outerEnd
	for range 3 {
		p.expect(">", "behind the launch")
	}
	p.expect("(", "behind the launch")
	l.Args = p.arguments()
	p.expect(")", "behind the arguments")
	return l
}

// endOfLaunch is the index of the >>> that closes the configuration here.
func (p *parser) endOfLaunch() int {
	for i := p.i; i+3 < len(p.tokens); i++ {
		switch t := &p.tokens[i]; {
		case t.Is("(") || t.Is("[") || t.Is("{"):
			i = p.closing(i)
		case t.Is(";") || t.Is(")") || t.Is("}"):
			i = len(p.tokens)
		case t.Is(">") && p.tokens[i+1].Is(">") && !p.tokens[i+1].Spaced && p.tokens[i+2].Is(">") &&
			p.tokens[i+3].Is("("):
			return i
		}
	}
	p.fail(p.pos(), ">>> is expected behind the configuration of the launch")
	return 0
}
