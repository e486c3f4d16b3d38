package unroll

import (
	enc "encoding/binary"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
	"gpupipe/unroll/structure"
	"gpupipe/unroll/trace"
)

// accessesMemory reports whether an operation of a loop's condition or increment is an instruction
// beside that of the loop.
func accessesMemory(op lower.Op) bool {
	switch op {
	case lower.Load, lower.Store, lower.Atomic, lower.ImageLoad:
		return true
	}
	return false
}

// instr executes one operation in the lanes of the current mask.
func (r *resolver) instr(in *lower.Instr) {
	r.spend(operationWork + int64(r.level/searchedLevels)) // in each of which an equal operation is looked for
	r.memory.pos = in.Pos
	if n := len(r.loops); n > 0 && r.loops[n-1].step == in {
		r.silent++
		defer func() { r.silent-- }()
	}
	if r.quiet && r.silent == 1 && accessesMemory(in.Op) {
		r.silent = 0
		defer func() { r.silent = 1 }()
	}
	switch in.Op {
	case lower.Mov:
		r.set(in.Dsts[0], r.operand(in.Args[0]))
	case lower.Load:
		r.load(in)
	case lower.Store:
		r.store(in)
	case lower.Atomic:
		r.atomic(in)
	case lower.ImageLoad:
		r.imageLoad(in)
	case lower.ImageStore:
		r.imageStore(in)
	case lower.SubGroup:
		r.subGroup(in)
	case lower.Barrier:
		r.barrier(in)
	case lower.MatMul:
		r.matMul(in)
	case lower.MatrixRow:
		r.matrixRow(in)
	case lower.Copy:
		r.copy(in)
	case lower.BulkCopy:
		r.bulkCopy(in)
	case lower.GroupMatMul:
		r.groupMatMul(in)
	case lower.CopyGroup:
		r.copyGroup(in)
	case lower.Fence:
		r.record(trace.Node{Op: "fence", Pos: in.Pos, Flags: trace.Root}, nil, r.memory.pending())
		r.sharedClasses(func(class int) { r.memory.classes[class].outdate() })
	case lower.PtrAdd:
		r.set(in.Dsts[0], r.ptrAdd(in, r.operand(in.Args[0]), r.operand(in.Args[1])))
	case lower.Index:
		r.set(in.Dsts[0], r.workItem(in))
	default:
		var few [4]*value
		args := few[:0]
		for _, a := range in.Args {
			args = append(args, r.operand(a))
		}
		v := r.compute(in, args)
		for i, d := range in.Dsts {
			if i > 0 {
				v = r.secondResult(v, d)
			}
			r.set(d, v)
		}
	}
}

// secondResult is the other result of a function with two (sincos, frexp):
// contents not known, produced by the same instruction.
func (r *resolver) secondResult(v *value, d lower.Reg) *value {
	w := r.newValue(r.k.Reg(d).Type)
	w.deps, w.pieces, w.from, w.level = r.producers(v), v.pieces, v.from, v.level
	w.form = symbol(w)
	return w
}

// record appends a node to the trace for the lanes of the current mask.
func (r *resolver) record(n trace.Node, deps, order []trace.NodeID) trace.NodeID {
	n.Lanes = uint8(r.mask.count())
	if len(r.loops) > 0 {
		n.Loop = r.loops[len(r.loops)-1].l.ID
	}
	if len(r.guards) > 0 {
		deps = trace.Union(deps, r.guards)
	}
	if n.Access != 0 && r.addresses != nil {
		n.Touch = r.addresses.take()
	}
	r.spend(instructionWork)
	return r.trace.Add(n, deps, order)
}

// produce records an instruction and returns it as the producer of a value.
func (r *resolver) produce(n trace.Node, deps, order []trace.NodeID) []trace.NodeID {
	return r.single(r.record(n, deps, order))
}

// single returns a set of one node.
func (r *resolver) single(id trace.NodeID) []trace.NodeID {
	if len(r.spareIDs) == 0 {
		r.spareIDs = make([]trace.NodeID, spareIDs)
	}
	s := r.spareIDs[:1:1]
	r.spareIDs = r.spareIDs[1:]
	s[0] = id
	return s
}

// spareIDs is how many sets of one node are allocated at a time.
const spareIDs = 256

// depsOf returns the nodes that produce a value in the lanes of the current mask.
func (r *resolver) depsOf(v *value) []trace.NodeID {
	if all := r.producers(v); v.pieces == nil {
		return all
	}
	return r.depsInMask(v)
}

// producers returns the nodes that produce a value in any lane, emitting a lazy one's
// instructions now.
func (r *resolver) producers(v *value) []trace.NodeID {
	if v.lazy {
		r.steady.built(v)
		switch {
		case v.typ == lower.Ptr:
			v.deps = r.pointerDeps(v)
		case v.factors != nil:
			v.deps = r.produce(trace.Node{Op: "mul." + v.typ.String(), Pos: r.memory.pos, Contraction: trace.IsMul},
				r.depsOfAll(v.factors[:]), nil)
		default:
			v.deps = r.build(v.form, v.typ).deps
		}
		v.lazy = false
	}
	return v.deps
}

func (r *resolver) depsOfAll(args []*value) []trace.NodeID {
	switch len(args) {
	case 0:
		return nil
	case 1:
		return r.depsOf(args[0])
	}
	var out []trace.NodeID
	for _, a := range args {
		out = trace.Merge(out, r.depsOf(a))
	}
	return out
}

// compute evaluates a pure operation: folded, found again, or recorded.
func (r *resolver) compute(in *lower.Instr, args []*value) *value {
	if reinterprets(in) {
		if v := r.addressOrInteger(in, args[0]); v != nil {
			return v
		}
	}
	if isShift(in) {
		r.checkShift(in, args[1])
	}
	if v := r.fold(in, args); v != nil {
		return v
	}
	if isShift(in) {
		var rest *value
		if args, rest = r.inWidth(in, args); rest != nil {
			return rest
		}
	}
	if r.opt.Level == O0 {
		return r.computeSource(in, args)
	}
	if v := r.simplify(in, args); v != nil {
		return v
	}
	if v := r.rotation(in, args); v != nil {
		return v
	}
	if r.isLinear(in, args) {
		if v := r.computeLinear(in, args); v != nil {
			return v
		}
	}
	key := r.operationKey(in, args)
	if e, ok := r.numbering.find(key); ok {
		return e.v
	}
	v := r.evaluate(in, args)
	v.root = r.rootOf(in, args)
	for _, a := range args {
		v.level = max(v.level, a.level)
	}
	if structure.Free(in) {
		v.deps = r.depsOfAll(args)
	} else {
		v.deps = r.expand(in, args)
		r.noteRoot(v, in, args)
		key = r.operationKey(in, args) // expansion used the scratch buffer
	}
	v.form = symbol(v)
	v.bits = bitsOf(in, args)
	r.numbering.put(key, entry{v: v}, v.level, r.level, true)
	return v
}

// computeSource records a source operation at -O0. Arithmetic that belongs to a
// subscript is part of the access: its result hands on its operands'
// producers.
func (r *resolver) computeSource(in *lower.Instr, args []*value) *value {
	v := r.evaluate(in, args)
	v.root = r.rootOf(in, args)
	for _, a := range args {
		v.level = max(v.level, a.level)
	}
	v.deps = r.depsOfAll(args)
	v.form = symbol(v)
	if in.Subscript || structure.Free(in) || r.silent > 0 {
		return v
	}
	v.deps = r.produce(r.describe(in, args), v.deps, nil)
	return v
}

// operationKey encodes an operation and its operands' numbers, commuted into a
// normal order.
func (r *resolver) operationKey(in *lower.Instr, args []*value) []byte {
	k := append(r.numbering.key[:0], 'o', byte(in.Op), byte(in.Type), byte(in.From), byte(in.Dim))
	k = append(append(k, in.Fn...), 0)
	swapped := commutes(in.Op) && len(args) >= 2 && (args[0].shared || args[0].id > args[1].id && !args[1].shared)
	for i, a := range args {
		if swapped && i < 2 {
			a = args[1-i]
		}
		k = a.appendKey(k)
	}
	k = enc.AppendVarint(k, in.Scale)
	r.numbering.key = k
	return k
}

func commutes(op lower.Op) bool {
	switch op {
	case lower.Add, lower.Mul, lower.And, lower.Or, lower.Xor, lower.Min, lower.Max, lower.MulHi, lower.Eq,
		lower.Ne, lower.Fma:
		return true
	}
	return false
}

// fold returns the constant result of an operation on constants, or nil.
func (r *resolver) fold(in *lower.Instr, args []*value) *value {
	for _, a := range args {
		if !a.konst {
			return nil
		}
	}
	if len(args) == 0 {
		return nil
	}
	u, ok := r.lane(in, args, 0)
	if !ok {
		return nil
	}
	if r.opt.Level == O0 {
		return r.newConst(resultType(in), u)
	}
	return r.konst(resultType(in), u)
}

// resultType is the type of what an operation assigns.
func resultType(in *lower.Instr) lower.Type {
	switch in.Op {
	case lower.Eq, lower.Ne, lower.Lt, lower.Le, lower.Gt, lower.Ge:
		return lower.Pred
	case lower.PtrDiff:
		return lower.S64
	}
	return in.Type
}

// lane evaluates a pure operation in one lane whose operands are known.
func (r *resolver) lane(in *lower.Instr, args []*value, l int) (uint64, bool) {
	switch in.Op {
	case lower.Neg, lower.Not, lower.Abs:
		return arithmetic.Unary(in.Op, in.Type, args[0].at(l))
	case lower.Convert:
		if in.Type == lower.Ptr || in.From == lower.Ptr {
			return 0, false
		}
		return arithmetic.Convert(in.Type, in.From, in.Fn, args[0].at(l)), true
	case lower.Bitcast:
		return arithmetic.Canon(in.Type, args[0].at(l)), in.Type.Size() == in.From.Size() && in.Type != lower.F16 &&
			in.From != lower.F16
	case lower.Select:
		if args[0].at(l) != 0 {
			return args[1].at(l), true
		}
		return args[2].at(l), true
	case lower.Fma:
		if in.Type.IsFloat() {
			x, y, z := arithmetic.ToFloat(in.Type, args[0].at(l)), arithmetic.ToFloat(in.Type, args[1].at(l)),
				arithmetic.ToFloat(in.Type, args[2].at(l))
			return arithmetic.FromFloat(in.Type, x*y+z), true
		}
		return arithmetic.Canon(in.Type, args[0].at(l)*args[1].at(l)+args[2].at(l)), true
	case lower.Call:
		vals := make([]uint64, len(args))
		for i, a := range args {
			vals[i] = a.at(l)
		}
		from := in.Type
		if len(in.Args) > 0 { // not of what is recognised, a rotation
			from = in.Args[0].Type
		}
		return arithmetic.Call(in.Fn, in.Type, from, vals)
	case lower.PtrDiff:
		if args[0].root == 0 || args[0].root != args[1].root || in.Scale == 0 {
			return 0, false
		}
		return uint64((int64(args[0].at(l)) - int64(args[1].at(l))) / in.Scale), true
	}
	if isShift(in) {
		return arithmetic.Shift(in.Op, in.Type, args[0].at(l), arithmetic.ShiftCount(in.Type, args[1].at(l),
			in.Clamps())), true
	}
	if len(args) == 2 {
		t := in.Type
		if t == lower.Ptr {
			if args[0].root == 0 || args[0].root != args[1].root {
				return 0, false
			}
			t = lower.S64
		}
		return arithmetic.Binary(in.Op, t, args[0].at(l), args[1].at(l))
	}
	return 0, false
}

// evaluate returns a new value with the lanes' results as far as the operands
// are known.
func (r *resolver) evaluate(in *lower.Instr, args []*value) *value {
	v := r.evaluateLanes(in, args)
	r.follow(in, args, v)
	return v
}

// follow lets the proofs follow an operation.
func (r *resolver) follow(in *lower.Instr, args []*value, v *value) {
	for i, p := range r.proofs {
		p.evaluated(in, args, v, r.proofs[max(i+1, len(r.neighbours)):])
	}
}

func (r *resolver) evaluateLanes(in *lower.Instr, args []*value) *value {
	v := r.newValue(resultType(in))
	v.same = r.sameOperands(args)
	known := r.warpMask
	uniform := true
	for _, a := range args {
		v.from |= a.from
		if in.Op != lower.Select {
			known &= a.known
		}
		uniform = uniform && a.lanes == nil
	}
	if in.Op == lower.Select {
		yes, _ := args[0].trueLanes(r.warpMask & args[0].known)
		known = args[0].known & (yes&args[1].known | ^yes&args[2].known) & r.warpMask
	}
	if isConjunction(in) {
		if decided := decidedByOne(in, args) & r.warpMask; decided&^known != 0 {
			v.lanes, v.known = r.newLanes(), known|decided
			for l := range v.lanes {
				v.lanes[l] = arithmetic.FromBool(in.Op == lower.Or)
				if decided>>l&1 == 0 {
					v.lanes[l] ^= 1
				}
			}
			r.compact(v)
			return v
		}
	}
	if known == 0 {
		return v
	}
	if uniform {
		if u, ok := r.lane(in, args, 0); ok {
			v.u, v.known = u, known
		}
		return v
	}
	v.lanes = r.newLanes()
	if !r.integerLanes(in, args, v.lanes) {
		for l := range v.lanes {
			if known>>l&1 == 0 {
				continue
			}
			u, ok := r.lane(in, args, l)
			if !ok {
				known &^= 1 << l
				continue
			}
			v.lanes[l] = u
		}
	}
	v.known = known
	r.compact(v)
	return v
}

// isConjunction reports whether an operation joins two conditions.
func isConjunction(in *lower.Instr) bool {
	return in.Type == lower.Pred && (in.Op == lower.And || in.Op == lower.Or)
}

// decidedByOne returns the lanes in which one of two conditions alone decides what they
// are together, whether or not the other is known: false in a conjunction, true in a
// disjunction.
func decidedByOne(in *lower.Instr, args []*value) (lanes laneMask) {
	for _, a := range args {
		yes, _ := a.trueLanes(a.known)
		if in.Op == lower.And {
			yes = a.known &^ yes
		}
		lanes |= yes
	}
	return lanes
}

// simplify applies identities that leave no instruction.
func (r *resolver) simplify(in *lower.Instr, args []*value) *value {
	isK := func(i int, want uint64) bool { return args[i].konst && args[i].u == want }
	switch in.Op {
	case lower.Convert:
		if in.From == in.Type {
			return args[0]
		}
	case lower.Select:
		if same(args[1], args[2]) {
			return args[1]
		}
		if args[0].konst {
			if args[0].u != 0 {
				return args[1]
			}
			return args[2]
		}
	case lower.And, lower.Or:
		if in.Type == lower.Pred {
			one := arithmetic.FromBool(in.Op == lower.And) // the neutral element
			for i := range 2 {
				if isK(i, one) {
					return args[1-i]
				}
				if isK(i, 1-one) {
					return args[i]
				}
			}
		}
		if in.Op == lower.And && (isK(0, 0) || isK(1, 0)) {
			return r.konst(in.Type, 0)
		}
		for i := range 2 {
			if in.Op == lower.Or && isK(i, 0) {
				return args[1-i]
			}
		}
		if same(args[0], args[1]) {
			return args[0]
		}
	case lower.Xor:
		for i := range 2 {
			if isK(i, 0) {
				return args[1-i]
			}
		}
	case lower.Mul:
		if in.Type.IsInteger() {
			for i := range 2 {
				if isK(i, 0) {
					return args[i]
				}
				if isK(i, 1) {
					return args[1-i]
				}
			}
		} else {
			one := arithmetic.FromFloat(in.Type, 1)
			for i := range 2 {
				if isK(i, one) {
					return args[1-i]
				}
			}
		}
	case lower.Div:
		if in.Type.IsInteger() && isK(1, 1) || in.Type.IsFloat() && isK(1, arithmetic.FromFloat(in.Type, 1)) {
			return args[0]
		}
	case lower.Shl, lower.Shr:
		if isK(1, 0) {
			return args[0]
		}
	case lower.Min, lower.Max:
		if same(args[0], args[1]) {
			return args[0]
		}
	}
	return nil
}
