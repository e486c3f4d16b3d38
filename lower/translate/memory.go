package translate

import (
	"encoding/binary"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
)

// newObject adds a memory object.
func (l *lowerer) newObject(o Object) Operand {
	l.k.Objects = append(l.k.Objects, o)
	return Operand{Kind: lower.OperandObject, Type: lower.Ptr, Object: lower.ObjectID(len(l.k.Objects))}
}

// privateObject makes the memory of a private variable of type t.
func (l *lowerer) privateObject(name string, t *ctypes.Type, pos Pos) place {
	op := l.newObject(Object{Name: name, Space: idg.SpacePrivate, Elem: lower.Uniform(t), Size: t.Size(),
		Pos: pos, Typ: t})
	return place{typ: t, mem: true, base: op, space: idg.SpacePrivate}
}

// static finds or makes an object that exists once for the kernel: a local
// array, a constant table, a device variable. A constant number is its value.
func (l *lowerer) static(o *ast.Object, init ast.Expr, pos Pos) place {
	if p, ok := l.statics[o]; ok {
		return p
	}
	p := l.newStatic(o, init, pos)
	l.statics[o] = p
	return p
}

func (l *lowerer) newStatic(o *ast.Object, init ast.Expr, pos Pos) place {
	if o.Type.IsImage() && l.unit.Dialect == ast.CUDA { // a texture reference
		return place{typ: o.Type, ops: []Operand{l.newObject(Object{Name: o.Name, Space: idg.SpaceImage, ReadOnly: true,
			Pos: o.Pos})}}
	}
	if o.Type.IsImage() || o.Type.Kind == ctypes.Void {
		l.unsupported(pos, "%v %s", o.Type, o.Name)
		return place{typ: o.Type}
	}
	// The host may overwrite a __constant__ variable of CUDA before the launch, so
	// that only what is const as well is known to the compiler.
	fixed := o.Const || l.unit.Dialect == ast.OpenCL && o.Space == idg.SpaceConstant
	if fixed && !o.Volatile && init != nil {
		if c, ok := constant(init); ok && c.Type == lower.IrType(o.Type) && o.Type.Lanes() == 1 {
			return place{typ: o.Type, ops: []Operand{c}}
		}
	}
	obj := Object{Name: o.Name, Space: o.Space, Elem: lower.Uniform(o.Type), Size: o.Type.Size(), Pos: o.Pos,
		Dynamic: o.Dynamic}
	if obj.Space == 0 || obj.Space == idg.SpacePrivate {
		obj.Space = idg.SpaceConstant // a file-scope const of CUDA
	}
	if o.Dynamic {
		obj.Size = 0
	}
	obj.ReadOnly = o.Const || obj.Space == idg.SpaceConstant
	if fixed && init != nil {
		obj.Init = encode(o.Type, init)
	}
	return place{typ: o.Type, mem: true, base: l.newObject(obj), space: obj.Space, volatile: o.Volatile}
}

// encode is the memory content of an initialiser of constants, nil if it has
// anything else in it.
func encode(t *ctypes.Type, init ast.Expr) []byte {
	if t.Size() > 1<<24 {
		return nil
	}
	b := make([]byte, t.Size())
	if !encodeInto(b, t, init) {
		return nil
	}
	return b
}

func encodeInto(b []byte, t *ctypes.Type, init ast.Expr) bool {
	switch e := init.(type) {
	case *ast.InitList:
		for i, x := range e.Elems {
			et, off := part(t, e.Index[i])
			if et == nil || off+et.Size() > int64(len(b)) || !encodeInto(b[off:], et, x) {
				return false
			}
		}
		return true
	case *ast.VectorLit:
		size := t.Base().Size()
		n := 0
		for _, x := range e.Elems {
			if !encodeInto(b[int64(n)*size:], x.Type(), x) {
				return false
			}
			n += x.Type().Lanes()
		}
		return true
	case *ast.Convert:
		if e.T.Kind != ctypes.Vector || e.X.Type().Kind == ctypes.Vector {
			break
		}
		c, ok := constant(e.X)
		if ok {
			c, ok = foldConvert(c, lower.IrType(e.T))
		}
		for i := range e.T.Lanes() {
			if ok {
				putScalar(b[int64(i)*c.Type.Size():], c)
			}
		}
		return ok
	}
	c, ok := constant(init)
	if ok && lower.IrType(t) != 0 && t.Lanes() == 1 {
		c, ok = foldConvert(c, lower.IrType(t))
	}
	if !ok || c.Type.Size() > int64(len(b)) {
		return false
	}
	putScalar(b, c)
	return true
}

// part is the type and offset of element or field i of t, nil if there is none.
func part(t *ctypes.Type, i int64) (*ctypes.Type, int64) {
	switch t.Kind {
	case ctypes.Array, ctypes.Vector:
		if i >= 0 && i < t.Len {
			return t.Elem, i * t.Elem.Size()
		}
	case ctypes.Struct, ctypes.Union:
		if i >= 0 && i < int64(len(t.Fields)) {
			return t.Fields[i].Type, t.Fields[i].Offset
		}
	}
	return nil, 0
}

// putScalar stores a constant, little endian.
func putScalar(b []byte, c Operand) {
	var w [8]byte
	binary.LittleEndian.PutUint64(w[:], c.Bits)
	copy(b, w[:c.Type.Size()])
}

// warn adds a warning, once for each position and text (a helper is lowered at
// each of its calls).
func (l *lowerer) warn(pos Pos, code, format string, args ...any) {
	e := diag.Warningf(pos, code, format, args...)
	for _, w := range l.k.Warnings {
		if w.Pos == e.Pos && w.Message == e.Message {
			return
		}
	}
	l.k.Warnings.Add(e)
}

// hasArray reports whether a value of type t contains an array.
func hasArray(t *ctypes.Type) bool {
	switch t.Kind {
	case ctypes.Array:
		return true
	case ctypes.Struct, ctypes.Union:
		for _, f := range t.Fields {
			if hasArray(f.Type) {
				return true
			}
		}
	}
	return false
}

// hasUnion reports whether a value of type t is or contains a union.
func hasUnion(t *ctypes.Type) bool {
	switch t.Kind {
	case ctypes.Array:
		return hasUnion(t.Elem)
	case ctypes.Union:
		return true
	case ctypes.Struct:
		for _, f := range t.Fields {
			if hasUnion(f.Type) {
				return true
			}
		}
	}
	return false
}
