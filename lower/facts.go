package lower

import "gpupipe/frontend"

// facts is what the whole body of a function says about its variables.
type facts struct {
	// memory: needs an address, because & is applied to it, an array in it decays
	// to a pointer that is not subscripted by a constant at once, or a vector's
	// lane is chosen at run time.
	memory map[*frontend.Object]bool
	// assigned: assigned after its declaration, or in memory.
	assigned map[*frontend.Object]bool
}

// factsOf analyses a function once.
func (l *lowerer) factsOf(fn *frontend.Function) *facts {
	if f := l.facts[fn]; f != nil {
		return f
	}
	f := &facts{memory: map[*frontend.Object]bool{}, assigned: map[*frontend.Object]bool{}}
	if fn.Body != nil {
		f.stmt(fn.Body)
	}
	l.facts[fn] = f
	return f
}

func (f *facts) stmts(list []frontend.Stmt) {
	for _, s := range list {
		f.stmt(s)
	}
}

func (f *facts) stmt(s frontend.Stmt) {
	switch s := s.(type) {
	case *frontend.Block:
		f.stmts(s.Stmts)
	case *frontend.Labelled:
		f.stmts(s.Stmts)
	case *frontend.Decl:
		f.expr(s.Init)
	case *frontend.ExprStmt:
		f.expr(s.X)
	case *frontend.If:
		f.expr(s.Cond)
		f.stmt(s.Then)
		if s.Else != nil {
			f.stmt(s.Else)
		}
	case *frontend.Loop:
		f.stmts(s.Init)
		f.expr(s.Cond)
		f.expr(s.Post)
		f.stmt(s.Body)
	case *frontend.Switch:
		f.expr(s.X)
		for _, c := range s.Cases {
			f.stmts(c.Body)
		}
	case *frontend.Return:
		f.expr(s.X)
	}
}

func (f *facts) exprs(list []frontend.Expr) {
	for _, e := range list {
		f.expr(e)
	}
}

func (f *facts) expr(e frontend.Expr) {
	switch e := e.(type) {
	case *frontend.Decay:
		f.needsMemory(e.X)
		f.expr(e.X)
	case *frontend.AddrOf:
		f.needsMemory(e.X)
		f.expr(e.X)
	case *frontend.Index:
		f.index(e)
	case *frontend.Deref:
		if d, ok := e.X.(*frontend.Decay); ok { // element 0
			f.expr(d.X)
			return
		}
		f.expr(e.X)
	case *frontend.Assign:
		f.assign(e.X)
		f.expr(e.X)
		f.expr(e.Y)
	case *frontend.IncDec:
		f.assign(e.X)
		f.expr(e.X)
	case *frontend.BuiltinCall:
		f.builtin(e)
	case *frontend.StmtExpr:
		f.stmts(e.Stmts)
		f.expr(e.X)
	default:
		f.exprs(operandsOf(e))
	}
}

// index looks at x[i]: a constant subscript leaves the array or vector in
// registers.
func (f *facts) index(e *frontend.Index) {
	_, fixed := constant(e.I)
	base := e.X
	if d, ok := e.X.(*frontend.Decay); ok {
		base = d.X
	} else if e.X.Type().Kind != frontend.Vector {
		fixed = true // through a pointer
	}
	if !fixed {
		f.needsMemory(base)
	}
	f.expr(base)
	f.expr(e.I)
}

// builtin looks at the arguments of a function of the language. What a MathOut
// function writes through &variable is an assignment and needs no address.
func (f *facts) builtin(e *frontend.BuiltinCall) {
	for _, a := range e.Args {
		if x, ok := outVariable(e, a); ok {
			f.assign(x)
			f.expr(x)
			continue
		}
		f.expr(a)
	}
}

// outVariable is the lvalue x when arg is the output argument &x of e.
func outVariable(e *frontend.BuiltinCall, arg frontend.Expr) (frontend.Expr, bool) {
	if e.Builtin.Class != frontend.MathOut {
		return nil, false
	}
	a, ok := arg.(*frontend.AddrOf)
	if !ok {
		return nil, false
	}
	return a.X, true
}

// needsMemory notes that the variable that lvalue x is part of has an address.
func (f *facts) needsMemory(x frontend.Expr) {
	if o := rootOf(x); o != nil {
		f.memory[o] = true
		f.assigned[o] = true
	}
}

// assign notes that the variable that lvalue x is part of is assigned.
func (f *facts) assign(x frontend.Expr) {
	if o := rootOf(x); o != nil {
		f.assigned[o] = true
	}
}

// rootOf is the variable that an lvalue is a part of, or nil when the lvalue is
// behind a pointer.
func rootOf(x frontend.Expr) *frontend.Object {
	for {
		switch e := x.(type) {
		case *frontend.VarRef:
			return e.Obj
		case *frontend.Member:
			x = e.X
		case *frontend.Swizzle:
			x = e.X
		case *frontend.Index:
			x = e.X
			if x.Type().Kind == frontend.Vector {
				continue
			}
			d, ok := x.(*frontend.Decay)
			if !ok {
				return nil
			}
			x = d.X
		case *frontend.Deref:
			d, ok := e.X.(*frontend.Decay)
			if !ok {
				return nil
			}
			x = d.X
		default:
			return nil
		}
	}
}

// operandsOf lists the expressions directly inside e.
func operandsOf(e frontend.Expr) []frontend.Expr {
	switch e := e.(type) {
	case *frontend.Decay:
		return []frontend.Expr{e.X}
	case *frontend.Unary:
		return []frontend.Expr{e.X}
	case *frontend.Binary:
		return []frontend.Expr{e.X, e.Y}
	case *frontend.PtrAdd:
		return []frontend.Expr{e.X, e.Index}
	case *frontend.Convert:
		return []frontend.Expr{e.X}
	case *frontend.Bitcast:
		return []frontend.Expr{e.X}
	case *frontend.Assign:
		return []frontend.Expr{e.X, e.Y}
	case *frontend.IncDec:
		return []frontend.Expr{e.X}
	case *frontend.Cond:
		return []frontend.Expr{e.C, e.X, e.Y}
	case *frontend.Comma:
		return []frontend.Expr{e.X, e.Y}
	case *frontend.Index:
		return []frontend.Expr{e.X, e.I}
	case *frontend.Deref:
		return []frontend.Expr{e.X}
	case *frontend.AddrOf:
		return []frontend.Expr{e.X}
	case *frontend.Member:
		return []frontend.Expr{e.X}
	case *frontend.Swizzle:
		return []frontend.Expr{e.X}
	case *frontend.VectorLit:
		return e.Elems
	case *frontend.InitList:
		return e.Elems
	case *frontend.Call:
		return e.Args
	case *frontend.BuiltinCall:
		return e.Args
	}
	return nil
}
