package factor

import (
	"gpupipe/idg"
	"gpupipe/lower"
)

const amdVector = 16 // elements of the largest array that AMDGPUPromoteAlloca.cpp makes a vector: MaxElements

// vectorsAMD returns the private arrays that are vectors in registers before loops are unrolled
// (AMDGPUPromoteAllocaToVector): short ones of one dimension, of which only elements are loaded and stored.
func vectorsAMD(k *lower.Kernel) map[lower.ObjectID]bool {
	vectors, in := map[lower.ObjectID]bool{}, map[lower.Reg]lower.ObjectID{}
	lower.Walk(k.Body, func(st lower.Stmt) {
		instr, ok := st.(*lower.Instr)
		if !ok {
			return
		}
		for i, a := range instr.Args {
			object := in[a.Reg]
			if a.Kind == lower.OperandObject {
				object = a.Object
			}
			if object == 0 || k.Object(object).Space != idg.SpacePrivate {
				continue
			}
			if _, seen := vectors[object]; !seen {
				vectors[object] = short(k.Object(object))
			}
			elem := k.Object(object).Elem
			switch {
			case i == 0 && instr.Op == lower.PtrAdd && a.Kind == lower.OperandObject && instr.Scale == elem.Size():
				in[instr.Dsts[0]] = object
			case i == 0 && (instr.Op == lower.Load || instr.Op == lower.Store) && len(instr.Args)+
				len(instr.Dsts) == 2 &&
				instr.Type == elem && !instr.Volatile:
			default:
				vectors[object] = false
			}
		}
	})
	return vectors
}

// short reports whether an array has as many elements as a vector may have.
func short(o *lower.Object) bool {
	size := o.Elem.Size()
	return size > 0 && 2*size <= o.Size && o.Size <= amdVector*size
}

// element is the size of an access to an element of such a vector: none where the compiler knows which.
func (n *sizeLLVM) element(in *lower.Instr) (size int64, ok bool) {
	if in.Op != lower.Load && in.Op != lower.Store {
		return 0, false
	}
	address := n.operand(in.Args[0])
	if !n.u.vectors[address.object] {
		return 0, false
	}
	if address.fixed {
		return 0, true
	}
	return 2, true
}
