package launches

import (
	"fmt"
	"slices"

	"gpupipe/frontend/syntax"
)

// Bounds of the interpretation.
const (
	maxSteps = 200_000 // expressions and statements
	maxDepth = 12      // calls within calls
)

// interpreter is the state of the interpretation.
type interpreter struct {
	*code
	env      environment
	fn       *function // being executed; nil at file scope
	steps    int
	depth    int
	quiet    bool // only a value is asked for: launches are not taken down
	returned []Value
	visited  map[*function]bool
	launches []Launch
	taken    map[*syntax.Name]bool // names of kernels that launches were made of
	run      Run
}

// Run is what is known of a run of the program.
type Run struct {
	CommandLine  []string // its arguments; nil = not known
	ComputeUnits int      // of the device; 0 = not known
}

// flow is how a statement ends.
type flow uint8

const (
	flowNext   flow = iota + 1 // the next statement is executed
	flowBreak                  // break or continue
	flowReturn                 // return, exit, throw, goto
)

// Find interprets the host code of a file, called file in its positions, and returns the launches in the order in
// which a run of the program makes them.
func Find(f *syntax.File, file string, names Names, run Run) []Launch {
	r := &interpreter{code: scan(f, file, names), visited: map[*function]bool{}, taken: map[*syntax.Name]bool{},
		run: run}
	roots := slices.DeleteFunc(slices.Clone(r.inOrder), func(f *function) bool { return !f.launches })
	slices.SortStableFunc(roots, func(a, b *function) int { return a.rank() - b.rank() })
	for i, f := range roots {
		if f.rank() > 0 && (i == 0 || roots[i-1].rank() == 0) {
			r.enterAsked()
		}
		switch {
		case r.visited[f]:
		case f.name == "main" && len(f.params()) > 0:
			r.enterMain(f)
		default:
			r.enter(f, nil, nil, nil)
		}
	}
	return r.launches
}

// rank orders the functions that are not entered from another one: main first, then those that
// no other one mentions.
func (f *function) rank() int {
	switch {
	case f.name == "main":
		return 0
	case !f.mentioned:
		return 1
	}
	return 2
}

// spend counts work; it reports false when there has been too much.
func (r *interpreter) spend(n int) bool {
	r.steps += n
	return r.steps < maxSteps
}

// place is where the interpreter is.
func (r *interpreter) place() Place {
	p := Place{Locals: r.env.locals()}
	if r.fn != nil {
		p.Space = r.fn.space
	}
	return p
}

// line says where something was written.
func (r *interpreter) line(p syntax.Pos) string {
	if p.File != r.file {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("line %d", p.Line)
}

// block executes statements in a scope of their own.
func (r *interpreter) block(list []syntax.Stmt) flow {
	base := len(r.env.vars)
	defer func() { r.env.leave(base) }()
	flow := flowNext
	for _, s := range list {
		if !r.spend(1) {
			break
		}
		for label := true; label; {
			switch l := s.(type) {
			case *syntax.CaseStmt:
				r.jumpTo(l.Pos, list)
				s, flow = l.Body, flowNext
			case *syntax.LabelStmt:
				r.jumpTo(l.Pos, r.fn.decl.Body)
				s, flow = l.Body, flowNext
			default:
				label = false
			}
		}
		if flow == flowNext {
			flow = r.statement(s)
		}
	}
	return flow
}

// jumpTo makes the state that of a label: what the statements change that it may be jumped to from is not known.
func (r *interpreter) jumpTo(at syntax.Pos, from any) {
	r.forgetChanged(from, "depends on the jump to "+r.line(at))
}

// statement executes a statement.
func (r *interpreter) statement(s syntax.Stmt) flow {
	switch s := s.(type) {
	case *syntax.Block:
		return r.block(s.Body.Stmts)
	case *syntax.DeclStmt:
		r.declaration(s.Decl)
	case *syntax.ExprStmt:
		if r.ends(s.X) {
			return flowReturn
		}
		r.simple(s.X)
	case *syntax.IfStmt:
		return r.ifStatement(s)
	case *syntax.ForStmt, *syntax.WhileStmt, *syntax.DoStmt, *syntax.RangeStmt:
		r.loop(s)
	case *syntax.SwitchStmt:
		return r.switchStatement(s)
	case *syntax.CaseStmt, *syntax.LabelStmt:
		return r.block([]syntax.Stmt{s})
	case *syntax.PragmaStmt:
		if s.Body != nil {
			return r.statement(s.Body)
		}
	case *syntax.TryStmt: // what is caught is not expected
		return r.statement(s.Body)
	case *syntax.JumpStmt:
		return flowBreak
	case *syntax.GotoStmt:
		return flowReturn
	case *syntax.ReturnStmt:
		v := unknownf("nothing is returned")
		if s.X != nil {
			v = r.eval(s.X)
			r.effects(s.X)
		}
		r.returned = append(r.returned, v)
		return flowReturn
	case *syntax.BadStmt: // it may change anything
		for _, v := range r.env.locals() {
			r.env.forget(v.Name, "the value of "+v.Name+" may be changed by what is not understood ("+r.line(s.Pos)+")",
				false)
		}
	}
	return flowNext
}

// ends reports whether an expression ends the program.
func (r *interpreter) ends(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Throw:
		return true
	case *syntax.CallExpr:
		id, ok := x.Fn.(*syntax.Ident)
		if !ok {
			return false
		}
		name := last(id.Name)
		return exits[name] || slices.ContainsFunc(r.funcs[name], r.exits)
	}
	return false
}

// exits are the functions of C's library that end the program.
var exits = map[string]bool{"exit": true, "abort": true, "_exit": true, "quick_exit": true, "_Exit": true}

// exits reports whether a function ends the program at its end.
func (r *interpreter) exits(f *function) bool {
	list := f.decl.Body.Stmts
	if len(list) == 0 {
		return false
	}
	s, ok := list[len(list)-1].(*syntax.ExprStmt)
	if !ok {
		return false
	}
	call, ok := s.X.(*syntax.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fn.(*syntax.Ident)
	if !ok || !exits[last(id.Name)] {
		return false
	}
	returns := false
	syntax.Visit(f.decl.Body, func(n any) bool {
		_, is := n.(*syntax.ReturnStmt)
		returns = returns || is
		return !returns
	})
	return !returns
}

// ifStatement executes one side, or both where the condition is not known.
func (r *interpreter) ifStatement(s *syntax.IfStmt) flow {
	base := len(r.env.vars)
	defer func() { r.env.leave(base) }()
	if s.Init != nil {
		r.statement(s.Init)
	}
	c := r.condition(s.Cond, s.Var, s.Pos)
	switch {
	case c.IsScalar() && c.Scalar.IsTrue():
		return r.side(s.Then)
	case c.IsScalar():
		return r.side(s.Else)
	}
	before := r.env.snapshot()
	flow1 := r.side(s.Then)
	state1 := r.env.snapshot()
	r.env.restore(before)
	flow2 := r.side(s.Else)
	switch {
	case flow1 != flowNext:
		return flow2
	case flow2 != flowNext:
		r.env.restore(state1)
		return flowNext
	}
	r.env.merge(state1, "depends on the condition in "+r.line(s.Pos))
	return flowNext
}

// side executes a statement, if there is one.
func (r *interpreter) side(s syntax.Stmt) flow {
	if s == nil {
		return flowNext
	}
	return r.block([]syntax.Stmt{s})
}

// condition evaluates a condition, and what it does besides.
func (r *interpreter) condition(x syntax.Expr, v *syntax.Vars, at syntax.Pos) Value {
	if v != nil {
		r.declaration(v)
		return unknownf("a declaration in a condition is not followed (%s)", r.line(at))
	}
	if x == nil {
		return unknownf("there is no condition (%s)", r.line(at))
	}
	c := r.eval(x)
	r.effects(x)
	return c
}

// loop executes a loop's body once, with the variables unknown that it changes, and again as its first iteration where
// launches depend on those.
func (r *interpreter) loop(s syntax.Stmt) {
	base := len(r.env.vars)
	defer func() { r.env.leave(base) }()
	why := "changes in the loop of " + r.line(s.StmtPos())
	var body syntax.Stmt
	var cond, post syntax.Expr
	var first bool // the body is executed whatever the condition is
	switch s := s.(type) {
	case *syntax.DoStmt:
		body, cond, first = s.Body, s.Cond, true
	case *syntax.WhileStmt:
		body, cond = s.Body, s.Cond
		if s.Var != nil {
			r.declaration(s.Var)
		}
	case *syntax.ForStmt:
		body, cond, post = s.Body, s.Cond, s.Post
		if s.Init != nil {
			r.statement(s.Init)
		}
		if s.Var != nil {
			r.declaration(s.Var)
		}
	case *syntax.RangeStmt:
		body = s.Body
		if s.Init != nil {
			r.statement(s.Init)
		}
		r.effects(s.Range)
		for _, v := range s.Var.Decls {
			r.unknown(s.Var.Specs, v, why)
		}
	}
	if c := r.evalCondition(cond); !first && c.IsScalar() && !c.Scalar.IsTrue() {
		r.effects(cond)
		return
	}
	start, begun := r.env.snapshot(), len(r.launches)
	forget := func() {
		r.forgetChanged(body, why)
		r.forgetChanged(cond, why)
		r.forgetChanged(post, why)
	}
	forget()
	if cond != nil {
		r.effects(cond)
	}
	if post != nil {
		r.effects(post)
	}
	forget()
	before := r.env.snapshot()
	if flow := r.side(body); flow != flowNext {
		r.env.restore(before)
	} else {
		r.env.merge(before, why)
	}
	forget()
	r.firstIteration(s, body, start, begun)
}

func (r *interpreter) evalCondition(x syntax.Expr) Value {
	if x == nil {
		return unknownf("there is no condition")
	}
	return r.eval(x)
}

// switchStatement executes the case that a known value selects, else all of them.
func (r *interpreter) switchStatement(s *syntax.SwitchStmt) flow {
	base := len(r.env.vars)
	defer func() { r.env.leave(base) }()
	if s.Init != nil {
		r.statement(s.Init)
	}
	v := r.condition(s.Cond, s.Var, s.Pos)
	var list []syntax.Stmt
	if b, ok := s.Body.(*syntax.Block); ok {
		list = b.Body.Stmts
	} else {
		list = []syntax.Stmt{s.Body}
	}
	if from, ok := r.selected(v, list); ok {
		flow := flowNext
		for _, s := range from {
			if flow != flowNext || !r.spend(1) {
				break
			}
			flow = r.statement(unlabelled(s))
		}
		if flow == flowReturn {
			return flow
		}
		return flowNext
	}
	r.forgetChanged(list, "depends on the switch of "+r.line(s.Pos))
	before := r.env.snapshot()
	r.block(list)
	r.env.restore(before)
	return flowNext
}

// unlabelled is the statement behind the labels of a case.
func unlabelled(s syntax.Stmt) syntax.Stmt {
	for {
		l, ok := s.(*syntax.CaseStmt)
		if !ok {
			return s
		}
		s = l.Body
	}
}

// selected is the statements of a switch from the one on at which it goes on with value v.
func (r *interpreter) selected(v Value, list []syntax.Stmt) (from []syntax.Stmt, ok bool) {
	if !v.IsScalar() || !v.Scalar.Type.IsInteger() {
		return nil, false
	}
	for i, s := range list {
		for l, is := s.(*syntax.CaseStmt); is; l, is = l.Body.(*syntax.CaseStmt) {
			if l.Lo == nil {
				from = list[i:]
				continue
			}
			c := r.eval(l.Lo)
			if !c.IsScalar() || l.Hi != nil {
				return nil, false
			}
			if c.Scalar.Int == v.Scalar.Int {
				return list[i:], true
			}
		}
	}
	return from, true
}

// forgetChanged makes the variables unknown that a tree may change.
func (r *interpreter) forgetChanged(x any, why string) {
	r.assigned(x, func(name string, _ syntax.Pos, forever bool) {
		r.env.forget(name, "the value of "+name+" "+why, forever)
	})
}
