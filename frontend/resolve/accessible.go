package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/internal/diag"
)

// Access to members ([class.access]): whether a name may be used where it stands. Look-up does not regard it.

// accessKind is who may use a member or a base.
type accessKind uint8

const (
	isPublic accessKind = iota
	isProtected
	isPrivate
)

// accessOf is the access that a word says, that of the class's key where none is written.
func accessOf(word, key string) accessKind {
	switch {
	case word == "private" || word == "" && key == "class":
		return isPrivate
	case word == "protected":
		return isProtected
	}
	return isPublic
}

// mayUse reports whether a member that the class owner declares may be used as one of the class named.
func (c *checker) mayUse(access accessKind, owner, named *class) bool {
	if owner == named {
		return access == isPublic || c.isInside(named, access == isProtected)
	}
	for _, b := range named.bases {
		if b.class != owner && c.baseDistance(b.class.typ, owner.typ) == 0 {
			continue
		}
		if (b.access == isPublic || c.isInside(named, b.access == isProtected)) && c.mayUse(access, owner, b.class) {
			return true
		}
	}
	return access == isProtected && c.isInside(owner, true) // by way of a class that is derived from both
}

// isInside reports whether what is being read is part of a class or a friend of it, or of a class derived from it.
func (c *checker) isInside(cl *class, derived bool) bool {
	for s := c.scope; s != nil; s = s.up {
		switch {
		case s.fn != nil && cl.friends[s.fn.name]:
			return true
		case s.kind != classScope:
		case s.class == cl || cl.friends[s.class.name] || derived && c.derives(s.class.typ, cl.typ):
			return true
		}
	}
	return c.fn != nil && (cl.friends[c.fn.name] || c.fn.class == cl)
}

// checkAccess reports a name of a class that may not be used here; named is the class that it is looked up in, nil of
// an unqualified name.
func (c *checker) checkAccess(sym *symbol, named *class, pos diag.Pos) {
	if sym.kind == symFunction || sym.in == nil || sym.in.kind != classScope || c.isLibrary(pos) {
		return // of functions, the one that is called counts
	}
	owner := sym.in.class
	if named == nil {
		if named = c.classAround(owner); named == nil {
			return
		}
	}
	if named != owner && c.baseDistance(named.typ, owner.typ) == 0 {
		return
	}
	if !c.mayUse(sym.access, owner, named) {
		c.inaccessible(sym.name, sym.access, owner, pos)
	}
}

// classAround is the innermost class around that is another or derived from it.
func (c *checker) classAround(of *class) *class {
	for s := c.scope; s != nil; s = s.up {
		if s.kind == classScope && (s.class == of || c.derives(s.class.typ, of.typ)) {
			return s.class
		}
	}
	return nil
}

// checkCall reports a member function that may not be called here, for an object where there is one.
func (c *checker) checkCall(f *function, object ast.Expr, pos diag.Pos) {
	if f.class == nil || f.friend || c.isLibrary(pos) {
		return
	}
	access, owner, named := f.access, f.class, f.class
	if object != nil {
		if cl := c.classes[object.Type()]; cl != nil && cl != owner && c.baseDistance(cl.typ, owner.typ) > 0 {
			named = cl
			if sym := c.memberOf(cl, f.name); sym != nil && sym.in != nil && sym.in.kind == classScope &&
				sym.in.class != owner {
				access, owner = sym.access, sym.in.class // a using-declaration
			}
		}
	}
	if !c.mayUse(access, owner, named) {
		c.inaccessible(f.name, access, owner, pos)
	}
}

func (c *checker) inaccessible(name string, access accessKind, owner *class, pos diag.Pos) {
	switch access {
	case isPrivate:
		c.errorf(pos, codeAccess, "%s is a private member of %v", name, owner.typ)
	case isProtected:
		c.errorf(pos, codeAccess, "%s is a protected member of %v", name, owner.typ)
	default:
		c.errorf(pos, codeAccess, "%s is a member of %v, which is a base that is not accessible", name, owner.typ)
	}
}

// befriend notes the classes and functions that may use everything of a class.
func (cl *class) befriend(name string) {
	if cl.friends == nil {
		cl.friends = map[string]bool{}
	}
	cl.friends[name] = true
}
