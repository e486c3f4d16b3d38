package resolve

import (
	"slices"

	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// Whose an error is: a kernel shares the errors of all that it calls. Those inside of libraries stand where the program
// calls them, and a note says where they were found.

// blameOne reports an error of something that is used here, once.
func (c *checker) blameOne(e *diag.Error) {
	if !slices.Contains(*c.errs, e) {
		c.errs.Add(e)
	}
}

// blameAt reports errors of something that is used at pos, where those inside of libraries stand then.
func (c *checker) blameAt(errs diag.List, pos diag.Pos) {
	for _, e := range errs {
		if c.isLibrary(pos) {
			c.blameOne(e)
		} else if e, ok := c.atCaller(e, pos, *c.errs); ok {
			c.blameOne(e)
		}
	}
}

// isBroken completes the class that a type is made of, if it is one, and reports its errors where it is used, if it has
// any.
func (c *checker) isBroken(t *ctypes.Type, pos diag.Pos) bool {
	cl := c.classes[innermost(t)]
	if cl == nil {
		return false
	}
	c.complete(cl)
	c.blameAt(cl.errs, pos)
	return len(cl.errs) > 0
}

// errorsOf collects the errors of a function and of all that it calls, and
// reports recursion and calls of functions without a body. Those of libraries
// stand where they are called from.
func (c *checker) errorsOf(root *function) diag.List {
	var errs diag.List
	const active, done = 1, 2
	state := map[*function]int{}
	seen := map[*diag.Error]bool{}
	var visit func(f *function, caller diag.Pos)
	visit = func(f *function, caller diag.Pos) {
		add := func(e *diag.Error) {
			if e, ok := c.atCaller(e, caller, errs); ok {
				errs.Add(e)
			}
		}
		state[f] = active
		for _, e := range f.bodyErrs {
			c.told[e] = true
			if !seen[e] {
				seen[e] = true
				add(e)
			}
		}
		for _, call := range f.calls {
			at := caller
			if !c.isLibrary(call.pos) {
				at = call.pos
			}
			switch {
			case call.fn.body == nil:
				add(diag.Errorf(call.pos, codeUndeclared, "function %s is declared but not defined",
					c.display(call.fn)).
					WithNote("include the file that defines it, or give its definition with --include"))
			case state[call.fn] == active:
				add(diag.Errorf(call.pos, codeRecursion, "recursion: %s is called again before it returns",
					c.display(call.fn)).
					WithNote("functions are inlined; rewrite the recursion as a loop"))
			case state[call.fn] != done:
				visit(call.fn, at)
			}
		}
		state[f] = done
	}
	visit(root, root.pos)
	return errs
}

// atCaller is an error of a function that was called, from outside of libraries, at pos. Of the errors of
// one call that say the same only the first one is wanted: ok is false for others.
func (c *checker) atCaller(e *diag.Error, pos diag.Pos, told diag.List) (_ *diag.Error, ok bool) {
	if !c.isLibrary(e.Pos) {
		return e, true
	}
	here := *e
	here.Pos, here.Notes = pos, slices.Clone(e.Notes)
	_ = here.WithNote("this is needed at %s, in the text that stands for the library", e.Pos)
	if slices.ContainsFunc(told, func(t *diag.Error) bool {
		return t.Pos == here.Pos && t.Code == here.Code && t.Message == here.Message
	}) {
		return nil, false
	}
	if name, ok := c.macros[e]; ok {
		c.macros[&here] = name
	}
	return &here, true
}
