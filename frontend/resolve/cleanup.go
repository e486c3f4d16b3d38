package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// Destructors are called where a scope is left: at its end, and in front of return, break and continue.

// cleanup is what a scope has to do when it is left.
type cleanup struct {
	up   *cleanup
	list []destroyed
	body bool // the scope is one that break leaves
	loop bool // and continue
}

// destroyed is an object with a destructor.
type destroyed struct {
	obj *ast.Object
	f   *function
}

type unwinding uint8

const (
	unwindReturn unwinding = iota
	unwindBreak
	unwindContinue
)

// pushCleanups begins a scope; the result ends it and calls the destructors at its end.
func (c *checker) pushCleanups(breakable bool) (leave func(out *[]ast.Stmt)) {
	here := &cleanup{up: c.cleanups, body: breakable}
	c.cleanups = here
	return func(out *[]ast.Stmt) {
		c.cleanups = here.up
		if out != nil && !endsInJump(*out) {
			c.destroyAll(here, out, diag.Pos{}, nil)
		}
	}
}

// endsInJump reports whether the end of a list of statements is never reached.
func endsInJump(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch list[len(list)-1].(type) {
	case *ast.Return, *ast.Break, *ast.Continue, *ast.Goto:
		return true
	}
	return false
}

// needsDestructor notes that a variable has to be destroyed.
func (c *checker) needsDestructor(obj *ast.Object) {
	t := innermost(obj.Type)
	cl := c.classes[t]
	if cl == nil || c.cleanups == nil {
		return
	}
	if f := c.destructor(cl); f != nil {
		c.cleanups.list = append(c.cleanups.list, destroyed{obj, f})
	}
}

// destructor is the destructor of a class that does something; nil if none does. Members with destructors need the
// class to have one.
func (c *checker) destructor(cl *class) *function {
	c.complete(cl)
	if cl.dtor != nil && !cl.dtor.isDefaulted {
		return cl.dtor
	}
	if cl.typ.Kind == ctypes.Union { // nobody knows which member is there
		return nil
	}
	for i := range cl.typ.Fields {
		f := cl.field(i)
		if f != nil && f.typ.ref != noRef {
			continue
		}
		if sub := c.classes[innermost(cl.typ.Fields[i].Type)]; sub != nil && c.destructor(sub) != nil {
			if cl.implicit == nil {
				cl.implicit = &function{name: "~" + cl.name, pos: cl.symbol.pos, kind: destructor, in: cl.scope,
					class: cl, isDefaulted: true,
					state: read, sig: &signature{result: plain(ctypes.Scalar(ctypes.Void))}}
			}
			return cl.implicit
		}
	}
	return nil
}

// destroyAll calls the destructors of a scope, the last object's first; that of kept is not called.
func (c *checker) destroyAll(s *cleanup, out *[]ast.Stmt, pos diag.Pos, kept *ast.Object) {
	for i := len(s.list) - 1; i >= 0; i-- {
		d := s.list[i]
		if d.obj == kept {
			continue
		}
		at := pos
		if !at.IsValid() {
			at = d.obj.Pos
		}
		c.destroy(ast.RefTo(d.obj, at), d.f, at, out)
	}
}

// maxElements is how many elements of an array are destroyed one by one, not in a loop.
const maxElements = 8

// destroy calls the destructor of an object, or of the elements of an array, the last first.
func (c *checker) destroy(obj ast.Expr, f *function, pos diag.Pos, out *[]ast.Stmt) {
	if t := obj.Type(); t.Kind == ctypes.Array && t.Len <= maxElements {
		for i := t.Len - 1; i >= 0; i-- {
			c.destroy(c.elementOf(obj, i, pos), f, pos, out)
		}
		return
	} else if t.Kind == ctypes.Array {
		decl, i := ownVariable("i", number(ctypes.Int, t.Len-1, pos), pos)
		body := &ast.Block{Positioned: ast.At(pos)}
		c.destroy(c.index(c.rvalue(obj), i, pos), f, pos, &body.Stmts)
		*out = append(*out, &ast.Loop{Positioned: ast.At(pos), Kind: ast.ForLoop, Init: []ast.Stmt{decl}, Body: body,
			Cond: c.binary(ctypes.Ge, i, number(ctypes.Int, 0, pos), pos), Post: c.incDec(i, true, false, pos)})
		return
	}
	if f == f.class.implicit {
		c.destroyFields(obj, f.class, pos, out)
		return
	}
	if e := c.callFunction(f, obj, nil, pos); !isInvalid(e) {
		*out = append(*out, ast.Do(e, pos))
	}
}

// destroyMembers ends the body of a destructor: members and bases are destroyed, the last first.
func (c *checker) destroyMembers(f *function, out *[]ast.Stmt) {
	c.destroyFields(f.this, f.class, f.pos, out)
}

func (c *checker) destroyFields(obj ast.Expr, cl *class, pos diag.Pos, out *[]ast.Stmt) {
	if cl.typ.Kind == ctypes.Union { // variant members are destroyed by hand ([class.dtor])
		return
	}
	for i := len(cl.typ.Fields) - 1; i >= 0; i-- {
		f := cl.field(i)
		if f != nil && f.typ.ref != noRef {
			continue
		}
		t := cl.typ.Fields[i].Type
		sub := c.classes[innermost(t)]
		if sub == nil {
			continue
		}
		if d := c.destructor(sub); d != nil {
			c.destroy(&ast.Member{Typed: ast.Of(t, pos), X: obj, Field: i}, d, pos, out)
		}
	}
}

// hasCleanups reports whether leaving calls destructors.
func (c *checker) hasCleanups(how unwinding) bool {
	for s := c.cleanups; s != nil; s = s.up {
		if len(s.list) > 0 {
			return true
		}
		if how != unwindReturn && s.body && (how == unwindBreak || s.loop) {
			break
		}
	}
	return false
}

// unwind calls the destructors of the scopes that a jump leaves; that of kept, which is returned, is not called.
func (c *checker) unwind(how unwinding, out *[]ast.Stmt, pos diag.Pos, kept *ast.Object) {
	for s := c.cleanups; s != nil; s = s.up {
		c.destroyAll(s, out, pos, kept)
		if how == unwindReturn {
			continue
		}
		if s.body && (how == unwindBreak || s.loop) {
			return
		}
	}
}
