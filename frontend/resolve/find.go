package resolve

import (
	"slices"

	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// found is what a name as written leads to.
type found struct {
	sym  *symbol
	name string // as written, for messages
	// qualified is set where the name has a qualifier; in is the class of that, nil for a namespace.
	qualified bool
	in        *class
	// args are the template arguments of the last part, nil where none are written.
	args templateArgs
}

// withoutArgs is a name without the template arguments of its last part.
func withoutArgs(n *syntax.Name) *syntax.Name {
	bare := *n
	bare.Parts = slices.Clone(n.Parts)
	last := bare.Last()
	last.Args, last.HasArgs = nil, false
	return &bare
}

// lookupQuietly finds a name without a word where there is none.
func (c *checker) lookupQuietly(n *syntax.Name) (sym *symbol) {
	c.quietly(func() {
		if f := c.find(n, false, "name"); f != nil {
			sym = f.sym
		}
	})
	return sym
}

// find looks a name up; nil, with an error, where there is none. what is "name", "type" or "function".
func (c *checker) find(n *syntax.Name, tag bool, what string) *found {
	f := &found{name: n.String()}
	parts := n.Parts
	var sym *symbol
	var where *scope // of the qualifier
	for i := range parts {
		p := &parts[i]
		last := i == len(parts)-1
		tagged := tag && last && !p.HasArgs // a template is none
		switch {
		case p.Decltype != nil:
			t := c.decltype(&syntax.Decltype{Pos: p.Pos, X: p.Decltype})
			if t.Kind == 0 {
				return nil
			}
			sym = &symbol{kind: symType, name: "decltype", typ: t}
		case i == 0 && n.Global:
			f.qualified = last
			sym = c.lookupIn(c.file, p.Ident, c.limit(), tagged, nil)
		case i == 0:
			sym = c.lookupFrom(c.scope, p.Ident, tagged)
			for s := c.scope; s != nil && !last && sym != nil && !mayQualify(sym); s = s.up { // ([basic.lookup.qual])
				if outer := c.lookupFrom(s, p.Ident, true); outer != nil {
					sym = outer
				} else if outer = c.lookupFrom(s, p.Ident, false); outer != nil && mayQualify(outer) {
					sym = outer
				}
			}
		case f.in != nil:
			sym = c.memberOf(f.in, p.Ident)
		default:
			sym = c.lookupIn(where, p.Ident, c.limit(), tagged, nil)
		}
		if sym == nil {
			c.noMember(n, i, f, where, what)
			return nil
		}
		if c.isAmbiguous(sym, p.Pos) {
			return nil
		}
		if i > 0 && f.in != nil {
			c.checkAccess(sym, f.in, p.Pos)
		} else if i == 0 && !n.Global && p.Decltype == nil {
			c.checkAccess(sym, nil, p.Pos)
		}
		if c.use(sym); sym.kind == 0 {
			return nil
		}
		if p.HasArgs && sym.kind == symTemplate {
			args, ok := c.templateArguments(p.Args)
			if !ok {
				return nil
			}
			if sym = c.instanceOf(sym.tmpl, args, p.Pos); sym == nil {
				return nil
			}
			c.use(sym)
		} else if p.HasArgs && sym.kind == symType && c.classes[sym.typ.Type] != nil &&
			c.classes[sym.typ.Type].tmpl != nil && sym == c.classes[sym.typ.Type].symbol {
			args, ok := c.templateArguments(p.Args) // the injected name of an instance is that of the template too
			if !ok {
				return nil
			}
			if sym = c.instanceOf(c.classes[sym.typ.Type].tmpl, args, p.Pos); sym == nil {
				return nil
			}
		} else if p.HasArgs && last {
			args, ok := c.templateArguments(p.Args)
			if !ok {
				return nil
			}
			if f.args = args; args == nil {
				f.args = templateArgs{}
			}
		}
		if last {
			break
		}
		f.qualified = true
		if f.in, where = c.qualifier(sym, p.Pos); f.in == nil && where == nil {
			return nil
		}
	}
	f.sym = sym
	return f
}

// mayQualify reports whether a name may stand in front of ::.
func mayQualify(sym *symbol) bool {
	return sym.kind == symType || sym.kind == symNamespace || sym.kind == symTemplate || sym.kind == 0
}

// isAmbiguous reports whether a name may stand for several things, with an error if so.
func (c *checker) isAmbiguous(sym *symbol, pos diag.Pos) bool {
	if sym.ambiguous == nil {
		return false
	}
	e := c.errorf(pos, codeUndeclared, "%s is ambiguous", sym.name)
	for _, one := range sym.ambiguous {
		_ = e.WithNote("it may be the one at %v", one.pos)
	}
	return true
}

// qualifier is the class or the namespace that a name in front of :: stands for; neither, with an error, where it is
// none.
func (c *checker) qualifier(sym *symbol, pos diag.Pos) (*class, *scope) {
	switch sym.kind {
	case symNamespace:
		return nil, sym.space
	case symType:
		if cl := c.classes[sym.typ.Type]; cl != nil {
			c.complete(cl)
			for _, e := range cl.errs {
				if e.Code == codeAssert { // a member without a layout needs no more
					c.blameOne(e)
				}
			}
			return cl, nil
		}
		if e := c.enums[sym.typ.Type]; e != nil {
			return nil, e.scope
		}
	case symTemplate:
		c.errorf(pos, codeType, "%s needs template arguments", sym.name)
		return nil, nil
	}
	if sym.typ.Type == nil || sym.typ.Kind != 0 {
		c.errorf(pos, codeType, "%s is neither a class nor a namespace", sym.name)
	}
	return nil, nil
}

// noMember reports that part i of a name is not declared.
func (c *checker) noMember(n *syntax.Name, i int, f *found, where *scope, what string) {
	p := &n.Parts[i]
	switch {
	case i == 0:
		if i < len(n.Parts)-1 {
			what = "name"
		}
		c.undeclared(p.Pos, p.Ident, what)
	case f.in != nil:
		c.noField(f.in.typ, p.Ident, p.Pos)
	default:
		name := (&syntax.Name{Global: n.Global, Parts: n.Parts[:i+1]}).String()
		switch {
		case !c.isLibrarySpace(where) || c.quiet > 0 || c.headerOf(name) != "":
			c.undeclared(p.Pos, name, what)
		case c.firstTime(name):
			c.unsupported(p.Pos, name+" is", "write out what it does")
		}
	}
}

// isLibrarySpace reports whether a namespace is that of a library whose header is built in.
func (c *checker) isLibrarySpace(ns *scope) bool {
	if ns == nil || ns.up == nil {
		return false
	}
	sym := ns.up.names[ns.name]
	return sym != nil && c.isLibrary(sym.pos)
}

// limit is the last declaration at namespace scope that the current scope sees.
func (c *checker) limit() int {
	for s := c.scope; s != nil; s = s.up {
		if s.limit > 0 {
			return s.limit
		}
	}
	return 0
}
