package cxxoracle

import (
	"fmt"

	"gpupipe/lower"
	"gpupipe/unroll/arithmetic"
)

const maxSteps = 200_000

// machine executes a kernel's IR for one work item. An address is an object's number times 2^40 plus an offset.
type machine struct {
	k     *lower.Kernel
	item  int
	regs  []uint64
	mem   [][]byte // by ObjectID - 1
	steps int
}

// jump is how a block ended: label 0 = it ran to its end.
type jump struct {
	label lower.Label
	cont  bool
}

type fault string

// execute returns what a work item writes to the kernel's only parameter.
func execute(k *lower.Kernel, item int) (out [Words]int32, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(fault)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s", string(f))
		}
	}()
	m := &machine{k: k, item: item, regs: make([]uint64, len(k.Regs)), mem: make([][]byte, len(k.Objects))}
	for i, o := range k.Objects {
		m.mem[i] = make([]byte, max(o.Size, int64(len(o.Init))))
		for j := range m.mem[i] {
			m.mem[i][j] = 0xa5 // not written
		}
		copy(m.mem[i], o.Init)
	}
	if len(k.Params) != 1 || k.Params[0].Object == 0 {
		return out, fmt.Errorf("the kernel's parameters are not one pointer")
	}
	buffer := make([]byte, 4*Words)
	m.mem[k.Params[0].Object-1] = buffer
	m.regs[k.Params[0].Reg-1] = uint64(k.Params[0].Object) << 40
	if j := m.block(k.Body); j.label != 0 {
		return out, fmt.Errorf("a jump leaves the kernel")
	}
	for i := range out {
		out[i] = int32(m.read(buffer[4*i:], lower.S32))
	}
	return out, nil
}

func (m *machine) block(b lower.Block) jump {
	for _, s := range b {
		if m.steps++; m.steps > maxSteps {
			panic(fault("does not end"))
		}
		var j jump
		switch s := s.(type) {
		case *lower.Instr:
			m.instr(s)
		case *lower.If:
			if m.value(s.Cond) != 0 {
				j = m.block(s.Then)
			} else {
				j = m.block(s.Else)
			}
		case *lower.Loop:
			j = m.loop(s)
		case *lower.Switch:
			j = m.choose(s)
		case *lower.Region:
			if j = m.block(s.Body); j.label == s.Label {
				j = jump{}
			}
		case *lower.Leave:
			return jump{label: s.Label}
		case *lower.Continue:
			return jump{label: s.Label, cont: true}
		}
		if j.label != 0 {
			return j
		}
	}
	return jump{}
}

func (m *machine) loop(s *lower.Loop) jump {
	for first := true; ; first = false {
		if m.steps++; m.steps > maxSteps {
			panic(fault("does not end"))
		}
		if s.Kind != "do" || !first {
			if j := m.block(s.Cond); j.label != 0 {
				return j
			}
			if s.CondValue.Kind != 0 && m.value(s.CondValue) == 0 {
				return jump{}
			}
		}
		if j := m.block(s.Body); j.label == s.Label && !j.cont {
			return jump{}
		} else if j.label != 0 && j.label != s.Label {
			return j
		}
		if j := m.block(s.Post); j.label != 0 {
			return j
		}
	}
}

func (m *machine) choose(s *lower.Switch) jump {
	x, at := int64(m.value(s.Value)), len(s.Cases)
	for i, c := range s.Cases {
		if c.Default {
			at = i
		}
	}
	for i, c := range s.Cases {
		for _, v := range c.Values {
			if v == x {
				at = i
			}
		}
	}
	for _, c := range s.Cases[at:] {
		if j := m.block(c.Body); j.label == s.Label {
			return jump{}
		} else if j.label != 0 {
			return j
		}
	}
	return jump{}
}

func (m *machine) value(o lower.Operand) uint64 {
	switch o.Kind {
	case lower.OperandReg:
		return m.regs[o.Reg-1]
	case lower.OperandObject:
		return uint64(o.Object) << 40
	}
	return arithmetic.LaneBits(o.Type, o.Bits)
}

func (m *machine) instr(s *lower.Instr) {
	a := make([]uint64, len(s.Args))
	for i, o := range s.Args {
		a[i] = m.value(o)
	}
	var r uint64
	ok := true
	switch s.Op {
	case lower.Barrier, lower.Fence:
		return
	case lower.Load:
		b := m.at(a[0], s, len(s.Dsts))
		for i, d := range s.Dsts {
			m.regs[d-1] = m.read(b[int64(i)*s.Type.Size():], s.Type)
		}
		return
	case lower.Store:
		b := m.at(a[0], s, len(a)-1)
		for i, v := range a[1:] {
			write(b[int64(i)*s.Type.Size():], s.Type, v)
		}
		return
	case lower.Index:
		r = m.index(s.Fn, s.Dim)
	case lower.PtrAdd:
		r = a[0] + uint64(int64(a[1])*s.Scale)
	case lower.PtrDiff:
		r = uint64((int64(a[0]) - int64(a[1])) / s.Scale)
	case lower.Select:
		if r = a[2]; a[0] != 0 {
			r = a[1]
		}
	case lower.Mov:
		r = a[0]
	case lower.Bitcast:
		r = arithmetic.LaneBits(s.Type, a[0])
	case lower.Convert:
		r = arithmetic.Convert(s.Type, s.From, s.Fn, a[0])
	case lower.Call:
		r, ok = arithmetic.Call(s.Fn, s.Type, s.Args[0].Type, a)
	case lower.Fma:
		if r, ok = arithmetic.Binary(lower.Mul, s.Type, a[0], a[1]); ok {
			r, ok = arithmetic.Binary(lower.Add, s.Type, r, a[2])
		}
	default:
		t := s.Type
		if t == lower.Ptr {
			t = lower.U64
		}
		switch len(a) {
		case 1:
			r, ok = arithmetic.Unary(s.Op, t, a[0])
		case 2:
			r, ok = arithmetic.Binary(s.Op, t, a[0], a[1])
		default:
			ok = false
		}
	}
	if !ok || len(s.Dsts) != 1 {
		panic(fault(fmt.Sprintf("%v: cannot execute %v.%v %s", s.Pos, s.Op, s.Type, s.Fn)))
	}
	m.regs[s.Dsts[0]-1] = r
}

// at is the memory that an access touches, checked against its bounds, alignment and address space.
func (m *machine) at(addr uint64, s *lower.Instr, n int) []byte {
	id, off := addr>>40, int64(addr&(1<<40-1))
	if id == 0 || id > uint64(len(m.mem)) || off+int64(n)*s.Type.Size() > int64(len(m.mem[id-1])) ||
		off%s.Align != 0 || m.k.Objects[id-1].Space != s.Space {
		panic(fault(fmt.Sprintf("%v: %v.%v at offset %d of object %d", s.Pos, s.Op, s.Space, off, id)))
	}
	return m.mem[id-1][off:]
}

func (m *machine) index(fn string, dim int) uint64 {
	switch {
	case fn == "get_local_size" && dim == 0, fn == "get_global_size" && dim == 0:
		return Items
	case fn == "get_local_id" && dim == 0, fn == "get_global_id" && dim == 0:
		return uint64(m.item)
	case fn == "get_local_size", fn == "get_global_size", fn == "get_num_groups":
		return 1
	}
	return 0
}

func (m *machine) read(b []byte, t lower.Type) uint64 {
	var v uint64
	for i := range t.Size() {
		v |= uint64(b[i]) << (8 * i)
	}
	if t == lower.Pred {
		return arithmetic.FromBool(v != 0)
	}
	return arithmetic.LaneBits(t, v)
}

func write(b []byte, t lower.Type, v uint64) {
	for i := range t.Size() {
		b[i] = byte(v >> (8 * i))
	}
}
