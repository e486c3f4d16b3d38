package ast

import (
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
)

// access is where an lvalue lies and what its variable, or the pointer to it, says of accesses.
type access struct {
	space               idg.Space
	isConst, isVolatile bool
}

func accessOf(e Expr) access {
	through := func(p *ctypes.Type) access { return access{p.Space, p.Const, p.Volatile} }
	switch x := e.(type) {
	case *VarRef:
		return access{x.Obj.Space, x.Obj.Const, x.Obj.Volatile}
	case *Deref:
		return through(x.X.Type())
	case *Index:
		if x.X.Type().Kind == ctypes.Pointer {
			return through(x.X.Type())
		}
		return accessOf(x.X)
	case *Member:
		a := accessOf(x.X)
		a.isVolatile = a.isVolatile || x.X.Type().Fields[x.Field].Volatile
		return a
	case *Swizzle:
		return accessOf(x.X)
	}
	return access{space: idg.SpacePrivate}
}

// SpaceOf is the address space of an lvalue, 0 where a generic pointer leads.
func SpaceOf(e Expr) idg.Space { return accessOf(e).space }

// IsConst reports whether an lvalue must not be written.
func IsConst(e Expr) bool {
	a := accessOf(e)
	return a.isConst || a.space == idg.SpaceConstant
}

// IsVolatile reports whether each access to an lvalue is executed.
func IsVolatile(e Expr) bool { return accessOf(e).isVolatile }

// IsLvalue reports whether e designates an object.
func IsLvalue(e Expr) bool {
	switch x := e.(type) {
	case *VarRef, *Deref:
		return true
	case *Index:
		return x.X.Type().Kind == ctypes.Pointer || IsLvalue(x.X)
	case *Member:
		return IsLvalue(x.X)
	case *Swizzle:
		return IsLvalue(x.X) && Distinct(x.Lanes)
	}
	return false
}

// Distinct reports whether no component is chosen twice.
func Distinct(lanes []int) bool {
	var seen uint32
	for _, l := range lanes {
		if seen&(1<<l) != 0 {
			return false
		}
		seen |= 1 << l
	}
	return true
}

// RootObject is the variable that an lvalue is a part of, or nil.
func RootObject(e Expr) *Object {
	switch x := e.(type) {
	case *VarRef:
		return x.Obj
	case *Member:
		return RootObject(x.X)
	case *Swizzle:
		return RootObject(x.X)
	case *Decay:
		return RootObject(x.X)
	case *Index:
		if _, array := x.X.(*Decay); array || x.X.Type().Kind == ctypes.Vector {
			return RootObject(x.X)
		}
	}
	return nil
}
