package cxx

import "slices"

// hoistDeclaration writes a member type or constant in front of the struct.
func (w *memberWriter) hoistDeclaration(d memberDecl, self *memberScope) {
	w.skip(d.start)
	k := d.start
	if w.Is(k, "using") {
		w.put(k, "using "+d.outside)
		k = w.Next(w.Next(k))
		w.skip(k)
	}
	if d.kind == memberStatic && w.Find(d.start, d.end, "=") == d.end {
		return
	}
	w.code(k, d.end, self)
	w.out.Insert("\n", w.File, int(w.Tokens[d.start].Start))
}

// definedOutside writes the definition of a member function behind its struct, S::f() {}, from token i to
// token end, and reports whether there is one.
func (w *memberWriter) definedOutside(i, end int) bool {
	body := w.Find(i, end, "{")
	for k := i; k < body; k = w.Next(k) {
		if !w.Is(k, "::") || w.Shape.Parent[k] != w.Shape.Parent[i] || w.Prev(k) < i {
			continue
		}
		m := w.structs[w.At(w.Prev(k))]
		if m == nil {
			continue
		}
		d := memberDecl{kind: memberFunction, start: i, end: end, nameTok: w.Next(k), name: w.At(w.Next(k))}
		if d.name == "operator" {
			d.name = OperatorPrefix + operatorNames[w.operatorAt(d.nameTok)]
		} else if !w.Is(w.Next(d.nameTok), "(") {
			continue
		}
		declaration, ok := m.declared[d.name]
		if !ok {
			return false
		}
		d.isStatic = declaration.isStatic
		w.changed = true
		w.flush(i)
		w.skip(i)
		if d.name == m.Name {
			w.hoistConstructor(d, &memberScope{m})
		} else {
			w.hoistFunction(d, &memberScope{m}, false)
		}
		w.done = int(w.Tokens[end-1].End)
		return true
	}
	return false
}

// hoistTemplates writes the function templates behind the struct, and before them the prototypes of its
// other functions: members may call each other in any order.
func (w *memberWriter) hoistTemplates(members []memberDecl, self *memberScope) {
	if !slices.ContainsFunc(members, func(d memberDecl) bool { return d.kind == memberTemplate }) {
		return
	}
	w.templates = true
	for _, d := range members {
		if d.kind == memberFunction && d.device {
			w.hoistFunction(d, self, true)
		}
	}
	for _, d := range members {
		if d.kind == memberTemplate {
			w.hoistFunction(d, self, false)
		}
	}
}

// hoistFunction writes a member function behind the struct, or its prototype.
func (w *memberWriter) hoistFunction(d memberDecl, self *memberScope, prototype bool) {
	open := w.Next(d.nameTok)
	name := self.Name + MemberMark + d.name
	if w.Is(d.nameTok, "operator") {
		name = d.name
		if op := w.operatorAt(d.nameTok); op == "()" || op == "[]" {
			open = w.Next(open)
			open = w.Next(open)
		} else if op != "" {
			open = w.Next(open)
		} else {
			open = w.Find(d.nameTok, d.end, "(")
		}
	}
	closing := w.Shape.Closing(open)
	body := w.Find(closing, d.end, "{")
	if closing < 0 || body == d.end && !prototype {
		return
	}
	w.out.Insert("\n", w.File, int(w.Tokens[d.start].Start))
	typeEnd := d.nameTok
	if w.Is(w.Prev(typeEnd), "::") { // defined behind the struct
		typeEnd = w.Prev(w.Prev(typeEnd))
	}
	for k := d.start; k < typeEnd; k = w.Next(k) {
		if w.Is(k, "static") || w.Is(k, "explicit") {
			continue
		}
		w.out.Insert(" ", w.File, int(w.Tokens[k].Start))
		w.done = int(w.Tokens[k].Start)
		w.code(k, k+1, self)
	}
	if name == OperatorPrefix+"conv" { // its name is its type
		w.out.Insert(" ", w.File, int(w.Tokens[d.nameTok].Start))
		w.skip(w.Next(d.nameTok))
		w.code(w.Next(d.nameTok), open, self)
	}
	parameter := ""
	if !d.isStatic {
		parameter = self.Name + " &" + This
		if w.Has(closing, body, "const") || name == OperatorPrefix+"conv" { // often of a temporary
			parameter = "const " + parameter
		}
		if w.Next(open) != closing && !(w.Is(w.Next(open), "void") && w.Next(w.Next(open)) == closing) {
			parameter += ", "
		}
	}
	w.out.Insert(" "+name+"("+parameter, w.File, int(w.Tokens[d.nameTok].Start))
	w.done = int(w.Tokens[open].End)
	if w.Is(w.Next(open), "void") && w.Next(w.Next(open)) == closing {
		w.done = int(w.Tokens[w.Next(open)].End)
		open = w.Next(open)
	}
	w.code(open+1, closing+1, self)
	if prototype {
		w.out.Insert(";", w.File, int(w.Tokens[closing].Start))
		return
	}
	w.out.Insert(" ", w.File, int(w.Tokens[body].Start))
	w.done = int(w.Tokens[body].Start)
	w.code(body, d.end, self)
}

// hoistConstructor writes a constructor as a function that returns the object; only its prototype, where it has no
// body.
func (w *memberWriter) hoistConstructor(d memberDecl, self *memberScope) {
	open := w.Next(d.nameTok)
	closing := w.Shape.Closing(open)
	at := int(w.Tokens[d.nameTok].Start)
	w.out.Insert("\n__device__ "+self.Name+" "+ConstructorPrefix+self.Name+"(", w.File, at)
	w.done = int(w.Tokens[open].End)
	w.code(open+1, closing+1, self)
	if w.Find(closing, d.end, "{") == d.end {
		w.out.Insert(";", w.File, at)
		return
	}
	k := w.Next(closing)
	for ; k < d.end && !w.Is(k, ":") && !w.Is(k, "{"); k = w.Next(k) {
	}
	w.out.Insert(" { "+self.Name+" "+This+self.initially(w.initialised(k, d.end))+"; ", w.File, at)
	for w.Is(k, ":") || w.Is(k, ",") { // a(x), b{y}
		field := w.Next(k)
		from := w.Next(field)
		to := w.Shape.Closing(from)
		if to < 0 {
			break
		}
		opening, closing := "(", ")"
		member := w.memberNamed(self.Members, w.At(field))
		if made := w.structs[w.At(field)]; made != nil && (w.At(field) == self.Name || member != w.At(field)) && (made.Made || made.Default) {
			opening = ConstructorPrefix + made.Name + "("
		} else if w.Next(from) == to || w.separated(from, to) { // maybe of a struct's constructor
			opening, closing = "{", "}"
		}
		target := This + "." + member
		if w.At(field) == self.Name { // another constructor of the same class
			target = This
		}
		w.out.Insert(target+" = "+opening, w.File, int(w.Tokens[field].Start))
		w.done = int(w.Tokens[from].End)
		w.code(from+1, to, self)
		w.out.Insert(closing+"; ", w.File, int(w.Tokens[field].Start))
		k = w.Next(to)
	}
	w.done = int(w.Tokens[min(k, d.end-1)].Start)
	w.code(k, d.end, self)
	w.out.Insert(" return "+This+"; }", w.File, at)
}

// separated reports whether a comma separates values between the brackets at tokens open and closing.
func (w *memberWriter) separated(open, closing int) bool {
	for k := w.Next(open); k < closing; k = w.Next(k) {
		if c := w.Shape.Closing(k); c > k {
			k = c
		} else if w.Is(k, "<") {
			if _, end, _, ok := w.AngleWords(k); ok {
				k = end
			}
		} else if w.Is(k, ",") {
			return true
		}
	}
	return false
}
