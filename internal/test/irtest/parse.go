package irtest

import (
	"encoding/hex"
	"strings"

	"gpupipe/idg/isa"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// Parse reads the text of Format: Format(Parse(t)) is t for a t that Format made. Numbers of values and labels
// may be others in a text that somebody wrote, positions may be missing, and comments may stand in their place.
// It checks what the text needs to be read, Verify the rest. An error begins with "line:column: ".
func Parse(text string) (f *ir.Func, err error) {
	p := &parser{scanner: scanner{lines: strings.Split(text, "\n")}, values: map[string]*ir.Value{},
		objects: map[string]ir.ObjectID{}, labels: map[string]*ir.Instr{}}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case problem:
			f, err = nil, r.error
		default:
			panic(r)
		}
	}()
	p.kernel()
	return p.f, nil
}

// parser reads one kernel.
type parser struct {
	scanner
	f       *ir.Func
	values  map[string]*ir.Value   // by the name in the text
	objects map[string]ir.ObjectID // likewise
	labels  map[string]*ir.Instr
}

// kernel reads all of a text.
func (p *parser) kernel() {
	if !p.nextLine() || !p.keyword("kernel") {
		p.fail("want kernel")
	}
	name, accuracy := p.name(), lower.Accuracy(0)
	for a := lower.Rounded; a <= lower.Fast; a++ {
		if p.keyword(a.String()) {
			accuracy = a
		}
	}
	p.keyword("invalid")
	pos := p.end()
	p.file = pos.File
	var params []ir.Param
	var names, pointees []string
	p.want()
	for p.keyword("param") {
		a, full, pointee := p.param()
		params, names, pointees = append(params, a), append(names, full), append(pointees, pointee)
		p.want()
	}
	var objects []ir.Object
	for p.keyword("object") {
		o, full := p.object()
		objects = append(objects, o)
		if p.objects[full] != 0 {
			p.fail("a second object @%s", full)
		}
		p.objects[full] = ir.ObjectID(len(objects))
		p.want()
	}
	for i, name := range pointees {
		if name != "" {
			if params[i].Object = p.objects[name]; params[i].Object == 0 {
				p.fail("no object @%s, which %s points to", name, names[i])
			}
		}
	}
	p.f = ir.NewFunc(name, pos, params, objects)
	p.f.Accuracy = accuracy
	for i, name := range names {
		p.define(name, p.f.Args[i])
	}
	p.must("{")
	p.end()
	p.block(p.f.Body)
	p.end()
	if p.nextLine() {
		p.fail("text behind the kernel")
	}
}

// want goes to the next line.
func (p *parser) want() {
	if !p.nextLine() {
		p.fail("the text ends too early")
	}
}

// param reads a line behind that word.
func (p *parser) param() (a ir.Param, full, pointee string) {
	a.Name, full = p.numbered()
	a.Type = p.typ()
	if p.has("->") {
		p.must("@")
		_, pointee = p.numbered()
	}
	if p.keyword("offset") {
		a.Offset = p.int()
	}
	if p.keyword("ctype") {
		a.CType = p.quoted()
	}
	a.Pos = p.end()
	return a, full, pointee
}

// object reads a line behind that word.
func (p *parser) object() (o ir.Object, full string) {
	p.must("@")
	o.Name, full = p.numbered()
	o.Space = p.space()
	if typesByName[p.peek()] != 0 {
		o.Elem = p.typ()
	}
	if w := p.peek(); w != "" && w[0] >= '0' && w[0] <= '9' {
		o.Size = p.int()
		if !p.keyword("bytes") {
			p.fail("want bytes")
		}
	}
	o.Restrict = p.keyword("restrict")
	o.ReadOnly = p.keyword("readonly")
	o.Dynamic = p.keyword("dynamic")
	if p.keyword("init") {
		b, err := hex.DecodeString(p.quoted())
		if err != nil {
			p.fail("%v", err)
		}
		o.Init = append([]byte{}, b...)
	}
	o.Pos = p.end()
	return o, full
}

// define notes what a name in the text is.
func (p *parser) define(name string, v *ir.Value) {
	if p.values[name] != nil {
		p.fail("a second value %s", name)
	}
	p.values[name] = v
}

// block reads instructions up to the "}" behind them.
func (p *parser) block(b *ir.Block) {
	for {
		p.want()
		if p.has("}") {
			return
		}
		p.instr(b)
	}
}

// result is one as it is written.
type result struct {
	base, full string
	typ        ir.Type
}

// results reads "r:type, ... =" if that is next.
func (p *parser) results() []result {
	start := p.at
	var list []result
	for {
		var r result
		switch {
		case p.has("%"):
			r.full = "%" + p.digits()
		case p.startsName() || !p.ended() && p.text[p.at] == '"':
			r.base, r.full = p.numbered()
		default:
			p.at = start
			return nil
		}
		if p.has(":") {
			if typesByName[p.peek()] == 0 { // region.f::g L1
				p.at = start
				return nil
			}
			r.typ = p.typ()
		}
		list = append(list, r)
		if p.has("=") {
			return list
		}
		if !p.has(",") {
			p.at = start
			return nil
		}
	}
}

// instr reads an instruction, with its blocks.
func (p *parser) instr(b *ir.Block) {
	results := p.results()
	w := p.peek()
	in := &ir.Instr{Op: opsByName[w], Parent: b}
	if in.Op == 0 {
		p.fail("want an operation")
	}
	p.at += len(w)
	control := in.Op >= lower.OpIf && in.Op <= lower.OpContinue
	if !control {
		p.types(in)
	}
	for _, r := range results {
		if r.typ == 0 {
			r.typ = ir.ResultType(in)
		}
		if r.typ == 0 {
			p.fail("the type of %s is missing", r.full)
		}
		p.f.AddResult(in, r.typ, r.base)
	}
	if control {
		p.control(in)
	} else {
		p.operation(in)
	}
	for i, r := range results {
		p.define(r.full, in.Results[i])
	}
	b.Append(in)
}

// types reads ".space.type.from".
func (p *parser) types(in *ir.Instr) {
	in.Type = ir.ImpliedType(in.Op)
	var types []ir.Type
	for p.at < len(p.text) && p.text[p.at] == '.' {
		p.at++
		w := p.peek()
		switch {
		case len(types) == 0 && in.Space == 0 && isa.SpaceNamed(w) != 0:
			in.Space = p.space()
		case w == "invalid":
			p.at += len(w)
			types = append(types, 0)
		default:
			types = append(types, p.typ())
		}
	}
	switch {
	case len(types) > 2:
		p.fail("more than two types")
	case len(types) == 2:
		in.Type, in.From = types[0], types[1]
	case len(types) == 1 && ir.ImpliedType(in.Op) != 0:
		in.From = types[0]
	case len(types) == 1:
		in.Type = types[0]
	}
}

// operation reads what is behind the types of an instruction without blocks.
func (p *parser) operation(in *ir.Instr) {
	if p.function(in) {
		if w := p.peek(); in.Op == lower.Index && w != "" && w[0] <= '9' {
			in.Dim = p.small()
		} else {
			p.operands(in)
		}
		p.must(")")
	} else {
		p.operands(in)
	}
	in.Align = ir.NaturalAlign(in)
	for !p.ended() {
		switch {
		case p.has("*"):
			in.Scale = p.int()
			if p.keyword("of") {
				in.Element = p.quoted()
			}
		case p.keyword("align"):
			in.Align = p.int()
		case p.keyword("at"):
			in.Offset = int32(p.int())
			if !p.keyword("of") {
				p.fail("want of")
			}
			in.Whole = int32(p.int())
		case p.keyword("dim"):
			in.Dim = p.small()
		case p.keyword("volatile"):
			in.Volatile = true
		case p.keyword("subscript"):
			in.Subscript = true
		case p.keyword("component"):
			in.Component = int32(p.small())
		default:
			p.fail("want an attribute")
		}
	}
	in.Pos = p.end()
}

// function reads "fn(" if that is next.
func (p *parser) function(in *ir.Instr) bool {
	if p.ended() {
		return false
	}
	start := p.at
	if p.text[p.at] == '"' || ir.InWord(p.text[p.at]) {
		if fn := p.word(); p.at < len(p.text) && p.text[p.at] == '(' {
			in.Fn = fn
			p.at++
			return true
		}
	}
	p.at = start
	return false
}

// operands reads a list of them.
func (p *parser) operands(in *ir.Instr) {
	if !p.startsOperand() {
		return
	}
	for {
		in.Args = append(in.Args, p.operand(ir.OperandType(in, len(in.Args))))
		if !p.has(",") {
			return
		}
	}
}

// startsOperand reports whether an operand is next, not an attribute.
func (p *parser) startsOperand() bool {
	if p.ended() {
		return false
	}
	switch c := p.text[p.at]; c {
	case '%', '@', '"', '-':
		return true
	case '*', '{', ')', '(':
		return false
	}
	w := p.whole()
	return !ir.Reserved[w] || constantWords[w]
}

// constantWords are the constants that are no numbers.
var constantWords = map[string]bool{"true": true, "false": true, "undef": true, "inf": true, "nan": true}

// operand reads a value where one of a type is expected.
func (p *parser) operand(implied ir.Type) *ir.Value {
	if p.ended() {
		p.fail("want an operand")
	}
	c := p.text[p.at]
	switch {
	case p.has("@"):
		_, full := p.numbered()
		id := p.objects[full]
		if id == 0 {
			p.fail("no object @%s", full)
		}
		return p.f.Address(id)
	case p.has("%"):
		return p.used("%" + p.digits())
	case c == '-' || '0' <= c && c <= '9' || constantWords[p.whole()]:
		return p.constant(implied)
	}
	_, full := p.numbered()
	return p.used(full)
}

// used is the value of a name.
func (p *parser) used(name string) *ir.Value {
	v := p.values[name]
	if v == nil {
		p.fail("no value %s before this", name)
	}
	return v
}

// constant reads one, with its type where it is not the implied one.
func (p *parser) constant(implied ir.Type) *ir.Value {
	from := p.at
	for p.at < len(p.text) && strings.IndexByte(" \t\r,;):*{", p.text[p.at]) < 0 {
		p.at++
	}
	text := p.text[from:p.at]
	if p.at < len(p.text) && p.text[p.at] == ':' {
		p.at++
		implied = p.typ()
	}
	if implied == 0 {
		p.fail("the type of %s is missing", text)
	}
	if text == "undef" {
		return p.f.Undef(implied)
	}
	bits, ok := ir.ParseConst(implied, text)
	if !ok {
		p.fail("%s is no %v", text, implied)
	}
	return p.f.Constant(implied, bits)
}
