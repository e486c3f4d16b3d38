package isel

import (
	"fmt"
	"math/bits"
	"strings"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/ir"
	"gpupipe/lower/isel/tidy"
)

// index selects for the numbers of work items and groups: those of items are in vector registers at the start,
// packed into one from CDNA 2 on, those of groups in scalar registers; sizes are in the dispatch packet.
func (a *gcn) index(in *ir.Instr) {
	v := in.Result()
	d := dest{reg: a.register(v), span: 1}
	if a.want[v.ID]&2 != 0 && a.flow.Words(v) == 2 {
		a.transfer(dest{d.reg, 1, 1}, zero)
	}
	switch in.Fn {
	case "get_local_id":
		a.item(d, in.Dim)
	case "get_group_id":
		a.transfer(d, a.start(fmt.Sprintf("group_%d", in.Dim), Uniform))
	case "get_local_size", "get_enqueued_local_size":
		a.size(d, in.Dim)
	case "get_global_id":
		if n := a.f.GroupSize[in.Dim]; n > 0 && n&(n-1) == 0 {
			w := a.temp(Vector, 1)
			a.item(w, in.Dim)
			a.emit("v_lshl_or_b32", d, nil, a.start(fmt.Sprintf("group_%d", in.Dim), Uniform),
				imm(int64(bits.TrailingZeros64(uint64(n)))), w.read())
			break
		}
		t, u, w := a.temp(Uniform, 1), a.temp(Uniform, 1), a.temp(Vector, 1)
		a.size(t, in.Dim)
		a.emit("s_mul_i32", u, nil, a.start(fmt.Sprintf("group_%d", in.Dim), Uniform), t.read())
		a.item(w, in.Dim)
		a.emit("v_add_u32", d, nil, u.read(), w.read())
	case "get_global_size":
		a.emit("s_load_dword", d, nil, special(fmt.Sprintf("dispatch+%d", 12+4*in.Dim)))
	case "get_num_groups":
		t, u := a.temp(Uniform, 1), a.temp(Uniform, 1)
		a.emit("s_load_dword", t, nil, special(fmt.Sprintf("dispatch+%d", 12+4*in.Dim)))
		a.size(u, in.Dim)
		w := a.temp(Vector, 1)
		a.expand(a.table.find("div.u32", a.t, 0), []Operand{t.read(), u.read()}, []dest{w})
		if a.c.Reg(d.reg).Class == Uniform {
			a.emit("v_readfirstlane_b32", d, nil, w.read())
		} else {
			a.transfer(d, w.read())
		}
	case "get_sub_group_local_id", "lane_id":
		t := a.temp(Vector, 1)
		a.emit("v_mbcnt_lo_u32_b32", t, nil, imm(-1), zero)
		a.emit("v_mbcnt_hi_u32_b32", d, nil, imm(-1), t.read())
	default:
		a.transfer(d, zero)
	}
}

// item is the number of a work item in its group. The first dimension's is alone in its register where nobody asks for
// the second one's (SITargetLowering::allocateSpecialEntryInputVGPRs).
func (a *gcn) item(d dest, dim int) {
	switch {
	case !a.t.Has("packed"):
		a.transfer(d, a.start(fmt.Sprintf("item_%d", dim), Vector))
	case dim == 0 && !a.packedIDs:
		a.transfer(d, a.start("items", Vector))
	case dim == 0:
		a.emit("v_and_b32", d, nil, imm(0x3ff), a.start("items", Vector))
	default:
		a.emit("v_bfe_u32", d, nil, a.start("items", Vector), imm(int64(10*dim)), imm(10))
	}
}

// size is the number of work items of a group, a constant where the kernel requires one (AMDGPULowerKernelAttributes).
func (a *gcn) size(d dest, dim int) {
	if n := a.f.GroupSize[dim]; n > 0 {
		a.transfer(d, imm(n))
		return
	}
	t := a.inReg(special(fmt.Sprintf("dispatch+%d", 4+dim/2*4)), Uniform, 1, false)
	if dim == 1 {
		a.emit("s_lshr_b32", d, nil, t, imm(16))
		return
	}
	a.emit("s_and_b32", d, nil, t, imm(0xffff))
}

// memory selects for accesses of memory and what orders them.
func (a *gcn) memory(in *ir.Instr) {
	switch in.Op {
	case lower.Load:
		a.loads(in)
	case lower.Store:
		a.stores(in)
	case lower.Atomic:
		a.atomic(in)
	case lower.Barrier:
		a.emit("s_barrier", dest{}, nil)
	case lower.Fence:
		a.emit("buffer_wbinvl1", dest{}, nil)
	case lower.ImageLoad, lower.ImageStore:
		a.image(in)
	case lower.CopyGroup:
		if waitsForAll(in) {
			a.emit("s_barrier", dest{}, nil)
		}
	case lower.Copy:
		size := in.Align
		o, m := a.at(in, in.Args[1], 0, size, idg.SpaceGlobal)
		t := a.temp(Vector, max(1, int(size/4)))
		a.access("global_load_dword"+times(size), t, m, o)
		o, m = a.at(in, in.Args[0], 0, size, idg.SpaceLocal)
		m.Store = true
		a.access("ds_write_b"+fmt.Sprint(8*size), dest{}, m, o, t.read())
	}
}

// times is the suffix of an access of several words.
func times(size int64) string {
	if size <= 4 {
		return ""
	}
	return fmt.Sprintf("x%d", size/4)
}

// at is the address of an access and what it describes.
func (a *gcn) at(in *ir.Instr, p *ir.Value, plus, size int64, space ir.Space) (Operand, *Mem) {
	m := &Mem{Space: space, Object: a.flow.ObjectOf(p), Bytes: size, Volatile: in.Volatile}
	base, offset := a.chase(p)
	offset += plus
	if o := a.flow.ObjectOf(p); a.flow.Words(p) == 1 && o != 0 {
		offset += a.objects[o-1]
	}
	limit := int64(1) << (a.t.OffsetBits - 1)
	if a.flow.Words(p) == 1 {
		limit = 1 << 16
	}
	m.Offset = offset
	if offset < -limit || offset >= limit || a.flow.Words(p) == 1 && offset < 0 {
		base = p
		m.Offset = plus
		if o := a.flow.ObjectOf(p); a.flow.Words(p) == 1 && o != 0 {
			m.Offset += a.objects[o-1]
		}
	}
	if m.Object != 0 {
		obj := a.f.Object(m.Object)
		m.Constant = obj.Space == idg.SpaceConstant || obj.ReadOnly && obj.Restrict
	}
	if base.Kind == ir.Address && a.flow.Words(p) == 1 {
		return zero, m
	}
	return a.operand(base), m
}

// spaceAt is where an access goes.
func (a *gcn) spaceAt(in *ir.Instr) ir.Space {
	s := a.flow.SpaceOf(in.Args[0])
	if s == 0 {
		s = in.Space
	}
	if s == idg.SpaceConstant {
		return idg.SpaceGlobal
	}
	return s
}

// access emits an access.
func (a *gcn) access(op string, d dest, m *Mem, address Operand, values ...Operand) *Instr {
	in := a.emit(op, d, nil, append([]Operand{address}, values...)...)
	in.Mem = m
	in.Class = classOf(m)
	if strings.HasPrefix(op, "s_load") {
		in.Class = "ld.constant"
	}
	return in
}

// loadName is the instruction of a load.
func (a *gcn) loadName(space ir.Space, size int64, t lower.Type, scalar bool) string {
	sign := "u"
	if t.IsSigned() {
		sign = "i"
	}
	narrow := map[int64]string{1: sign + "8", 2: sign + "16"}[size]
	switch {
	case scalar:
		return "s_load_dword" + times(size)
	case space == idg.SpaceLocal && narrow != "":
		return "ds_read_" + narrow
	case space == idg.SpaceLocal:
		return fmt.Sprintf("ds_read_b%d", 8*size)
	}
	prefix := map[ir.Space]string{idg.SpacePrivate: "buffer_load_", idg.SpaceGlobal: "global_load_"}[space]
	if prefix == "" {
		prefix = "flat_load_"
	}
	switch size {
	case 1:
		return prefix + sign[:1] + "byte"
	case 2:
		return prefix + sign[:1] + "short"
	}
	return prefix + "dword" + times(size)
}

// cut cuts an access into pieces of up to four words, whatever its alignment (SITargetLowering,
// allowsMisalignedMemoryAccesses: the mode of unaligned accesses is on under HSA).
func (a *gcn) cut(in *ir.Instr, n int) (list []part) {
	size := in.Type.Size()
	for i := 0; i < n; {
		k := min(n-i, max(1, int(a.t.WidestAccess/size)))
		for bytes := int64(k) * size; bytes&(bytes-1) != 0 && bytes != 12; bytes = int64(k) * size {
			k--
		}
		list = append(list, part{i, k, int64(k) * size})
		i += k
	}
	return list
}

// pairwise makes an access of the memory of a group that is not aligned as wide as it is two halves.
func pairwise(op string, align, size int64) string {
	switch {
	case size == 16 && align < 16:
		return strings.Replace(op, "_b128", "2_b64", 1)
	case size == 8 && align < 8:
		return strings.Replace(op, "_b64", "2_b32", 1)
	}
	return op
}

// loads selects for a load.
func (a *gcn) loads(in *ir.Instr) {
	if p := a.paired[in]; p != nil {
		a.inPair(in, p)
		return
	}
	size := in.Type.Size()
	for _, p := range a.cut(in, len(in.Results)) {
		results := in.Results[p.first : p.first+p.count]
		wanted := in.Volatile
		for _, r := range results {
			wanted = wanted || a.want[r.ID] != 0
		}
		if !wanted {
			continue
		}
		space := a.spaceAt(in)
		o, m := a.at(in, in.Args[0], int64(p.first)*size, p.bytes, space)
		scalar := a.flow.Scalar(results[0])
		op := pairwise(a.loadName(space, p.bytes, in.Type, scalar), max(in.Align, size), p.bytes)
		if p.count == 1 && in.Type != lower.Pred {
			a.want[results[0].ID] = 3
			a.access(op, a.dest(results[0]), m, o)
			continue
		}
		t := a.temp(a.classOf(scalar), max(1, int(p.bytes/4)))
		a.access(op, t, m, o)
		for i, r := range results {
			a.unpack(r, in.Type, t, int64(i)*size)
		}
	}
}

// unpack gives a result its part of what a wide load brought.
func (a *gcn) unpack(r *ir.Value, t lower.Type, from dest, at int64) {
	if a.want[r.ID] == 0 {
		return
	}
	w := Operand{Kind: InReg, Reg: from.reg, Word: int(at / 4)}
	switch size := t.Size(); {
	case a.mates.of[r.ID] != nil:
		if !a.mates.high[r.ID] {
			a.transfer(a.dest(r), w)
		}
	case t == lower.Pred:
		a.emit("v_cmp_ne_u16", a.dest(r), nil, w, zero)
	case size == 8:
		w.Span = 2
		a.transfer(a.dest(r), w)
	case size == 4:
		a.transfer(a.dest(r), w)
	case at%4 == 0 && !t.IsSigned():
		a.emit("v_and_b32", a.dest(r), nil, imm(int64(1)<<(8*size)-1), w)
	case !t.IsSigned() && at%4+size == 4:
		a.emit("v_lshrrev_b32", a.dest(r), nil, imm(8*(at%4)), w)
	case t.IsSigned():
		a.emit("v_bfe_i32", a.dest(r), nil, w, imm(8*(at%4)), imm(8*size))
	default:
		a.emit("v_bfe_u32", a.dest(r), nil, w, imm(8*(at%4)), imm(8*size))
	}
}

// stores selects for a store.
func (a *gcn) stores(in *ir.Instr) {
	if p := a.paired[in]; p != nil {
		a.inPair(in, p)
		return
	}
	size := in.Type.Size()
	values := in.Args[1:]
	for _, p := range a.cut(in, len(values)) {
		space := a.spaceAt(in)
		o, m := a.at(in, in.Args[0], int64(p.first)*size, p.bytes, space)
		m.Store = true
		op := strings.NewReplacer("load", "store", "read_u", "write_b", "read_i", "write_b", "read", "write", "ubyte",
			"byte",
			"sbyte", "byte", "ushort", "short").Replace(a.loadName(space, p.bytes, lower.U32, false))
		op = pairwise(op, max(in.Align, size), p.bytes)
		a.access(op, dest{}, m, o, a.stored(in, values[p.first:p.first+p.count], p, size))
	}
}

// stored is the register of what a piece of a store writes.
func (a *gcn) stored(in *ir.Instr, values []*ir.Value, p part, size int64) Operand {
	if p.count == 1 {
		v := values[0]
		switch {
		case v.Type == lower.Pred:
			t := a.temp(Vector, 1)
			a.emit("v_cndmask_b32", t, nil, zero, imm(1), a.predicateOperand(v))
			return t.read()
		case a.flow.Words(v) == 2 && size == 8:
			return a.lanes(a.operand(v), 2)
		}
		return a.lanes(a.partOf(v, 0), 1)
	}
	t := a.temp(Vector, max(1, int(p.bytes/4)))
	if in.Type == lower.F16 && len(values)%2 == 0 {
		for i := 0; i < len(values); i += 2 {
			a.transfer(dest{t.reg, i / 2, 1}, a.inReg(a.packed(values[i], values[i+1]), Vector, 1, false))
		}
		return t.read()
	}
	if size < 4 {
		last := a.partOf(values[0], 0)
		for i, v := range values[1:] {
			u := a.temp(Vector, 1)
			a.emit("v_lshl_or_b32", u, nil, a.partOf(v, 0), imm(8*size*int64(i+1)%32), last)
			last = u.read()
		}
		a.transfer(dest{t.reg, 0, 1}, last)
		return t.read()
	}
	m := &tidy.Moves{Pos: in.Pos, For: in}
	for i, v := range values {
		if n := int(size / 4); v.Kind != ir.Undef {
			m.List = append(m.List, tidy.Move{To: t.reg, Word: i * n, Span: n, From: a.operand(v)})
		}
	}
	a.selector.moves = append(a.selector.moves, m)
	a.seq = append(a.seq, m)
	return t.read()
}

// atomic selects for a read-modify-write.
func (a *gcn) atomic(in *ir.Instr) {
	v := in.Result()
	size := in.Type.Size()
	space := a.spaceAt(in)
	o, m := a.at(in, in.Args[0], 0, size, space)
	m.Atomic, m.Store = true, true
	sign := map[bool]string{true: "i", false: "u"}[in.Type.IsSigned()]
	fn := map[string]string{"add": "add", "sub": "sub", "inc": "inc", "dec": "dec", "min": sign + "min",
		"max": sign + "max",
		"and": "and", "or": "or", "xor": "xor", "xchg": "swap", "exch": "swap", "cmpxchg": "cmpswap",
		"cas": "cmpswap"}[in.Fn]
	if fn == "" {
		fn = in.Fn
	}
	wide := map[bool]string{true: "_x2"}[size == 8]
	var values []Operand
	for _, x := range in.Args[1:] {
		values = append(values, a.lanes(a.operand(x), max(1, a.flow.Words(x))))
	}
	if len(values) == 0 {
		values = []Operand{a.inReg(imm(1), Vector, 1, false)}
		fn = map[string]string{"inc": "add", "dec": "sub"}[in.Fn]
	}
	d := dest{}
	if a.want[v.ID] != 0 {
		a.want[v.ID] = 3
		d = a.dest(v)
	}
	if space == idg.SpaceLocal {
		rtn := map[bool]string{true: "_rtn"}[d.reg != 0]
		a.access(fmt.Sprintf("ds_add_%s%s_u%d", fn, rtn, 8*size), d, m, o, values...)
		return
	}
	a.access("global_atomic_"+fn+wide, d, m, o, values...)
}

// exchange selects for functions of the lanes of a wavefront.
func (a *gcn) exchange(in *ir.Instr) {
	v := in.Result()
	switch fn := strings.TrimSuffix(in.Fn, "_part"); fn {
	case "all", "any":
		a.emit("s_cmp_lg_u64", a.dest(v), nil, a.predicateOperand(in.Args[0]), zero)
	case "ballot":
		a.transfer(a.dest(v), a.predicateOperand(in.Args[0]))
	case "broadcast_first":
		for k := range a.flow.Words(v) {
			t := a.temp(Uniform, 1)
			a.emit("v_readfirstlane_b32", t, nil, a.partOf(in.Args[0], k))
			a.transfer(dest{a.register(v), k, 1}, t.read())
		}
	default:
		a.shuffle(in)
	}
}

// shuffle goes through the lanes of the local memory's crossbar.
func (a *gcn) shuffle(in *ir.Instr) {
	v := in.Result()
	lane := zero
	if len(in.Args) > 1 {
		lane = a.partOf(in.Args[1], 0)
	}
	steps := 1
	if strings.HasPrefix(in.Fn, "reduce") || strings.HasPrefix(in.Fn, "scan") {
		for 1<<steps < a.t.WarpSize {
			steps++
		}
	}
	t := a.temp(Vector, 1)
	a.emit("v_lshlrev_b32", t, nil, imm(2), lane)
	a.want[v.ID] = 3
	for range steps {
		for k := range a.flow.Words(v) {
			a.emit("ds_bpermute_b32", dest{a.register(v), k, 1}, nil, t.read(), a.lanes(a.partOf(in.Args[0], k), 1))
		}
	}
}

// image selects for an access of an image.
func (a *gcn) image(in *ir.Instr) {
	m := &Mem{Space: idg.SpaceImage, Object: a.flow.ObjectOf(in.Args[0]), Store: in.Op == lower.ImageStore}
	last := 1 + in.Dim
	coords := a.words(in, in.Args[1:last])
	if in.Op == lower.ImageStore {
		m.Bytes = int64(len(in.Args)-last) * in.Type.Size()
		a.access("image_store", dest{}, m, coords, a.words(in, in.Args[last:]))
		return
	}
	m.Bytes = int64(len(in.Results)) * in.Type.Size()
	t := a.temp(Vector, len(in.Results))
	op := "image_sample"
	if len(in.Args) == last {
		op = "image_load"
	}
	a.access(op, t, m, coords)
	for i, r := range in.Results {
		if a.want[r.ID] != 0 {
			a.transfer(a.dest(r), Operand{Kind: InReg, Reg: t.reg, Word: i})
		}
	}
}

// words brings values into one register.
func (a *gcn) words(in *ir.Instr, list []*ir.Value) Operand {
	n := 0
	for _, v := range list {
		n += a.flow.Words(v)
	}
	t := a.temp(Vector, max(1, n))
	m := &tidy.Moves{Pos: in.Pos, For: in}
	at := 0
	for _, v := range list {
		k := a.flow.Words(v)
		m.List = append(m.List, tidy.Move{To: t.reg, Word: at, Span: k, From: a.operand(v)})
		at += k
	}
	a.selector.moves = append(a.selector.moves, m)
	a.seq = append(a.seq, m)
	return t.read()
}

// matrix selects for products of matrices.
func (a *gcn) matrix(in *ir.Instr) {
	if in.Op == lower.MatrixRow {
		a.transfer(a.dest(in.Result()), a.operand(in.Args[0]))
		return
	}
	uses := []Operand{a.words(in, in.Args)}
	n := 0
	for _, r := range in.Results {
		n += a.flow.Words(r)
	}
	t := a.temp(Vector, n)
	a.emit("v_mfma_"+in.Type.String()+"_"+in.Fn, t, nil, uses...)
	at := 0
	for _, r := range in.Results {
		k := a.flow.Words(r)
		if a.want[r.ID] != 0 {
			a.transfer(a.dest(r), Operand{Kind: InReg, Reg: t.reg, Word: at, Span: k})
		}
		at += k
	}
}
