package frontend

import (
	"strings"

	"gpupipe/internal/diag"
)

// symbolKind is what a name stands for.
type symbolKind uint8

const (
	symObject symbolKind = iota + 1
	symType
	symEnumerator
	symFunction
	symLambda
	symAlias // of a function: a parameter that is called
)

// symbol is a declared name.
type symbol struct {
	kind  symbolKind
	name  string
	typ   declType    // symType
	obj   *Object     // symObject
	ref   bool        // symObject: a CUDA reference, dereferenced by every use
	value *Value      // symEnumerator
	funcs []*funcInfo // symFunction: its overloads
	// overloadable marks a function that has OpenCL's attribute.
	overloadable bool
	// lambda is what a symLambda is called.
	lambda *lambda
	target string    // symAlias: the function's name
	errs   diag.List // of a file-scope declaration
	// missing marks a stand-in for a type that nothing declares.
	missing bool
	// builtin marks an object of the prelude, such as threadIdx.
	builtin bool
}

// scope is a block's names. Tags of structs, unions and enums have a name
// space of their own.
type scope struct {
	names map[string]*symbol
	tags  map[string]*Type
	order []*symbol
	up    *scope
}

func (c *checker) push() { c.scope = &scope{up: c.scope} }
func (c *checker) pop()  { c.scope = c.scope.up }

// fileScope is the outermost scope.
func (c *checker) fileScope() *scope {
	s := c.scope
	for s.up != nil {
		s = s.up
	}
	return s
}

// declare adds a name to the innermost scope, replacing an equal one there.
func (c *checker) declare(s *symbol) *symbol {
	if c.scope.names == nil {
		c.scope.names = map[string]*symbol{}
	}
	c.scope.names[s.name] = s
	c.scope.order = append(c.scope.order, s)
	return s
}

// lookup finds a name, innermost scope first, or returns nil.
func (c *checker) lookup(name string) *symbol {
	for s := c.scope; s != nil; s = s.up {
		if sym := s.names[name]; sym != nil {
			return sym
		}
	}
	return nil
}

func (c *checker) lookupTag(tag string) *Type {
	for s := c.scope; s != nil; s = s.up {
		if t := s.tags[tag]; t != nil {
			return t
		}
	}
	return nil
}

func (c *checker) declareTag(tag string, t *Type) {
	if c.scope.tags == nil {
		c.scope.tags = map[string]*Type{}
	}
	c.scope.tags[tag] = t
}

// visibleNames lists every name of the user's in scope, for suggestions: none of the preludes'.
func (c *checker) visibleNames() (names []string) {
	for s := c.scope; s != nil; s = s.up {
		for _, sym := range s.order {
			if !strings.HasPrefix(sym.name, "__kl_") {
				names = append(names, sym.name)
			}
		}
	}
	return names
}
