package syntax

import (
	"strings"

	"gpupipe/frontend/preprocess"
)

// lazyBody keeps the tokens of a body, which stands here, for Body.Parse.
func (p *parser) lazyBody(s *scope) *Body {
	open := p.i
	b := &Body{Pos: p.pos(), shared: p.shared}
	if !p.is("{") {
		p.fail(p.pos(), "{ is expected in front of the body, not %s", p.spelled())
	}
	end := p.closing(open)
	p.i = end + 1
	q := *p
	q.i, q.scope, q.depth, q.launchEnd, q.noGreater, q.templated, q.directive = open, s, 0, 0, false, false, nil
	q.trying, q.bad = 0, nil
	b.parse = func() {
		s.block = true
		q.compoundInto(b)
		b.Err = q.bad
	}
	return b
}

// Parse parses the statements of the body, once. Err tells what does not parse.
func (b *Body) Parse() {
	if b.shared != nil {
		b.shared.Lock()
		defer b.shared.Unlock()
	}
	b.parseNow()
}

func (b *Body) parseNow() {
	if b.parse == nil {
		return
	}
	parse := b.parse
	b.parse = nil
	defer func() {
		if x := recover(); x != nil {
			y, mine := x.(bail)
			if !mine {
				panic(x)
			}
			b.Err = y.err
		}
	}()
	parse()
}

// compoundInto reads { statements } in the present scope.
func (p *parser) compoundInto(b *Body) {
	b.Pos = p.expect("{", "in front of the statements")
	for !p.is("}") {
		if p.peek().Kind == preprocess.EOF {
			p.fail(b.Pos, "{ is not closed")
		}
		if s := p.statementOrBad(); s != nil {
			b.Stmts = append(b.Stmts, s)
		}
	}
	p.i++
}

// statementOrBad reads a statement; one that does not parse ends at its semicolon or block.
func (p *parser) statementOrBad() (s Stmt) {
	start, depth, scope := p.i, p.depth, p.scope
	defer func() {
		x := recover()
		if x == nil {
			return
		}
		y, mine := x.(bail)
		if !mine || p.trying > 0 {
			panic(x)
		}
		p.i, p.depth, p.scope, p.noGreater, p.launchEnd = start, depth, scope, false, 0
		p.skipStatement()
		if p.bad == nil {
			p.bad = y.err
		}
		s = &BadStmt{p.tokens[start].Pos, y.err}
	}()
	return p.statement()
}

// skipStatement goes behind the next semicolon or block, at most to the brace that closes the statements around.
func (p *parser) skipStatement() {
	for p.peek().Kind != preprocess.EOF && !p.is("}") {
		t := p.peek()
		if closing := p.match[p.i]; closing > 0 {
			p.i = int(closing)
		}
		p.i++
		if t.Is(";") || t.Is("{") {
			return
		}
	}
}

// block reads a statement in a scope of its own.
func (p *parser) block() (s Stmt) {
	p.inBlock(func() { s = p.statement() })
	if s == nil {
		s = &ExprStmt{Pos: p.pos()}
	}
	return s
}

func (p *parser) inBlock(f func()) {
	s := newScope(p.scope)
	s.block = true
	p.within(s, f)
}

// statement reads one; nil of a pragma that says nothing.
func (p *parser) statement() Stmt {
	defer p.deeper()()
	t := p.peek()
	switch t.Kind {
	case preprocess.Pragma:
		return p.pragma(t)
	case preprocess.Directive:
		p.i++
		return nil
	case preprocess.Punct:
		switch t.Text {
		case ";":
			p.i++
			return &ExprStmt{Pos: t.Pos}
		case "{":
			b := &Block{Body: &Body{}}
			p.inBlock(func() { p.compoundInto(b.Body) })
			return b
		case "[":
			if p.at(1).Is("[") && p.adjacent(1) && p.Language == CUDA {
				var attrs []Attr
				p.attributes(&attrs)
				return p.statement()
			}
		}
	case preprocess.Ident:
		if s, ok := p.keywordStmt(t); ok {
			return s
		}
	}
	if p.isDeclaration() {
		return p.declStmt()
	}
	s := &ExprStmt{Pos: t.Pos, X: p.expression()}
	p.expect(";", "behind the statement")
	return s
}

// declStmt reads a declaration as a statement.
func (p *parser) declStmt() Stmt {
	list := p.declaration(placeBlock)
	switch len(list) {
	case 0:
		return &ExprStmt{Pos: p.pos()}
	case 1:
		return &DeclStmt{list[0]}
	}
	b := &Block{Body: &Body{Pos: list[0].DeclPos()}}
	for _, d := range list {
		b.Body.Stmts = append(b.Body.Stmts, &DeclStmt{d})
	}
	return b
}

// keywordStmt reads a statement that begins with a keyword or a label.
func (p *parser) keywordStmt(t *preprocess.Token) (Stmt, bool) {
	at := t.Pos
	switch t.Text {
	case "if":
		return p.ifStmt(), true
	case "switch":
		s := &SwitchStmt{Pos: at}
		p.i++
		p.inBlock(func() {
			s.Init, s.Cond, s.Var = p.condition("switch")
			s.Body = p.block()
		})
		return s, true
	case "while":
		s := &WhileStmt{Pos: at}
		p.i++
		p.inBlock(func() {
			_, s.Cond, s.Var = p.condition("while")
			s.Body = p.block()
		})
		return s, true
	case "do":
		s := &DoStmt{Pos: at}
		p.i++
		s.Body = p.block()
		if !p.take("while") {
			p.fail(p.pos(), "while is expected behind the body of do, not %s", p.spelled())
		}
		p.expect("(", "behind while")
		s.Cond = p.inParens()
		p.expect(";", "behind do ... while")
		return s, true
	case "for":
		return p.forStmt(), true
	case "case":
		s := &CaseStmt{Pos: at}
		p.i++
		s.Lo = p.conditional()
		if p.take("...") {
			s.Hi = p.conditional()
		}
		p.expect(":", "behind the label")
		s.Body = p.labelled()
		return s, true
	case "default":
		if p.at(1).Is(":") {
			p.i += 2
			return &CaseStmt{Pos: at, Body: p.labelled()}, true
		}
	case "break", "continue":
		p.i++
		p.expect(";", "behind "+t.Text)
		return &JumpStmt{at, t.Text}, true
	case "goto":
		s := &GotoStmt{Pos: at}
		p.i++
		if p.is("*") {
			p.unsupported(at, "a goto to a computed address is", "use a switch")
		}
		s.Ident, s.Label = p.ident("a label")
		p.expect(";", "behind goto")
		return s, true
	case "return":
		s := &ReturnStmt{Pos: at}
		p.i++
		if p.is("{") {
			s.X = p.list()
		} else if !p.is(";") {
			s.X = p.expression()
		}
		p.expect(";", "behind return")
		return s, true
	case "asm", "__asm__", "__asm":
		return p.asm(), true
	case "try":
		if p.Language == CUDA {
			return p.handlers(), true
		}
	case "else":
		p.fail(at, "else without if")
	}
	if p.isName(0) && p.at(1).Is(":") && !p.at(2).Is(":") {
		p.i += 2
		return &LabelStmt{at, t.Text, p.labelled()}, true
	}
	if t.Text == "__attribute__" && p.hintsLoop() {
		return p.hint(), true
	}
	return nil, false
}

// handlers reads try and its handlers.
func (p *parser) handlers() Stmt {
	s := &TryStmt{Pos: p.pos()}
	p.i++
	s.Body = p.statement()
	for p.take("catch") {
		p.inBlock(func() {
			p.expect("(", "behind catch")
			if !p.take("...") {
				v := p.specifiers(inDecl)
				p.declareVar(v, p.declarator(either))
			}
			p.expect(")", "behind what is caught")
			s.Catches = append(s.Catches, p.statement())
		})
	}
	return s
}

// labelled reads the statement behind a label, an empty one in front of the end of a block.
func (p *parser) labelled() Stmt {
	if p.is("}") {
		return &ExprStmt{Pos: p.pos()}
	}
	if s := p.statement(); s != nil {
		return s
	}
	return &ExprStmt{Pos: p.pos()}
}

func (p *parser) ifStmt() Stmt {
	s := &IfStmt{Pos: p.pos()}
	p.i++
	s.Constexpr = p.Language == CUDA && p.take("constexpr")
	p.inBlock(func() {
		s.Init, s.Cond, s.Var = p.condition("if")
		s.Then = p.block()
		p.skipPragmas()
		if p.take("else") {
			s.Else = p.block()
		}
	})
	return s
}

// skipPragmas steps over pragmas in front of else.
func (p *parser) skipPragmas() {
	n := 0
	for p.at(n).Kind == preprocess.Pragma || p.at(n).Kind == preprocess.Directive {
		n++
	}
	if p.at(n).Is("else") {
		p.i += n
	}
}

// condition reads (init; x) or (T x = y) of if, switch and while.
func (p *parser) condition(of string) (init Stmt, x Expr, v *Vars) {
	p.expect("(", "behind "+of)
	if p.Language == CUDA && p.semicolons() > 0 {
		init = p.statement()
	}
	if p.Language == CUDA && p.isDeclaration() {
		v = p.conditionVar()
	} else {
		x = p.expression()
	}
	p.expect(")", "behind the condition of "+of)
	return init, x, v
}

// semicolons counts those in the parentheses that are open here.
func (p *parser) semicolons() (count int) {
	for n := 0; ; n++ {
		switch t := p.at(n); {
		case t.Is(";"):
			count++
		case t.Is(")") || t.Kind == preprocess.EOF || p.i+n >= len(p.tokens):
			return count
		case (t.Is("(") || t.Is("[") || t.Is("{")) && p.match[p.i+n] > 0:
			n = int(p.match[p.i+n]) - p.i
		}
	}
}

// conditionVar reads the declaration of a condition.
func (p *parser) conditionVar() *Vars {
	s := p.specifiers(inDecl)
	d := p.declarator(named)
	p.declareVar(s, d)
	return &Vars{Specs: s, Decls: []*Var{{Decl: d, Init: p.initialiser()}}}
}

func (p *parser) forStmt() (out Stmt) {
	at := p.pos()
	p.i++
	p.expect("(", "behind for")
	p.inBlock(func() {
		if r := p.rangeFor(at); r != nil {
			out = r
			return
		}
		s := &ForStmt{Pos: at}
		out = s
		if !p.take(";") {
			s.Init = p.statement()
		}
		if !p.is(";") {
			if p.Language == CUDA && p.isDeclaration() {
				s.Var = p.conditionVar()
			} else {
				s.Cond = p.expression()
			}
		}
		p.expect(";", "behind the condition of for")
		if !p.is(")") {
			s.Post = p.expression()
		}
		p.expect(")", "behind for")
		s.Body = p.block()
	})
	return out
}

// rangeFor reads (init; T x : range) and the body, nil if this is no such loop.
func (p *parser) rangeFor(at Pos) Stmt {
	if p.Language != CUDA {
		return nil
	}
	s := &RangeStmt{Pos: at}
	if !p.try(func() bool {
		if p.semicolons() == 1 {
			s.Init = p.statement()
		}
		if !p.isDeclaration() {
			return false
		}
		specs := p.specifiers(inDecl)
		if isAuto(specs.Type) && (p.is("[") || (p.is("&") || p.is("&&")) && p.at(1).Is("[")) {
			s.Var = p.binding(specs).(*Vars)
		} else {
			d := p.declarator(named)
			p.declareVar(specs, d)
			s.Var = &Vars{Specs: specs, Decls: []*Var{{Decl: d}}}
		}
		return p.take(":")
	}) {
		return nil
	}
	if p.is("{") {
		s.Range = p.list()
	} else {
		s.Range = p.expression()
	}
	p.expect(")", "behind the range")
	s.Body = p.block()
	return s
}

// asm reads inline assembly.
func (p *parser) asm() Stmt {
	s := &AsmStmt{Pos: p.pos()}
	p.i++
	for p.is("volatile") || p.is("__volatile__") || p.is("__volatile") || p.is("inline") || p.is("goto") {
		s.Volatile = s.Volatile || !p.is("inline")
		p.i++
	}
	p.expect("(", "behind asm")
	if p.peek().Kind != preprocess.String {
		p.fail(p.pos(), "the text of the assembly is expected, not %s", p.spelled())
	}
	s.Template = p.stringLiteral().Text
	// A :: is two colons here.
	part := 0
	for !p.is(")") {
		switch {
		case p.take("::"):
			part += 2
		case p.take(":"):
			part++
		case p.take(","):
		case part == 1:
			s.Outputs = append(s.Outputs, p.asmOperand())
		case part == 2:
			s.Inputs = append(s.Inputs, p.asmOperand())
		default: // clobbers
			p.i++
		}
		if p.peek().Kind == preprocess.EOF {
			p.fail(s.Pos, "asm is not closed")
		}
	}
	p.i++
	p.expect(";", "behind asm")
	return s
}

func (p *parser) asmOperand() AsmOperand {
	o := AsmOperand{Pos: p.pos()}
	if p.take("[") {
		o.Name, _ = p.ident("an operand")
		p.expect("]", "behind the name")
	}
	if p.peek().Kind != preprocess.String {
		p.fail(p.pos(), "the constraint of an operand is expected, not %s", p.spelled())
	}
	o.Constraint = strings.Trim(p.stringLiteral().Text, `"`)
	p.expect("(", "behind the constraint")
	o.X = p.inParens()
	return o
}
