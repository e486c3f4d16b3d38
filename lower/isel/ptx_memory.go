package isel

import (
	"fmt"
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// memory selects for accesses.
func (a *ptx) memory(in *ir.Instr) {
	size := in.Type.Size()
	switch in.Op {
	case lower.Load:
		for _, p := range cut(in, len(in.Results), a.t.WidestAccess) {
			a.loadPart(in, p)
		}
	case lower.Store:
		values := in.Args[1:]
		for _, p := range cut(in, len(values), a.t.WidestAccess) {
			o, m := a.at(in, in.Args[0], int64(p.first)*size, p.bytes)
			m.Store = true
			uses := []Operand{o}
			for _, v := range values[p.first : p.first+p.count] {
				uses = append(uses, a.value(v))
			}
			a.access("st", in, p.count, dest{}, nil, m, uses)
		}
	case lower.Atomic:
		o, m := a.at(in, in.Args[0], 0, size)
		m.Atomic, m.Store = true, true
		uses := []Operand{o}
		for _, v := range in.Args[1:] {
			uses = append(uses, a.operand(v))
		}
		d := dest{}
		if a.want[in.Result().ID] != 0 {
			d = a.whole(in.Result())
		}
		x := a.op("atom."+a.spaceName(m.Space)+in.Fn+"."+ptxType(in.Type), "", d, uses...)
		x.Mem, x.Class = m, "atomic."+a.classSpace(m.Space)
	default:
		a.op("tex."+in.Op.String(), "ld.image", dest{})
	}
}

func (a *ptx) classSpace(s ir.Space) string {
	if s == 0 {
		s = idg.SpaceGlobal
	}
	return s.String()
}

// spaceName is an address space in a mnemonic.
func (a *ptx) spaceName(s ir.Space) string {
	return map[ir.Space]string{idg.SpaceGlobal: "global.", idg.SpaceLocal: "shared.", idg.SpacePrivate: "local.",
		idg.SpaceConstant: "const."}[s]
}

func (a *ptx) at(in *ir.Instr, p *ir.Value, plus, size int64) (Operand, *Mem) {
	m := &Mem{Space: a.flow.SpaceOf(p), Object: a.flow.ObjectOf(p), Bytes: size, Volatile: in.Volatile}
	if m.Space == 0 {
		m.Space = in.Space
	}
	if m.Space == idg.SpaceConstant && !a.flow.Narrow(p) {
		m.Space = idg.SpaceGlobal
	}
	base, offset := a.chase(p)
	m.Offset = offset + plus
	if m.Object != 0 {
		obj := a.f.Object(m.Object)
		m.Constant = obj.Space == idg.SpaceConstant || obj.ReadOnly && obj.Restrict
	}
	if base.Kind == ir.Address {
		return special(a.f.Object(base.Object).Name), m
	}
	return a.operand(base), m
}

// loadPart loads a piece of an access; a vector has a register for each element.
func (a *ptx) loadPart(in *ir.Instr, p part) {
	size := in.Type.Size()
	o, m := a.at(in, in.Args[0], int64(p.first)*size, p.bytes)
	var d dest
	var more []Reg
	for i, r := range in.Results[p.first : p.first+p.count] {
		if i == 0 {
			d = a.whole(r)
		} else {
			a.want[r.ID] = 3
			more = append(more, a.register(r))
		}
	}
	a.access("ld", in, p.count, d, more, m, []Operand{o})
}

func (a *ptx) access(op string, in *ir.Instr, count int, d dest, more []Reg, m *Mem, uses []Operand) {
	name := op + "." + a.spaceName(m.Space)
	if op == "ld" && m.Constant && m.Space == idg.SpaceGlobal {
		name += "nc."
	}
	if in.Volatile {
		name = op + ".volatile." + a.spaceName(m.Space)
	}
	if count > 1 {
		name += fmt.Sprintf("v%d.", count)
	}
	typ := in.Type.String()
	if in.Type == lower.Pred {
		typ = "u8"
	}
	x := a.emit(name+typ, d, more, uses...)
	x.Mem, x.Class, x.Pipe = m, op+"."+a.classSpace(m.Space), "lsu"
}

// exchange selects for functions of the lanes of a warp.
func (a *ptx) exchange(in *ir.Instr) {
	v := in.Result()
	d := a.whole(v)
	fn := strings.TrimSuffix(in.Fn, "_part")
	if mode, ok := shuffles[fn]; ok {
		lane := zero
		if len(in.Args) > 1 {
			lane = a.partOf(in.Args[1], 0)
		}
		for range max(1, a.flow.Words(v)) {
			a.op("shfl.sync."+strings.ToLower(mode)+".b32", "shuffle", d, a.operand(in.Args[0]), lane, imm(31), imm(-1))
		}
		return
	}
	class := "vote"
	if strings.HasPrefix(fn, "reduce") || strings.HasPrefix(fn, "scan") {
		class = "shuffle"
	}
	a.op("vote.sync."+fn, class, d, a.value(in.Args[0]))
}

// matrix selects for products of matrices.
func (a *ptx) matrix(in *ir.Instr) {
	d, more, uses := a.registers(in)
	if in.Op == lower.MatrixRow {
		a.transfer(d, uses[0])
		return
	}
	x := a.emit("mma.sync."+in.Fn+"."+in.Type.String(), d, more, uses...)
	x.Class, x.Pipe = "hmma."+in.Fn+"."+in.Type.String(), "tensor"
}
