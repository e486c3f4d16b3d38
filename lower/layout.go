package lower

import (
	"fmt"

	"gpupipe/frontend/ctypes"
)

const (
	// maxRegLeaves is the number of scalars up to which a struct with arrays may
	// live in registers; a larger one is a memory object.
	MaxRegLeaves = 64
	// maxLeaves is the number of scalars up to which a struct can be copied.
	MaxLeaves = 1024
)

// Leaf is a scalar inside a value.
type Leaf struct {
	Name string // ".x", ".pos.s4", ".w[2]"
	Typ  Type
	Off  int64 // bytes
	Vec  int   // lanes of the vector that starts with this leaf; 0 elsewhere
	Part bool  // a lane of a vector
}

// LeavesOf lists the scalars of a value of type t in memory order. A union is
// the words that cover it.
func LeavesOf(t *ctypes.Type) []Leaf { return appendLeaves(nil, t, "", 0) }

func appendLeaves(ls []Leaf, t *ctypes.Type, name string, off int64) []Leaf {
	switch t.Kind {
	case ctypes.Vector:
		n := t.Lanes()
		for i := range n {
			f := Leaf{Name: name + ctypes.LaneName(i, n), Typ: IrType(t), Off: off + int64(i)*t.Elem.Size(), Part: true}
			if i == 0 {
				f.Vec = n
			}
			ls = append(ls, f)
		}
		return ls
	case ctypes.Struct:
		for _, f := range t.Fields {
			ls = appendLeaves(ls, f.Type, name+"."+f.Name, off+f.Offset)
		}
		return ls
	case ctypes.Union:
		w := wordType(t)
		for o := int64(0); o < t.Size(); o += w.Size() {
			ls = append(ls, Leaf{Name: fmt.Sprintf("%s.%d", name, o), Typ: w, Off: off + o})
		}
		return ls
	case ctypes.Array:
		for i := range t.Len {
			ls = appendLeaves(ls, t.Elem, fmt.Sprintf("%s[%d]", name, i), off+i*t.Elem.Size())
		}
		return ls
	}
	if it := IrType(t); it != 0 {
		ls = append(ls, Leaf{Name: name, Typ: it, Off: off})
	}
	return ls
}

// ManyLeaves is where countLeaves stops counting.
const ManyLeaves = 1 << 30

// CountLeaves is len(leavesOf(t)) without making them, at most manyLeaves.
func CountLeaves(t *ctypes.Type) int64 {
	switch t.Kind {
	case ctypes.Vector:
		return t.Len
	case ctypes.Struct:
		n := int64(0)
		for _, f := range t.Fields {
			n += CountLeaves(f.Type)
		}
		return min(n, ManyLeaves)
	case ctypes.Union:
		return min(t.Size()/wordType(t).Size(), ManyLeaves)
	case ctypes.Array:
		return min(min(t.Len, ManyLeaves)*CountLeaves(t.Elem), ManyLeaves)
	}
	if IrType(t) == 0 {
		return 0
	}
	return 1
}

// wordType is the widest integer that a type's alignment allows.
func wordType(t *ctypes.Type) Type {
	switch a := t.Align(); {
	case a >= 8:
		return U64
	case a == 4:
		return U32
	case a == 2:
		return U16
	}
	return U8
}

// Uniform is the one scalar type that a type is made of, or 0.
func Uniform(t *ctypes.Type) Type {
	switch t.Kind {
	case ctypes.Array:
		return Uniform(t.Elem)
	case ctypes.Union:
		return 0
	case ctypes.Struct:
		var u Type
		for i, f := range t.Fields {
			ft := Uniform(f.Type)
			if ft == 0 || i > 0 && ft != u {
				return 0
			}
			u = ft
		}
		return u
	}
	return IrType(t)
}
