package translate

import (
	"gpupipe/idg"
	"gpupipe/lower"
)

// CUDA's pointers do not say which memory they point to, so their origin is followed: through variables and calls in
// registers, and through the memory of objects that pointers are stored in (members of a class whose functions take its
// address).

// origin is what is known of where a pointer leads. Its zero value is nothing.
type origin struct {
	space  lower.Space
	object lower.ObjectID // 0: not known
	offset int64          // bytes from the object's start
	fixed  bool           // offset is known
}

// join is what is known of a pointer that has one origin or the other; ok is false where they are in two memories.
func (o origin) join(p origin) (_ origin, ok bool) {
	switch {
	case p.space == 0 || o == p:
		return o, true
	case o.space == 0:
		return p, true
	case o.space != p.space:
		return origin{space: idg.SpaceGlobal}, false
	case o.object != p.object:
		return origin{space: o.space}, true
	}
	return origin{space: o.space, object: o.object}, true
}

// moved is the origin some bytes further.
func (o origin) moved(by Operand, scale int64) origin {
	if o.fixed = o.fixed && by.Kind == OperandConst; o.fixed {
		o.offset += int64(by.Bits) * scale
	} else {
		o.offset = 0
	}
	return o
}

// slot is a pointer in an object's memory; one whose offset is not known may be any of the object's.
type slot struct {
	object lower.ObjectID
	offset int64
	fixed  bool
}

// origins follows pointers.
type origins struct {
	regs      map[Reg]origin
	moving    map[Reg]bool // variables that are assigned more than once: where in an object they lead is not known
	ambiguous map[Reg]bool
	stored    map[slot]origin
	slots     map[lower.ObjectID][]slot // those of an object in stored, in the order of their first store
}

func newOrigins() origins {
	return origins{regs: map[Reg]origin{}, moving: map[Reg]bool{}, ambiguous: map[Reg]bool{}, stored: map[slot]origin{},
		slots: map[lower.ObjectID][]slot{}}
}

// origin is what is known of where a pointer leads.
func (l *lowerer) origin(p Operand) origin {
	switch p.Kind {
	case lower.OperandObject:
		return origin{space: l.k.Object(p.Object).Space, object: p.Object, fixed: true}
	case OperandReg:
		return l.origins.regs[p.Reg]
	}
	return origin{}
}

// spaceOf is the address space of an access.
func (l *lowerer) spaceOf(p place, pos Pos) lower.Space {
	if s := l.origin(p.base).space; s != 0 {
		return s
	}
	if p.space != 0 {
		return p.space
	}
	l.warn(pos, "GENERIC", "cannot tell which memory this pointer points to: taken as global")
	return idg.SpaceGlobal
}

// comes notes where the pointer in a register comes from.
func (l *lowerer) comes(r Reg, o origin) {
	if o.space != 0 {
		l.origins.regs[r] = o
	}
}

// follow notes that pointer variable r now holds src.
func (l *lowerer) follow(r Reg, src Operand, pos Pos) {
	o := l.origin(src)
	if o.space == 0 || l.origins.ambiguous[r] {
		return
	}
	if l.origins.moving[r] {
		o.offset, o.fixed = 0, false
	}
	old := l.origins.regs[r]
	both, ok := old.join(o)
	if !ok {
		l.origins.ambiguous[r] = true
		l.warn(pos, "GENERIC", "pointer %s points to %v and to %v memory: taken as global", l.k.Reg(r).Name, old.space,
			o.space)
	}
	l.origins.regs[r] = both
}

// moves notes that variables are assigned more than once.
func (l *lowerer) moves(ops []Operand) {
	for _, o := range ops {
		l.origins.moving[o.Reg] = true
	}
}

// remembers reports whether pointers in an object's memory are followed: in that of a work item or group, which only
// the kernel writes.
func (o origin) remembers() bool {
	return o.object != 0 && (o.space == idg.SpacePrivate || o.space == idg.SpaceLocal)
}

// keep notes that a pointer is stored where at leads.
func (l *lowerer) keep(at origin, src Operand, pos Pos) {
	o := l.origin(src)
	if !at.remembers() || o.space == 0 {
		return
	}
	s := slot{at.object, at.offset, at.fixed}
	old, known := l.origins.stored[s]
	if !known {
		l.origins.slots[at.object] = append(l.origins.slots[at.object], s)
	}
	both, ok := old.join(o)
	if !ok {
		l.warn(pos, "GENERIC", "a pointer in %s points to %v and to %v memory: taken as global",
			l.k.Object(at.object).Name, old.space, o.space)
	}
	l.origins.stored[s] = both
}

// recall is where a pointer that is loaded from where at leads comes from.
func (l *lowerer) recall(at origin, pos Pos) origin {
	var o origin
	if !at.remembers() {
		return o
	}
	for _, s := range l.origins.slots[at.object] {
		if at.fixed && s.fixed && s.offset != at.offset {
			continue
		}
		both, ok := o.join(l.origins.stored[s])
		if !ok {
			l.warn(pos, "GENERIC", "a pointer in %s points to more than one memory: taken as global",
				l.k.Object(at.object).Name)
			return both
		}
		o = both
	}
	return o
}
