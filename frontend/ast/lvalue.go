package ast

import (
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
)

// SpaceOf is the address space of an lvalue, 0 where a generic pointer leads.
func SpaceOf(e Expr) idg.Space {
	switch x := e.(type) {
	case *VarRef:
		return x.Obj.Space
	case *Deref:
		return x.X.Type().Space
	case *Index:
		if x.X.Type().Kind == ctypes.Pointer {
			return x.X.Type().Space
		}
		return SpaceOf(x.X)
	case *Member:
		return SpaceOf(x.X)
	case *Swizzle:
		return SpaceOf(x.X)
	}
	return idg.SpacePrivate
}

// IsConst reports whether an lvalue must not be written.
func IsConst(e Expr) bool {
	switch x := e.(type) {
	case *VarRef:
		return x.Obj.Const || x.Obj.Space == idg.SpaceConstant
	case *Deref:
		return x.X.Type().Const || x.X.Type().Space == idg.SpaceConstant
	case *Index:
		if x.X.Type().Kind == ctypes.Pointer {
			return x.X.Type().Const || x.X.Type().Space == idg.SpaceConstant
		}
		return IsConst(x.X)
	case *Member:
		return IsConst(x.X)
	case *Swizzle:
		return IsConst(x.X)
	}
	return false
}

// IsVolatile reports whether each access to an lvalue is executed.
func IsVolatile(e Expr) bool {
	switch x := e.(type) {
	case *VarRef:
		return x.Obj.Volatile
	case *Deref:
		return x.X.Type().Volatile
	case *Index:
		if x.X.Type().Kind == ctypes.Pointer {
			return x.X.Type().Volatile
		}
		return IsVolatile(x.X)
	case *Member:
		return x.X.Type().Fields[x.Field].Volatile || IsVolatile(x.X)
	case *Swizzle:
		return IsVolatile(x.X)
	}
	return false
}

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
