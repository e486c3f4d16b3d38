package translate

import (
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/lower"
)

// load reads a place. Registers are named, not copied.
func (l *lowerer) load(p place, pos Pos) value {
	v := value{typ: p.typ}
	if !p.mem {
		v.ops = p.ops
		return v
	}
	if p.lanes != nil {
		v.ops = l.loadLanes(p, pos)
		return v
	}
	if lower.CountLeaves(p.typ) > lower.MaxLeaves {
		l.unsupported(pos, "copy of %v by value: it has more than %d members", p.typ, lower.MaxLeaves).
			WithNote("copy its members in a loop")
		return v
	}
	ls := lower.LeavesOf(p.typ)
	for _, r := range runsOf(p.typ, ls) {
		v.ops = append(v.ops, l.loadRun(p, r, pos)...)
	}
	return v
}

// loadRun emits one Load.
func (l *lowerer) loadRun(p place, r run, pos Pos) []Operand {
	r.align = min(r.align, p.alignment(r))
	addr := l.plus(p.base, p.off+r.off, pos)
	in := &Instr{Op: lower.Load, Type: r.typ, Args: []Operand{addr}, Space: l.spaceOf(p, pos), Align: r.align,
		Volatile: p.volatile, Pos: pos}
	partOf(in, p.whole.moved(r.off))
	var ops []Operand
	for range r.accessed(in.Space) {
		t := l.temp(r.typ)
		in.Dsts = append(in.Dsts, t.Reg)
		if r.typ == lower.Ptr {
			l.comes(t.Reg, l.recall(l.origin(addr).moved(lower.ConstInt(lower.S64, int64(len(ops))), lower.Ptr.Size()),
				pos))
		}
		ops = append(ops, t)
	}
	l.add(in, pos)
	return ops[:r.n]
}

// partOf notes what a load or a store accesses a part of.
func partOf(in *Instr, w whole) {
	if w.align > in.Align {
		in.Whole, in.Offset = w.align, w.offset
	}
}

// accessed is how many elements an access of the run has. Private variables are in registers.
func (r *run) accessed(space idg.Space) int {
	if r.padded && space != idg.SpacePrivate {
		return r.n + 1
	}
	return r.n
}

// loadLanes reads the span that the selected lanes lie in.
func (l *lowerer) loadLanes(p place, pos Pos) []Operand {
	lo, hi := slices.Min(p.lanes), slices.Max(p.lanes)
	span := l.loadRun(p, laneRun(p, lo, hi), pos)
	ops := make([]Operand, len(p.lanes))
	for i, n := range p.lanes {
		ops[i] = span[n-lo]
	}
	return ops
}

// laneRun is the access to lanes lo to hi of a vector in memory.
func laneRun(p place, lo, hi int) run {
	t := lower.IrType(p.typ)
	off := int64(lo) * t.Size()
	align := t.Size()
	// A vector begins at a multiple of its size, so lanes do at a multiple of
	// the largest power of two in their offset; 16 bytes are enough to know.
	for align < maxAccess && off%(2*align) == 0 && align < int64(hi-lo+1)*t.Size() {
		align *= 2
	}
	return run{n: hi - lo + 1, typ: t, off: off, align: align}
}

// store writes a place in memory.
func (l *lowerer) store(p place, ops []Operand, pos Pos) {
	if p.lanes != nil {
		l.storeLanes(p, ops, pos)
		return
	}
	if lower.CountLeaves(p.typ) > lower.MaxLeaves {
		return // load has reported it
	}
	ls := lower.LeavesOf(p.typ)
	if len(ls) != len(ops) { // only after a reported error
		return
	}
	for _, r := range runsOf(p.typ, ls) {
		l.storeRun(p, r, ops[r.first:r.first+r.n], pos)
	}
}

// storeRun emits one Store.
func (l *lowerer) storeRun(p place, r run, ops []Operand, pos Pos) {
	r.align = min(r.align, p.alignment(r))
	addr := l.plus(p.base, p.off+r.off, pos)
	if r.typ == lower.Ptr {
		for i, o := range ops {
			l.keep(l.origin(addr).moved(lower.ConstInt(lower.S64, int64(i)), lower.Ptr.Size()), o, pos)
		}
	}
	in := &Instr{Op: lower.Store, Type: r.typ, Args: append([]Operand{addr}, ops...), Space: l.spaceOf(p, pos),
		Align: r.align, Volatile: p.volatile, Pos: pos}
	partOf(in, p.whole.moved(r.off))
	for range r.accessed(in.Space) - r.n {
		in.Args = append(in.Args, ops[len(ops)-1]) // of no meaning
	}
	l.add(in, pos)
}

// storeLanes writes selected lanes of a vector, each run of neighbours at once.
func (l *lowerer) storeLanes(p place, ops []Operand, pos Pos) {
	order := make([]int, len(p.lanes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return p.lanes[a] - p.lanes[b] })
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && p.lanes[order[j]] == p.lanes[order[j-1]]+1 {
			j++
		}
		var part []Operand
		for _, o := range order[i:j] {
			part = append(part, ops[o])
		}
		l.storeRun(p, laneRun(p, p.lanes[order[i]], p.lanes[order[j-1]]), part, pos)
		i = j
	}
}

// spill puts a value into a private object of its own.
func (l *lowerer) spill(v value, pos Pos) place {
	p := l.privateObject("", v.typ, pos)
	l.store(p, v.ops, pos)
	return p
}

// assign writes ops to a place and returns what an expression that reads the
// place back now gives.
func (l *lowerer) assign(p place, ops []Operand, pos Pos) value {
	if p.mem {
		l.store(p, ops, pos)
		return value{typ: p.typ, ops: ops}
	}
	l.setRegs(p.ops, ops, pos)
	return value{typ: p.typ, ops: p.ops}
}

// setRegs makes the variables dst hold src: the instructions that have just
// computed src get dst as their results where that is safe, else it is copied.
func (l *lowerer) setRegs(dst, src []Operand, pos Pos) {
	if len(dst) != len(src) { // only after a reported error
		return
	}
	for i, d := range dst {
		if d.Kind != OperandReg || !l.k.Reg(d.Reg).Var {
			l.unsupported(pos, "assignment to a value that is not a variable")
			return
		}
		if d.Type == lower.Ptr {
			l.follow(d.Reg, src[i], pos)
		}
	}
	if l.full || l.retarget(dst, src) {
		return
	}
	src = slices.Clone(src)
	for i, d := range dst {
		for j := i + 1; j < len(src); j++ { // dst[i] is read after it is written
			if src[j].Kind == OperandReg && src[j].Reg == d.Reg {
				src[j] = l.copy(src[j], pos)
			}
		}
	}
	for i, d := range dst {
		if src[i].Kind == OperandReg && src[i].Reg == d.Reg {
			continue
		}
		l.emit(&Instr{Op: lower.Mov, Type: d.Type, Dsts: []Reg{d.Reg}, Args: []Operand{src[i]}, Pos: pos})
	}
}

// copy takes a snapshot of an operand that is about to change.
func (l *lowerer) copy(o Operand, pos Pos) Operand {
	return l.op(lower.Mov, o.Type, pos, o)
}

// retarget makes the last instructions of the block, where they are what
// computes the temporaries src, write the variables dst instead.
func (l *lowerer) retarget(dst, src []Operand) bool {
	block := *l.cur
	for _, s := range src {
		if s.Kind != OperandReg || l.k.Reg(s.Reg).Var {
			return false
		}
	}
	if len(block) == 0 || len(src) == 0 {
		return false
	}
	if in, ok := block[len(block)-1].(*Instr); ok && sameRegs(in.Dsts, src) {
		for i, d := range dst {
			in.Dsts[i] = d.Reg
		}
		return true
	}
	if len(block) < len(src) {
		return false
	}
	tail := block[len(block)-len(src):]
	for i, s := range tail {
		in, ok := s.(*Instr)
		if !ok || !sameRegs(in.Dsts, src[i:i+1]) {
			return false
		}
		for _, a := range in.Args { // reads a lane that would be overwritten, or a lane's own value
			if a.Kind != OperandReg {
				continue
			}
			for j := range i {
				if a.Reg == dst[j].Reg || a.Reg == src[j].Reg {
					return false
				}
			}
		}
	}
	for i, s := range tail {
		s.(*Instr).Dsts[0] = dst[i].Reg
	}
	return true
}

func sameRegs(dsts []Reg, ops []Operand) bool {
	if len(dsts) != len(ops) {
		return false
	}
	for i, d := range dsts {
		if d != ops[i].Reg {
			return false
		}
	}
	return true
}

// set assigns one variable register.
func (l *lowerer) set(dst, src Operand, pos Pos) {
	l.setRegs([]Operand{dst}, []Operand{src}, pos)
}

// lvalue is the place of an expression that is about to be assigned to.
func (l *lowerer) lvalue(e ast.Expr) place {
	p := l.place(e)
	if p.mem {
		return p
	}
	for _, o := range p.ops {
		if o.Kind != OperandReg {
			l.unsupported(e.Pos(), "assignment to a value that is not a variable")
			return place{typ: p.typ, ops: l.variables(p.typ, "")}
		}
	}
	return p
}

// run is a part of a value that one access moves: leaves [first, first+n).
type run struct {
	first, n int
	padded   bool // three components in the room of four, which compilers access as four (OpenCL C 6.1.5)
	typ      Type
	off      int64
	align    int64
}

// runsOf splits a value of type t into accesses, as the package comment says.
func runsOf(t *ctypes.Type, ls []lower.Leaf) []run {
	var rs []run
	for i := 0; i < len(ls); {
		f := ls[i]
		r := run{first: i, n: 1, typ: f.Typ, off: f.Off, align: f.Typ.Size()}
		if f.Vec > 0 {
			r.n, r.padded = f.Vec, f.Vec == 3
			r.align = ctypes.VectorOf(ctypes.Char, int64(f.Vec)).Size() * f.Typ.Size()
		} else {
			limit := min(maxAccess, t.Align()) / f.Typ.Size()
			for n := int64(2); n <= limit && i+int(n) <= len(ls); n *= 2 {
				if f.Off%(n*f.Typ.Size()) != 0 || !adjacent(ls[i:i+int(n)]) {
					break
				}
				r.n, r.align = int(n), n*f.Typ.Size()
			}
		}
		rs = append(rs, r)
		i += r.n
	}
	return rs
}

// adjacent reports whether leaves are scalars of one type without gaps.
func adjacent(ls []lower.Leaf) bool {
	for i, f := range ls {
		if f.Part || f.Typ != ls[0].Typ || f.Off != ls[0].Off+int64(i)*f.Typ.Size() {
			return false
		}
	}
	return true
}

// maxAccess is the widest access of a merged run of struct members in bytes:
// what GPUs move per work item (128 bits).
const maxAccess = 16
