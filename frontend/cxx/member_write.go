package cxx

import (
	"gpupipe/frontend/source"
	"gpupipe/frontend/tokens"
	"gpupipe/internal/diag"
)

// Member functions become functions of the object that they belong to, behind
// their struct; what typing does with the names is in package frontend's infer_member.go:
//
//	struct P { float x;                struct P { float x; };
//	  P(float a) : x(a) {}             P __kl_new_P(float a) { P __kl_this; __kl_this.x = (a); return __kl_this; }
//	  float twice() { return 2*x; }    float P__kl_twice(P &__kl_this) { return 2*x; }
//	  P operator-() const {...} };     P __kl_op_sub(const P &__kl_this) {...}
//	typedef float T; (member)          typedef float P__kl_T;
const (
	MemberMark        = "__kl_"
	This              = "__kl_this"
	ConstructorPrefix = "__kl_new_"
	OperatorPrefix    = "__kl_op_"
	BaseMark          = "__kl_base_"   // before the name of a base class, in the member that holds it
	MethodMark        = "__kl_method_" // before the name in a call of a member function that is called like a type
)

// operatorNames are the functions that overloaded operators become.
var operatorNames = map[string]string{
	"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem", "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
	"+=": "add_assign", "-=": "sub_assign", "*=": "mul_assign", "/=": "div_assign", "%=": "rem_assign", "=": "assign",
	"&": "and", "|": "or", "^": "xor", "&=": "and_assign", "|=": "or_assign", "^=": "xor_assign", "<<": "shl", ">>": "shr",
	"!": "not", "~": "bitnot", "[]": "index", "()": "call", "&&": "logand", "||": "logor",
}

// Members is what is known of a struct whose members have been taken out.
type Members struct {
	Name    string
	renamed map[string]string // member types and static constants: the name outside
	Made    bool              // it has a constructor
	// Default is set when a constructor without arguments has been made of the values that members have.
	Default bool
	Bases   []string // the classes that it is derived from
	Empty   bool     // it has no data
	// defaults are the values of its members, as in ".x = (1)".
	defaults []memberValue
	made     []string // bases that are made without arguments
	bare     bool     // it has a constructor without arguments

	declared map[string]memberDecl // member functions that are defined behind the struct, by name
}

// memberWriter takes the members out of the structs of one source.
type memberWriter struct {
	*writer
	structs   map[string]*Members
	templates bool // a function template has been taken out of a struct
	// shadowed is what the names of a function's aliases mean outside of it.
	shadowed map[string]*Members
}

// writeMembers replaces a source's text by one whose structs have no member
// functions.
//
// templates reports whether there are templates among the functions that they have become.
func (all *Program) writeMembers(s *source.File) (templates bool, _ *diag.Error) {
	w := &memberWriter{writer: &writer{Reader: all.Reader(s), all: all, set: all.Templates, out: &source.Text{}}, structs: all.Templates.Structs}
	items := map[int]int{}
	w.EachItem(func(i, end int, _ string) { items[i] = end })
	for i := 0; i < len(w.Tokens); i++ {
		end := items[i]
		w.leaveFunction()
		switch {
		case end == 0 || w.Is(i, "template"):
		case w.structWithMembers(i, end), w.definedOutside(i, end):
			i = end - 1
		default:
			h := w.Head(i, end)
			if h.IsFunction && w.Mark(i, h.Body, "__global__", "__device__") == "" && !w.Has(i, h.Body, "constexpr") && !w.constantInParentheses(i, h) {
				w.flush(end)
				i = end - 1
				continue
			}
			w.alias(i, end)
			w.code(i, end, nil)
			i = end - 1
		}
	}
	w.flush(len(w.Tokens))
	if !w.changed {
		return false, nil
	}
	return w.templates, all.relex(s, w.out)
}

// alias notes typedef S T; and using T = S; of a struct with members. In a function it holds up to
// the end of it.
func (w *memberWriter) alias(i, end int) {
	words := w.Words(i, end)
	n := len(words)
	var name string
	var target []string
	switch {
	case n > 3 && words[0] == "typedef":
		name, target = words[n-2], words[1:n-2]
	case n > 4 && words[0] == "using" && words[2] == "=":
		name, target = words[1], words[3:n-1]
	}
	if len(target) > 1 && target[0] == "typename" {
		target = target[1:]
	}
	for len(target) > 2 && target[1] == "::" && w.structs[target[0]] == nil { // of a namespace
		target = target[2:]
	}
	if len(target) != 1 || w.structs[target[0]] == nil {
		return
	}
	if w.Shape.InBody(i) {
		if w.shadowed == nil {
			w.shadowed = map[string]*Members{}
		}
		if _, already := w.shadowed[name]; !already {
			w.shadowed[name] = w.structs[name]
		}
	}
	w.structs[name] = w.structs[target[0]]
}

// leaveFunction ends what the aliases of a function hold for.
func (w *memberWriter) leaveFunction() {
	for name, m := range w.shadowed {
		if m == nil {
			delete(w.structs, name)
		} else {
			w.structs[name] = m
		}
	}
	clear(w.shadowed)
}

// structWithMembers writes the struct from token i to token end, and reports
// whether there was anything to take out of it.
func (w *memberWriter) structWithMembers(i, end int) bool {
	limit := w.Find(i, end, "(", "{", ";", "=")
	tag := w.Find(i, limit, "struct", "class")
	if tag == limit || w.Is(i, "typedef") || w.Is(w.Prev(tag), "enum") {
		return false
	}
	name := w.structName(tag)
	if name < 0 {
		return false
	}
	open := w.Next(name)
	if w.Is(open, "final") {
		open = w.Next(open)
	}
	bases, open := w.bases(open, end)
	closing := w.Shape.Closing(open)
	if !w.Is(open, "{") || closing < 0 {
		return false
	}
	members, plain, ok := w.members(open, closing, w.At(name))
	if !ok || plain && len(bases) == 0 && !w.hasValues(members, open) {
		return false
	}
	if hostClass(members) && (w.Is(tag, "class") || !w.plainFields(members)) {
		return false
	}
	m := &Members{Name: w.At(name), renamed: map[string]string{}, declared: map[string]memberDecl{}, Bases: bases}
	w.structs[w.At(name)] = m
	self := &memberScope{m}
	w.inherit(m)
	for _, d := range members {
		if d.device && (d.kind == memberConstructor || d.kind == memberDeclared && d.name == m.Name) {
			m.Made = true
			m.bare = m.bare || w.takesNothing(d)
		}
		if d.device && d.kind == memberDeclared {
			m.declared[d.name] = d
		}
		if d.outside != "" {
			m.renamed[d.name] = d.outside
		}
	}
	w.changed = true
	w.flush(i)
	for _, d := range members {
		if d.kind == memberType || d.kind == memberStatic {
			w.hoistDeclaration(d, self)
		}
	}
	w.skip(i)
	w.code(i, tag, self)
	w.skip(tag)
	w.put(tag, "struct")
	w.code(w.Next(tag), name+1, self)
	if len(bases) > 0 || w.Is(w.Next(name), "final") {
		w.skip(open)
	}
	w.code(open, open+1, self)
	empty := !w.writeBases(m, open)
	for _, d := range members {
		w.skip(d.start)
		if d.kind == memberField {
			w.field(d, open, self)
			empty = false
		}
	}
	w.skip(closing)
	m.Empty = empty
	if empty {
		w.out.Insert("char "+MemberMark+"empty; ", w.File, int(w.Tokens[closing].Start))
	}
	w.code(closing, end, self)
	w.defaultConstructor(self, int(w.Tokens[closing].Start))
	w.hoistTemplates(members, self)
	for _, d := range members {
		switch {
		case !d.device:
		case d.kind == memberFunction:
			w.hoistFunction(d, self, false)
		case d.kind == memberDeclared && d.name == self.Name:
			w.hoistConstructor(d, self)
		case d.kind == memberDeclared:
			w.hoistFunction(d, self, true)
		case d.kind == memberConstructor:
			w.hoistConstructor(d, self)
		case d.kind == memberFriend:
			w.skip(w.Next(d.start))
			w.code(w.Next(d.start), d.end, self)
		}
	}
	w.done = int(w.Tokens[end-1].End)
	return true
}

// hostClass reports whether a struct has functions, but none of device code.
func hostClass(members []memberDecl) bool {
	host := false
	for _, d := range members {
		if d.device && d.kind != memberField {
			return false
		}
		host = host || d.hostOnly
	}
	return host
}

// plainFields reports whether a struct of host functions has data of which device code may know: device code
// cannot call the functions, but be passed the struct.
func (w *memberWriter) plainFields(members []memberDecl) bool {
	fields := false
	for _, d := range members {
		if d.kind == memberField {
			if w.Has(d.start, d.end, "::", "<", "=", "{", "(") {
				return false
			}
			fields = true
		}
	}
	return fields
}

// memberKind is what a member of a struct is.
type memberKind uint8

const (
	memberField memberKind = iota + 1
	memberFunction
	memberConstructor
	memberType
	memberStatic
	memberFriend
	memberTemplate // a function
	memberDeclared // a function or constructor that is defined behind the struct
	memberDropped
)

// memberDecl is a member of a struct: tokens start to end.
type memberDecl struct {
	kind       memberKind
	start, end int
	name       string
	nameTok    int
	outside    string // the name outside of the struct
	device     bool   // device code can use it
	hostOnly   bool   // a function without a mark of device code
	isStatic   bool
}

// memberScope is the struct in whose members names are looked up.
type memberScope struct{ *Members }

// members lists a struct's members; plain means that all are fields. ok is
// false for what cannot be taken apart.
func (w *memberWriter) members(open, closing int, self string) (list []memberDecl, plain, ok bool) {
	plain = w.Is(w.Prev(w.Prev(open)), "struct")
	seen := map[string]int{}
	for k := w.Next(open); k < closing; {
		s := w.At(k)
		if (s == "public" || s == "private" || s == "protected") && w.Is(w.Next(k), ":") {
			plain = false
			k = w.Next(w.Next(k))
			continue
		}
		if s == ";" {
			k = w.Next(k)
			continue
		}
		d := memberDecl{kind: memberField, start: k, end: w.memberEnd(k, open, closing)}
		if d.end <= k {
			return nil, false, false
		}
		w.classify(&d, open, self)
		if d.kind == 0 {
			return nil, false, false
		}
		if (d.kind == memberFunction || d.kind == memberTemplate) && d.device {
			key := d.name + " " + tokens.JoinWords(w.parameterWords(d))
			if twin, ok := seen[key]; !ok {
				seen[key] = len(list)
			} else if w.isConst(d) || !w.isConst(list[twin]) {
				d.kind = memberDropped
			} else { // what is not const may also be changed through its result
				list[twin].kind = memberDropped
				seen[key] = len(list)
			}
		}
		plain = plain && d.kind == memberField
		list = append(list, d)
		k = w.Next(d.end - 1)
	}
	return list, plain, true
}

// isConst reports whether a member function is one for objects that are const.
func (w *memberWriter) isConst(d memberDecl) bool {
	closing := w.Shape.Closing(w.parameterList(d))
	return closing > 0 && w.Has(closing, w.Find(closing, d.end, "{"), "const")
}

// parameterWords spells a member function's parameters.
func (w *memberWriter) parameterWords(d memberDecl) []string {
	open := w.parameterList(d)
	return w.Words(open, max(open, w.Shape.Closing(open)))
}

// parameterList is the ( of a member function's parameters.
func (w *memberWriter) parameterList(d memberDecl) int {
	open := w.Next(d.nameTok)
	for !w.Is(open, "(") {
		open = w.Next(open)
	}
	if w.Is(w.Prev(open), "operator") {
		open = w.Next(w.Next(open))
	}
	return open
}

// memberEnd is the token behind the member that starts at token k.
func (w *memberWriter) memberEnd(k, open, closing int) int {
	function := false
	for ; k < closing; k++ {
		if w.Tokens[k].InDirective || w.Shape.Parent[k] != int32(open) {
			continue
		}
		switch w.At(k) {
		case "(":
			function = true
		case ";":
			return k + 1
		case "{":
			c := w.Shape.Closing(k)
			if c < 0 {
				return -1
			}
			if p := w.Prev(k); function && !(w.KindOf(p) == tokens.Ident && w.inInitialisers(p, open)) {
				return c + 1
			}
			k = c
		}
	}
	return closing
}

// inInitialisers reports whether the name at token p is a member in a
// constructor's list of initialisers, a{1}.
func (w *memberWriter) inInitialisers(p, open int) bool {
	q := w.Prev(p)
	return w.Is(q, ":") || w.Is(q, ",") && w.Shape.Parent[q] == int32(open)
}

// classify tells what kind of member d is; 0 if it cannot be taken out.
func (w *memberWriter) classify(d *memberDecl, open int, self string) {
	limit := w.Find(d.start, d.end, "(", "{", ";", "=")
	d.device = w.Mark(d.start, limit, "__device__") != "" || w.Has(d.start, limit, "constexpr")
	d.isStatic = w.Has(d.start, limit, "static")
	first := w.At(d.start)
	switch {
	case w.Has(d.start, limit, "virtual"):
		d.kind = 0
		return
	case first == "template":
		w.classifyTemplate(d, open, self)
		return
	case first == "friend":
		d.kind = memberDropped
		if d.device && w.Has(d.start, d.end, "{") {
			d.kind = memberFriend
		}
		return
	case first == "using" && w.Is(w.Next(w.Next(d.start)), "="):
		d.kind, d.name = memberType, w.At(w.Next(d.start))
		d.outside = self + MemberMark + d.name
		return
	case first == "using":
		d.kind = memberDropped
		return
	case first == "typedef":
		d.kind, d.name = memberType, w.At(w.Prev(d.end-1))
		d.outside = self + MemberMark + d.name
		return
	}
	if tag := w.Find(d.start, limit, "struct", "union", "enum", "class"); tag < limit && limit < d.end && w.Is(limit, "{") {
		d.kind = memberField // a nested type with, perhaps, a field of it
		return
	}
	for k := d.start; k < d.end; k++ {
		if w.Tokens[k].InDirective || w.Shape.Parent[k] != int32(open) {
			continue
		}
		switch s := w.At(k); {
		case s == "operator":
			d.kind, d.nameTok = memberFunction, k
			d.name = OperatorPrefix + "conv"
			if op := w.operatorAt(k); operatorNames[op] != "" {
				d.name = OperatorPrefix + operatorNames[op]
			}
			w.onlyDeclared(d, w.parameterList(*d))
			return
		case s == "=" || s == ";" || s == "{":
			d.kind = memberField
			if d.isStatic {
				d.kind, d.nameTok = memberStatic, w.Prev(k)
				d.name = w.At(d.nameTok)
				d.outside = self + MemberMark + d.name
			}
			return
		case s == "(":
			p := w.Prev(k)
			if w.KindOf(p) != tokens.Ident || AttributeWord(w.At(p)) || w.all.Words.Marks[w.At(p)] != "" {
				if c := w.Shape.Closing(k); c > 0 {
					k = c
				}
				continue
			}
			d.kind, d.nameTok, d.name = memberFunction, p, w.At(p)
			body := w.Find(k, d.end, "{")
			switch q := w.Prev(p); {
			case w.Is(q, "~"):
				d.kind = memberDropped
				if c := w.Shape.Closing(body); d.device && body < d.end && c != w.Next(body) {
					d.kind = 0 // its body would have to run at the end of every scope
				}
			case d.name == self:
				d.kind = memberConstructor
			case d.isStatic:
				d.outside = self + MemberMark + d.name
			}
			d.hostOnly = !d.device && !w.Is(w.Next(w.Shape.Closing(k)), "=")
			w.onlyDeclared(d, k)
			return
		}
	}
	d.kind = memberField
}

// onlyDeclared notes that a member function, whose parameters are in the ( at token open, has no body.
func (w *memberWriter) onlyDeclared(d *memberDecl, open int) {
	closing := w.Shape.Closing(open)
	switch {
	case closing < 0:
	case w.Is(w.Next(closing), "="): // defaulted or deleted
		d.kind = memberDropped
	case w.Find(closing, d.end, "{") == d.end && (d.kind == memberFunction || d.kind == memberConstructor):
		d.kind = memberDropped
		if d.device {
			d.kind = memberDeclared
		}
	}
}

// operatorAt spells the operator behind the word operator at token k; "" for a
// conversion.
func (w *memberWriter) operatorAt(k int) string {
	n := w.Next(k)
	switch s := w.At(n); {
	case (s == "(" || s == "[") && w.Shape.Closing(n) == w.Next(n):
		return s + w.At(w.Next(n))
	case w.KindOf(n) == tokens.Punct:
		if operatorNames[s] == "" {
			return "?"
		}
		return s
	}
	return ""
}

// put writes text in place of token k.
func (w *memberWriter) put(k int, text string) {
	w.out.Insert(text, w.File, int(w.Tokens[k].Start))
	w.done = int(w.Tokens[k].End)
}
