package lower

import (
	"encoding/binary"
	"fmt"
	"slices"

	"gpupipe/idg"
)

// promoteMemory replaces private objects by variables, one for each scalar in them, as LLVM's SROA and mem2reg do:
// those of which the address only leads to accesses at known offsets, through references, captures, this and pointer
// parameters of inlined functions. A pointer may be stored in such an object too. An object stays in memory where a
// pointer to it has another possible target or gets anywhere else, where an offset is computed, where accesses overlap,
// and where an access is volatile.
func promoteMemory(k *Kernel) {
	p := &promoter{k: k, leads: make([]lead, len(k.Regs)), allocations: make([]*allocation, len(k.Objects))}
	found := false
	for i, o := range k.Objects {
		if o.Space == idg.SpacePrivate && o.Size <= MaxLeaves*U64.Size() {
			p.allocations[i] = &allocation{scalars: map[int64]*scalar{}, used: make([]bool, o.Size)}
			found = true
		}
	}
	if !found {
		return
	}
	for _, a := range k.Params {
		p.leads[a.Reg-1] = elsewhere
	}
	p.analyse()
	p.k.Body = rewrite(k.Body, func(out Block, s Stmt) Block {
		if in, ok := s.(*Instr); ok && p.movesPointers(in) {
			return p.replace(out, in)
		}
		return append(out, s)
	})
	p.dropObjects()
}

// lead is where a pointer leads in the private objects that may be promoted. Its zero value is nowhere yet.
type lead struct {
	object ObjectID
	offset int64 // bytes from the object's start
}

// elsewhere is a lead to other memory, or to more than one place.
var elsewhere = lead{object: ^ObjectID(0)}

// allocation is a private object that may be promoted.
type allocation struct {
	scalars map[int64]*scalar // by offset
	used    []bool            // bytes that scalars cover
	names   map[int64]string  // of the scalars at offsets, once they are needed
}

// scalar is one that the accesses of an object agree about.
type scalar struct {
	typ   Type
	holds lead // a pointer
	value Operand
}

type promoter struct {
	k           *Kernel
	leads       []lead        // of pointers, by Reg - 1
	allocations []*allocation // by ObjectID - 1; nil stays in memory
	changed     bool
}

// analyse follows pointers until nothing new is found. What is found of a pointer only grows, so that a chain of copies
// in the order of the text takes two rounds.
func (p *promoter) analyse() {
	var list []*Instr
	Walk(p.k.Body, func(s Stmt) {
		if in, ok := s.(*Instr); ok && p.movesPointers(in) {
			list = append(list, in)
		}
	})
	for p.changed = true; p.changed; {
		p.changed = false
		for _, in := range list {
			p.visit(in)
		}
	}
}

func (p *promoter) movesPointers(in *Instr) bool {
	return slices.ContainsFunc(in.Args, func(o Operand) bool { return o.Type == Ptr }) ||
		slices.ContainsFunc(in.Dsts, func(r Reg) bool { return p.k.Reg(r).Type == Ptr })
}

func (p *promoter) visit(in *Instr) {
	switch in.Op {
	case Mov:
		p.leadTo(in.Dsts[0], p.lead(in.Args[0]))
	case PtrAdd:
		p.visitPtrAdd(in)
	case Load:
		at := p.lead(in.Args[0])
		for i, d := range in.Dsts {
			e := p.access(at, i, in)
			switch {
			case in.Type != Ptr || at.object == 0:
			case e == nil:
				p.leadTo(d, elsewhere)
			default:
				p.leadTo(d, e.holds)
			}
		}
	case Store:
		at := p.lead(in.Args[0])
		for i, v := range in.Args[1:] {
			e := p.access(at, i, in)
			switch {
			case in.Type != Ptr:
			case e == nil:
				p.keep(p.lead(v))
			default:
				p.join(&e.holds, p.lead(v))
			}
		}
	default:
		for _, a := range in.Args {
			p.keep(p.lead(a))
		}
		for _, d := range in.Dsts {
			p.leadTo(d, elsewhere)
		}
	}
}

func (p *promoter) visitPtrAdd(in *Instr) {
	from, by := p.lead(in.Args[0]), in.Args[1]
	switch {
	case p.allocation(from) == nil:
	case by.Kind == OperandConst:
		from.offset += int64(by.Bits) * in.Scale
	default:
		p.keep(from)
		from = elsewhere
	}
	p.leadTo(in.Dsts[0], from)
}

// lead is what is known of where an operand leads.
func (p *promoter) lead(o Operand) lead {
	switch {
	case o.Kind == OperandObject:
		return lead{object: o.Object}
	case o.Kind == OperandReg && o.Type == Ptr:
		return p.leads[o.Reg-1]
	}
	return elsewhere
}

// allocation is what a pointer leads into, nil where that stays in memory.
func (p *promoter) allocation(at lead) *allocation {
	if at.object == 0 || at.object == elsewhere.object {
		return nil
	}
	return p.allocations[at.object-1]
}

func (p *promoter) leadTo(r Reg, to lead) {
	if p.k.Reg(r).Type == Ptr {
		p.join(&p.leads[r-1], to)
	}
}

// join adds a possible target to a pointer.
func (p *promoter) join(have *lead, to lead) {
	switch {
	case to.object == 0 || *have == to:
		return
	case have.object == 0:
		*have = to
	default:
		p.keep(*have)
		p.keep(to)
		if *have == elsewhere {
			return
		}
		*have = elsewhere
	}
	p.changed = true
}

// keep leaves the object at a lead in memory, and what the pointers in it lead to.
func (p *promoter) keep(at lead) {
	a := p.allocation(at)
	if a == nil {
		return
	}
	p.allocations[at.object-1] = nil
	p.changed = true
	for _, e := range a.scalars {
		p.keep(e.holds)
	}
}

// access is the element that scalar i of a load or store at a lead goes to, nil for one in memory.
func (p *promoter) access(at lead, i int, in *Instr) *scalar {
	a := p.allocation(at)
	if a == nil {
		return nil
	}
	size := in.Type.Size()
	at.offset += int64(i) * size
	constant := p.k.Object(at.object).Init != nil
	if in.Volatile || constant && in.Op == Store || at.offset < 0 || at.offset+size > int64(len(a.used)) {
		p.keep(at)
		return nil
	}
	bytes := a.used[at.offset : at.offset+size]
	e := a.scalars[at.offset]
	switch {
	case e == nil && !slices.Contains(bytes, true):
		e = &scalar{typ: in.Type}
		if constant {
			e.value = decode(p.k.Object(at.object).Init[at.offset:], in.Type)
			e.holds = elsewhere
		}
		a.scalars[at.offset] = e
		for i := range bytes {
			bytes[i] = true
		}
	case e == nil || e.typ != in.Type && !reinterpretable(e.typ, in.Type):
		p.keep(at)
		return nil
	}
	return e
}

// reinterpretable reports whether a Bitcast makes one type of the other, numbers both.
func reinterpretable(a, b Type) bool {
	number := func(t Type) bool { return t.IsInteger() || t.IsFloat() }
	return number(a) && number(b) && a.Size() == b.Size()
}

// decode reads a scalar from the content of a constant table.
func decode(b []byte, t Type) Operand {
	var w [8]byte
	copy(w[:], b[:t.Size()])
	return Operand{Kind: OperandConst, Type: t, Bits: WrapBits(t, binary.LittleEndian.Uint64(w[:]))}
}

// replace appends what an instruction becomes. Pointers into promoted objects are gone.
func (p *promoter) replace(out Block, in *Instr) Block {
	at := elsewhere
	if in.Op == Load || in.Op == Store {
		at = p.lead(in.Args[0])
	}
	switch {
	case p.allocation(at) == nil && len(in.Dsts) == 1 && p.leadsToVariable(in.Dsts[0]):
		return out
	case p.allocation(at) == nil:
		return append(out, in)
	case in.Op == Load:
		for i, d := range in.Dsts {
			if !p.leadsToVariable(d) {
				out = append(out, copyOf(in, d, in.Type, p.variable(at, i, p.access(at, i, in))))
			}
		}
	case in.Op == Store:
		for i, v := range in.Args[1:] {
			if e := p.access(at, i, in); p.allocation(e.holds) == nil {
				out = append(out, copyOf(in, p.variable(at, i, e).Reg, e.typ, v))
			}
		}
	}
	return out
}

func (p *promoter) leadsToVariable(r Reg) bool {
	return p.k.Reg(r).Type == Ptr && p.allocation(p.leads[r-1]) != nil
}

// copyOf is the assignment of src to dst in place of an access.
func copyOf(in *Instr, dst Reg, t Type, src Operand) *Instr {
	out := &Instr{Op: Mov, Type: t, Dsts: []Reg{dst}, Args: []Operand{src}, Pos: in.Pos}
	if src.Type != t {
		out.Op, out.From = Bitcast, src.Type
	}
	return out
}

// variable is the register, or constant, in place of the element that scalar i of an access at a lead goes to.
func (p *promoter) variable(at lead, i int, e *scalar) Operand {
	if e.value.Kind == 0 {
		p.k.Regs = append(p.k.Regs, RegInfo{Type: e.typ, Name: p.name(at.object, at.offset+int64(i)*e.typ.Size()),
			Var: true})
		e.value = Operand{Kind: OperandReg, Type: e.typ, Reg: Reg(len(p.k.Regs))}
	}
	return e.value
}

// name names the scalar at an offset of an object as it is named in a variable that lives in registers.
func (p *promoter) name(id ObjectID, offset int64) string {
	a, o := p.allocations[id-1], p.k.Object(id)
	name := o.Name
	if name == "" {
		name = "value"
	}
	if a.names == nil {
		a.names = map[int64]string{}
		if CountLeaves(o.Typ) <= MaxLeaves {
			for _, f := range LeavesOf(o.Typ) {
				a.names[f.Off] = f.Name
			}
		}
	}
	if leaf, ok := a.names[offset]; ok {
		return name + leaf
	}
	return fmt.Sprintf("%s.%d", name, offset)
}

// dropObjects removes the promoted objects.
func (p *promoter) dropObjects() {
	names := make([]ObjectID, len(p.k.Objects))
	var left []Object
	for i, o := range p.k.Objects {
		if p.allocations[i] == nil {
			left = append(left, o)
			names[i] = ObjectID(len(left))
		}
	}
	p.k.Objects = left
	for i := range p.k.Params {
		if a := &p.k.Params[i]; a.Object != 0 {
			a.Object = names[a.Object-1]
		}
	}
	Walk(p.k.Body, func(s Stmt) {
		if in, ok := s.(*Instr); ok {
			for i := range in.Args {
				if a := &in.Args[i]; a.Object != 0 {
					a.Object = names[a.Object-1]
				}
			}
		}
	})
}
