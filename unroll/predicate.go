package unroll

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/structure"
	"gpupipe/unroll/trace"
)

// A short side of a branch is code with a predicate, not code behind a branch: "each of these
// instructions is scheduled for execution, only the instructions with a true predicate are
// actually executed" (CUDA C++ Best Practices Guide, Branch Predication). So a warp of which no
// work item takes the side issues its instructions all the same, to no effect, in machine code.
// As nvcc 11.8 compiles sides of up to maxPredicated instructions for sm_80 (TestSwitchedOff):
//
//   - Those with an atomic or a division, or with more than one access of global memory, stay
//     behind a branch.
//   - A side behind which nothing follows is left by an exit instead.
//   - How many instructions there are is counted in the source. Constant distances and indices
//     of local memory are part of the access.

// maxPredicated is how many instructions a side may have to be predicated
// instead of branched around at -O2 (CUDA C++ Programming Guide, "Branch
// predication": 7 for branches that may diverge).
const maxPredicated = 7

// switchedOff is what an instruction is called that is issued to no effect.
const switchedOff = "off"

// issueOff records what a warp issues of a short side that none of its work items takes.
func (r *resolver) issueOff(s *lower.If, side lower.Block) {
	if r.silent > 0 || !r.opt.SASS() || r.st.IsLast(s.ID) {
		return
	}
	for range issuedOff(side) {
		r.record(trace.Node{Op: switchedOff, Pos: s.Pos, Flags: trace.Root}, nil, nil)
	}
}

// issuedOff counts the machine instructions of a short side that have a predicate.
func issuedOff(side lower.Block) (n int) {
	global := 0
	var products []lower.Reg // that an addition has not made a multiply-add yet
	instrs, _ := straight(nil, side)
	for _, in := range instrs {
		switch in.Op {
		case lower.Atomic, lower.Div, lower.Rem:
			return 0
		case lower.Load, lower.Store:
			if in.Space == idg.SpaceGlobal {
				global++
			}
		case lower.Mul:
			if in.Type.IsFloat() {
				products = append(products, in.Dsts...)
			}
		case lower.Add, lower.Sub:
			if i := slices.IndexFunc(products, func(p lower.Reg) bool {
				return in.Args[0].Reg == p || in.Args[1].Reg == p
			}); i >= 0 {
				products = slices.Delete(products, i, i+1)
				n--
			}
		}
		switch {
		case in.Op == lower.Mov, structure.Free(in):
		case in.Op == lower.PtrAdd && in.Args[0].Kind == lower.OperandObject: // of local memory, scaled by the access
		case in.Subscript && in.Op != lower.PtrAdd && slices.ContainsFunc(in.Args, isConstant):
		default:
			n++
		}
	}
	if global > 1 {
		return 0
	}
	return n
}

func isConstant(o lower.Operand) bool { return o.Kind == lower.OperandConst }

// predicated reports whether the sides of a branch have a predicate and no branch around them.
func (r *resolver) predicated(s *lower.If) bool {
	return r.opt.Optimises() && shortSide(s.Then) && shortSide(s.Else) && r.silent == 0
}

// straight appends the instructions of a block that has no branch, those of functions that are written out included.
func straight(list []*lower.Instr, b lower.Block) (_ []*lower.Instr, ok bool) {
	for _, st := range b {
		switch st := st.(type) {
		case *lower.Instr:
			list = append(list, st)
		case *lower.Region:
			if list, ok = straight(list, st.Body); !ok {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	return list, true
}

// shortSide reports whether a side is short enough to be predicated.
func shortSide(b lower.Block) bool {
	instrs, ok := straight(nil, b)
	if !ok {
		return false
	}
	n := 0
	for _, in := range instrs {
		switch in.Op {
		case lower.Barrier, lower.Fence, lower.Copy, lower.CopyGroup, lower.BulkCopy, lower.GroupMatMul, lower.MatMul,
			lower.MatrixRow, lower.Call:
			return false
		case lower.Mov, lower.PtrAdd:
		default:
			if !structure.Free(in) {
				n++
			}
		}
	}
	return n <= maxPredicated
}
