package constant

import (
	"gpupipe/frontend/ast"
	"gpupipe/idg"
)

// Statements of constant functions.

// flow is how a statement ended.
type flow uint8

const (
	goesOn flow = iota
	breaks
	continues
	returns
	jumpsTo
)

// stmts executes statements.
func (ev *evaluation) stmts(list []ast.Stmt) flow {
	for _, s := range list {
		if how := ev.stmt(s); how != goesOn {
			return how
		}
	}
	return goesOn
}

// stmt executes a statement.
func (ev *evaluation) stmt(s ast.Stmt) flow {
	if s != nil {
		ev.at = s.Pos()
	}
	ev.step()
	switch s := s.(type) {
	case nil:
	case *ast.Block:
		return ev.stmts(s.Stmts)
	case *ast.Decl:
		if s.Obj.Space == idg.SpaceLocal {
			ev.fail()
		}
		x := ev.newCell(s.Obj.Type, false)
		if s.Init != nil {
			ev.store(x, ev.value(s.Init))
		}
		ev.vars[s.Obj] = x
	case *ast.ExprStmt:
		ev.value(s.X)
	case *ast.If:
		if ev.truth(s.Cond) {
			return ev.stmt(s.Then)
		}
		if s.Else != nil {
			return ev.stmt(s.Else)
		}
	case *ast.Loop:
		return ev.loop(s)
	case *ast.Switch:
		return ev.switchStmt(s)
	case *ast.Return:
		ev.ret = &cell{}
		if s.X != nil {
			ev.ret = &cell{t: s.X.Type(), d: ev.value(s.X)}
		}
		return returns
	case *ast.Break:
		return breaks
	case *ast.Continue:
		return continues
	default:
		ev.fail()
	}
	return goesOn
}

func (ev *evaluation) loop(s *ast.Loop) flow {
	ev.stmts(s.Init)
	for first := true; ; first = false {
		if s.Cond != nil && (s.Kind != ast.DoLoop || !first) && !ev.truth(s.Cond) {
			return goesOn
		}
		switch ev.stmt(s.Body) {
		case breaks:
			return goesOn
		case returns:
			return returns
		}
		if s.Post != nil {
			ev.value(s.Post)
		}
	}
}

func (ev *evaluation) switchStmt(s *ast.Switch) flow {
	v := ev.value(s.X).num.Int
	at := -1
	for i, k := range s.Cases {
		for _, x := range k.Values {
			if x == v {
				at = i
			}
		}
	}
	for i := 0; at < 0 && i < len(s.Cases); i++ {
		if s.Cases[i].Default {
			at = i
		}
	}
	for i := at; at >= 0 && i < len(s.Cases); i++ {
		switch how := ev.stmts(s.Cases[i].Body); how {
		case goesOn:
		case breaks:
			return goesOn
		default:
			return how
		}
	}
	return goesOn
}
