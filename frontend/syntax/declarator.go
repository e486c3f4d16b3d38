package syntax

import (
	"slices"

	"gpupipe/frontend/preprocess"
)

// typeID reads a type without a name.
func (p *parser) typeID() *TypeID {
	t := &TypeID{Specs: p.specifiers(inType)}
	if t.Specs.Type == nil {
		p.fail(p.pos(), "a type is expected, not %s", p.spelled())
	}
	t.Decl = p.declarator(abstract)
	return t
}

// whether a declarator has a name.
type naming uint8

const (
	named naming = iota + 1
	abstract
	either // of a parameter
)

// pointers reads the pointers and references in front of a name, in the order of the source.
func (p *parser) pointers() (ops []DeclOp) {
	for {
		switch {
		case p.take("*"):
			op := &PointerOp{}
			for p.peek().Kind == preprocess.Ident && p.qualifier(&op.Quals, p.peek().Text) {
				p.i++
			}
			ops = append(ops, op)
		case p.Language == CUDA && p.take("&"):
			ops = append(ops, &RefOp{})
		case p.Language == CUDA && p.take("&&"):
			ops = append(ops, &RefOp{Rvalue: true})
		case p.Language == CUDA && p.memberPointer():
			ops = append(ops, &MemberPtrOp{p.name()})
			p.i += 2 // ::*
		case p.peek().Kind == preprocess.Ident && len(ops) > 0 && p.qualifier(&Quals{}, p.peek().Text):
			p.i++
		default:
			return ops
		}
	}
}

// declarator reads a name with what makes its type.
func (p *parser) declarator(how naming) *Declarator {
	defer p.deeper()()
	d := &Declarator{Pos: p.pos()}
	p.declaratorInto(d, how)
	return d
}

func (p *parser) declaratorInto(d *Declarator, how naming) {
	before := p.pointers()
	slices.Reverse(before)
	for p.attributes(&d.Attrs) {
	}
	for p.peek().Kind == preprocess.Ident && p.isAttributeWord(p.peek().Text) { // T & __device__ f()
		p.attributeWord(&d.Attrs)
	}
	if how != abstract && p.take("...") {
		d.Pack = true
	}
	switch {
	case p.is("(") && p.isGrouped(how):
		p.i++
		for p.attributes(&d.Attrs) {
		}
		inner := *d
		p.declaratorInto(&inner, how)
		p.expect(")", "behind the declarator")
		p.suffixes(d)
		after := d.Ops
		*d = inner
		d.Ops = append(append(d.Ops, after...), before...)
		return
	case how != abstract && (p.isName(0) || p.is("~") || p.is("operator") || p.is("::")):
		d.Pos = p.pos()
		d.Name = p.name()
		if n := len(d.Name.Parts); n > 0 {
			d.Pos = d.Name.Parts[n-1].Pos
		}
	case how == named:
		if len(before) == 0 && p.peek().Is(":") { // a bit-field without a name
			break
		}
		p.fail(p.pos(), "a name is expected in the declaration, not %s", p.spelled())
	}
	if how != abstract && p.take("...") {
		d.Pack = true
	}
	p.suffixes(d)
	d.Ops = append(d.Ops, before...)
}

// memberPointer reports whether C::* follows.
func (p *parser) memberPointer() (found bool) {
	if !p.isName(0) {
		return false
	}
	p.try(func() bool {
		p.name()
		found = p.is("::") && p.at(1).Is("*")
		return false
	})
	return found
}

// isGrouped reports whether a parenthesis encloses a declarator rather than parameters or an initialiser.
func (p *parser) isGrouped(how naming) bool {
	t := p.at(1)
	if p.refers(1) {
		return true
	}
	if how == abstract {
		return t.Is("(") || t.Is("[")
	}
	if how == named {
		return t.Is("(") || t.Kind == preprocess.Ident && (p.at(2).Is(")") || p.at(2).Is("[")) && p.isName(1)
	}
	return t.Is("(") || p.isName(1) && p.at(2).Is(")") && p.lookUp(t.Text).kind != typeName
}

// suffixes reads arrays and parameters, of which the first is nearest to the name.
func (p *parser) suffixes(d *Declarator) {
	for {
		switch {
		case p.is("[") && !(p.Language == CUDA && p.at(1).Is("[") && p.adjacent(1)):
			op := &ArrayOp{Pos: p.pos()}
			p.i++
			for p.is("static") || p.is("const") || p.is("restrict") || p.is("__restrict__") {
				p.i++
			}
			if !p.is("]") {
				leave := p.inAngles(false)
				op.Size = p.expression()
				leave()
			}
			p.expect("]", "behind the size of the array")
			d.Ops = append(d.Ops, op)
		case p.is("(") && p.startsParams(d):
			d.Ops = append(d.Ops, p.function())
		default:
			for p.attributes(&d.Attrs) {
			}
			p.asmLabel()
			return
		}
	}
}

// asmLabel steps over the name that a function has in assembly.
func (p *parser) asmLabel() {
	if (p.is("__asm__") || p.is("asm") || p.is("__asm")) && p.at(1).Is("(") && p.at(2).Kind == preprocess.String &&
		p.at(3).Is(")") {
		p.i += 4
	}
}

// startsParams tells parameters from the arguments of an initialiser: T x(a, b).
func (p *parser) startsParams(d *Declarator) bool {
	if d.Name != nil {
		if last := d.Name.Last(); last.Convert != nil || last.Destroys ||
			len(last.Ident) > 8 && last.Ident[:8] == "operator" {
			return true
		}
	}
	t := p.at(1)
	if t.Is(")") || t.Is("...") || p.Language != CUDA {
		return true
	}
	from := p.i
	defer func() { p.i = from }()
	p.i++
	var attrs []Attr
	for p.attributes(&attrs) {
	}
	if p.isAttributeWord(p.peek().Text) || p.is("register") {
		return true
	}
	switch p.startsType() {
	case notType:
		return false
	case maybeType:
		if p.is("decltype") && p.at(1).Is("(") {
			if end := p.closing(p.i + 1); p.tokens[end+1].Is(",") || p.tokens[end+1].Is(")") {
				return true
			}
		}
		// A name that is not known: a parameter if a declarator follows.
		ok := false
		p.try(func() bool {
			p.name()
			n := len(p.pointers())
			ok = n == 0 && (p.isName(0) || p.startsWithKeyword(0)) ||
				n > 0 && (p.is(",") || p.is(")") || p.isName(0) &&
					(p.at(1).Is(",") || p.at(1).Is(")") || p.at(1).Is("=") || p.at(1).Is("["))) ||
				n == 0 && (p.is(",") || p.is(")")) && p.scope.outer == nil ||
				p.tokens[p.i-1].Kind == preprocess.Ident && keywords[p.tokens[p.i-1].Text] // T *const
			return false
		})
		return ok
	}
	ok := true // a type: a parameter, unless it is called or braces follow, as in x(int(y))
	p.try(func() bool {
		p.specifiers(inParam)
		nested := p.is("(")
		ok = !(p.is("{") || p.is("(") && !p.refers(1) && !p.at(1).Is(")") &&
			p.functionStyle() || p.is(".") ||
			p.is("(") && p.at(1).Is(")") && p.at(2).Kind != preprocess.Ident && !p.at(2).Is(",") && !p.at(2).Is(")"))
		if ok && nested { // what does not read as parameters is none: int(A<B>(x + y))
			p.i = from
			ok = p.try(func() bool { p.function(); return true })
		}
		return false
	})
	return ok
}

// functionStyle reports whether the parenthesis here holds an expression, as in int(y).
func (p *parser) functionStyle() bool {
	end := p.closing(p.i)
	p.i++
	after := p.tokens[min(end+1, len(p.tokens)-1)]
	if !slices.ContainsFunc([]string{",", ")", "=", "(", "["}, after.Is) {
		return true // an operator, as in int(y) & 7
	}
	if p.startsType() == certainType {
		literal := false
		p.try(func() bool { // int(T(3)), int(T{3}), int(T(f(3)))
			p.specifiers(inParam)
			literal = p.is("{") || p.is("(") && (p.at(1).Kind == preprocess.Number ||
				p.at(2).Is("(") && p.lookUp(p.at(1).Text).kind == valueName)
			return false
		})
		return literal
	}
	return !(p.isName(0) && p.i+1 == end) || p.lookUp(p.peek().Text).kind == valueName
}

// function reads parameters and what stands behind them.
func (p *parser) function() *FuncOp {
	f := &FuncOp{}
	p.i++
	outer := p.noGreater
	p.noGreater = false
	for !p.is(")") {
		if p.take("...") {
			f.Variadic = true
			break
		}
		f.Params = append(f.Params, p.param())
		if !p.take(",") {
			if p.take("...") { // T... without a comma in front is a pack; (int...) is C's
				f.Variadic = true
			}
			break
		}
	}
	p.noGreater = outer
	p.expect(")", "behind the parameters")
	if len(f.Params) == 1 && !f.Variadic {
		if b, ok := f.Params[0].Specs.Type.(*Builtin); ok && len(b.Words) == 1 && b.Words[0] == "void" &&
			f.Params[0].Decl.Name == nil && len(f.Params[0].Decl.Ops) == 0 {
			f.Params = nil
		}
	}
	p.afterParams(f)
	return f
}

// behindRef is what may follow the & or && of a function.
var behindRef = []string{"{", ";", "noexcept", "requires", ")", ">", ",", "=", "->", "override"}

// afterParams reads const, noexcept, -> T and their like.
func (p *parser) afterParams(f *FuncOp) {
	var attrs []Attr
	for {
		switch {
		case p.take("const"):
			f.Const = true
		case p.take("volatile"):
			f.Volatile = true
		case p.Language != CUDA:
			return
		case (p.is("&") || p.is("&&")) && slices.ContainsFunc(behindRef, p.at(1).Is):
			f.Ref = len(p.peek().Text)
			p.i++
		case p.is("noexcept") || p.is("throw"):
			f.NoThrow = p.noThrow()
		case p.take("override"):
			f.Override = true
		case p.take("final"):
			f.Final = true
		case p.take("->"):
			f.Result = p.typeID()
		case p.is("requires"):
			f.Requires = p.requiresClause(f.Requires)
		case p.is("__attribute__") && p.attributes(&attrs):
		default:
			return
		}
	}
}

// noThrow reads noexcept, noexcept(x) and throw(). What cannot be read yet, as it names members that follow, is a throw
// expression: nothing may ask for it.
func (p *parser) noThrow() Expr {
	pos, word := p.pos(), p.peek().Text
	p.i++
	x := Expr(&Lit{Pos: pos, Kind: BoolLit, Text: "true"})
	if !p.is("(") {
		return x
	}
	end := p.closing(p.i)
	defer p.inAngles(false)()
	switch {
	case word == "throw" && end > p.i+1:
		x = nil
	case word == "noexcept" && !p.try(func() bool { p.i++; x = p.expression(); return p.i == end }):
		x = &Throw{Pos: pos}
	}
	p.i = end + 1
	return x
}

// param reads a parameter.
func (p *parser) param() *Param {
	x := &Param{Specs: p.specifiers(inParam)}
	if x.Specs.Type == nil && len(x.Specs.Attrs) == 0 {
		p.fail(p.pos(), "the type of a parameter is expected, not %s", p.spelled())
	}
	x.Decl = p.declarator(either)
	if p.is("=") {
		x.Default = p.initialiser()
	}
	return x
}

// initialiser reads = x, = {...}, {...} or (...), if one stands here.
func (p *parser) initialiser() Init {
	in := Init{Pos: p.pos()}
	switch {
	case p.take("="):
		in.Assign = true
		if p.is("{") {
			in.List = p.list()
		} else {
			in.Expr = p.assignment()
		}
	case p.is("{") && p.Language == CUDA:
		in.List = p.list()
	case p.is("(") && p.Language == CUDA:
		p.i++
		args := p.arguments()
		p.expect(")", "behind the initialiser")
		in.Parens = &args
	}
	return in
}
