package resolve

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/syntax"
)

// odrUses captures the constants that a body needs as objects ([basic.def.odr]), not their values alone: the typed body
// still refers to them where no lvalue-to-rvalue conversion has made a literal of them. A generic lambda captures those
// that it names where the full expression depends on a parameter, too ([expr.prim.lambda.capture]/7).
func (k *closing) odrUses(f *function) {
	if len(k.constants) == 0 {
		return
	}
	named := map[string]bool{}
	if f.params != nil {
		f, named = k.independent(f)
	}
	if k.signatureOf(f) == nil {
		return
	}
	k.bodyOf(f)
	used := map[*ast.Object]bool{}
	ast.WalkBody(f.fn.Body, func(ast.Stmt) {}, func(e ast.Expr) {
		if ref, ok := e.(*ast.VarRef); ok {
			used[ref.Obj] = true
		}
	})
	for _, sym := range k.constants {
		if used[sym.obj] || named[sym.name] {
			k.constant(sym, k.node.Default == "&", k.node.Pos)
		}
	}
	k.layOut()
}

// independent is the operator() of a generic lambda with those statements alone that depend on no parameter, and what
// the others name.
func (k *closing) independent(f *function) (*function, map[string]bool) {
	g := &genericBody{map[string]bool{}, map[string]bool{}, nil}
	for _, p := range f.params.list {
		g.depends[p.Ident] = true
	}
	op := *k.node.Decl
	op.Params, op.Result, op.Requires = nil, nil, nil
	for _, p := range k.node.Decl.Params {
		if g.isDependent(p) {
			g.depends[p.Decl.Ident()] = true
		} else {
			op.Params = append(op.Params, p)
		}
	}
	syntax.Visit(k.node.Body, g.node)
	decl := *f.decl.Decl
	decl.Ops = []syntax.DeclOp{&op}
	specs := &syntax.Specifiers{Pos: f.pos, Type: &syntax.Builtin{Words: []string{"void"}}}
	own := k.newFunction(&syntax.Function{Specs: specs, Decl: &decl,
		Body: &syntax.Body{Pos: f.pos, Stmts: g.rest}}, nil, f.in)
	own.class, own.closure, own.isConst, own.seq = f.class, f.closure, f.isConst, f.seq
	return own, g.named
}

// genericBody is the body of a generic lambda.
type genericBody struct {
	depends map[string]bool // names whose types depend on a parameter
	named   map[string]bool // in full expressions that do
	rest    []syntax.Stmt   // which do not
}

func (g *genericBody) isDependent(n any) bool {
	for name := range g.depends {
		if syntax.Mentions(n, name) {
			return true
		}
	}
	return false
}

// node visits declarations and full expressions.
func (g *genericBody) node(n any) bool {
	switch n := n.(type) {
	case *syntax.RangeStmt:
		if g.isDependent(n.Range) {
			g.declare(n.Var)
		}
	case *syntax.Vars:
		for _, v := range n.Decls {
			one := &syntax.Vars{Specs: n.Specs, Decls: []*syntax.Var{v}}
			bare := &syntax.Vars{Specs: n.Specs, Decls: []*syntax.Var{{Decl: v.Decl, Names: v.Names}}}
			_, auto := n.Specs.Type.(*syntax.Auto)
			if dependent := g.isDependent(one); dependent && (auto || g.isDependent(bare)) {
				g.declare(one)
			} else if dependent {
				g.rest = append(g.rest, &syntax.DeclStmt{Decl: bare})
			}
			g.full(one, &syntax.DeclStmt{Decl: one})
		}
		return false
	case syntax.Expr:
		g.full(n, &syntax.ExprStmt{Pos: n.ExprPos(), X: n})
		return false
	}
	return true
}

func (g *genericBody) declare(list *syntax.Vars) {
	for _, v := range list.Decls {
		g.depends[v.Decl.Ident()] = true
		for _, part := range v.Names {
			g.depends[part.Ident] = true
		}
	}
}

// full is a full expression.
func (g *genericBody) full(n any, s syntax.Stmt) {
	if !g.isDependent(n) {
		g.rest = append(g.rest, s)
		return
	}
	in := &capturing{map[string]bool{}, func(ident string) { g.named[ident] = true }, func() {}}
	syntax.Visit(n, in.node)
}
