package ast

import (
	"errors"
	"fmt"

	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// Verify checks the invariants that tree.go states: every expression has a
// valid type, operands have been converted, lvalues are where they must be. A
// violation is a bug of package frontend, not in the user's source.
func (u *Unit) Verify() error {
	var errs []error
	seen := map[*Function]bool{}
	for _, k := range u.Kernels {
		errs = append(errs, verifyFunction(k, seen))
	}
	for _, g := range u.Globals {
		if g.Init != nil && g.Type.Kind != 0 && !g.Init.Type().Equal(g.Type) {
			errs = append(errs, fmt.Errorf("%v: %s has type %v, its initialiser %v", g.Pos, g.Name, g.Type,
				g.Init.Type()))
		}
	}
	return errors.Join(errs...)
}

// VerifyFunction checks a function and those that it calls, as Verify does; the error is the first one found.
func VerifyFunction(f *Function) error { return verifyFunction(f, map[*Function]bool{}) }

// verifyFunction checks a function and those that it calls; the error is the
// first one found.
func verifyFunction(f *Function, seen map[*Function]bool) (err error) {
	if seen[f] {
		return nil
	}
	seen[f] = true
	if f.Body == nil {
		return fmt.Errorf("%v: %s has no body", f.Pos, f.Name)
	}
	report := func(pos diag.Pos, format string, args ...any) {
		if err == nil {
			err = fmt.Errorf("%v: %s", pos, fmt.Sprintf(format, args...))
		}
	}
	WalkStmt(f.Body, func(s Stmt) {
		verifyStmt(s, f, report)
		for _, e := range exprsOf(s) {
			WalkExpr(*e, func(e Expr) bool {
				if e.Type() == nil || e.Type().Kind == 0 {
					report(e.Pos(), "%T without a type", e)
					return false
				}
				if why := verifyExpr(e); why != "" {
					report(e.Pos(), "%s: %s", ExprString(e), why)
				}
				if call, ok := e.(*Call); ok && err == nil {
					err = verifyFunction(call.Fn, seen)
				}
				return err == nil
			})
		}
	})
	return err
}

func verifyStmt(s Stmt, f *Function, report func(diag.Pos, string, ...any)) {
	switch s := s.(type) {
	case *Decl:
		if s.Init != nil && !s.Init.Type().Equal(s.Obj.Type) {
			report(s.P, "%s has type %v, its initialiser %v", s.Obj.Name, s.Obj.Type, s.Init.Type())
		}
	case *Return:
		if s.X != nil && !s.X.Type().Equal(f.Result) {
			report(s.P, "return of %v in a function of type %v", s.X.Type(), f.Result)
		}
	case *Loop:
		if s.Kind == 0 {
			report(s.P, "loop without a kind")
		}
		if p := s.Pragma; p != nil && (p.Kind == 0 || (p.Kind == UnrollFactor) != (p.Factor >= 2)) {
			report(p.Pos, "pragma %v with factor %d", p.Kind, p.Factor)
		}
	case *Goto:
		if s.Target == nil || s.Target.Name != s.Name {
			report(s.P, "goto %s without its target", s.Name)
		}
	case *Label:
		report(s.P, "the label %s among the statements", s.Name)
	case *Switch:
		if !s.X.Type().IsInteger() {
			report(s.P, "switch over %v", s.X.Type())
		}
	}
}

// verifyExpr says what is wrong with one expression, empty if nothing is.
func verifyExpr(e Expr) string {
	t := e.Type()
	switch x := e.(type) {
	case *Literal:
		if !t.IsScalar() || !t.Equal(x.Value.Type) {
			return "type and value differ"
		}
	case *Decay:
		if x.X.Type().Kind != ctypes.Array || t.Kind != ctypes.Pointer || !t.Elem.Equal(x.X.Type().Elem) {
			return "not an array that becomes a pointer"
		}
	case *Unary:
		if x.Op != ctypes.Not && !t.Equal(x.X.Type()) {
			return "the operand has another type"
		}
	case *Binary:
		return verifyBinary(x)
	case *PtrAdd:
		if t.Kind != ctypes.Pointer || !t.Equal(x.X.Type()) || !x.Index.Type().IsInteger() {
			return "not pointer and integer"
		}
	case *Bitcast:
		if t.Size() != x.X.Type().Size() {
			return "sizes differ"
		}
	case *Convert:
		if x.X.Type().Kind == ctypes.Array || t.Kind == ctypes.Vector && x.X.Type().IsScalar() &&
			!x.X.Type().Equal(t.Elem) {
			return "the operand has not been converted to the lane's type"
		}
	case *Assign:
		return verifyAssign(x)
	case *IncDec:
		if !IsLvalue(x.X) || !t.Equal(x.X.Type()) {
			return "the operand is not an lvalue of the same type"
		}
	case *Cond:
		if t.Kind != ctypes.Void && (!t.Equal(x.X.Type()) || !t.Equal(x.Y.Type())) {
			return "the sides have other types"
		}
	case *Index:
		if k := x.X.Type().Kind; k != ctypes.Pointer && k != ctypes.Vector || !x.X.Type().Elem.Equal(t) ||
			!x.I.Type().IsInteger() {
			return "not pointer or vector and integer"
		}
	case *Deref:
		if x.X.Type().Kind != ctypes.Pointer || !x.X.Type().Elem.Equal(t) {
			return "not a pointer to the type"
		}
	case *AddrOf:
		if !IsLvalue(x.X) || t.Kind != ctypes.Pointer || !t.Elem.Equal(x.X.Type()) {
			return "not the address of an lvalue"
		}
	case *Member:
		if f := x.X.Type().Fields; x.Field < 0 || x.Field >= len(f) || !f[x.Field].Type.Equal(t) {
			return "no such member"
		}
	case *Swizzle:
		return verifySwizzle(x)
	case *VectorLit:
		return verifyVectorLit(x)
	case *InitList:
		if len(x.Elems) != len(x.Index) {
			return "elements and indices differ in number"
		}
		for i, el := range x.Elems {
			if !el.Type().Equal(t.Element(x.Index[i])) {
				return fmt.Sprintf("element %d has type %v", x.Index[i], el.Type())
			}
		}
	case *Call:
		return verifyCall(x)
	case *BuiltinCall:
		if x.Builtin == nil || x.Builtin.Class == 0 || x.Builtin.Name == "" {
			return "no function"
		}
	}
	return ""
}

func verifyBinary(x *Binary) string {
	a, b := x.X.Type(), x.Y.Type()
	switch {
	case x.Op < ctypes.Add:
		return "no binary operator"
	case a.Kind == ctypes.Pointer && x.Op != ctypes.LogAnd && x.Op != ctypes.LogOr:
		if b.Kind != ctypes.Pointer || !x.Op.IsComparison() && x.Op != ctypes.Sub {
			return "not two pointers"
		}
	case (x.Op == ctypes.LogAnd || x.Op == ctypes.LogOr) && a.Kind != ctypes.Vector:
		if x.T.Kind != ctypes.Int {
			return "a logical operation gives int"
		}
	case !a.Equal(b):
		return fmt.Sprintf("operands of types %v and %v", a, b)
	case !x.Op.IsComparison() && x.Op != ctypes.LogAnd && x.Op != ctypes.LogOr && !x.T.Equal(a):
		return "the result has another type than the operands"
	}
	return ""
}

func verifyAssign(x *Assign) string {
	switch {
	case !IsLvalue(x.X):
		return "the left side is not an lvalue"
	case x.Op == 0 && !x.X.Type().Equal(x.Y.Type()):
		return fmt.Sprintf("%v is assigned %v", x.X.Type(), x.Y.Type())
	case x.Op != 0 && x.Common == nil && x.T.Kind != ctypes.Pointer:
		return "no common type"
	case x.Op != 0 && x.Common != nil && !x.Common.Equal(x.Y.Type()):
		return "the right side has not been converted"
	}
	return ""
}

func verifySwizzle(x *Swizzle) string {
	v := x.X.Type()
	if v.Kind != ctypes.Vector || x.T.Lanes() != len(x.Lanes) || !x.T.Base().Equal(v.Elem) {
		return "not that many components"
	}
	for _, l := range x.Lanes {
		if l < 0 || int64(l) >= v.Len {
			return "no such component"
		}
	}
	return ""
}

func verifyVectorLit(x *VectorLit) string {
	lanes := 0
	for _, e := range x.Elems {
		if !e.Type().Base().Equal(x.T.Elem) {
			return fmt.Sprintf("a component of type %v", e.Type())
		}
		lanes += e.Type().Lanes()
	}
	if lanes != x.T.Lanes() {
		return fmt.Sprintf("%d components", lanes)
	}
	return ""
}

func verifyCall(x *Call) string {
	if len(x.Args) != len(x.Fn.Params) {
		return "wrong number of arguments"
	}
	for i, a := range x.Args {
		if !a.Type().Equal(x.Fn.Params[i].Type) {
			return fmt.Sprintf("argument %d has type %v, the parameter %v", i+1, a.Type(), x.Fn.Params[i].Type)
		}
	}
	return ""
}
