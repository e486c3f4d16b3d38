package structure

import "gpupipe/lower"

// written says which memory objects a kernel may write. Buffers of a launch are different
// objects: a store through a pointer writes the objects that the pointer may have been made of.
type written struct {
	objects objectSet
	regs    []objectSet // by Reg - 1: the objects that a register may hold an address in
	found   bool
}

// objectSet has bit ID - 1 of each object.
type objectSet uint64

// anyObject is of addresses that memory holds, and of kernels with too many objects.
const anyObject = ^objectSet(0)

func setOf(id lower.ObjectID) objectSet {
	if id == 0 || id > 64 {
		return anyObject
	}
	return 1 << (id - 1)
}

// MayWrite reports whether some instruction of the kernel may write an object, executed or not.
func (s *Kernel) MayWrite(id lower.ObjectID) bool {
	w := &s.written
	if !w.found {
		w.find(s.k)
	}
	return w.objects&setOf(id) != 0
}

// find goes over the kernel until nothing is added, whatever the order of its instructions.
func (w *written) find(k *lower.Kernel) {
	*w = written{regs: make([]objectSet, len(k.Regs)), found: true}
	for i := range k.Params {
		if p := &k.Params[i]; p.Object != 0 && p.Reg != 0 {
			w.regs[p.Reg-1] = setOf(p.Object)
		}
	}
	for changed := true; changed; {
		changed = false
		lower.Walk(k.Body, func(st lower.Stmt) {
			if in, ok := st.(*lower.Instr); ok {
				changed = w.instr(in) || changed
			}
		})
	}
}

// instr adds what an instruction writes, and where its results may lead.
func (w *written) instr(in *lower.Instr) (changed bool) {
	add := func(to *objectSet, o objectSet) {
		changed = changed || *to|o != *to
		*to |= o
	}
	switch in.Op {
	case lower.Store, lower.Atomic, lower.Copy, lower.BulkCopy, lower.ImageStore:
		add(&w.objects, w.address(in.Args[0]))
	}
	var leads objectSet
	switch in.Op {
	case lower.Load, lower.Atomic, lower.SubGroup, lower.Call:
		leads = anyObject
	case lower.PtrAdd:
		leads = w.of(in.Args[0])
	default:
		for _, a := range in.Args {
			leads |= w.of(a)
		}
	}
	if in.Op.IsComparison() || in.Op == lower.PtrDiff || in.Op == lower.Index {
		leads = 0
	}
	for _, d := range in.Dsts {
		if d != 0 {
			add(&w.regs[d-1], leads)
		}
	}
	return changed
}

// of is the set of objects that an operand may hold an address in.
func (w *written) of(o lower.Operand) objectSet {
	switch o.Kind {
	case lower.OperandReg:
		return w.regs[o.Reg-1]
	case lower.OperandObject:
		return setOf(o.Object)
	}
	return 0
}

// address is the same of what is used as an address: one that is made of no object is in any.
func (w *written) address(o lower.Operand) objectSet {
	if s := w.of(o); s != 0 {
		return s
	}
	return anyObject
}
