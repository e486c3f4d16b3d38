package ast

// Operands returns the expressions directly below e.
func Operands(e Expr) []Expr { return contents(operands(e)) }

// contents are the expressions of places that hold one.
func contents(places []*Expr) []Expr {
	var all []Expr
	for _, p := range places {
		if *p != nil {
			all = append(all, *p)
		}
	}
	return all
}

// operands are the places of the expressions directly below e.
func operands(e Expr) []*Expr {
	switch x := e.(type) {
	case *Decay:
		return []*Expr{&x.X}
	case *Unary:
		return []*Expr{&x.X}
	case *Binary:
		return []*Expr{&x.X, &x.Y}
	case *PtrAdd:
		return []*Expr{&x.X, &x.Index}
	case *Convert:
		return []*Expr{&x.X}
	case *Bitcast:
		return []*Expr{&x.X}
	case *Assign:
		return []*Expr{&x.X, &x.Y}
	case *IncDec:
		return []*Expr{&x.X}
	case *Cond:
		return []*Expr{&x.C, &x.X, &x.Y}
	case *Comma:
		return []*Expr{&x.X, &x.Y}
	case *Index:
		return []*Expr{&x.X, &x.I}
	case *Deref:
		return []*Expr{&x.X}
	case *AddrOf:
		return []*Expr{&x.X}
	case *Member:
		return []*Expr{&x.X}
	case *Swizzle:
		return []*Expr{&x.X}
	case *VectorLit:
		return each(x.Elems)
	case *InitList:
		return each(x.Elems)
	case *Call:
		return each(x.Args)
	case *BuiltinCall:
		return each(x.Args)
	case *StmtExpr:
		var all []*Expr
		walkStmts(x.Stmts, func(s Stmt) { all = append(all, exprsOf(s)...) })
		return append(all, &x.X)
	}
	return nil
}

func each(list []Expr) []*Expr {
	all := make([]*Expr, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
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

// exprsOf are the places of the expressions of one statement, those of the statements in it left out.
func exprsOf(s Stmt) []*Expr {
	switch s := s.(type) {
	case *Decl:
		return []*Expr{&s.Init}
	case *ExprStmt:
		return []*Expr{&s.X}
	case *If:
		return []*Expr{&s.Cond}
	case *Loop:
		return []*Expr{&s.Cond, &s.Post}
	case *Switch:
		return []*Expr{&s.X}
	case *Return:
		return []*Expr{&s.X}
	}
	return nil
}

// WalkBody calls stmt for every statement in s and expr for every expression, those inside of expressions too, in
// source order.
func WalkBody(s Stmt, stmt func(Stmt), expr func(Expr)) {
	var visit func(Expr) bool
	visit = func(e Expr) bool {
		expr(e)
		x, ok := e.(*StmtExpr)
		if !ok {
			return true
		}
		for _, s := range x.Stmts {
			WalkBody(s, stmt, expr)
		}
		WalkExpr(x.X, visit)
		return false
	}
	WalkStmt(s, func(s Stmt) {
		stmt(s)
		for _, e := range contents(exprsOf(s)) {
			WalkExpr(e, visit)
		}
	})
}

// RewriteLists puts what f returns in the place of every list of statements in s; a statement that stands alone is one.
func RewriteLists(s Stmt, f func([]Stmt) []Stmt) {
	one := func(s Stmt) Stmt {
		if _, is := s.(*Block); is || s == nil {
			return s
		}
		return &Block{Positioned: At(s.Pos()), Stmts: []Stmt{s}}
	}
	WalkBody(s, func(s Stmt) {
		switch s := s.(type) {
		case *If:
			s.Then, s.Else = one(s.Then), one(s.Else)
		case *Block:
			s.Stmts = f(s.Stmts)
		case *Labelled:
			s.Stmts = f(s.Stmts)
		case *Loop:
			s.Init, s.Body = f(s.Init), one(s.Body)
		case *Switch:
			for i := range s.Cases {
				s.Cases[i].Body = f(s.Cases[i].Body)
			}
		}
	}, func(e Expr) {
		if x, ok := e.(*StmtExpr); ok {
			x.Stmts = f(x.Stmts)
		}
	})
}

// Rewrite puts what f returns in the place of every expression of a function and of those that it calls, operands
// first.
func Rewrite(fn *Function, f func(Expr) Expr) {
	done, called := map[Expr]bool{}, map[*Function]bool{}
	var function func(*Function)
	var expr func(*Expr)
	expr = func(at *Expr) {
		if *at == nil {
			return
		}
		if !done[*at] { // of a tree that stands in two places
			done[*at] = true
			for _, o := range operands(*at) {
				expr(o)
			}
			if call, ok := (*at).(*Call); ok {
				function(call.Fn)
			}
		}
		*at = f(*at)
	}
	function = func(fn *Function) {
		if called[fn] || fn.Body == nil {
			return
		}
		called[fn] = true
		WalkStmt(fn.Body, func(s Stmt) {
			for _, x := range exprsOf(s) {
				expr(x)
			}
		})
	}
	function(fn)
}
