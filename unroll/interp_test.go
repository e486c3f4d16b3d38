package unroll_test

import (
	"fmt"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/unroll/arithmetic/oracle"
)

// scalar executes a kernel's IR for one work item alone, one statement at a
// time: the oracle of the resolver's warps. Loaded values are not known; control
// flow and addresses that depend on one are an error of the test.
type scalar struct {
	k     *lower.Kernel
	item  workItem
	regs  []scalarValue
	steps int
	log   []event
	// uses holds for each event the events whose loaded values it needs: of a store the stored values', of a load from
	// a private array those of what was stored there.
	uses  [][]int
	cells map[event][]int // of private arrays, by place
	bytes map[place]byte  // of private arrays, as far as they are known
}

// place is a byte of an object.
type place struct {
	obj lower.ObjectID
	at  int64
}

// workItem is one work item's place in its launch.
type workItem struct {
	id, group, local, groups [3]int64
}

type scalarValue struct {
	u     uint64
	obj   lower.ObjectID // pointers: what they point into; u is the byte offset
	known bool
	from  []int // the events that loaded what it was computed from, ascending
}

// event is a memory access or a barrier that a work item executes.
type event struct {
	kind   string // "ld", "st", "atomic", "barrier"
	object string
	offset int64
	width  int64
	pos    lower.Pos
}

func (e event) String() string {
	if e.kind == "barrier" {
		return e.kind
	}
	return fmt.Sprintf("%s %s+%d:%d", e.kind, e.object, e.offset, e.width)
}

// scalarJump is how a block ended: label 0 = it ran to its end.
type scalarJump struct {
	label lower.Label
	cont  bool
}

// maxScalarSteps bounds the statements of one work item.
const maxScalarSteps = 50_000

type scalarFault string

// runScalar returns what a work item executes, and which loads each event needs.
func runScalar(k *lower.Kernel, item workItem, args map[string]int64) (log []event, uses [][]int, err error) {
	s := &scalar{k: k, item: item, regs: make([]scalarValue, len(k.Regs)), cells: map[event][]int{},
		bytes: map[place]byte{}}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(scalarFault)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s", string(f))
		}
	}()
	for _, p := range k.Params {
		if p.Type == lower.Ptr {
			s.regs[p.Reg-1] = scalarValue{obj: p.Object, known: true}
			continue
		}
		a, ok := args[p.Name]
		s.regs[p.Reg-1] = scalarValue{u: oracle.Convert(p.Type, uint64(a)), known: ok}
	}
	s.block(k.Body)
	return s.log, s.uses, nil
}

func (s *scalar) block(b lower.Block) scalarJump {
	for _, st := range b {
		if s.steps++; s.steps > maxScalarSteps {
			panic(scalarFault("too many steps"))
		}
		var j scalarJump
		switch st := st.(type) {
		case *lower.Instr:
			s.instr(st)
		case *lower.If:
			if s.need(st.Cond).u != 0 {
				j = s.block(st.Then)
			} else {
				j = s.block(st.Else)
			}
		case *lower.Loop:
			j = s.loop(st)
		case *lower.Switch:
			j = s.switchStmt(st)
		case *lower.Region:
			if j = s.block(st.Body); j.label == st.Label {
				j = scalarJump{}
			}
		case *lower.Leave:
			return scalarJump{label: st.Label}
		case *lower.Continue:
			return scalarJump{label: st.Label, cont: true}
		}
		if j.label != 0 {
			return j
		}
	}
	return scalarJump{}
}

func (s *scalar) loop(l *lower.Loop) scalarJump {
	for first := true; ; first = false {
		if !first || l.Kind != "do" {
			s.block(l.Cond)
			if l.CondValue.Kind != 0 && s.need(l.CondValue).u == 0 {
				return scalarJump{}
			}
		}
		if j := s.block(l.Body); j.label != 0 && j.label != l.Label {
			return j
		} else if j.label != 0 && !j.cont {
			return scalarJump{}
		}
		if j := s.block(l.Post); j.label != 0 {
			return j
		}
	}
}

func (s *scalar) switchStmt(st *lower.Switch) scalarJump {
	x := int64(s.need(st.Value).u)
	start := len(st.Cases)
	for i, c := range st.Cases {
		if c.Default {
			start = i
		}
	}
	for i, c := range st.Cases {
		for _, v := range c.Values {
			if v == x {
				start = i
			}
		}
	}
	for _, c := range st.Cases[start:] {
		if j := s.block(c.Body); j.label == st.Label {
			return scalarJump{}
		} else if j.label != 0 {
			return j
		}
	}
	return scalarJump{}
}

func (s *scalar) operand(o lower.Operand) scalarValue {
	switch o.Kind {
	case lower.OperandReg:
		return s.regs[o.Reg-1]
	case lower.OperandObject:
		return scalarValue{obj: o.Object, known: true}
	}
	return scalarValue{u: o.Bits, known: true}
}

// need returns an operand that must be known.
func (s *scalar) need(o lower.Operand) scalarValue {
	v := s.operand(o)
	if !v.known {
		panic(scalarFault("control flow or address that depends on a loaded value"))
	}
	return v
}

// access logs a memory access of n elements, which stores vals, and returns what
// it loads.
func (s *scalar) access(kind string, in *lower.Instr, n int, vals []lower.Operand) scalarValue {
	p := s.need(in.Args[0])
	e := event{kind, s.k.Object(p.obj).Name, int64(p.u), int64(n) * in.Type.Size(), in.Pos}
	var needs []int
	place := e
	place.kind, place.pos = "", lower.Pos{}
	switch {
	case len(vals) > 0:
		for _, o := range vals {
			needs = append(needs, s.operand(o).from...)
		}
		slices.Sort(needs)
		needs = slices.Compact(needs)
		s.cells[place] = needs
	case e.private(s.k):
		needs = s.cells[place]
	}
	s.log, s.uses = append(s.log, e), append(s.uses, needs)
	if kind == "st" {
		return scalarValue{}
	}
	return scalarValue{from: []int{len(s.log) - 1}}
}

// store keeps what is stored in a private array.
func (s *scalar) store(v scalarValue, t lower.Type, p place) {
	if s.k.Object(p.obj).Space != idg.SpacePrivate {
		return
	}
	for b := range t.Size() {
		delete(s.bytes, place{p.obj, p.at + b})
		if v.known {
			s.bytes[place{p.obj, p.at + b}] = byte(v.u >> (8 * b))
		}
	}
}

// stored fills in what has been stored in a private array, if it is known.
func (s *scalar) stored(v scalarValue, t lower.Type, p place) scalarValue {
	var u uint64
	for b := range t.Size() {
		x, ok := s.bytes[place{p.obj, p.at + b}]
		if !ok {
			return v
		}
		u |= uint64(x) << (8 * b)
	}
	v.u, v.known = oracle.Convert(t, u), t.IsInteger()
	return v
}

func (s *scalar) instr(in *lower.Instr) {
	set := func(v scalarValue) { s.regs[in.Dsts[0]-1] = v }
	switch in.Op {
	case lower.Load:
		v := s.access("ld", in, len(in.Dsts), nil)
		p := s.operand(in.Args[0])
		for i, d := range in.Dsts {
			s.regs[d-1] = s.stored(v, in.Type, place{p.obj, int64(p.u) + int64(i)*in.Type.Size()})
		}
		return
	case lower.Store:
		s.access("st", in, len(in.Args)-1, in.Args[1:])
		p := s.operand(in.Args[0])
		for i, o := range in.Args[1:] {
			s.store(s.operand(o), in.Type, place{p.obj, int64(p.u) + int64(i)*in.Type.Size()})
		}
		return
	case lower.Atomic:
		v := s.access("atomic", in, 1, in.Args[1:])
		for _, d := range in.Dsts {
			if d != 0 {
				s.regs[d-1] = v
			}
		}
		return
	case lower.Barrier:
		s.log, s.uses = append(s.log, event{kind: "barrier", pos: in.Pos}), append(s.uses, nil)
		return
	case lower.Fence:
		return
	case lower.Index:
		set(scalarValue{u: oracle.Convert(in.Type, s.item.function(in.Fn, in.Dim)), known: true})
		return
	}
	a := make([]scalarValue, len(in.Args))
	known := true
	var from []int
	for i, o := range in.Args {
		a[i] = s.operand(o)
		known = known && a[i].known
		from = append(from, a[i].from...)
	}
	slices.Sort(from)
	from = slices.Compact(from)
	switch {
	case in.Op == lower.Mov:
		set(a[0])
	case in.Op == lower.Select && a[0].known && a[0].u != 0:
		set(a[1])
	case in.Op == lower.Select && a[0].known:
		set(a[2])
	case known && in.Op == lower.Call && !in.Type.IsFloat():
		vals := make([]uint64, len(a))
		for i := range a {
			vals[i] = a[i].u
		}
		u, ok := oracle.Call(in.Fn, in.Args[0].Type, vals)
		set(scalarValue{u: oracle.Convert(in.Type, u), known: ok})
	case known && in.Fn == "sat" && in.From.IsInteger():
		set(scalarValue{u: oracle.Saturate(in.Type, in.From, a[0].u), known: true})
	case !known || in.Op == lower.Call || in.Type.IsFloat() || in.From.IsFloat():
		for _, d := range in.Dsts {
			s.regs[d-1] = scalarValue{from: from}
		}
	case in.Op == lower.Convert, in.Op == lower.Bitcast && in.Type.IsInteger():
		set(scalarValue{u: oracle.Convert(in.Type, a[0].u), known: true})
	case in.Op == lower.Bitcast:
		set(a[0])
	case in.Op == lower.PtrAdd:
		set(scalarValue{u: a[0].u + a[1].u*uint64(in.Scale), obj: a[0].obj, known: true})
	case in.Op == lower.PtrDiff:
		set(scalarValue{u: uint64((int64(a[0].u) - int64(a[1].u)) / in.Scale), known: true})
	case in.Op == lower.Fma:
		x, _ := oracle.Binary(lower.Mul, in.Type, a[0].u, a[1].u)
		x, _ = oracle.Binary(lower.Add, in.Type, x, a[2].u)
		set(scalarValue{u: x, known: true})
	case len(a) == 1:
		u, ok := oracle.Unary(in.Op, in.Type, a[0].u)
		set(scalarValue{u: u, known: ok})
	default:
		t := in.Type
		if t == lower.Ptr {
			t = lower.S64
		}
		u, ok := oracle.Binary(in.Op, t, a[0].u, a[1].u)
		set(scalarValue{u: u, known: ok})
	}
}

// function is the result of a work-item function.
func (w workItem) function(fn string, d int) uint64 {
	switch fn {
	case "get_local_id":
		return uint64(w.id[d])
	case "get_group_id":
		return uint64(w.group[d])
	case "get_global_id":
		return uint64(w.group[d]*w.local[d] + w.id[d])
	case "get_local_size":
		return uint64(w.local[d])
	case "get_num_groups":
		return uint64(w.groups[d])
	case "get_global_size":
		return uint64(w.groups[d] * w.local[d])
	}
	panic(scalarFault("work-item function " + fn))
}

// private reports whether an event touches an array of the work item's own.
func (e event) private(k *lower.Kernel) bool {
	for i := range k.Objects {
		if k.Objects[i].Name == e.object {
			return k.Objects[i].Space == idg.SpacePrivate
		}
	}
	return true // a variable
}
