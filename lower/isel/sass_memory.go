package isel

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
)

// memory selects for accesses of memory and what orders them.
func (a *sass) memory(in *ir.Instr) {
	switch in.Op {
	case lower.Load:
		a.loads(in)
	case lower.Store:
		a.stores(in)
	case lower.Atomic:
		a.atomic(in)
	case lower.Barrier:
		a.barrier()
	case lower.Fence:
		level := map[string]string{"threadfence": "GPU", "threadfence_system": "SYS", "threadfence_block": "CTA"}[in.Fn]
		if level == "" {
			level = "CTA"
		}
		if a.t.Has("bssy") {
			a.emit("MEMBAR.SC."+level, dest{}, nil)
			if level != "CTA" {
				a.emit("ERRBAR", dest{}, nil)
			}
			return
		}
		a.emit("MEMBAR."+level, dest{}, nil)
	case lower.ImageLoad, lower.ImageStore:
		a.image(in)
	default:
		a.async(in)
	}
}

// barrier selects for a barrier of the group.
func (a *sass) barrier() {
	op := "BAR.SYNC"
	if a.t.Has("clusters") {
		op = "BAR.SYNC.DEFER_BLOCKING"
	}
	a.emit(op, dest{}, nil, zero)
	if a.t.Has("ssy") {
		a.emit("MEMBAR.CTA", dest{}, nil)
	}
}

// waitsForAll reports whether what waits for copies waits for the work items of the group, too.
func waitsForAll(in *ir.Instr) bool {
	return in.Op == lower.CopyGroup && (in.Fn == "meet" || in.Fn == "await")
}

// spaces name the instructions of address spaces.
var loadNames = map[ir.Space]string{idg.SpaceGlobal: "LDG.E", idg.SpaceLocal: "LDS", idg.SpacePrivate: "LDL",
	idg.SpaceConstant: "LDC", 0: "LD.E"}

var storeNames = map[ir.Space]string{idg.SpaceGlobal: "STG.E", idg.SpaceLocal: "STS", idg.SpacePrivate: "STL",
	0: "ST.E"}

// spaceOf is where an access goes, 0 where that is not known.
func (a *sass) spaceAt(in *ir.Instr) ir.Space {
	s := a.flow.SpaceOf(in.Args[0])
	if s == 0 {
		s = in.Space
	}
	if s == idg.SpaceConstant && !a.flow.Narrow(in.Args[0]) {
		return idg.SpaceGlobal
	}
	return s
}

// at is the address of an access as operands, and what it describes.
func (a *sass) at(in *ir.Instr, p *ir.Value, plus int64, size int64) (Operand, *Mem) {
	space := a.spaceAt(in)
	m := &Mem{Space: space, Object: a.flow.ObjectOf(p), Bytes: size, Volatile: in.Volatile}
	var o Operand
	if index, u, offset, ok := a.besideUniform(in, p); ok {
		o, m.Offset, m.Uniform = index, offset, true
		a.last = u
	} else if a.flow.Words(p) == 1 {
		o, m.Offset = a.target32(p)
	} else {
		o, m.Offset = a.target64(p)
	}
	m.Offset += plus
	if m.Object != 0 {
		obj := a.f.Object(m.Object)
		m.Constant = obj.Space == idg.SpaceConstant || obj.ReadOnly && obj.Restrict
	}
	return o, m
}

// part is a piece of an access: count elements from first on, in one instruction.
type part struct {
	first, count int
	bytes        int64
}

// cut cuts an access of n elements into pieces of a power of two of bytes that the alignment allows.
func cut(in *ir.Instr, n int, widest int64) []part {
	size := in.Type.Size()
	var out []part
	for i := 0; i < n; {
		most := min(widest, max(in.Align, size))
		at := int64(i) * size
		for at%most != 0 {
			most /= 2
		}
		k := max(1, int(most/size))
		left := n - i
		if k > left {
			if left == 3 && k == 4 { // three of four that are aligned
				out = append(out, part{i, 3, 4 * size})
				return out
			}
			for k > left {
				k /= 2
			}
		}
		out = append(out, part{i, k, int64(k) * size})
		i += k
	}
	return out
}

// width is the suffix of an access of so many bytes.
func width(bytes int64, t lower.Type) string {
	switch bytes {
	case 1:
		if t == lower.S8 {
			return ".S8"
		}
		return ".U8"
	case 2:
		if t == lower.S16 {
			return ".S16"
		}
		return ".U16"
	case 8:
		return ".64"
	case 16:
		return ".128"
	}
	return ""
}

// loads selects for a load.
func (a *sass) loads(in *ir.Instr) {
	size := in.Type.Size()
	pieces := cut(in, len(in.Results), a.t.WidestAccess)
	for _, p := range pieces {
		wanted := false
		for _, r := range in.Results[p.first : p.first+p.count] {
			wanted = wanted || a.want[r.ID] != 0
		}
		if !wanted && !in.Volatile {
			continue
		}
		a.piece(in, p, size)
	}
}

// piece loads a part of an access.
func (a *sass) piece(in *ir.Instr, p part, size int64) {
	o, m := a.at(in, in.Args[0], int64(p.first)*size, p.bytes)
	op := loadNames[m.Space] + width(p.bytes, in.Type)
	if m.Space == idg.SpaceGlobal && m.Constant {
		op += ".CONSTANT"
	}
	if in.Volatile && m.Space == idg.SpaceGlobal {
		op += ".STRONG.SYS"
	}
	results := in.Results[p.first : p.first+p.count]
	words := max(1, int(p.bytes/4))
	if p.count == 1 && in.Type != lower.Pred {
		r := results[0]
		a.want[r.ID] = 3
		a.access(op, a.dest(r), nil, m, o)
		return
	}
	t := a.temp(Vector, words)
	a.access(op, t, nil, m, o)
	for i, r := range results {
		if a.want[r.ID] == 0 {
			continue
		}
		at := int64(i) * size
		switch {
		case a.mates.of[r.ID] != nil:
			if !a.mates.high[r.ID] {
				a.transfer(a.dest(r), tidy.Word(t.read(), int(at/4)))
			}
		case in.Type == lower.Pred:
			a.emit("ISETP.NE.AND", a.dest(r), nil, tidy.Word(t.read(), 0), zero, always)
		case size == 8:
			a.transfer(a.dest(r), Operand{Kind: InReg, Reg: t.reg, Word: 2 * i, Span: 2})
		case size == 4:
			a.transfer(a.dest(r), Operand{Kind: InReg, Reg: t.reg, Word: i})
		default:
			a.extract(a.dest(r), tidy.Word(t.read(), int(at/4)), at%4, in.Type)
		}
	}
}

// extract takes a number of fewer than 32 bits out of a word.
func (a *sass) extract(d dest, w Operand, at int64, t lower.Type) {
	selector := 0x7770 + at
	switch {
	case t.IsHalf() && at == 0:
		a.transfer(d, w)
		return
	case t.IsHalf() || t == lower.U16:
		selector = 0x7710
		if at == 2 {
			selector = 0x7732
		}
	case t == lower.S16:
		selector = 0x9910
		if at == 2 {
			selector = 0xbb32
		}
	case t == lower.S8:
		selector = 0x8880 + 0x1111*at
	}
	a.emit("PRMT", d, nil, w, imm(selector), zero)
}

// access emits an access of memory.
func (a *sass) access(op string, d dest, more []Reg, m *Mem, address Operand, values ...Operand) *Instr {
	if m.Space == idg.SpaceGlobal && a.t.Has("descriptors") {
		a.descriptor()
	}
	in := a.emit(op, d, more, append([]Operand{address}, values...)...)
	if in.Mem = m; m.Uniform {
		in.Uses = append(in.Uses, a.last)
	}
	if in.Class = classOf(m); d.reg != 0 && a.c.Reg(d.reg).Class == Uniform {
		in.Class += ".uniform"
	}
	return in
}

// descriptor loads what describes global memory, once.
func (a *sass) descriptor() {
	at := uint64(0x118)
	if a.t.Has("clusters") {
		at = 0x208
	}
	key := readyKey{Uniform, 2, Operand{Kind: Bank, Bits: at, Name: "c[0x0]", Span: 2}}
	if _, ok := a.entry.ready[key]; ok {
		return
	}
	d := a.temp(Uniform, 2)
	a.entry.ready[key] = d.reg
	before, in := a.seq, a.in
	a.seq, a.in = nil, nil
	a.emit("ULDC.64", d, nil, key.o)
	a.entry.pending = append(a.entry.pending, a.seq...)
	a.seq, a.in = before, in
}

// stores selects for a store.
func (a *sass) stores(in *ir.Instr) {
	size := in.Type.Size()
	values := in.Args[1:]
	for _, p := range cut(in, len(values), a.t.WidestAccess) {
		o, m := a.at(in, in.Args[0], int64(p.first)*size, p.bytes)
		m.Store = true
		v := a.stored(in, values[p.first:p.first+p.count], p, size)
		a.access(storeNames[m.Space]+width(p.bytes, lower.U8), dest{}, nil, m, o, v)
	}
}

// stored is the register of what a piece of a store writes.
func (a *sass) stored(in *ir.Instr, values []*ir.Value, p part, size int64) Operand {
	if p.count == 1 {
		v := values[0]
		if v.Type == lower.Pred {
			t := a.temp(Vector, 1)
			g := a.predicateOperand(v)
			g.Not = !g.Not
			a.emit("SEL", t, nil, zero, imm(1), g)
			return t.read()
		}
		return a.untruncated(v, size)
	}
	t := a.temp(Vector, int(p.bytes/4))
	if size < 4 {
		a.pack(t, values, size)
		return t.read()
	}
	m := &tidy.Moves{Pos: in.Pos, For: in}
	for i, v := range values {
		if v.Kind == ir.Undef {
			continue
		}
		n := int(size / 4)
		m.List = append(m.List, tidy.Move{To: t.reg, Word: i * n, Span: n, From: a.operand(v)})
	}
	a.selector.moves = append(a.selector.moves, m)
	a.seq = append(a.seq, m)
	return t.read()
}

// untruncated is what a store of a narrow number writes: the upper bits do not matter.
func (a *sass) untruncated(v *ir.Value, size int64) Operand {
	for v.Kind == ir.Result && size < 4 && v.Def.Op == lower.Convert && v.Def.From.IsInteger() && v.Type.IsInteger() &&
		v.Def.From.Size() >= size {
		v = v.Def.Args[0]
	}
	if size < 8 && a.flow.Words(v) == 2 {
		return a.half(v, 0)
	}
	return a.operand(v)
}

// pack puts narrow numbers into words.
func (a *sass) pack(t dest, values []*ir.Value, size int64) {
	each := int(4 / size)
	for i := 0; i < len(values); i += each {
		d := dest{t.reg, i / each, 1}
		if size == 2 {
			if o := a.packed(values[i], values[min(i+1, len(values)-1)]); o.Kind == InReg {
				a.transfer(d, o)
			} else {
				a.emit("MOV", d, nil, o)
			}
			continue
		}
		lo := a.untruncated(values[i], 1)
		for k := 1; k < each && i+k < len(values); k++ {
			u := a.temp(Vector, 1)
			to := u
			if k == each-1 || i+k == len(values)-1 {
				to = d
			}
			a.emit("PRMT", to, nil, lo, imm(int64([...]int{0, 0x3340, 0x3410, 0x4210}[k])), a.untruncated(values[i+k],
				1))
			lo = u.read()
		}
	}
}

// image selects for an access of an image: one operation of the texture units or of surfaces.
func (a *sass) image(in *ir.Instr) {
	m := &Mem{Space: idg.SpaceImage, Object: a.flow.ObjectOf(in.Args[0]), Store: in.Op == lower.ImageStore}
	last := 1 + in.Dim
	coords := a.temp(Vector, max(1, in.Dim))
	mv := &tidy.Moves{Pos: in.Pos, For: in}
	for i, c := range in.Args[1:last] {
		mv.List = append(mv.List, tidy.Move{To: coords.reg, Word: i, Span: 1, From: a.operand(c)})
	}
	a.selector.moves = append(a.selector.moves, mv)
	a.seq = append(a.seq, mv)
	if in.Op == lower.ImageStore {
		values := in.Args[last:]
		m.Bytes = int64(len(values)) * in.Type.Size()
		t := a.temp(Vector, len(values))
		mw := &tidy.Moves{Pos: in.Pos, For: in}
		for i, v := range values {
			mw.List = append(mw.List, tidy.Move{To: t.reg, Word: i, Span: 1, From: a.operand(v)})
		}
		a.selector.moves = append(a.selector.moves, mw)
		a.seq = append(a.seq, mw)
		a.access(fmt.Sprintf("SUST.D.%dD", in.Dim), dest{}, nil, m, coords.read(), t.read())
		return
	}
	m.Bytes = int64(len(in.Results)) * in.Type.Size()
	t := a.temp(Vector, len(in.Results))
	op := fmt.Sprintf("TEX.SCR.LL.%dD", in.Dim)
	if len(in.Args) == last {
		op = fmt.Sprintf("TLD.SCR.%dD", in.Dim)
	}
	a.access(op, t, nil, m, coords.read())
	for i, r := range in.Results {
		if a.want[r.ID] != 0 {
			a.transfer(a.dest(r), Operand{Kind: InReg, Reg: t.reg, Word: i})
		}
	}
}
