package resolve

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Classes become structs of C: the data of a base are a member, and a base without data is nothing.

// classKind is the kind of a class's type.
func classKind(key string) ctypes.Kind {
	if key == "union" {
		return ctypes.Union
	}
	return ctypes.Struct
}

// elaborated is the class or enumeration that "struct S" names; where there is none, it is declared.
func (c *checker) elaborated(s *syntax.NamedType) *ctypes.Type {
	name := s.Name.Parts[0].Ident
	if sym := c.lookupFrom(c.scope, name, true); sym != nil && sym.kind == symType {
		c.use(sym)
		return sym.typ.Type
	}
	if s.Tag == "enum" {
		c.undeclared(s.Name.Pos, name, "type")
		return invalidType
	}
	in := c.scope
	for in.kind == templateScope || in.kind == functionScope {
		in = in.up
	}
	return c.newClass(&syntax.Class{Pos: s.Name.Pos, Key: s.Tag, Name: s.Name}, name, in).typ
}

// classSpecifier is the class that a specifier defines or declares in the current scope.
func (c *checker) classSpecifier(n *syntax.Class) *ctypes.Type {
	for s := c.scope; s != nil; s = s.up {
		if t := s.defined[n]; t != nil {
			return t
		}
	}
	name := ""
	if n.Name != nil {
		name = n.Name.Last().Ident
	}
	in := c.scope.outsideTemplate()
	var cl *class
	if old := in.tags[name]; name != "" && old != nil {
		cl = c.classes[old.typ.Type]
		if cl == nil || n.Define && cl.node != nil && cl.node != n {
			cl = nil
		}
	}
	if cl == nil {
		cl = c.newClass(n, name, in)
	}
	if n.Define {
		cl.node, cl.seq = n, c.seq
		if in.isNamespace() && c.fn == nil {
			cl.seq = c.seq
		}
	}
	c.scope.define(n, cl.typ)
	if n.Define && (c.cfg.Dialect == ast.OpenCL || !in.isNamespace() && in.kind != classScope) {
		c.complete(cl)
		if len(cl.errs) > 0 {
			c.blame(cl.errs)
			return invalidType
		}
	}
	return cl.typ
}

// nestedClass defines a member class outside of its class.
func (c *checker) nestedClass(n *syntax.Class) {
	if in := c.insideOf(c.lookupQuietly(n.Name.Qualifier())); in != nil && n.Define {
		c.defineNested(n, in, in)
	}
}

// insideOf is the scope of a namespace or class; nil of anything else.
func (c *checker) insideOf(sym *symbol) *scope {
	switch {
	case sym == nil:
		return nil
	case sym.kind == symType && c.classes[sym.typ.Type] != nil:
		cl := c.classes[sym.typ.Type]
		c.complete(cl)
		return cl.scope
	}
	return sym.space
}

// defineNested gives the class of a name in a scope its definition, whose names are looked up in up.
func (c *checker) defineNested(n *syntax.Class, in, up *scope) {
	if sym := in.own(n.Name.Last().Ident, 0, true); sym != nil && sym.kind == symType {
		if cl := c.classes[sym.typ.Type]; cl != nil && cl.node == nil {
			cl.node, cl.seq, cl.scope.up = n, c.seq, up
		}
	}
}

// newClass declares a class.
func (c *checker) newClass(n *syntax.Class, name string, in *scope) *class {
	cl := &class{name: name, typ: &ctypes.Type{Kind: classKind(n.Key)}, seq: c.seq}
	if name != "" {
		cl.typ.Name = join(in.path(), name)
	}
	cl.scope = &scope{kind: classScope, up: in, class: cl}
	if c.fn != nil {
		cl.local = c.fn
	}
	c.classes[cl.typ] = cl
	cl.symbol = &symbol{kind: symType, name: name, pos: n.Pos, seq: c.seq, in: in, typ: plain(cl.typ),
		cTag: c.cfg.Dialect == ast.OpenCL}
	if name != "" {
		if old := in.names[name]; old != nil && old.kind == symTemplate && c.isLibrary(old.pos) {
			delete(in.names, name) // texture and surface, which CUDA 12 has no more
		}
		in.declareTag(cl.symbol)
		in.order = append(in.order, cl.symbol)
	}
	return cl
}

// complete reads the members of a class.
func (c *checker) complete(cl *class) {
	if cl.state != declared {
		return
	}
	if cl.node == nil && cl.tmpl != nil {
		c.findDefinition(cl)
	}
	if cl.node == nil || !cl.node.Define {
		return
	}
	cl.state = completing
	done := c.enterDeclaration()
	defer done()
	if cl.tmpl != nil {
		c.nesting++
		defer func() { c.nesting-- }()
	}
	c.errs = &cl.errs
	c.scope = cl.scope
	if cl.scope.limit == 0 {
		cl.scope.limit = cl.seq
	}
	var fields []ctypes.Field
	c.bases(cl, &fields)
	c.placeTable(cl, &fields)
	c.members(cl, cl.node.Body, &fields)
	c.declareEqual(cl)
	c.endBits(cl, &fields, 0)
	cl.access = isPublic
	attrs := cl.node.Attrs
	align := max(cl.align, c.alignAttribute(attrs))
	cl.typ.LayOut(fields, cl.pack(), align)
	if cl.empty = len(fields) == 0 && c.cfg.Dialect == ast.CUDA; cl.empty {
		cl.addEmpties([]emptyAt{{cl, 0}}, 0)
	}
	for _, e := range cl.empties {
		cl.typ.Extend(e.at + 1)
	}
	cl.state = complete
	if len(cl.errs) > 0 && c.cfg.Dialect == ast.OpenCL {
		cl.typ.Fields = nil
	}
	for _, later := range c.afterClass[cl] {
		later()
	}
	delete(c.afterClass, cl)
}

// bases reads the bases of a class.
func (c *checker) bases(cl *class, fields *[]ctypes.Field) {
	one := func(b *syntax.BaseSpec) {
		if b.Virtual {
			c.unsupported(b.Pos, "virtual bases are", "make the base a member")
			return
		}
		t := c.typeID(b.Type)
		of := c.classes[t.Type]
		if t.Kind == ctypes.Vector && of == nil {
			of = c.vectorClass(t.Type, b.Pos)
		}
		switch {
		case t.Kind == 0:
			return
		case of == nil:
			c.errorf(b.Pos, codeType, "%v is not a class", t.Type)
			return
		}
		c.complete(of)
		if of.state != complete {
			c.errorf(b.Pos, codeDeclare, "the base %v is incomplete", t.Type)
			return
		}
		c.blame(of.errs)
		field := -1
		data := ctypes.Field{Name: of.typ.Name, Type: of.typ, Shares: of.typ.HasTail() && !c.isPOD(of)}
		switch {
		case of.empty:
			cl.placeEmpty(of, *fields)
		case of.isPolymorphic() && !slices.ContainsFunc(cl.bases, base.isPolymorphic):
			cl.prepend(data, fields) // the primary base (Itanium C++ ABI, 2.4, II)
			field = 0
		default:
			c.appendApart(cl, data, fields)
			field = len(*fields) - 1
		}
		cl.bases = append(cl.bases, base{class: of, field: field, access: accessOf(b.Access, cl.node.Key),
			dependent: c.isDependent(b.Type)})
	}
	for i := range cl.node.Bases {
		b := &cl.node.Bases[i]
		if b.Pack {
			c.expand(b.Type, func() { one(b) })
			continue
		}
		one(b)
	}
}

// vectorClass makes a vector a class, whose members are its lanes: that is what CUDA's are.
func (c *checker) vectorClass(t *ctypes.Type, pos diag.Pos) *class {
	cl := &class{name: c.spell(t), typ: t, state: complete, node: &syntax.Class{Pos: pos, Define: true}}
	cl.scope = &scope{kind: classScope, up: c.file, class: cl}
	cl.symbol = &symbol{kind: symType, name: cl.name, pos: pos, in: c.file, typ: plain(t)}
	for i := range t.Len {
		cl.scope.declare(&symbol{kind: symField, name: "xyzw"[i : i+1], pos: pos, in: cl.scope, class: cl,
			typ: plain(t.Elem)})
	}
	c.classes[t] = cl
	return cl
}

// isDependent reports whether a parameter of a template is named in a type.
func (c *checker) isDependent(t *syntax.TypeID) (found bool) {
	syntax.Visit(t, func(n any) bool {
		if n, ok := n.(*syntax.Name); ok && !n.Global && len(n.Parts) > 0 {
			found = found || c.isTemplateParameter(n.Parts[0].Ident)
		}
		return !found
	})
	return found
}

// isTemplateParameter reports whether a name is that of a parameter of a template around.
func (c *checker) isTemplateParameter(name string) bool {
	for s := c.scope; s != nil && !s.isNamespace(); s = s.up {
		if sym := s.own(name, 0, false); sym != nil {
			return s.kind == templateScope
		}
	}
	return false
}

// members reads the members of a class.
func (c *checker) members(cl *class, list []syntax.Decl, fields *[]ctypes.Field) {
	cl.access = accessOf("", cl.node.Key)
	for _, d := range list {
		switch d := d.(type) {
		case *syntax.Access:
			cl.access = accessOf(d.Kind, "")
		case *syntax.Vars:
			c.memberVars(cl, d, fields)
		case *syntax.Function:
			if d.Specs.Friend {
				c.friend(d, nil, cl)
				continue
			}
			c.declareMember(cl, d, nil)
		case *syntax.Template:
			c.memberTemplate(cl, d)
		case *syntax.Alias:
			c.declareAlias(d, cl.scope)
		case *syntax.Using:
			c.memberUsing(cl, d)
		case *syntax.StaticAssert:
			c.afterwards(cl, func() { c.staticAssert(d) })
		case *syntax.BadDecl:
			if d.Err != nil {
				c.blameOne(d.Err)
			}
		}
	}
}

// afterwards is done when the class is complete.
func (c *checker) afterwards(cl *class, f func()) {
	c.afterClass[cl] = append(c.afterClass[cl], f)
}

// friends reads a declaration of friends.
func (c *checker) friends(d *syntax.Vars, params *templateParams, cl *class) {
	cl.befriendType(d.Specs)
	for _, v := range d.Decls {
		if isFunctionDeclarator(v) {
			c.friend(&syntax.Function{Specs: d.Specs, Decl: v.Decl}, params, cl)
		}
	}
}

// memberVars reads data members, static ones, types, and functions that are defined elsewhere.
func (c *checker) memberVars(cl *class, d *syntax.Vars, fields *[]ctypes.Field) {
	if d.Specs.Friend {
		c.friends(d, nil, cl)
		return
	}
	c.enterTags(d.Specs, cl.scope)
	if len(d.Decls) == 0 {
		// An anonymous struct or union: its members belong to this one.
		if n, ok := d.Specs.Type.(*syntax.Class); ok && n.Define && n.Name == nil {
			t := c.specified(d.Specs)
			if in := c.classes[t.Type]; in != nil {
				c.complete(in)
				c.endBits(cl, fields, in.typ.Align())
				c.anonymous(cl, in, len(*fields), fields)
			}
		}
		return
	}
	for _, v := range d.Decls {
		name := v.Decl.Name
		if v.Decl.Bits != nil {
			c.bitMember(cl, d.Specs, v, fields)
			continue
		}
		if name == nil {
			continue
		}
		ident := name.Parts[0].Ident
		switch {
		case isFunctionDeclarator(v) && !d.Specs.Typedef:
			c.declareMember(cl, &syntax.Function{Specs: d.Specs, Decl: v.Decl}, nil)
		case d.Specs.Typedef:
			sym := &symbol{kind: symType, name: ident, pos: v.Decl.Pos, in: cl.scope, typ: invalid}
			cl.scope.declare(c.lazy(sym, cl.scope, func(s *symbol) { c.typedef(s, d.Specs, v.Decl) }))
		case d.Specs.Static:
			sym := &symbol{kind: symObject, name: ident, pos: v.Decl.Pos, in: cl.scope, class: cl}
			sym.obj = &ast.Object{Name: join(cl.typ.Name, ident), Pos: sym.pos, Type: invalidType}
			cl.scope.declare(c.lazy(sym, cl.scope, func(s *symbol) { c.global(s, d.Specs, v) }))
		default:
			c.dataMember(cl, d.Specs, v, ident, fields)
		}
	}
}

// anonymous makes the members of an anonymous class members of the one around.
func (c *checker) anonymous(cl, in *class, index int, fields *[]ctypes.Field) {
	c.appendApart(cl, ctypes.Field{Type: in.typ}, fields)
	for _, sym := range in.scope.order {
		if sym.kind == symField {
			own := *sym
			own.in = cl.scope
			cl.scope.declare(&own)
		}
	}
	c.blame(in.errs)
	cl.fields = append(cl.fields, &field{typ: plain(in.typ), index: index})
}

// dataMember reads a data member.
func (c *checker) dataMember(cl *class, specs *syntax.Specifiers, v *syntax.Var, ident string, fields *[]ctypes.Field) {
	t := c.declared(v.Decl.Ops, c.specified(specs), v.Decl.Pos)
	if hasAutoQ(t) {
		c.errorf(v.Decl.Pos, codeDeclare, "member %s is declared auto", ident)
		t = invalid
	}
	switch {
	case t.Kind != 0 && t.ref == noRef && !c.isComplete(t.Type) && c.funcTypes[t.Type] == nil:
		c.errorf(v.Decl.Pos, codeDeclare, "member %s has the incomplete type %v", ident, t.Type)
		t = invalid
	case slices.ContainsFunc(cl.fields, func(f *field) bool { return f.name == ident && ident != "" }):
		c.errorf(v.Decl.Pos, codeDeclare, "two members are called %s", ident)
	}
	if of := c.classes[innermost(t.Type)]; of != nil && t.ref == noRef {
		c.blame(of.errs)
	}
	own := c.represented(t)
	if own.Kind == 0 {
		own = ctypes.Scalar(ctypes.Int) // an error has been reported
	}
	c.endBits(cl, fields, own.Align())
	f := &field{name: ident, typ: t, index: len(*fields), mutable: specs.Mutable, pos: v.Decl.Pos}
	if v.Init.IsSet() {
		f.init = &v.Init
	}
	cl.fields = append(cl.fields, f)
	data := ctypes.Field{Name: ident, Type: own, Volatile: t.isVolatile,
		Align: max(c.alignAttribute(specs.Attrs), c.alignAttribute(v.Decl.Attrs))}
	of := c.classes[own]
	shares := of != nil && (attribute(specs.Attrs, "no_unique_address") != nil ||
		attribute(v.Decl.Attrs, "no_unique_address") != nil)
	if shares && of.empty {
		data.Overlaps, data.Behind = true, cl.placeEmpty(of, *fields)
		*fields = append(*fields, data)
	} else {
		data.Shares = shares && own.HasTail() && !c.isPOD(of)
		c.appendApart(cl, data, fields)
	}
	cl.scope.declare(&symbol{kind: symField, name: ident, pos: v.Decl.Pos, in: cl.scope, class: cl, typ: t, ref: t.ref,
		field: f.index})
}

// memberUsing reads "using Base::f;" in a class.
func (c *checker) memberUsing(cl *class, d *syntax.Using) {
	if d.Enum {
		c.usingEnum(d.Names[0], cl.scope)
		return
	}
	one := func(n *syntax.Name) {
		lastPart := n.Last()
		if k := len(n.Parts) - 2; k >= 0 && n.Parts[k].Ident == lastPart.Ident && !lastPart.HasArgs {
			if in := c.insideOf(c.lookupQuietly(n.Qualifier())); in != nil && in.class != nil { // [class.qual]
				cl.inherits = append(cl.inherits, in.class)
				return
			}
		}
		f := c.find(n, false, "name")
		if f == nil {
			return
		}
		if f.in != nil && f.sym == f.in.symbol { // using Base::Base;
			cl.inherits = append(cl.inherits, f.in)
			return
		}
		own := *f.sym
		own.name = lastPart.Ident
		own.in = cl.scope
		if old := cl.scope.names[own.name]; old != nil && old.kind == symFunction && own.kind == symFunction {
			own = *c.merge(old, &own)
		}
		cl.scope.declare(&own)
	}
	for _, n := range d.Names {
		if d.Pack {
			c.expand(n, func() { one(n) })
			continue
		}
		one(n)
	}
}

// befriendType makes the class that a friend declaration names a friend.
func (cl *class) befriendType(s *syntax.Specifiers) {
	switch t := s.Type.(type) {
	case *syntax.NamedType:
		cl.befriend(t.Name.Last().Ident)
	case *syntax.Class:
		if t.Name != nil {
			cl.befriend(t.Name.Last().Ident)
		}
	}
}

// memberTemplate reads a template in a class.
func (c *checker) memberTemplate(cl *class, d *syntax.Template) {
	params := &templateParams{list: d.Params, in: cl.scope, requires: d.Requires}
	if x, ok := d.Decl.(*syntax.Function); ok {
		switch {
		case x.Specs.Friend:
			c.friend(x, params, cl)
		case len(d.Params) == 0:
			c.specialFunction(x, cl.scope, c.seq)
		default:
			c.declareMember(cl, x, params)
		}
		return
	}
	if v, ok := d.Decl.(*syntax.Vars); ok {
		if v.Specs.Friend {
			c.friends(v, params, cl)
			return
		}
		if len(v.Decls) == 1 && isFunctionDeclarator(v.Decls[0]) && !v.Decls[0].Decl.Name.Parts[0].HasArgs {
			c.declareMember(cl, &syntax.Function{Specs: v.Specs, Decl: v.Decls[0].Decl}, params)
			return
		}
	}
	c.declareTemplate(d, cl.scope)
}

// alignAttribute is the argument of aligned(n), 1 if there is none.
func (c *checker) alignAttribute(attrs []syntax.Attr) int64 {
	align := int64(1)
	for i := range attrs {
		a := &attrs[i]
		if attribute(attrs[i:i+1], "aligned") == nil && attribute(attrs[i:i+1], "align") == nil &&
			a.Name != "alignas" || len(a.Args) == 0 {
			continue
		}
		one := func(x syntax.Expr) {
			n, ok := c.constantInt(x, "an alignment")
			if ok && (n < 1 || n > 4096 || n&(n-1) != 0) {
				c.errorf(a.Pos, codeDeclare, "alignment %d is not a power of two up to 4096", n)
				return
			}
			align = max(align, n)
		}
		if pack, ok := a.Args[0].(*syntax.PackExpansion); ok {
			c.expand(pack.X, func() { one(pack.X) })
			continue
		}
		one(a.Args[0])
	}
	return align
}

func hasAutoQ(t qtype) bool { return t.Type != nil && hasAuto(t.Type) }
