package ast

// Operands returns the expressions directly below e.
func Operands(e Expr) []Expr {
	switch x := e.(type) {
	case *Decay:
		return []Expr{x.X}
	case *Unary:
		return []Expr{x.X}
	case *Binary:
		return []Expr{x.X, x.Y}
	case *PtrAdd:
		return []Expr{x.X, x.Index}
	case *Convert:
		return []Expr{x.X}
	case *Bitcast:
		return []Expr{x.X}
	case *Assign:
		return []Expr{x.X, x.Y}
	case *IncDec:
		return []Expr{x.X}
	case *Cond:
		return []Expr{x.C, x.X, x.Y}
	case *Comma:
		return []Expr{x.X, x.Y}
	case *Index:
		return []Expr{x.X, x.I}
	case *Deref:
		return []Expr{x.X}
	case *AddrOf:
		return []Expr{x.X}
	case *Member:
		return []Expr{x.X}
	case *Swizzle:
		return []Expr{x.X}
	case *VectorLit:
		return x.Elems
	case *InitList:
		return x.Elems
	case *Call:
		return x.Args
	case *BuiltinCall:
		return x.Args
	case *StmtExpr:
		var all []Expr
		walkStmts(x.Stmts, func(s Stmt) { all = append(all, exprsOf(s)...) })
		if x.X != nil {
			all = append(all, x.X)
		}
		return all
	}
	return nil
}

// WalkExpr calls f for e and, where f returns true, for the expressions below
// it, in source order.
func WalkExpr(e Expr, f func(Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	for _, o := range Operands(e) {
		WalkExpr(o, f)
	}
}

// WalkStmt calls f for every statement in s, s first, in source order.
func WalkStmt(s Stmt, f func(Stmt)) {
	if s == nil {
		return
	}
	f(s)
	switch s := s.(type) {
	case *Block:
		walkStmts(s.Stmts, f)
	case *Labelled:
		walkStmts(s.Stmts, f)
	case *If:
		WalkStmt(s.Then, f)
		WalkStmt(s.Else, f)
	case *Loop:
		walkStmts(s.Init, f)
		WalkStmt(s.Body, f)
	case *Switch:
		for _, c := range s.Cases {
			walkStmts(c.Body, f)
		}
	}
}

func walkStmts(list []Stmt, f func(Stmt)) {
	for _, s := range list {
		WalkStmt(s, f)
	}
}

// exprsOf returns the expressions of one statement, those of the statements in
// it left out.
func exprsOf(s Stmt) []Expr {
	var all []Expr
	switch s := s.(type) {
	case *Decl:
		all = []Expr{s.Init}
	case *ExprStmt:
		all = []Expr{s.X}
	case *If:
		all = []Expr{s.Cond}
	case *Loop:
		all = []Expr{s.Cond, s.Post}
	case *Switch:
		all = []Expr{s.X}
	case *Return:
		all = []Expr{s.X}
	}
	kept := all[:0]
	for _, e := range all {
		if e != nil {
			kept = append(kept, e)
		}
	}
	return kept
}
