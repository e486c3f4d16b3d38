package frontend

import "slices"

// hoistDeclaration writes a member type or constant in front of the struct.
func (w *memberWriter) hoistDeclaration(d memberDecl, self *memberScope) {
	w.skip(d.start)
	k := d.start
	if w.is(k, "using") {
		w.put(k, "using "+d.outside)
		k = w.next(w.next(k))
		w.skip(k)
	}
	if d.kind == memberStatic && w.find(d.start, d.end, "=") == d.end {
		return
	}
	w.code(k, d.end, self)
	w.out.insert("\n", w.source, int(w.toks[d.start].start))
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
	open := w.next(d.nameTok)
	name := self.name + memberMark + d.name
	if w.is(d.nameTok, "operator") {
		name = d.name
		if op := w.operatorAt(d.nameTok); op == "()" || op == "[]" {
			open = w.next(open)
			open = w.next(open)
		} else if op != "" {
			open = w.next(open)
		} else {
			open = w.find(d.nameTok, d.end, "(")
		}
	}
	closing := w.shape.closing(open)
	body := w.find(closing, d.end, "{")
	if closing < 0 || body == d.end {
		return
	}
	w.out.insert("\n", w.source, int(w.toks[d.start].start))
	for k := d.start; k < d.nameTok; k = w.next(k) {
		if w.is(k, "static") || w.is(k, "explicit") {
			continue
		}
		w.out.insert(" ", w.source, int(w.toks[k].start))
		w.done = int(w.toks[k].start)
		w.code(k, k+1, self)
	}
	if name == operatorFn+"conv" { // its name is its type
		w.out.insert(" ", w.source, int(w.toks[d.nameTok].start))
		w.skip(w.next(d.nameTok))
		w.code(w.next(d.nameTok), open, self)
	}
	parameter := ""
	if !d.isStatic {
		parameter = self.name + " &" + nameThis
		if w.has(closing, body, "const") || name == operatorFn+"conv" { // often of a temporary
			parameter = "const " + parameter
		}
		if w.next(open) != closing && !(w.is(w.next(open), "void") && w.next(w.next(open)) == closing) {
			parameter += ", "
		}
	}
	w.out.insert(" "+name+"("+parameter, w.source, int(w.toks[d.nameTok].start))
	w.done = int(w.toks[open].end)
	if w.is(w.next(open), "void") && w.next(w.next(open)) == closing {
		w.done = int(w.toks[w.next(open)].end)
		open = w.next(open)
	}
	w.code(open+1, closing+1, self)
	if prototype {
		w.out.insert(";", w.source, int(w.toks[closing].start))
		return
	}
	w.out.insert(" ", w.source, int(w.toks[body].start))
	w.done = int(w.toks[body].start)
	w.code(body, d.end, self)
}

// hoistConstructor writes a constructor as a function that returns the object.
func (w *memberWriter) hoistConstructor(d memberDecl, self *memberScope) {
	open := w.next(d.nameTok)
	closing := w.shape.closing(open)
	at := int(w.toks[d.nameTok].start)
	w.out.insert("\n__device__ "+self.name+" "+constructor+self.name+"(", w.source, at)
	w.done = int(w.toks[open].end)
	w.code(open+1, closing+1, self)
	w.out.insert(" { "+self.name+" "+nameThis+"; ", w.source, at)
	k := w.next(closing)
	for ; k < d.end && !w.is(k, ":") && !w.is(k, "{"); k = w.next(k) {
	}
	for w.is(k, ":") || w.is(k, ",") { // a(x), b{y}
		field := w.next(k)
		from := w.next(field)
		to := w.shape.closing(from)
		if to < 0 {
			break
		}
		w.out.insert(nameThis+"."+w.at(field)+" = (", w.source, int(w.toks[field].start))
		if w.next(from) == to {
			w.out.insert("0", w.source, int(w.toks[field].start))
		}
		w.done = int(w.toks[from].end)
		w.code(from+1, to, self)
		w.out.insert("); ", w.source, int(w.toks[field].start))
		k = w.next(to)
	}
	w.done = int(w.toks[min(k, d.end-1)].start)
	w.code(k, d.end, self)
	w.out.insert(" return "+nameThis+"; }", w.source, at)
}
