package resolve

import (
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/syntax"
	"gpupipe/internal/diag"
)

// Typing an expression gives an Expr that may still be an lvalue: an array, a
// constant variable. rvalue decays and folds it; convert does so too and makes
// the conversion to a wanted type explicit.

// expr types an expression.
func (c *checker) expr(n syntax.Expr) ast.Expr {
	if n == nil {
		return invalidAt(diag.Pos{})
	}
	defer c.leave()
	if !c.enter() {
		c.tooDeep(n.ExprPos())
		return invalidAt(n.ExprPos())
	}
	switch x := n.(type) {
	case *syntax.Lit:
		return c.literal(x)
	case *syntax.Ident:
		return c.nameExpr(x.Name, false)
	case *syntax.This:
		return c.thisPointer(x.Pos)
	case *syntax.Paren:
		return c.expr(x.X)
	case *syntax.Unary:
		return c.unaryExpr(x)
	case *syntax.Postfix:
		return c.postfixExpr(x)
	case *syntax.Binary:
		return c.binaryNode(x)
	case *syntax.Cond:
		return c.conditional(x)
	case *syntax.CallExpr:
		return c.call(x)
	case *syntax.IndexExpr:
		return c.indexExpr(x)
	case *syntax.MemberExpr:
		return c.memberExpr(x)
	case *syntax.CastExpr:
		return c.cast(x)
	case *syntax.NamedCast:
		return c.namedCast(x)
	case *syntax.Construct:
		return c.constructExpr(x)
	case *syntax.SizeOf:
		return c.sizeofExpr(x)
	case *syntax.Lambda:
		return c.lambda(x)
	case *syntax.Fold:
		return c.fold1(x)
	case *syntax.List:
		return c.braces(x)
	case *syntax.StmtExpr:
		return c.statementExpression(x)
	case *syntax.TypeTrait:
		return c.typeTrait(x)
	case *syntax.Noexcept:
		return c.noexcept(x)
	case *syntax.Requires:
		return c.requires(x)
	case *syntax.OffsetOf:
		return c.offsetOf(x)
	case *syntax.PackExpansion:
		return c.fail(x.Pos, "a pack is expanded where no list is")
	case *syntax.New:
		return c.newObject(x)
	case *syntax.Delete:
		return c.deleteObject(x)
	case *syntax.Throw:
		return c.refuse(x.Pos, "throw is", "")
	case *syntax.LaunchExpr:
		c.warnOnce(x.Pos, "a launch by a kernel is left out: what the other kernel does takes no time here")
		return builtin(builtins.Ignored, "launch", ctypes.Scalar(ctypes.Void), x.Pos)
	}
	return c.refuse(n.ExprPos(), "this expression is", "")
}

// value types an expression whose value is used.
func (c *checker) value(n syntax.Expr) ast.Expr { return c.rvalue(c.expr(n)) }

// literal types a literal.
func (c *checker) literal(x *syntax.Lit) ast.Expr {
	var v ctypes.Value
	var problem string
	if i := strings.IndexByte(x.Text, '_'); i > 0 && (x.Kind == syntax.IntLit || x.Kind == syntax.FloatLit) &&
		c.cfg.Dialect == ast.CUDA {
		return c.ownLiteral(x, i)
	}
	switch x.Kind {
	case syntax.BoolLit:
		k := ctypes.Int // as OpenCL C's macros
		if c.cfg.Dialect == ast.CUDA {
			k = ctypes.Bool
		}
		if x.Text == "true" {
			return number(k, 1, x.Pos)
		}
		return number(k, 0, x.Pos)
	case syntax.NullLit:
		return &ast.Convert{Typed: ast.Of(nullType, x.Pos), X: number(ctypes.Int, 0, x.Pos)}
	case syntax.StringLit:
		return c.stringLiteral(x.Text, x.Pos)
	case syntax.CharLit:
		v, problem = ctypes.ParseChar(x.Text)
		if t := c.characterType(x.Text); t != nil && problem == "" {
			v = ctypes.Convert(v, t)
		}
	case syntax.FloatLit:
		v, problem = ctypes.ParseFloat(withoutQuotes(x.Text), c.cfg.SinglePrecision)
	default:
		v, problem = ctypes.ParseInt(withoutQuotes(x.Text))
	}
	if problem != "" {
		c.errorf(x.Pos, codeConstant, "constant %s: %s", x.Text, problem)
		return invalidAt(x.Pos)
	}
	if c.cfg.Dialect == ast.CUDA {
		v.Type = longLongSuffix(x.Text, v.Type)
	}
	return ast.LiteralOf(v, x.Pos)
}

// characterType is the type of a character literal in C++ ([lex.ccon]), nil where it is int.
func (c *checker) characterType(text string) *ctypes.Type {
	prefix, _, _ := strings.Cut(text, "'")
	if c.cfg.Dialect != ast.CUDA {
		return nil
	} else if t := encodings[prefix]; t.Size() > 1 {
		return t
	}
	if codes, _ := ctypes.Unquote(text[len(prefix):], 1); len(codes) == 1 {
		return ctypes.Scalar(ctypes.Char)
	}
	return nil // several make an int
}

// ownLiteral types 12_km: a call of operator""_km, which begins at i.
func (c *checker) ownLiteral(x *syntax.Lit, i int) ast.Expr {
	arg := c.literal(&syntax.Lit{Pos: x.Pos, Kind: x.Kind, Text: x.Text[:i]})
	if isInvalid(arg) {
		return arg
	}
	t := uLongLong
	if x.Kind == syntax.FloatLit {
		t = ctypes.Scalar(ctypes.Double)
	}
	name := `operator""` + x.Text[i:]
	sym := c.lookup(name)
	if sym == nil || sym.kind != symFunction {
		return c.fail(x.Pos, "the literal operator %s is not declared", name)
	}
	set := &overloads{Typed: ast.Of(overloadType, x.Pos), name: name, funcs: sym.funcs}
	if len(sym.funcs) == 1 && sym.funcs[0].params != nil && len(functionOp(sym.funcs[0].decl.Decl).Params) == 0 {
		set.explicit = &templateArgs{} // the characters are arguments of the template ([lex.ext])
		for _, ch := range []byte(x.Text[:i]) {
			v := ctypes.IntValue(ctypes.Char, int64(ch))
			*set.explicit = append(*set.explicit, templateArg{kind: argValue, value: &v})
		}
		return c.callSet(set, nil, nil, x.Pos)
	}
	if f := c.rawOperator(sym.funcs); f != nil {
		return c.callSet(set, []ast.Expr{c.stringLiteral(strconv.Quote(x.Text[:i]), x.Pos)}, nil, x.Pos)
	}
	return c.callSet(set, []ast.Expr{c.convert(arg, t, "a literal")}, nil, x.Pos)
}

// rawOperator is a literal operator that takes the spelling of a number, where none takes its value ([lex.ext]).
func (c *checker) rawOperator(list []*function) (raw *function) {
	for _, f := range list {
		if f.params != nil {
			return nil
		}
		sig := c.signatureOf(f)
		if sig == nil || len(sig.params) != 1 || sig.params[0].typ.Kind != ctypes.Pointer {
			return nil
		}
		raw = f
	}
	return raw
}

// withoutQuotes is a number without the quotes between its digits.
func withoutQuotes(s string) string { return strings.ReplaceAll(s, "'", "") }

// longLongSuffix is long long where the suffix says so.
func longLongSuffix(text string, t *ctypes.Type) *ctypes.Type {
	n := strings.Count(strings.ToLower(text), "l")
	switch {
	case n == 2 && t.Kind == ctypes.Long:
		return longLong
	case n == 2 && t.Kind == ctypes.ULong:
		return uLongLong
	}
	return t
}

// nameExpr types a name; called is set where it is called.
func (c *checker) nameExpr(n *syntax.Name, called bool) ast.Expr {
	if len(n.Parts) == 1 && !n.Global {
		switch text := n.Parts[0].Ident; text {
		case "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__":
			if c.fn != nil {
				return c.stringLiteral(strconv.Quote(c.fn.name), n.Pos)
			}
		}
	}
	what := "name"
	if called {
		what = "function"
	}
	if len(n.Parts) == 1 && c.cfg.Dialect == ast.CUDA && c.lookup(n.Parts[0].Ident) == nil &&
		len(c.builtins.Find(n.Parts[0].Ident)) > 0 {
		return &overloads{Typed: ast.Of(overloadType, n.Pos), name: n.Parts[0].Ident, builtin: true, adl: true}
	}
	f := c.find(n, false, what)
	if f == nil {
		return invalidAt(n.Pos)
	}
	return c.symbolExpr(f, n.Pos)
}

// symbolExpr is what a name that has been found stands for in an expression.
func (c *checker) symbolExpr(f *found, pos diag.Pos) ast.Expr {
	sym := f.sym
	switch sym.kind {
	case symValue:
		v := *sym.value
		return ast.LiteralOf(v, pos)
	case symType:
		return &typeOperand{ast.Of(overloadType, pos), sym.typ}
	case symTemplate:
		if sym.tmpl.class != nil {
			return &typeOperand{ast.Of(overloadType, pos), plain(c.placeholder(sym.tmpl))}
		}
		return c.fail(pos, "%s needs template arguments", f.name)
	case symNamespace:
		return c.fail(pos, "%s is a namespace, not a value", f.name)
	case symPack:
		return c.fail(pos, "the pack %s is not expanded", f.name)
	case symField:
		return c.ownField(sym, f.in, pos)
	case symBinding:
		if sym.owner != nil && c.fn != nil && sym.owner != c.fn {
			if c.fn.closure != nil {
				if e := c.captureIn(c.fn.closure, c.fn.this, sym, pos); e != nil {
					return e
				}
			}
			return c.refuse(pos, "a member of an anonymous union in a lambda is", "give the union a name")
		}
		return c.atPos(sym.expr, pos)
	case symFunction:
		set := &overloads{Typed: ast.Of(overloadType, pos), name: f.name, funcs: sym.funcs,
			adl: !f.qualified && c.cfg.Dialect == ast.CUDA, qualified: f.qualified}
		if len(f.name) > 0 && sym.name != f.name && !f.qualified {
			set.name = sym.name
		}
		if f.args != nil {
			args := f.args
			set.explicit = &args
		}
		for _, g := range sym.funcs {
			if g.class != nil {
				set.adl = false
				if obj := c.thisFor(g.class); obj != nil && !g.static && g.kind == ordinary {
					set.object = c.partNamed(obj, f.in, g.class)
				}
			}
		}
		set.builtin = set.adl && c.overloadsBuiltin(sym)
		if !f.qualified && c.cfg.Dialect == ast.CUDA && len(sym.funcs) > 0 && sym.funcs[0].class == nil {
			set.builtin = true
		}
		if sym.language {
			set.name, set.builtin = sym.name, true
		}
		return set
	}
	if sym.obj == nil {
		return invalidAt(pos)
	}
	return c.variableExpr(sym, pos)
}

// overloadsBuiltin reports whether functions of the program stand beside those of the language with their name: in CUDA
// C++ any, in OpenCL C those with the attribute; others hide them.
func (c *checker) overloadsBuiltin(sym *symbol) bool {
	return c.cfg.Dialect == ast.CUDA || slices.ContainsFunc(sym.funcs, func(f *function) bool { return f.overloadable })
}

// variableExpr is a variable's name in an expression.
func (c *checker) variableExpr(sym *symbol, pos diag.Pos) ast.Expr {
	if sym.builtin && c.cfg.Dialect == ast.CUDA && (cudaIndices[sym.name] != "" || sym.name == "warpSize") {
		return c.cudaIndex(sym.name, pos)
	}
	if sym.obj.Type.Kind == 0 {
		return invalidAt(pos)
	}
	if sym.owner != nil && sym.owner != c.fn && c.fn != nil && !sym.unevaluated {
		if e := c.captured(sym, pos); e != nil {
			return e
		}
	}
	e := ast.Expr(ast.RefTo(sym.obj, pos))
	if sym.ref != noRef || sym.inPlace {
		return &ast.Deref{Typed: ast.Of(sym.obj.Type.Elem, pos), X: e}
	}
	return e
}

// atPos is an expression that a name stands for, at the name's position.
func (c *checker) atPos(e ast.Expr, pos diag.Pos) ast.Expr {
	switch x := e.(type) {
	case *overloads:
		own := *x
		own.P = pos
		return &own
	case *ast.VarRef:
		own := *x
		own.P = pos
		return &own
	}
	return e
}

// rvalue makes a value of an lvalue: arrays decay, constants whose value is
// known become literals.
func (c *checker) rvalue(e ast.Expr) ast.Expr {
	e = stripped(e)
	t := e.Type()
	switch x := e.(type) {
	case *ast.Deref: // of an object that ?: chooses: the value is chosen
		if cond, ok := x.X.(*ast.Cond); ok && t.Kind != ctypes.Array {
			return &ast.Cond{Typed: ast.Of(t, e.Pos()), C: cond.C, X: c.rvalue(c.deref(cond.X, e.Pos())),
				Y: c.rvalue(c.deref(cond.Y, e.Pos()))}
		}
	case *typeOperand:
		return c.fail(e.Pos(), "%s is a type, not a value", c.spellQual(x.t))
	}
	switch {
	case t.Kind == ctypes.Array:
		p := ctypes.PointerTo(t.Elem, ast.SpaceOf(e))
		p.Const, p.Volatile = c.isConstLvalue(e), ast.IsVolatile(e)
		return &ast.Decay{Typed: ast.Of(p, e.Pos()), X: e}
	case t.IsScalar():
		if ref, ok := e.(*ast.VarRef); ok && ref.Obj.Constant != nil {
			v := *ref.Obj.Constant
			v.Type = t
			return &ast.Literal{Typed: ast.Of(t, e.Pos()), Value: v}
		}
	case t.Kind == ctypes.Pointer:
		ref, ok := e.(*ast.VarRef)
		if ok && ref.Obj.Const && ref.Obj.Init != nil && !c.overwritten[ref.Obj] && !ref.Obj.Volatile {
			return c.atPos(ref.Obj.Init, e.Pos()) // an address that is known
		}
	}
	return e
}

// stray reports a function where a value is needed.
func (c *checker) stray(set *overloads) ast.Expr {
	return c.refuse(set.P, "pointers to functions are", "call "+set.name+
		" directly, or give it to a function that does")
}
