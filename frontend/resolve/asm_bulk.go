package resolve

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
	"gpupipe/idg"
)

// Barriers that count bytes, and copies of whole blocks by the tensor memory accelerator (PTX ISA,
// mbarrier, cp.async.bulk).

// transactionBarrier executes mbarrier.
func (a *asmStatement) transactionBarrier(in *inlineptx.Instruction) bool {
	if len(in.Words) < 2 || len(in.Operands) == 0 {
		return false
	}
	if in.Has("shared::cluster") && in.Words[1] != "init" && in.Words[1] != "inval" {
		a.reject("the barrier of another group of the cluster that " + in.Op + " names is")
		return true
	}
	void, long := ctypes.Scalar(ctypes.Void), ctypes.Scalar(ctypes.ULong)
	at := func(i int) ast.Expr { return a.address(in, in.Operands[i], long, idg.SpaceLocal) }
	switch op := in.Words[1]; {
	case op == "init" && len(in.Operands) == 2:
		a.store1(a.deref(at(0), a.pos), a.value(in, in.Operands[1], long))
	case op == "inval":
	case op == "expect_tx" && len(in.Operands) == 2:
		a.do(a.asyncOf(asyncExpect, void, a.pos, at(0), a.value(in, in.Operands[1], long)))
	case op == "arrive":
		return a.arriveAt(in, at)
	case (op == "try_wait" || op == "test_wait") && len(in.Operands) >= 3:
		if in.Has("parity") {
			a.do(a.asyncOf(asyncAwaitParity, void, a.pos, at(1),
				a.value(in, in.Operands[2], ctypes.Scalar(ctypes.UInt))))
		} else {
			a.do(a.asyncOf(asyncAwait, void, a.pos, at(1), number(ctypes.ULong, 0, a.pos)))
		}
		a.set(in, in.Operands[0], number(ctypes.Int, 1, a.pos)) // the loop around it waits
		a.truth[in.Operands[0]] = true
	default:
		return false
	}
	return true
}

// arriveAt executes mbarrier.arrive, with or without a state, bytes or a count.
func (a *asmStatement) arriveAt(in *inlineptx.Instruction, at func(int) ast.Expr) bool {
	bar := 0
	if !strings.HasPrefix(in.Operands[0], "[") {
		bar = 1 // behind the state
	}
	if bar >= len(in.Operands) {
		return false
	}
	if in.Has("expect_tx") {
		if len(in.Operands) != bar+2 {
			return false
		}
		a.do(a.asyncOf(asyncExpect, ctypes.Scalar(ctypes.Void), a.pos, at(bar),
			a.value(in, in.Operands[bar+1], ctypes.Scalar(ctypes.ULong))))
	}
	arrival := a.asyncOf(asyncArrive, ctypes.Scalar(ctypes.ULong), a.pos, at(bar))
	if bar == 1 {
		a.set(in, in.Operands[0], arrival)
	} else {
		a.do(arrival)
	}
	return true
}

// bulk executes cp.async.bulk and what waits for it.
func (a *asmStatement) bulk(in *inlineptx.Instruction) bool {
	if a.failed || len(in.Words) < 3 || in.Words[1] != "async" || !in.Has("bulk") {
		return false
	}
	void := ctypes.Scalar(ctypes.Void)
	switch {
	case in.Has("commit_group"):
		a.do(a.asyncOf(asyncBulkCommit, void, a.pos))
	case in.Has("wait_group") && len(in.Operands) == 1:
		a.do(a.asyncOf(asyncBulkPrior, void, a.pos, a.value(in, in.Operands[0], ctypes.Scalar(ctypes.UInt))))
	case in.Has("multicast::cluster"):
		a.reject("a copy to several groups of a cluster (" + in.Op + ") is")
	case in.Has("prefetch"):
	case in.Has("mbarrier::complete_tx::bytes") && in.Has("global"):
		return a.bulkLoad(in)
	case in.Has("bulk_group") && in.Has("global"):
		return a.bulkStore(in)
	default:
		return false
	}
	return true
}

// bulkLoad executes cp.async.bulk[.tensor] from global to local memory.
func (a *asmStatement) bulkLoad(in *inlineptx.Instruction) bool {
	bytes := ctypes.Scalar(ctypes.UChar)
	if len(in.Operands) < 3 {
		return false
	}
	to := a.address(in, in.Operands[0], bytes, idg.SpaceLocal)
	if in.Has("tensor") {
		from, coords, ok := a.tensorPlace(in, in.Operands[1])
		if !ok {
			return false
		}
		bar := a.address(in, in.Operands[2], ctypes.Scalar(ctypes.ULong), idg.SpaceLocal)
		a.do(a.asyncOf(asyncBulkLoad, ctypes.Scalar(ctypes.Void), a.pos,
			append([]ast.Expr{to, from, bar, number(ctypes.ULong, 0, a.pos)}, coords...)...))
		return true
	}
	if len(in.Operands) < 4 {
		return false
	}
	from, bar := a.address(in, in.Operands[1], bytes, idg.SpaceGlobal),
		a.address(in, in.Operands[3], ctypes.Scalar(ctypes.ULong), idg.SpaceLocal)
	a.do(a.asyncOf(asyncBulkLoad, ctypes.Scalar(ctypes.Void), a.pos, to, from, bar,
		a.value(in, in.Operands[2], ctypes.Scalar(ctypes.ULong))))
	return true
}

// bulkStore executes cp.async.bulk from local to global memory. What a tensor's box holds is not
// known without bytes that somebody waits for.
func (a *asmStatement) bulkStore(in *inlineptx.Instruction) bool {
	bytes := ctypes.Scalar(ctypes.UChar)
	switch {
	case in.Has("tensor"):
		a.reject("a store of a tensor's box (" + in.Op + "), whose size only the host knows, is")
	case len(in.Operands) == 3:
		to, from := a.address(in, in.Operands[0], bytes, idg.SpaceGlobal),
			a.address(in, in.Operands[1], bytes, idg.SpaceLocal)
		a.do(a.asyncOf(asyncBulkStore, ctypes.Scalar(ctypes.Void), a.pos, to, from,
			a.value(in, in.Operands[2], ctypes.Scalar(ctypes.ULong))))
	default:
		return false
	}
	return true
}

// tensorPlace takes "[map, {x, y}]" apart.
func (a *asmStatement) tensorPlace(in *inlineptx.Instruction, text string) (tensor ast.Expr, coords []ast.Expr,
	ok bool) {
	body, opened := strings.CutPrefix(text, "[")
	body, closed := strings.CutSuffix(body, "]")
	parts := inlineptx.SplitOperands(body)
	if !opened || !closed || len(parts) != 2 {
		return nil, nil, false
	}
	tensor = a.address(in, "["+parts[0]+"]", ctypes.Scalar(ctypes.UChar), idg.SpaceGlobal)
	return tensor, a.values(in, inlineptx.Elements(parts[1]), ctypes.Scalar(ctypes.Int)), true
}
