package syntax

// The parser knows of names what it needs to tell types from expressions and templates from comparisons. It looks names
// up as the language does, as far as declarations are seen; what they mean is the resolver's to say.

// nameKind says what a name is.
type nameKind uint8

const (
	unknownName nameKind = iota
	valueName            // a variable, function, enumerator
	typeName
	namespaceName
)

// symbol is a name in a scope.
type symbol struct {
	kind     nameKind
	template bool
	concept  bool
	scope    *scope // of a class, an enumeration or a namespace; nil where it is not known
}

// scope is a block, a class, a namespace or the parameters of a template.
type scope struct {
	outer *scope
	names map[string]symbol
	more  []*scope // base classes, namespaces of using-directives, inline namespaces
	block bool     // of a function
}

func newScope(outer *scope) *scope { return &scope{outer: outer, names: map[string]symbol{}} }

// clone is a scope of which changes leave those that it has been made of as they are.
func (s *scope) clone(made map[*scope]*scope) *scope {
	if s == nil || made[s] != nil {
		return made[s]
	}
	c := &scope{names: make(map[string]symbol, len(s.names)), block: s.block}
	made[s] = c
	c.outer = s.outer.clone(made)
	for name, n := range s.names {
		n.scope = n.scope.clone(made)
		c.names[name] = n
	}
	for _, m := range s.more {
		c.more = append(c.more, m.clone(made))
	}
	return c
}

// declare adds a name. A type stays one where a function or variable of its name hides it only in expressions
// with struct in front (C++ [basic.scope.hiding]); scopes that are known stay known.
func (s *scope) declare(name string, n symbol) {
	if name == "" {
		return
	}
	old, ok := s.names[name]
	if ok && n.scope == nil && n.kind == old.kind {
		n.scope = old.scope
	}
	n.template = n.template || ok && old.kind == n.kind && old.template
	s.names[name] = n
}

// declareParams adds the names of a function's parameters.
func (s *scope) declareParams(list []*Param) {
	for _, x := range list {
		if x.Decl.Name != nil && len(x.Decl.Name.Parts) == 1 {
			s.declare(x.Decl.Name.Parts[0].Ident, symbol{kind: valueName})
		}
	}
}

// member looks a name up in a scope and those that are part of it.
func (s *scope) member(name string) (symbol, bool) { return s.memberOf(name, map[*scope]bool{}) }

func (s *scope) memberOf(name string, seen map[*scope]bool) (symbol, bool) {
	if seen[s] {
		return symbol{}, false
	}
	seen[s] = true
	if n, ok := s.names[name]; ok {
		return n, true
	}
	for _, m := range s.more {
		if n, ok := m.memberOf(name, seen); ok {
			return n, true
		}
	}
	return symbol{}, false
}

// find looks an unqualified name up.
func (s *scope) find(name string) (symbol, bool) {
	for ; s != nil; s = s.outer {
		if n, ok := s.names[name]; ok {
			return n, true
		}
		if len(s.more) > 0 {
			if n, ok := s.member(name); ok {
				return n, true
			}
		}
	}
	return symbol{}, false
}

// global is the scope of the file.
func (s *scope) global() *scope {
	for s.outer != nil {
		s = s.outer
	}
	return s
}

// lookUp says what a name is that is not qualified.
func (p *parser) lookUp(name string) symbol {
	if n, ok := p.scope.find(name); ok {
		return n
	}
	if p.IsType(name) {
		return symbol{kind: typeName}
	}
	return symbol{}
}

// kindOf says what a parsed name is, as far as that is known.
func (p *parser) kindOf(n *Name) symbol {
	var at *scope
	if n.Global {
		at = p.scope.global()
	}
	known := symbol{}
	for i := range n.Parts {
		part := &n.Parts[i]
		switch {
		case part.Decltype != nil || part.Ident == "":
			return symbol{}
		case at != nil:
			found, ok := at.member(part.Ident)
			if !ok && at.outer == nil && p.IsType(part.Ident) {
				found = symbol{kind: typeName}
			}
			known = found
		case i == 0:
			known = p.lookUp(part.Ident)
		default:
			return symbol{}
		}
		at = known.scope
		if at == nil && i < len(n.Parts)-1 {
			return symbol{}
		}
	}
	return known
}

// within parses with another scope.
func (p *parser) within(s *scope, f func()) {
	outer := p.scope
	p.scope = s
	defer func() { p.scope = outer }()
	f()
}
