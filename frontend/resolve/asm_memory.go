package resolve

import (
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
	"gpupipe/idg"
)

// memoryAccess executes loads, stores, atomics, asynchronous copies and what makes addresses.
func (a *asmStatement) memoryAccess(in *inlineptx.Instruction) bool {
	switch in.Words[0] {
	case "ld", "ldu":
		return a.load(in)
	case "st":
		return a.store(in)
	case "atom", "red":
		return a.atomic(in)
	case "cp":
		return a.asynchronous(in) || a.bulk(in)
	case "mbarrier":
		return a.transactionBarrier(in)
	case "cvta":
		if len(in.Operands) != 2 {
			return false
		}
		a.set(in, in.Operands[0], a.value(in, in.Operands[1], ctypes.Scalar(ctypes.ULong)))
		return true
	case "prefetch", "prefetchu", "discard", "applypriority": // as prefetch of OpenCL
		a.ignoredCall(builtins.Overload{Name: in.Words[0], Signature: "void()",
			Function: &builtins.Function{Name: in.Words[0], Class: builtins.Ignored}}, a.pos)
		return true
	}
	return false
}

// address is the pointer to elem that "[%0+16]" is.
func (a *asmStatement) address(in *inlineptx.Instruction, text string, elem *ctypes.Type, space ctypes.Space) ast.Expr {
	body, opened := strings.CutPrefix(text, "[")
	body, closed := strings.CutSuffix(body, "]")
	if !opened || !closed {
		return a.reject("the address " + text + " of " + in.Op + " is")
	}
	at, offset := ast.Expr(nil), int64(0)
	for _, part := range strings.Split(strings.ReplaceAll(body, "-", "+-"), "+") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		e := a.raw(in, strings.ReplaceAll(part, "- ", "-"))
		if lit, constant := e.(*ast.Literal); constant && e.Type().IsInteger() {
			offset += lit.Value.Int
			continue
		}
		if at != nil || isInvalid(e) {
			return a.reject("the address " + text + " of " + in.Op + " is")
		}
		at = e
	}
	if at == nil {
		return a.reject("the address " + text + " of " + in.Op + " is")
	}
	if at.Type().Kind != ctypes.Pointer {
		at = a.castTo(at, ctypes.Scalar(ctypes.ULong))
	} else if space == 0 {
		space = at.Type().Space
	}
	p := ctypes.PointerTo(elem, space)
	p.Volatile = a.volatile
	bytes := a.castValue(at, ctypes.PointerTo(ctypes.Scalar(ctypes.UChar), space), a.pos)
	if isInvalid(bytes) {
		return bytes
	}
	if offset != 0 {
		bytes = a.pointerAdd(bytes, number(ctypes.Int, offset, a.pos), false, a.pos)
	}
	return &ast.Convert{Typed: ast.Of(p, a.pos), X: bytes, Explicit: true}
}

func (a *asmStatement) load(in *inlineptx.Instruction) bool {
	t := in.Accessed()
	if t == nil || len(in.Operands) < 2 || in.Has("param") {
		return false
	}
	dsts := inlineptx.Elements(in.Operands[0])
	if len(dsts) != in.Registers(t) {
		return false
	}
	a.setAll(in, dsts, a.deref(a.address(in, in.Operands[1], t, in.Space()), a.pos))
	return true
}

func (a *asmStatement) store(in *inlineptx.Instruction) bool {
	t := in.Accessed()
	if t == nil || len(in.Operands) < 2 || in.Has("async", "bulk") {
		return false
	}
	target := a.deref(a.address(in, in.Operands[0], t, in.Space()), a.pos)
	values := inlineptx.Elements(in.Operands[1])
	if len(values) != in.Registers(t) {
		return false
	}
	if len(values) == 1 {
		a.store1(target, a.value(in, values[0], t))
		return true
	}
	elems := a.values(in, values, t.Elem)
	a.store1(target, &ast.VectorLit{Typed: of(t, a.pos, elems...), Elems: elems})
	return true
}

// store1 assigns a value of the type of what lies at an address.
func (a *asmStatement) store1(target, x ast.Expr) {
	a.do(&ast.Assign{Typed: of(target.Type(), a.pos, target, x), X: target, Y: x})
}

// ptxAtomics are the operations of atom and red.
var ptxAtomics = map[string]string{
	"add": "atomic_add", "min": "atomic_min", "max": "atomic_max", "and": "atomic_and", "or": "atomic_or",
	"xor": "atomic_xor",
	"inc": "atomic_inc_wrap", "dec": "atomic_dec_wrap", "exch": "atomic_xchg", "cas": "atomic_cmpxchg",
}

// atomic executes atom and red: the latter has no result.
func (a *asmStatement) atomic(in *inlineptx.Instruction) bool {
	t := in.Type(0)
	i := slices.IndexFunc(in.Words, func(w string) bool { return ptxAtomics[w] != "" })
	operands := in.Operands
	if in.Words[0] == "atom" && len(operands) > 0 {
		operands = operands[1:]
	}
	if t == nil || t.Kind == ctypes.Vector || i < 0 || len(operands) < 2 || in.Has("async", "v2", "v4", "v8") {
		return false
	}
	args := append([]ast.Expr{a.address(in, operands[0], t, in.Space())}, a.values(in, operands[1:], t)...)
	call := builtin(builtins.Atomic, ptxAtomics[in.Words[i]], t, a.pos, args...)
	if in.Words[0] == "atom" {
		a.set(in, in.Operands[0], call)
	} else {
		a.do(call)
	}
	return true
}

// asynchronous executes cp.async and what waits for it.
func (a *asmStatement) asynchronous(in *inlineptx.Instruction) bool {
	void := ctypes.Scalar(ctypes.Void)
	if len(in.Words) < 3 || in.Words[1] != "async" || in.Has("bulk", "mbarrier") {
		return false
	}
	switch {
	case in.Has("commit_group"):
		a.do(a.asyncOf(asyncCommit, void, a.pos))
	case in.Has("wait_all"):
		a.do(a.asyncOf(asyncCommit, void, a.pos))
		a.do(a.asyncOf(asyncPrior, void, a.pos, number(ctypes.UInt, 0, a.pos)))
	case in.Has("wait_group") && len(in.Operands) == 1:
		a.do(a.asyncOf(asyncPrior, void, a.pos, a.value(in, in.Operands[0], ctypes.Scalar(ctypes.UInt))))
	case in.Has("ca", "cg") && len(in.Operands) >= 3:
		bytes := ctypes.Scalar(ctypes.UChar)
		size, ok := a.value(in, in.Operands[2], ctypes.Scalar(ctypes.ULong)).(*ast.Literal)
		if !ok || !slices.Contains(asyncSizes, size.Value.Int) {
			a.errorf(a.pos, codeConstant, "%s: the size must be 4, 8 or 16", in.Op)
			a.failed = true
			return true
		}
		to, from := a.address(in, in.Operands[0], bytes, idg.SpaceLocal),
			a.address(in, in.Operands[1], bytes, idg.SpaceGlobal)
		a.do(a.asyncOf(asyncCopy, void, a.pos, to, from, size))
	default:
		return false
	}
	return true
}
