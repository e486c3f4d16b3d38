package lower

import (
	"fmt"

	"gpupipe/frontend/ctypes"
)

const (
	// maxRegLeaves is the number of scalars up to which a struct with arrays may
	// live in registers; a larger one is a memory object.
	maxRegLeaves = 64
	// maxLeaves is the number of scalars up to which a struct can be copied.
	maxLeaves = 1024
)

// leaf is a scalar inside a value.
type leaf struct {
	name string // ".x", ".pos.s4", ".w[2]"
	typ  Type
	off  int64 // bytes
	vec  int   // lanes of the vector that starts with this leaf; 0 elsewhere
	part bool  // a lane of a vector
}

// leavesOf lists the scalars of a value of type t in memory order. A union is
// the words that cover it.
func leavesOf(t *ctypes.Type) []leaf { return appendLeaves(nil, t, "", 0) }

func appendLeaves(ls []leaf, t *ctypes.Type, name string, off int64) []leaf {
	switch t.Kind {
	case ctypes.Vector:
		n := t.Lanes()
		for i := range n {
			f := leaf{name: name + ctypes.LaneName(i, n), typ: irType(t), off: off + int64(i)*t.Elem.Size(), part: true}
			if i == 0 {
				f.vec = n
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
			ls = append(ls, leaf{name: fmt.Sprintf("%s.%d", name, o), typ: w, off: off + o})
		}
		return ls
	case ctypes.Array:
		for i := range t.Len {
			ls = appendLeaves(ls, t.Elem, fmt.Sprintf("%s[%d]", name, i), off+i*t.Elem.Size())
		}
		return ls
	}
	if it := irType(t); it != 0 {
		ls = append(ls, leaf{name: name, typ: it, off: off})
	}
	return ls
}

// manyLeaves is where countLeaves stops counting.
const manyLeaves = 1 << 30

// countLeaves is len(leavesOf(t)) without making them, at most manyLeaves.
func countLeaves(t *ctypes.Type) int64 {
	switch t.Kind {
	case ctypes.Vector:
		return t.Len
	case ctypes.Struct:
		n := int64(0)
		for _, f := range t.Fields {
			n += countLeaves(f.Type)
		}
		return min(n, manyLeaves)
	case ctypes.Union:
		return min(t.Size()/wordType(t).Size(), manyLeaves)
	case ctypes.Array:
		return min(min(t.Len, manyLeaves)*countLeaves(t.Elem), manyLeaves)
	}
	if irType(t) == 0 {
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

// uniform is the one scalar type that a type is made of, or 0.
func uniform(t *ctypes.Type) Type {
	switch t.Kind {
	case ctypes.Array:
		return uniform(t.Elem)
	case ctypes.Union:
		return 0
	case ctypes.Struct:
		var u Type
		for i, f := range t.Fields {
			ft := uniform(f.Type)
			if ft == 0 || i > 0 && ft != u {
				return 0
			}
			u = ft
		}
		return u
	}
	return irType(t)
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

// run is a part of a value that one access moves: leaves [first, first+n).
type run struct {
	first, n int
	padded   bool // three components in the room of four, which compilers access as four (OpenCL C 6.1.5)
	typ      Type
	off      int64
	align    int64
}

// maxAccess is the widest access of a merged run of struct members in bytes:
// what GPUs move per work item (128 bits).
const maxAccess = 16

// runsOf splits a value of type t into accesses, as the package comment says.
func runsOf(t *ctypes.Type, ls []leaf) []run {
	var rs []run
	for i := 0; i < len(ls); {
		f := ls[i]
		r := run{first: i, n: 1, typ: f.typ, off: f.off, align: f.typ.Size()}
		if f.vec > 0 {
			r.n, r.padded = f.vec, f.vec == 3
			r.align = ctypes.VectorOf(ctypes.Char, int64(f.vec)).Size() * f.typ.Size()
		} else {
			limit := min(maxAccess, t.Align()) / f.typ.Size()
			for n := int64(2); n <= limit && i+int(n) <= len(ls); n *= 2 {
				if f.off%(n*f.typ.Size()) != 0 || !adjacent(ls[i:i+int(n)]) {
					break
				}
				r.n, r.align = int(n), n*f.typ.Size()
			}
		}
		rs = append(rs, r)
		i += r.n
	}
	return rs
}

// adjacent reports whether leaves are scalars of one type without gaps.
func adjacent(ls []leaf) bool {
	for i, f := range ls {
		if f.part || f.typ != ls[0].typ || f.off != ls[0].off+int64(i)*f.typ.Size() {
			return false
		}
	}
	return true
}
