package inlineptx

import (
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// address is the pointer to elem that "[%0+16]" is.
func (s *statement) address(in *Instruction, text string, elem *ctypes.Type, space ctypes.Space) ast.Expr {
	body, opened := strings.CutPrefix(text, "[")
	body, closed := strings.CutSuffix(body, "]")
	at, offset := ast.Expr(nil), int64(0)
	for _, part := range strings.Split(strings.ReplaceAll(body, "-", "+-"), "+") {
		part = strings.TrimSpace(part)
		if part == "" || !opened || !closed {
			continue
		}
		e := s.raw(in, strings.ReplaceAll(part, "- ", "-"))
		if lit, constant := e.(*ast.Literal); constant && e.Type().IsInteger() {
			offset += lit.Value.Int
			continue
		}
		if at != nil {
			return s.reject("the address " + text + " of " + in.Op + " is")
		}
		at = e
	}
	if at == nil {
		return s.reject("the address " + text + " of " + in.Op + " is")
	}
	if at.Type().Kind != ctypes.Pointer {
		at = s.castTo(at, ctypes.Scalar(ctypes.ULong))
	} else if space == 0 {
		space = at.Type().Space
	}
	p := ctypes.PointerTo(elem, space)
	p.Volatile = s.volatile
	bytes := s.castTo(at, ctypes.PointerTo(ctypes.Scalar(ctypes.UChar), space))
	if offset != 0 {
		bytes = &ast.PtrAdd{Typed: ast.Of(bytes.Type(), s.pos), X: bytes, Index: s.number(ctypes.Int, offset)}
	}
	return &ast.Convert{Typed: ast.Of(p, s.pos), X: bytes, Explicit: true}
}

// deref is what lies at an address.
func (s *statement) deref(p ast.Expr) ast.Expr {
	if s.err != nil {
		return p
	}
	return &ast.Deref{Typed: ast.Of(p.Type().Elem, s.pos), X: p}
}

// assign writes a value of the type of what lies at an address.
func (s *statement) assign(target, x ast.Expr) ast.Expr {
	return &ast.Assign{Typed: ast.Of(target.Type(), s.pos), X: target, Y: x}
}

func (s *statement) load(in *Instruction) bool {
	t := in.Accessed()
	if t == nil || len(in.Operands) < 2 || in.Has("param") {
		return false
	}
	dsts := Elements(in.Operands[0])
	if len(dsts) != in.Registers(t) {
		return false
	}
	s.setAll(in, dsts, s.deref(s.address(in, in.Operands[1], t, in.Space())))
	return true
}

func (s *statement) store(in *Instruction) bool {
	t := in.Accessed()
	if t == nil || len(in.Operands) < 2 || in.Has("async", "bulk") {
		return false
	}
	target := s.deref(s.address(in, in.Operands[0], t, in.Space()))
	texts := Elements(in.Operands[1])
	switch {
	case len(texts) != in.Registers(t):
		return false
	case len(texts) == 1:
		s.do(s.assign(target, s.value(in, texts[0], t)))
	default:
		s.do(s.assign(target, &ast.VectorLit{Typed: ast.Of(t, s.pos), Elems: s.values(in, texts, t.Elem)}))
	}
	return true
}

// atomics are the operations of atom and red.
var atomics = map[string]string{
	"add": "atomic_add", "min": "atomic_min", "max": "atomic_max", "and": "atomic_and", "or": "atomic_or",
	"xor": "atomic_xor",
	"inc": "atomic_inc_wrap", "dec": "atomic_dec_wrap", "exch": "atomic_xchg", "cas": "atomic_cmpxchg",
}

// atomic executes atom and red: the latter has no result.
func (s *statement) atomic(in *Instruction) bool {
	t := in.Type(0)
	i := slices.IndexFunc(in.Words, func(w string) bool { return atomics[w] != "" })
	operands := in.Operands
	if in.Words[0] == "atom" && len(operands) > 0 {
		operands = operands[1:]
	}
	if t == nil || t.Kind == ctypes.Vector || i < 0 || len(operands) < 2 || in.Has("async", "v2", "v4", "v8") {
		return false
	}
	args := append([]ast.Expr{s.address(in, operands[0], t, in.Space())}, s.values(in, operands[1:], t)...)
	call := s.call(builtins.Atomic, atomics[in.Words[i]], t, args...)
	if in.Words[0] == "atom" {
		s.set(in, in.Operands[0], call)
	} else {
		s.do(call)
	}
	return true
}

// ignored executes what stands for no instruction, as prefetch of OpenCL.
func (s *statement) ignored(in *Instruction) bool {
	s.Ignored = append(s.Ignored, in.Words[0])
	return true
}

// pipeline calls a function of asynchronous copies, or of what waits for them.
func (s *statement) pipeline(name string, args ...ast.Expr) {
	s.do(s.call(builtins.Pipeline, name, ctypes.Scalar(ctypes.Void), args...))
}

// copy executes cp.async, its wait for all, and the copies of blocks to local memory.
func (s *statement) copy(in *Instruction) bool {
	switch {
	case len(in.Words) < 3 || in.Words[1] != "async" || in.Has("multicast::cluster", "prefetch"):
		return false
	case in.Has("bulk"):
		return in.Has("mbarrier::complete_tx::bytes") && in.Has("global") && s.bulkLoad(in)
	case in.Has("wait_all"):
		s.pipeline("commit")
		s.pipeline("prior", s.number(ctypes.UInt, 0))
	case in.Has("ca", "cg") && len(in.Operands) >= 3:
		size, ok := s.value(in, in.Operands[2], ctypes.Scalar(ctypes.ULong)).(*ast.Literal)
		if !ok || !slices.Contains(builtins.AsyncSizes, size.Value.Int) {
			s.err = diag.Errorf(s.pos, "CONSTANT", "%s: the size must be 4, 8 or 16", in.Op)
			return true
		}
		bytes := ctypes.Scalar(ctypes.UChar)
		s.pipeline("copy", s.address(in, in.Operands[0], bytes, idg.SpaceLocal),
			s.address(in, in.Operands[1], bytes, idg.SpaceGlobal), size)
	default:
		return false
	}
	return true
}

// bulkLoad executes cp.async.bulk[.tensor] from global to local memory (PTX ISA, cp.async.bulk).
func (s *statement) bulkLoad(in *Instruction) bool {
	long, bytes := ctypes.Scalar(ctypes.ULong), ctypes.Scalar(ctypes.UChar)
	if len(in.Operands) < 3 {
		return false
	}
	to := s.address(in, in.Operands[0], bytes, idg.SpaceLocal)
	if !in.Has("tensor") {
		if len(in.Operands) < 4 {
			return false
		}
		s.pipeline("bulk_load", to, s.address(in, in.Operands[1], bytes, idg.SpaceGlobal),
			s.address(in, in.Operands[3], long, idg.SpaceLocal), s.value(in, in.Operands[2], long))
		return true
	}
	body, opened := strings.CutPrefix(in.Operands[1], "[") // [map, {x, y}]
	body, closed := strings.CutSuffix(body, "]")
	parts := SplitOperands(body)
	if !opened || !closed || len(parts) != 2 {
		return false
	}
	from := s.address(in, "["+parts[0]+"]", bytes, idg.SpaceGlobal)
	coords := s.values(in, Elements(parts[1]), ctypes.Scalar(ctypes.Int))
	s.pipeline("bulk_load", append([]ast.Expr{to, from, s.address(in, in.Operands[2], long, idg.SpaceLocal),
		s.number(ctypes.ULong, 0)}, coords...)...)
	return true
}

// transactionBarrier executes what arrives at or waits for a barrier that counts bytes (PTX ISA, mbarrier).
func (s *statement) transactionBarrier(in *Instruction) bool {
	long := ctypes.Scalar(ctypes.ULong)
	if len(in.Words) < 2 || len(in.Operands) == 0 {
		return false
	}
	op := in.Words[1]
	if in.Has("shared::cluster") && op != "init" && op != "inval" {
		s.reject("the barrier of another group of the cluster that " + in.Op + " names is")
		return true
	}
	switch {
	case op == "arrive":
		return s.arrive(in)
	case (op == "try_wait" || op == "test_wait") && len(in.Operands) >= 3:
		bar := s.address(in, in.Operands[1], long, idg.SpaceLocal)
		if in.Has("parity") {
			s.pipeline("await_parity", bar, s.value(in, in.Operands[2], ctypes.Scalar(ctypes.UInt)))
		} else {
			s.pipeline("await", bar, s.number(ctypes.ULong, 0))
		}
		s.set(in, in.Operands[0], s.number(ctypes.Int, 1)) // the loop around it waits
		s.truth[in.Operands[0]] = true
		return true
	}
	return false
}

// arrive executes mbarrier.arrive, with or without a state, bytes or a count.
func (s *statement) arrive(in *Instruction) bool {
	long := ctypes.Scalar(ctypes.ULong)
	bar := 0
	if !strings.HasPrefix(in.Operands[0], "[") {
		bar = 1 // behind the state
	}
	if bar >= len(in.Operands) || in.Has("expect_tx") && len(in.Operands) != bar+2 {
		return false
	}
	at := func() ast.Expr { return s.address(in, in.Operands[bar], long, idg.SpaceLocal) }
	if in.Has("expect_tx") {
		s.pipeline("expect", at(), s.value(in, in.Operands[bar+1], long))
	}
	arrival := s.call(builtins.Pipeline, "arrive", long, at())
	if bar == 1 {
		s.set(in, in.Operands[0], arrival)
	} else {
		s.do(arrival)
	}
	return true
}
