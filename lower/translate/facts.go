package translate

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
)

// facts is what the whole body of a function says about its variables.
type facts struct {
	// memory: needs an address, because & is applied to it, an array in it decays
	// to a pointer that is not subscripted by a constant at once, or a vector's
	// lane is chosen at run time.
	memory map[*ast.Object]bool
	// assigned: assigned after its declaration, or in memory.
	assigned map[*ast.Object]bool
}

// factsOf analyses a function once.
func (l *lowerer) factsOf(fn *ast.Function) *facts {
	if f := l.facts[fn]; f != nil {
		return f
	}
	f := &facts{memory: map[*ast.Object]bool{}, assigned: map[*ast.Object]bool{}}
	if fn.Body != nil {
		f.stmt(fn.Body)
	}
	l.facts[fn] = f
	return f
}

func (f *facts) stmts(list []ast.Stmt) {
	for _, s := range list {
		f.stmt(s)
	}
}

func (f *facts) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.Block:
		f.stmts(s.Stmts)
	case *ast.Labelled:
		f.stmts(s.Stmts)
	case *ast.Decl:
		f.expr(s.Init)
	case *ast.ExprStmt:
		f.expr(s.X)
	case *ast.If:
		f.expr(s.Cond)
		f.stmt(s.Then)
		if s.Else != nil {
			f.stmt(s.Else)
		}
	case *ast.Loop:
		f.stmts(s.Init)
		f.expr(s.Cond)
		f.expr(s.Post)
		f.stmt(s.Body)
	case *ast.Switch:
		f.expr(s.X)
		for _, c := range s.Cases {
			f.stmts(c.Body)
		}
	case *ast.Return:
		f.expr(s.X)
	}
}

func (f *facts) exprs(list []ast.Expr) {
	for _, e := range list {
		f.expr(e)
	}
}

func (f *facts) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Decay:
		f.needsMemory(e.X)
		f.expr(e.X)
	case *ast.AddrOf:
		f.needsMemory(e.X)
		f.expr(e.X)
	case *ast.Index:
		f.index(e)
	case *ast.Deref:
		if d, ok := e.X.(*ast.Decay); ok { // element 0
			f.expr(d.X)
			return
		}
		f.expr(e.X)
	case *ast.Assign:
		f.assign(e.X)
		f.expr(e.X)
		f.expr(e.Y)
	case *ast.IncDec:
		f.assign(e.X)
		f.expr(e.X)
	case *ast.BuiltinCall:
		f.builtin(e)
	case *ast.StmtExpr:
		f.stmts(e.Stmts)
		f.expr(e.X)
	default:
		f.exprs(operandsOf(e))
	}
}

// index looks at x[i]: a constant subscript leaves the array or vector in
// registers.
func (f *facts) index(e *ast.Index) {
	_, fixed := constant(e.I)
	base := e.X
	if d, ok := e.X.(*ast.Decay); ok {
		base = d.X
	} else if e.X.Type().Kind != ctypes.Vector {
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
func (f *facts) builtin(e *ast.BuiltinCall) {
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
func outVariable(e *ast.BuiltinCall, arg ast.Expr) (ast.Expr, bool) {
	if e.Builtin.Class != builtins.MathOut {
		return nil, false
	}
	a, ok := arg.(*ast.AddrOf)
	if !ok {
		return nil, false
	}
	return a.X, true
}

// needsMemory notes that the variable that lvalue x is part of has an address.
func (f *facts) needsMemory(x ast.Expr) {
	if o := rootOf(x); o != nil {
		f.memory[o] = true
		f.assigned[o] = true
	}
}

// assign notes that the variable that lvalue x is part of is assigned.
func (f *facts) assign(x ast.Expr) {
	if o := rootOf(x); o != nil {
		f.assigned[o] = true
	}
}

// rootOf is the variable that an lvalue is a part of, or nil when the lvalue is
// behind a pointer.
func rootOf(x ast.Expr) *ast.Object {
	for {
		switch e := x.(type) {
		case *ast.VarRef:
			return e.Obj
		case *ast.Member:
			x = e.X
		case *ast.Swizzle:
			x = e.X
		case *ast.Index:
			x = e.X
			if x.Type().Kind == ctypes.Vector {
				continue
			}
			d, ok := x.(*ast.Decay)
			if !ok {
				return nil
			}
			x = d.X
		case *ast.Deref:
			d, ok := e.X.(*ast.Decay)
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
func operandsOf(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.Decay:
		return []ast.Expr{e.X}
	case *ast.Unary:
		return []ast.Expr{e.X}
	case *ast.Binary:
		return []ast.Expr{e.X, e.Y}
	case *ast.PtrAdd:
		return []ast.Expr{e.X, e.Index}
	case *ast.Convert:
		return []ast.Expr{e.X}
	case *ast.Bitcast:
		return []ast.Expr{e.X}
	case *ast.Assign:
		return []ast.Expr{e.X, e.Y}
	case *ast.IncDec:
		return []ast.Expr{e.X}
	case *ast.Cond:
		return []ast.Expr{e.C, e.X, e.Y}
	case *ast.Comma:
		return []ast.Expr{e.X, e.Y}
	case *ast.Index:
		return []ast.Expr{e.X, e.I}
	case *ast.Deref:
		return []ast.Expr{e.X}
	case *ast.AddrOf:
		return []ast.Expr{e.X}
	case *ast.Member:
		return []ast.Expr{e.X}
	case *ast.Swizzle:
		return []ast.Expr{e.X}
	case *ast.VectorLit:
		return e.Elems
	case *ast.InitList:
		return e.Elems
	case *ast.Call:
		return e.Args
	case *ast.BuiltinCall:
		return e.Args
	}
	return nil
}
