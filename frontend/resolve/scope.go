package resolve

import (
	"maps"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
)

// scopeKind is what a scope belongs to.
type scopeKind uint8

const (
	fileScope scopeKind = iota + 1 // the global namespace
	nameScope                      // a namespace
	classScope
	templateScope // the parameters of a template
	functionScope // the parameters of a function, or its return type's
	blockScope
)

// scope is a region of names. In C, tags of structs, unions and enumerations have a name space of their own; in C++ a
// tag is a name that another one may hide.
type scope struct {
	kind   scopeKind
	up     *scope
	names  map[string]*symbol
	tags   map[string]*symbol
	order  []*symbol
	name   string   // of a namespace
	inline bool     // it is part of the one around
	class  *class   // of a classScope
	uses   []*scope // namespaces that using-directives name, and inline ones
	// friends are the functions that classes of a namespace declare as friends: only arguments find them.
	friends map[string]*symbol
	// limit is the last declaration at namespace scope that is seen from here, 0 where the scope around says so.
	limit int
	fn    *function // of a functionScope
	// initialised are the variables of a block that have got a value, in order.
	initialised []*ast.Object
	// element is set where the scope binds packs to one element each of an expansion.
	element bool
	// defined are the classes and enumerations that specifiers read in this scope define.
	defined map[any]*ctypes.Type
}

// isNamespace reports whether a scope is the file's or a namespace's.
func (s *scope) isNamespace() bool { return s.kind == fileScope || s.kind == nameScope }

// path is the name of a namespace or a class from the outside in, empty for the file's.
func (s *scope) path() string {
	if s == nil || s.kind == fileScope {
		return ""
	}
	above := s.up.path()
	switch {
	case s.kind == classScope:
		return s.class.typ.Name
	case s.kind != nameScope || s.name == "":
		return above
	}
	return join(above, s.name)
}

func join(scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + "::" + name
}

// within reports whether s is outer or inside of it.
func (s *scope) within(outer *scope) bool {
	for ; s != nil; s = s.up {
		if s == outer {
			return true
		}
	}
	return false
}

// outsideTemplate is a scope, or the one around it where it holds the parameters of a template.
func (s *scope) outsideTemplate() *scope {
	for s.kind == templateScope {
		s = s.up
	}
	return s
}

// define notes what a specifier that is read in a scope defines.
func (s *scope) define(n any, t *ctypes.Type) {
	if s.defined == nil {
		s.defined = map[any]*ctypes.Type{}
	}
	s.defined[n] = t
}

// namespace is the innermost namespace around a scope.
func (s *scope) namespace() *scope {
	for !s.isNamespace() {
		s = s.up
	}
	return s
}

// snapshot is what a scope inside of a function declares so far, for a body that is read later.
func (s *scope) snapshot() *scope {
	if s.isNamespace() || s.kind == classScope {
		return s
	}
	own := *s
	own.names, own.tags, own.up = maps.Clone(s.names), maps.Clone(s.tags), s.up.snapshot()
	return &own
}

// upTo is a scope that sees of a namespace what it declares up to a declaration; others see all of themselves.
func (s *scope) upTo(seq int) *scope {
	if !s.isNamespace() {
		return s
	}
	return &scope{kind: blockScope, up: s, limit: seq}
}

// inside enters a scope; the result leaves it.
func (c *checker) inside(s *scope) (leave func()) {
	outer := c.scope
	c.scope = s
	return func() { c.scope = outer }
}

// pushBlock enters a new block.
func (c *checker) pushBlock() (leave func()) { return c.inside(&scope{kind: blockScope, up: c.scope}) }

// declare adds a name to a scope.
func (s *scope) declare(sym *symbol) *symbol {
	if s.names == nil {
		s.names = map[string]*symbol{}
	}
	if old := s.names[sym.name]; old != sym {
		sym.earlier = old
	}
	s.names[sym.name] = sym
	if s.kind == classScope {
		sym.access = s.class.access
	}
	s.order = append(s.order, sym)
	return sym
}

func (s *scope) declareTag(sym *symbol) *symbol {
	if s.tags == nil {
		s.tags = map[string]*symbol{}
	}
	s.tags[sym.name] = sym
	if s.kind == classScope {
		sym.access = s.class.access
	}
	return sym
}

// visibleNames lists every name of the user's in scope, for suggestions.
func (c *checker) visibleNames() (names []string) {
	for s := c.scope; s != nil; s = s.up {
		for _, sym := range s.order {
			if !sym.builtin && !strings.HasPrefix(sym.name, "__") && !c.isLibrary(sym.pos) {
				names = append(names, sym.name)
			}
		}
	}
	return names
}
