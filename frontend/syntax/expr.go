package syntax

import (
	"slices"

	"gpupipe/frontend/preprocess"
)

// expression reads one with commas.
func (p *parser) expression() Expr {
	x := p.assignment()
	for p.is(",") {
		at := p.pos()
		p.i++
		x = &Binary{From: x.ExprPos(), Pos: at, Op: ",", X: x, Y: p.assignment()}
	}
	return x
}

var assignments = []string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}

// assignment reads an expression without commas.
func (p *parser) assignment() Expr {
	defer p.deeper()()
	if p.Language == CUDA && p.is("throw") {
		t := &Throw{Pos: p.pos()}
		p.i++
		if !p.is(")") && !p.is(";") && !p.is(":") {
			p.assignment()
		}
		return t
	}
	x := p.conditional()
	op, n := p.operator()
	if !slices.Contains(assignments, op) || p.at(n).Is("...") {
		return x
	}
	b := &Binary{From: x.ExprPos(), Pos: p.pos(), Op: op, X: x}
	p.i += n
	if p.is("{") {
		b.Y = p.list()
	} else {
		b.Y = p.assignment()
	}
	return b
}

// conditional reads one without assignments, as constants are.
func (p *parser) conditional() Expr {
	defer p.deeper()()
	x := p.binary(1)
	if !p.is("?") {
		return x
	}
	c := &Cond{Pos: p.pos(), C: x}
	p.i++
	leave := p.inAngles(false)
	if p.is(":") { // GNU: c ?: y
		c.X = x
	} else {
		c.X = p.expression()
	}
	leave()
	p.expect(":", "of the ?")
	c.Y = p.assignment()
	return c
}

// precedence of the binary operators, the weakest first.
var precedence = map[string]int{
	"||": 1, "or": 1, "&&": 2, "and": 2, "|": 3, "bitor": 3, "^": 4, "xor": 4, "&": 5, "bitand": 5, "==": 6, "!=": 6,
	"not_eq": 6,
	"<":      7, ">": 7, "<=": 7, ">=": 7, "<=>": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
	".*":  12,
	"->*": 12,
}

// spelledOut are the operators that C++ spells as words, too.
var spelledOut = map[string]string{"or": "||", "and": "&&", "bitor": "|", "xor": "^", "bitand": "&", "not_eq": "!="}

// operator is the operator here and of how many tokens it is: > and what follows it at once are one.
func (p *parser) operator() (op string, tokens int) {
	t := p.peek()
	if t.Kind == preprocess.Ident && p.Language == CUDA && precedence[t.Text] > 0 {
		return t.Text, 1
	}
	if t.Kind != preprocess.Punct {
		return "", 0
	}
	if !t.Is(">") {
		return t.Text, 1
	}
	if p.noGreater || p.launchEnd == p.i {
		if p.at(1).Is("=") && p.adjacent(1) && p.launchEnd != p.i {
			return ">=", 2 // one token, which closes nothing ([lex.pptoken])
		}
		return "", 0
	}
	op, tokens = ">", 1
	for tokens < 3 && p.adjacent(tokens) && (p.at(tokens).Is(">") && tokens < 2 || p.at(tokens).Is("=")) {
		op += p.at(tokens).Text
		tokens++
		if op == ">=" {
			break
		}
	}
	if p.at(tokens).Is("==") && p.adjacent(tokens) && op == ">" {
		return ">", 1
	}
	return op, tokens
}

// binary reads operators of at least a precedence.
func (p *parser) binary(least int) Expr {
	x := p.unary()
	for {
		op, n := p.operator()
		level := precedence[op]
		if level < least || level == 0 {
			return x
		}
		if p.at(n).Is("...") { // a fold
			return x
		}
		b := &Binary{From: x.ExprPos(), Pos: p.pos(), Op: op, X: x}
		if word := spelledOut[op]; word != "" {
			b.Op = word
		}
		p.i += n
		b.Y = p.binary(level + 1)
		x = b
	}
}

// unary reads prefix operators and casts.
func (p *parser) unary() Expr {
	defer p.deeper()()
	t := p.peek()
	switch {
	case t.Kind == preprocess.Punct && slices.Contains([]string{"+", "-", "!", "~", "*", "&", "++", "--"}, t.Text):
		p.i++
		return &Unary{t.Pos, t.Text, p.unary()}
	case t.Is("&&"): // the address of a label
		p.unsupported(t.Pos, "the address of a label is", "use a switch")
	case t.Is("__extension__"):
		p.i++
		return p.unary()
	case p.Language == CUDA && (t.Is("not") || t.Is("compl")):
		p.i++
		return &Unary{t.Pos, map[string]string{"not": "!", "compl": "~"}[t.Text], p.unary()}
	case t.Is("sizeof") || t.Is("alignof") && p.Language == CUDA || t.Is("_Alignof") || t.Is("__alignof__") ||
		t.Is("__alignof"):
		return p.sizeOf()
	case p.Language != CUDA:
	case t.Is("new") || t.Is("::") && p.at(1).Is("new"):
		return p.newExpr()
	case t.Is("delete") || t.Is("::") && p.at(1).Is("delete"):
		p.take("::")
		p.i++
		array := p.take("[")
		if array {
			p.expect("]", "behind delete[")
		}
		return &Delete{t.Pos, array, p.unary()}
	case t.Is("noexcept"):
		p.i++
		p.expect("(", "behind noexcept")
		x := p.inParens()
		return &Noexcept{t.Pos, x}
	}
	if t.Is("(") {
		if x, ok := p.cast(); ok {
			return x
		}
	}
	return p.postfix(p.primary())
}

// newExpr reads a new-expression.
func (p *parser) newExpr() *New {
	n := &New{Pos: p.pos()}
	p.take("::")
	p.i++
	placed := p.is("(") && p.try(func() bool {
		p.i++
		n.Place = p.arguments()
		return p.take(")") && p.startsType() != notType
	})
	if !placed {
		n.Place = nil
	}
	if placed || !p.is("(") || !p.typeInParens(&n.Type) {
		n.Type = &TypeID{Specs: p.specifiers(inType)}
		n.Type.Decl = &Declarator{Pos: p.pos(), Ops: p.pointers()}
	}
	if p.take("[") {
		n.Array, n.Count = true, p.expression()
		p.expect("]", "behind the number of elements")
	}
	if p.is("(") || p.is("{") {
		n.Init, _ = p.constructed(n.Type).(*Construct)
	}
	return n
}

// inParens reads an expression up to the closing parenthesis, behind the opening one.
func (p *parser) inParens() Expr {
	leave := p.inAngles(false)
	x := p.expression()
	leave()
	p.expect(")", "behind the expression")
	return x
}

func (p *parser) sizeOf() Expr {
	t := p.peek()
	s := &SizeOf{Pos: t.Pos, Align: t.Text != "sizeof"}
	p.i++
	if p.take("...") {
		p.expect("(", "behind sizeof...")
		s.Pack, _ = p.ident("a pack")
		p.expect(")", "behind the pack")
		return s
	}
	if p.is("(") && p.typeInParens(&s.Type) {
		if p.is("{") { // a compound literal
			s.X = p.postfix(&Construct{Pos: s.Type.Specs.Pos, Type: s.Type, List: p.list()})
			s.Type = nil
		}
		return s
	}
	s.X = p.unary()
	return s
}

// typeInParens reads (T), if that is what stands here.
func (p *parser) typeInParens(into **TypeID) bool {
	return p.try(func() bool {
		p.i++
		if p.startsType() != certainType && !(p.startsType() == maybeType && p.closesAfterType()) {
			return false
		}
		leave := p.inAngles(false)
		t := p.typeID()
		leave()
		if !p.take(")") {
			return false // as in sizeof(T().x)
		}
		*into = t
		return true
	})
}

// closesAfterType reports whether a parenthesis follows a decltype, or pointers behind a name that is not known, as
// only a type is.
func (p *parser) closesAfterType() (ok bool) {
	p.try(func() bool {
		n := p.name()
		ok = (len(p.pointers()) > 0 || n.Last().Decltype != nil) && p.is(")")
		return false
	})
	return ok
}

// cast reads (T)x, or a compound literal (T){...}. Only the type is read on trial: what follows is read once.
func (p *parser) cast() (x Expr, ok bool) {
	at := p.pos()
	var t *TypeID
	ok = p.try(func() bool {
		if !p.typeInParens(&t) {
			if t = p.unknownCast(); t == nil {
				return false
			}
		}
		return p.is("{") || p.startsOperand()
	})
	switch {
	case !ok:
		return nil, false
	case p.is("{"):
		return p.postfix(&Construct{Pos: at, Type: t, List: p.list()}), true
	}
	return &CastExpr{at, t, p.unary()}, true
}

// unknownCast reads (name) where an operand follows that cannot follow an expression in parentheses.
func (p *parser) unknownCast() (t *TypeID) {
	p.try(func() bool {
		p.i++
		if p.startsType() != maybeType {
			return false
		}
		s := p.typeID()
		if !p.take(")") {
			return false
		}
		end := p.i
		k := p.peek()
		if k.Kind == preprocess.Number || k.Kind == preprocess.String || k.Kind == preprocess.Char ||
			k.Kind == preprocess.Ident && precedence[k.Text] == 0 && p.isNameOrOperand(k.Text) || k.Is("~") ||
			k.Is("!") {
			t = s
		}
		var inner *TypeID
		if k.Is("(") && !p.at(1).Is(")") && p.typeInParens(&inner) { // (name)(float)x
			t = s
		}
		p.i = end
		return t != nil
	})
	return t
}

func (p *parser) isNameOrOperand(word string) bool {
	return p.isName(0) || slices.Contains([]string{"sizeof", "this", "true", "false", "nullptr", "static_cast",
		"reinterpret_cast", "const_cast"}, word)
}

// startsOperand reports whether an operand of a cast begins here.
func (p *parser) startsOperand() bool {
	t := p.peek()
	switch t.Kind {
	case preprocess.Number, preprocess.Char, preprocess.String:
		return true
	case preprocess.Ident:
		return precedence[t.Text] == 0 || p.Language != CUDA
	case preprocess.Punct:
		return slices.Contains([]string{"(", "+", "-", "!", "~", "*", "&", "++", "--", "::", "["}, t.Text) &&
			!(t.Is("[") && p.Language != CUDA)
	}
	return false
}

// list reads {a, .b = c, [0] = d, {e}}.
func (p *parser) list() *List {
	defer p.deeper()()
	l := &List{Pos: p.expect("{", "in front of the list")}
	defer p.inAngles(false)()
	p.separated("}", func() {
		e := Elem{}
		for p.is(".") && p.isName(1) || p.is("[") && p.designates() {
			d := Designator{Pos: p.pos()}
			if p.take(".") {
				d.Field, d.Pos = p.ident("a member")
			} else {
				p.i++
				d.Index = p.conditional()
				p.expect("]", "behind the index")
			}
			e.Designators = append(e.Designators, d)
		}
		if len(e.Designators) > 0 && !p.is("{") {
			p.expect("=", "behind the designator")
		}
		e.X = p.argument()
		l.Elems = append(l.Elems, e)
	})
	p.expect("}", "behind the list")
	return l
}

// designates reports whether [ begins a designator and not a lambda.
func (p *parser) designates() bool {
	end := p.closing(p.i)
	return end+1 < len(p.tokens) && (p.tokens[end+1].Is("=") || p.tokens[end+1].Is("[") || p.tokens[end+1].Is("."))
}
