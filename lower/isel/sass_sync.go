package isel

import (
	"fmt"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
)

// atomic selects for a read-modify-write.
func (a *sass) atomic(in *ir.Instr) {
	v := in.Result()
	size := in.Type.Size()
	o, m := a.at(in, in.Args[0], 0, size)
	m.Atomic, m.Store = true, true
	fn := strings.ToUpper(in.Fn)
	unused := a.want[v.ID] == 0
	suffix := ""
	switch {
	case in.Type == lower.F32:
		suffix = ".F32.FTZ.RN"
	case in.Type == lower.F64:
		suffix = ".F64.RN"
	case in.Type == lower.F16:
		suffix = ".F16x2.RN"
	case in.Type == lower.BF16:
		suffix = ".BF16x2.RN"
	case in.Type.IsSigned() && size == 8 && (fn == "MIN" || fn == "MAX"):
		suffix = ".S64"
	case size == 8:
		suffix = ".64"
	case in.Type.IsSigned() && (fn == "MIN" || fn == "MAX"):
		suffix = ".S32"
	}
	if m.Space == idg.SpaceLocal && (in.Type.IsFloat() && fn != "XCHG" && fn != "CMPXCHG") {
		a.spin(in, o, m)
		return
	}
	var values []Operand
	for _, x := range in.Args[1:] {
		values = append(values, a.operand(x))
	}
	switch fn {
	case "XCHG", "EXCH":
		fn, unused = "EXCH", false
	case "CMPXCHG", "CAS":
		fn, unused = "CAS", false
	case "SUB":
		fn = "ADD"
		n := values[0]
		switch {
		case n.Kind == Immediate:
			n.Bits = uint64(-int64(n.Bits))
			if size == 4 {
				n.Bits = uint64(uint32(n.Bits))
			}
			values[0] = n
		case size == 8: // atomicAdd(p, -n) by nvcc 11.8 for sm_80
			t, carry := a.temp(Vector, 2), a.temp(Predicate, 1)
			low, high := a.half(in.Args[1], 0), a.half(in.Args[1], 1)
			low.Not, high.Not = !low.Not, !high.Not
			a.emit("IADD3", dest{t.reg, 0, 1}, []Reg{carry.reg}, zero, low, zero)
			a.emit("IADD3.X", dest{t.reg, 1, 1}, nil, zero, high, zero, carry.read())
			values[0] = t.read()
		default:
			t := a.temp(Vector, 1)
			n.Not = true
			a.emit("IADD3", t, nil, n, zero, zero)
			values[0] = t.read()
		}
	case "INC", "DEC":
		if len(values) == 0 {
			n := int64(1)
			if fn == "DEC" {
				n = -1
			}
			fn, values = "ADD", []Operand{imm(n)}
		}
	}
	a.update(in, fn+suffix, unused, o, m, values)
}

// update emits a read-modify-write, without a result where nobody reads it.
func (a *sass) update(in *ir.Instr, what string, unused bool, o Operand, m *Mem, values []Operand) {
	local := m.Space == idg.SpaceLocal
	if local && what == "ADD" && len(values) == 1 && values[0].Kind == Immediate && values[0].Bits == 1 && unused &&
		a.t.Has("async copies") {
		x := a.access("ATOMS.POPC.INC.32", dest{}, nil, m, o)
		x.Class = isa.Parse(x.Class).With(isa.Combined).String()
		return
	}
	if a.aggregate(in, what, unused, o, m, values) {
		a.combined++
		return
	}
	d := dest{}
	if !unused {
		a.want[in.Result().ID] |= 3
		d = a.dest(in.Result())
	}
	regs := slices.Clone(values)
	if local {
		a.access("ATOMS."+what, d, nil, m, o, regs...)
		return
	}
	if a.t.Has("bssy") {
		what += ".STRONG.GPU"
	}
	a.access(a.updating(unused)+what, d, nil, m, o, regs...)
}

// spin updates a number in the memory of a group that no instruction updates: it is exchanged until nobody
// else changed it between (CUDA C++ Programming Guide, Atomic Functions: any atomic operation can be
// implemented based on atomicCAS).
func (a *sass) spin(in *ir.Instr, o Operand, m *Mem) {
	words := int(max(1, in.Type.Size()/4))
	suffix := ""
	if words == 2 {
		suffix = ".64"
	}
	loop := &ir.Instr{Op: lower.OpLoop, Pos: in.Pos}
	outer := a.seq
	a.seq = nil
	old, next, p := a.temp(Vector, words), a.temp(Vector, words), a.temp(Predicate, 1)
	load := *m
	load.Atomic, load.Store = false, false
	a.access("LDS"+suffix, old, nil, &load, o)
	x := a.operand(in.Args[1])
	op := letters[in.Type] + "ADD"
	switch {
	case in.Fn == "min" || in.Fn == "max":
		op = "FMNMX"
	case in.Fn == "sub":
		x = minus(x, in.Type)
	}
	if in.Type.IsHalf() {
		op += "2"
	}
	a.emit(op, next, nil, old.read(), x)
	a.access("ATOMS.CAST.SPIN"+suffix, dest{}, []Reg{p.reg}, m, o, old.read(), next.read())
	body := append(a.seq, &Jump{Target: loop, Continue: true, Guard: Guard{Reg: p.reg, Not: true}}, &Jump{Target: loop})
	a.seq = append(outer, &Loop{Body: &Block{Nodes: body}, From: loop})
	a.flow.Separates(loop)
	if r := in.Result(); a.want[r.ID] != 0 {
		a.transfer(a.dest(r), old.read())
	}
}

// exchange selects for functions of the lanes of a warp.
func (a *sass) exchange(in *ir.Instr) {
	v := in.Result()
	switch fn := strings.TrimSuffix(in.Fn, "_part"); {
	case fn == "all" || fn == "any":
		d := a.dest(v)
		a.emit("VOTE."+strings.ToUpper(fn), dest{}, []Reg{d.reg}, a.predicateOperand(in.Args[0]))
	case fn == "ballot":
		a.emit("VOTE.ANY", a.dest(v), nil, a.predicateOperand(in.Args[0]))
	case strings.HasPrefix(fn, "reduce") || strings.HasPrefix(fn, "scan"):
		a.reduce(in, fn)
	case fn == "transpose":
		a.emit("MOVM.16.MT88", a.dest(v), nil, a.operand(in.Args[0]))
	default:
		a.shuffle(in, fn)
	}
}

// shuffles are the modes of SHFL.
var shuffles = map[string]string{"shuffle": "IDX", "broadcast": "IDX", "broadcast_first": "IDX", "shuffle_xor": "BFLY",
	"shuffle_up":   "UP",
	"shuffle_down": "DOWN", "shuffle_and_fill_up": "UP", "shuffle_and_fill_down": "DOWN"}

func (a *sass) shuffle(in *ir.Instr, fn string) {
	mode, ok := shuffles[fn]
	if !ok {
		a.fail(in, "no instruction for the function %s of a warp", in.Fn)
		return
	}
	lane := zero
	if len(in.Args) > 1 {
		lane = a.partOf(in.Args[1], 0)
	}
	clamp := int64(0x1f)
	if mode == "UP" {
		clamp = 0
	}
	v := in.Result()
	for k := range a.flow.Words(v) {
		d := a.destWord(v, k)
		if d.reg == 0 {
			continue
		}
		a.emit("SHFL."+mode, d, nil, a.partOf(in.Args[0], k), lane, field(clamp))
	}
}

// reduce folds a value over the lanes of a warp: by one instruction for integers where there is one, else in
// steps of half the distance.
func (a *sass) reduce(in *ir.Instr, fn string) {
	v, x := in.Result(), a.operand(in.Args[0])
	kind := strings.ToUpper(fn[strings.LastIndexByte(fn, '_')+1:])
	if strings.HasPrefix(fn, "reduce") && a.t.Has("async copies") && in.Type.IsInteger() && in.Type.Size() == 4 {
		u := a.temp(Uniform, 1)
		a.emit("REDUX."+kind, u, nil, x)
		a.transfer(a.dest(v), u.read())
		return
	}
	op := map[string]string{"ADD": "ADD", "MIN": "MNMX", "MAX": "MNMX"}[kind]
	name := letters[in.Type] + op
	if in.Type.IsInteger() {
		name = map[string]string{"ADD": "IADD3", "MIN": "IMNMX", "MAX": "IMNMX", "AND": "LOP3.LUT", "OR": "LOP3.LUT",
			"XOR": "LOP3.LUT"}[kind]
	}
	mode := "BFLY"
	if strings.HasPrefix(fn, "scan") {
		mode = "UP"
	}
	for step := a.t.WarpSize / 2; step > 0; step /= 2 {
		t, u := a.temp(Vector, max(1, a.flow.Words(v))), a.temp(Vector, max(1, a.flow.Words(v)))
		for k := range a.flow.Words(v) {
			a.emit("SHFL."+mode, dest{t.reg, k, 1}, nil, tidy.Word(x, k), imm(int64(step)), field(0x1f))
		}
		if step == 1 {
			u = a.dest(v)
		}
		a.emit(name, u, nil, x, t.read(), zero)
		x = u.read()
	}
}

// matrix selects for products of matrices: an instruction each.
func (a *sass) matrix(in *ir.Instr) {
	switch in.Op {
	case lower.MatrixRow:
		a.copy(in.Result(), in.Args[0])
		return
	case lower.GroupMatMul:
		op := strings.ToUpper("HGMMA." + strings.ReplaceAll(in.Fn, ".", "."))
		in2 := a.group(in, op)
		in2.Class = "wgmma." + in.Fn + "." + in.Type.String()
		return
	}
	name := map[lower.Type]string{lower.F64: "DMMA", lower.S32: "IMMA"}[in.Type]
	if name == "" {
		name = "HMMA"
	}
	m := a.group(in, fmt.Sprintf("%s.%s.%s", name, strings.ToUpper(in.Fn), strings.ToUpper(in.Type.String())))
	m.Class = strings.ToLower(name) + "." + in.Fn + "." + in.Type.String()
}

// group emits an instruction whose operands are fragments: wide registers.
func (a *sass) group(in *ir.Instr, op string) *Instr {
	n := len(in.Results)
	per := 1
	if in.Type == lower.F64 {
		per = 2
	}
	sums := in.Args[max(0, len(in.Args)-n):]
	factors := in.Args[:len(in.Args)-len(sums)]
	if in.Op == lower.GroupMatMul {
		k := 0
		if len(in.Args) > n {
			k = n
		}
		sums, factors = in.Args[:k], in.Args[k:]
	}
	var uses []Operand
	first := factors
	var second []*ir.Value
	if len(factors) > 1 {
		half := max(1, len(factors)*2/3)
		if len(factors) == 2 {
			half = 1
		}
		first, second = factors[:half], factors[half:]
	}
	for _, list := range [...][]*ir.Value{first, second, sums} {
		if len(list) > 0 {
			uses = append(uses, a.tuple(in, list))
		}
	}
	t := a.temp(Vector, n*per)
	out := a.emit(op, t, nil, uses...)
	for i, r := range in.Results {
		if a.want[r.ID] != 0 {
			a.transfer(a.dest(r), Operand{Kind: InReg, Reg: t.reg, Word: i * per, Span: per})
		}
	}
	return out
}

// tuple brings values into one wide register.
func (a *sass) tuple(in *ir.Instr, list []*ir.Value) Operand {
	words := 0
	for _, v := range list {
		words += a.flow.Words(v)
	}
	if len(list) == 1 && a.place[list[0].ID] == 0 {
		return a.operand(list[0])
	}
	t := a.temp(Vector, words)
	m := &tidy.Moves{Pos: in.Pos, For: in}
	at := 0
	for _, v := range list {
		n := a.flow.Words(v)
		if v.Kind != ir.Undef {
			m.List = append(m.List, tidy.Move{To: t.reg, Word: at, Span: n, From: a.operand(v)})
		}
		at += n
	}
	a.selector.moves = append(a.selector.moves, m)
	a.seq = append(a.seq, m)
	return t.read()
}

// async selects for asynchronous copies.
func (a *sass) async(in *ir.Instr) {
	switch in.Op {
	case lower.Copy:
		a.copyAsync(in)
	case lower.BulkCopy:
		var uses []Operand
		for _, v := range in.Args {
			uses = append(uses, a.partOf(v, 0))
		}
		op := "UBLKCP"
		if in.Fn == "load" && len(in.Args) > 4 {
			op = fmt.Sprintf("UTMALDG.%dD", len(in.Args)-4)
		}
		a.emit(op, dest{}, nil, uses...)
	default:
		a.copyGroup(in)
	}
}

// copyAsync copies to the memory of a group: one instruction where there is one, else a load and a store.
func (a *sass) copyAsync(in *ir.Instr) {
	size := in.Align
	to, m := a.at(in, in.Args[0], 0, size)
	m.Space = idg.SpaceLocal
	if a.t.Has("async copies") && size >= 4 {
		from, _ := a.at(in, in.Args[1], 0, size)
		m.Store = true
		i := a.access("LDGSTS.E"+width(size, lower.U8), dest{}, nil, m, to, from)
		i.Class = "ld.global.async"
		return
	}
	from, fm := a.at(in, in.Args[1], 0, size)
	fm.Space = idg.SpaceGlobal
	t := a.temp(Vector, max(1, int(size/4)))
	a.access("LDG.E"+width(size, lower.U8), t, nil, fm, from)
	m.Store = true
	a.access("STS"+width(size, lower.U8), dest{}, nil, m, to, t.read())
}

// groupNames are instructions of groups of copies.
var groupNames = map[string]string{"commit": "LDGDEPBAR", "prior": "DEPBAR.LE", "bulk_prior": "DEPBAR.LE",
	"bulk_commit": "UTMACMDFLUSH",
	"wgmma_fence": "WARPGROUP.ARRIVE", "wgmma_commit": "WARPGROUP.DEPBAR", "wgmma_prior": "WARPGROUP.DEPBAR",
	"arrive": "SYNCS.ARRIVE.TRANS64",
	"bind":   "ARRIVES.LDGSTSBAR.64", "await": "SYNCS.PHASECHK.TRANS64",
	"await_parity": "SYNCS.PHASECHK.TRANS64.TRYWAIT",
	"meet":         "SYNCS.ARRIVE.TRANS64", "expect": "SYNCS.ARRIVE.TRANS64.A1T0", "consume": "DEPBAR.LE",
	"release": "NOP"}

func (a *sass) copyGroup(in *ir.Instr) {
	if !a.t.Has("async copies") { // copies are loads and stores: what is left is a barrier
		if waitsForAll(in) {
			a.barrier()
		}
		return
	}
	op, ok := groupNames[in.Fn]
	if !ok {
		a.fail(in, "no instruction for the group of copies %s", in.Fn)
		return
	}
	var uses []Operand
	for _, v := range in.Args {
		uses = append(uses, a.partOf(v, 0))
	}
	a.emit(op, dest{}, nil, uses...)
}
