package isel

import (
	"math/bits"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// verbs are the instructions of operations.
var verbs = map[lower.Op]isa.Verb{
	lower.Add: isa.Add, lower.Sub: isa.Sub, lower.Mul: isa.Mul, lower.Div: isa.Div, lower.Rem: isa.Rem,
	lower.Neg: isa.Neg, lower.And: isa.And, lower.Or: isa.Or, lower.Xor: isa.Xor, lower.Not: isa.Not,
	lower.Shl: isa.Shl, lower.Shr: isa.Shr, lower.Min: isa.Min, lower.Max: isa.Max, lower.Abs: isa.Abs,
	lower.MulHi: isa.MulHi, lower.Select: isa.Select, lower.Eq: isa.Compare, lower.Ne: isa.Compare,
	lower.Lt: isa.Compare, lower.Le: isa.Compare, lower.Gt: isa.Compare, lower.Ge: isa.Compare,
}

// isaType is a type as instructions name it.
func isaType(t ir.Type) isa.Type {
	switch t {
	case lower.Ptr:
		t = lower.U64
	case lower.BF16: // the same units
		t = lower.F16
	}
	return isa.TypeNamed(t.String())
}

// class names the instruction of an operation without effects.
func (s *source) class(in *ir.Instr) string {
	switch in.Op {
	case lower.Fma:
		return isa.MultiplyAdd(isaType(in.Type)).String()
	case lower.Convert:
		return "cvt." + isaType(in.Type).String() + "." + isaType(in.From).String()
	case lower.Call:
		fn, _ := lower.Mode(in.Fn)
		return fn + "." + isaType(in.Type).String()
	case lower.PtrAdd:
		return "add.s64"
	case lower.PtrDiff:
		return "sub.s64"
	case lower.Index:
		return "index.s32"
	}
	for _, a := range in.Args {
		if s.fused[a.ID] {
			return isa.MultiplyAdd(isaType(in.Type)).String()
		}
	}
	return isa.Of(verbs[in.Op], isaType(in.Type)).String()
}

// plain writes an operation that is no control flow.
func (s *source) plain(in *ir.Instr) {
	switch in.Op {
	case lower.Load, lower.Store, lower.Atomic, lower.ImageLoad, lower.ImageStore:
		s.memory(in)
	case lower.Copy:
		s.copy(in)
	case lower.Barrier:
		s.emit(in, "barrier", nil, nil)
	case lower.Fence:
		s.emit(in, "fence", nil, nil)
	case lower.CopyGroup, lower.BulkCopy:
		s.emit(in, asyncClass(in), nil, s.uses(in.Args...))
	case lower.SubGroup:
		s.exchange(in)
	case lower.MatMul:
		s.emit(in, matrixFamily(in.Type).String()+"."+in.Fn+"."+in.Type.String(), s.defs(in.Results),
			s.uses(in.Args...))
	case lower.GroupMatMul:
		s.emit(in, "wgmma."+in.Fn+"."+in.Type.String(), s.defs(in.Results), s.uses(in.Args...))
	case lower.OpOpaque:
		s.emit(in, "branch", s.defs(in.Results), s.uses(in.Args...))
	default:
		if in.Op == lower.Mul && s.fused[in.Results[0].ID] {
			return
		}
		if free(in) {
			x := s.emit(in, "", s.defs(in.Results), s.uses(in.Args...))
			x.Free = true
			return
		}
		s.emit(in, s.class(in), s.defs(in.Results), s.uses(in.Args...))
	}
}

// asyncClass is the instruction that ends a group of copies, arrives at a barrier of copies, or waits.
func asyncClass(in *ir.Instr) string {
	switch {
	case in.Op == lower.BulkCopy:
		return "tma"
	case strings.HasSuffix(in.Fn, "commit"), in.Fn == "bind":
		return "async.commit"
	case in.Fn == "arrive":
		return "async.arrive"
	case in.Fn == "wgmma_fence":
		return "async.fence"
	}
	return "async.wait"
}

// matrixFamily is the machine's matrix instruction by the type of the sum.
func matrixFamily(sum ir.Type) isa.Verb {
	switch sum {
	case lower.F64:
		return isa.DMMA
	case lower.S32:
		return isa.IMMA
	}
	return isa.HMMA
}

// memory writes an access, of all elements at once.
func (s *source) memory(in *ir.Instr) {
	n := max(len(in.Results), len(in.Args)-1)
	verb := isa.Load
	switch in.Op {
	case lower.Store:
		verb = isa.Store
	case lower.Atomic:
		n = 1
	case lower.ImageStore:
		verb, n = isa.Store, len(in.Args)-1-in.Dim
	case lower.ImageLoad:
		n = len(in.Results)
	}
	m := s.at(in, in.Args[0], int64(n)*in.Type.Size())
	m.Store, m.Atomic, m.Volatile = verb == isa.Store || in.Op == lower.Atomic, in.Op == lower.Atomic, in.Volatile
	class := isa.In(verb, isa.SpaceNamed(m.Space.String())).String()
	if m.Atomic {
		class = isa.Parse("atomic." + in.Fn + "." + m.Space.String()).String()
	}
	s.emit(in, class, s.defs(in.Results), s.uses(in.Args...)).Mem = m
}

// at describes an access.
func (s *source) at(in *ir.Instr, p *ir.Value, size int64) *Mem {
	m := &Mem{Space: s.flow.SpaceOf(p), Object: s.flow.ObjectOf(p), Bytes: size}
	if in.Op == lower.ImageLoad || in.Op == lower.ImageStore {
		m.Space = idg.SpaceImage
	}
	if m.Space == 0 {
		m.Space = in.Space
	}
	if m.Space == 0 {
		m.Space = idg.SpaceGlobal
	}
	return m
}

// copy writes an asynchronous copy, which is a load and a store that waits for it alone.
func (s *source) copy(in *ir.Instr) {
	size := int64(len(in.Results)) * in.Type.Size()
	data := s.c.NewReg(RegInfo{Class: Vector, Words: 1})
	from, to := s.at(in, in.Args[1], size), s.at(in, in.Args[0], size)
	from.Space, to.Space, to.Store = idg.SpaceGlobal, idg.SpaceLocal, true
	s.emit(in, "ld.global.async", []Reg{data}, s.uses(in.Args...)).Mem = from
	s.emit(in, "st.local.async", nil, []Operand{{Kind: InReg, Reg: data}}).Mem = to
}

// exchange writes a function of the lanes of a warp: reductions and scans as a butterfly.
func (s *source) exchange(in *ir.Instr) {
	result, typ := s.defs(in.Results), in.Type.String()
	uses := s.uses(in.Args...)
	step := func(class string, from ...Operand) []Operand {
		r := s.c.NewReg(RegInfo{Class: Vector, Words: 1})
		s.emit(in, class, []Reg{r}, from)
		return []Operand{{Kind: InReg, Reg: r}}
	}
	verb, operation, _ := strings.Cut(in.Fn, "_")
	switch verb {
	case "all", "any", "ballot":
		s.emit(in, "vote", result, uses)
	case "reduce", "scan":
		kind, name, isScan := strings.Cut(operation, "_")
		if !isScan {
			name = kind
		}
		if kind == "exclusive" {
			uses = step("shuffle", uses...)
		}
		for range bits.Len(uint(s.c.Target.WarpSize - 1)) {
			uses = step(name+"."+typ, append(uses[:len(uses):len(uses)], step("shuffle", uses...)...)...)
			if isScan {
				uses = step("select."+typ, uses...)
			}
		}
		s.emit(in, "", result, uses).Free = true
	default:
		s.emit(in, "shuffle", result, uses)
	}
}
