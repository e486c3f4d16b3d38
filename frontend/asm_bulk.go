package frontend

import (
	"strings"

	"gpupipe/idg"
)

// Barriers that count bytes, and copies of whole blocks by the tensor memory accelerator (PTX ISA,
// mbarrier, cp.async.bulk).

// transactionBarrier executes mbarrier.
func (a *asmStatement) transactionBarrier(in *ptxInstruction) bool {
	if len(in.words) < 2 || len(in.operands) == 0 {
		return false
	}
	if in.has("shared::cluster") && in.words[1] != "init" && in.words[1] != "inval" {
		a.reject("the barrier of another group of the cluster that " + in.op + " names is")
		return true
	}
	void, long := Scalar(Void), Scalar(ULong)
	at := func(i int) Expr { return a.address(in, in.operands[i], long, idg.SpaceLocal) }
	switch op := in.words[1]; {
	case op == "init" && len(in.operands) == 2:
		a.store1(a.deref(at(0), a.pos), a.value(in, in.operands[1], long))
	case op == "inval":
	case op == "expect_tx" && len(in.operands) == 2:
		a.do(a.asyncOf(asyncExpect, void, a.pos, at(0), a.value(in, in.operands[1], long)))
	case op == "arrive":
		return a.arriveAt(in, at)
	case (op == "try_wait" || op == "test_wait") && len(in.operands) >= 3:
		if in.has("parity") {
			a.do(a.asyncOf(asyncAwaitParity, void, a.pos, at(1), a.value(in, in.operands[2], Scalar(UInt))))
		} else {
			a.do(a.asyncOf(asyncAwait, void, a.pos, at(1), a.number(ULong, 0, a.pos)))
		}
		a.set(in, in.operands[0], a.number(Int, 1, a.pos)) // the loop around it waits
		a.truth[in.operands[0]] = true
	default:
		return false
	}
	return true
}

// arriveAt executes mbarrier.arrive, with or without a state, bytes or a count.
func (a *asmStatement) arriveAt(in *ptxInstruction, at func(int) Expr) bool {
	bar := 0
	if !strings.HasPrefix(in.operands[0], "[") {
		bar = 1 // behind the state
	}
	if bar >= len(in.operands) {
		return false
	}
	if in.has("expect_tx") {
		if len(in.operands) != bar+2 {
			return false
		}
		a.do(a.asyncOf(asyncExpect, Scalar(Void), a.pos, at(bar), a.value(in, in.operands[bar+1], Scalar(ULong))))
	}
	arrival := a.asyncOf(asyncArrive, Scalar(ULong), a.pos, at(bar))
	if bar == 1 {
		a.set(in, in.operands[0], arrival)
	} else {
		a.do(arrival)
	}
	return true
}

// bulk executes cp.async.bulk and what waits for it.
func (a *asmStatement) bulk(in *ptxInstruction) bool {
	if a.failed || len(in.words) < 3 || in.words[1] != "async" || !in.has("bulk") {
		return false
	}
	void := Scalar(Void)
	switch {
	case in.has("commit_group"):
		a.do(a.asyncOf(asyncBulkCommit, void, a.pos))
	case in.has("wait_group") && len(in.operands) == 1:
		a.do(a.asyncOf(asyncBulkPrior, void, a.pos, a.value(in, in.operands[0], Scalar(UInt))))
	case in.has("multicast::cluster"):
		a.reject("a copy to several groups of a cluster (" + in.op + ") is")
	case in.has("prefetch"):
	case in.has("mbarrier::complete_tx::bytes") && in.has("global"):
		return a.bulkLoad(in)
	case in.has("bulk_group") && in.has("global"):
		return a.bulkStore(in)
	default:
		return false
	}
	return true
}

// bulkLoad executes cp.async.bulk[.tensor] from global to local memory.
func (a *asmStatement) bulkLoad(in *ptxInstruction) bool {
	bytes := Scalar(UChar)
	if len(in.operands) < 3 {
		return false
	}
	to := a.address(in, in.operands[0], bytes, idg.SpaceLocal)
	if in.has("tensor") {
		from, coords, ok := a.tensorPlace(in, in.operands[1])
		if !ok {
			return false
		}
		bar := a.address(in, in.operands[2], Scalar(ULong), idg.SpaceLocal)
		a.do(a.asyncOf(asyncBulkLoad, Scalar(Void), a.pos, append([]Expr{to, from, bar, a.number(ULong, 0, a.pos)}, coords...)...))
		return true
	}
	if len(in.operands) < 4 {
		return false
	}
	from, bar := a.address(in, in.operands[1], bytes, idg.SpaceGlobal), a.address(in, in.operands[3], Scalar(ULong), idg.SpaceLocal)
	a.do(a.asyncOf(asyncBulkLoad, Scalar(Void), a.pos, to, from, bar, a.value(in, in.operands[2], Scalar(ULong))))
	return true
}

// bulkStore executes cp.async.bulk from local to global memory. What a tensor's box holds is not
// known without bytes that somebody waits for.
func (a *asmStatement) bulkStore(in *ptxInstruction) bool {
	bytes := Scalar(UChar)
	switch {
	case in.has("tensor"):
		a.reject("a store of a tensor's box (" + in.op + "), of which only the host knows the size, is")
	case len(in.operands) == 3:
		to, from := a.address(in, in.operands[0], bytes, idg.SpaceGlobal), a.address(in, in.operands[1], bytes, idg.SpaceLocal)
		a.do(a.asyncOf(asyncBulkStore, Scalar(Void), a.pos, to, from, a.value(in, in.operands[2], Scalar(ULong))))
	default:
		return false
	}
	return true
}

// tensorPlace takes "[map, {x, y}]" apart.
func (a *asmStatement) tensorPlace(in *ptxInstruction, text string) (tensor Expr, coords []Expr, ok bool) {
	body, opened := strings.CutPrefix(text, "[")
	body, closed := strings.CutSuffix(body, "]")
	parts := splitOperands(body)
	if !opened || !closed || len(parts) != 2 {
		return nil, nil, false
	}
	tensor = a.address(in, "["+parts[0]+"]", Scalar(UChar), idg.SpaceGlobal)
	return tensor, a.values(in, elementsOf(parts[1]), Scalar(Int)), true
}
