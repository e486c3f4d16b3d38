package structure

import (
	"fmt"
	"maps"
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
)

// Compilers keep what a loop reads and writes at one place of memory in a register, load it before
// the loop and store it behind it (LLVM's LICM, promoteLoopAccessesToScalars), if the address does
// not change, nothing else in the loop may touch the place, and each execution of the loop stores
// to it anyway: another thread must not see a store that the program does not make.

// Promoted is such a place: the loads and stores of a loop, of one type and width.
type Promoted struct {
	Accesses map[*lower.Instr]bool
	within   map[*lower.Loop]bool // see AccessedIn
}

// AccessedIn reports whether a loop in the one that keeps the place accesses it.
func (p *Promoted) AccessedIn(l *lower.Loop) bool {
	found, ok := p.within[l]
	if !ok {
		if p.within == nil {
			p.within = map[*lower.Loop]bool{}
		}
		found = AnyInstr(l, func(in *lower.Instr) bool { return p.Accesses[in] })
		p.within[l] = found
	}
	return found
}

// placesKey is a loop and a statement in it.
type placesKey struct {
	loop *lower.Loop
	st   lower.Stmt
}

// PromotedAccessedIn returns the places that a loop keeps in registers and a statement with blocks accesses, in the
// order of PromotedIn.
func (s *Kernel) PromotedAccessedIn(l *lower.Loop, st lower.Stmt) []*Promoted {
	all := s.PromotedIn(l)
	if len(all) == 0 {
		return nil
	}
	key := placesKey{l, st}
	list, ok := s.places[key]
	if ok {
		return list
	}
	f := s.facts(l)
	if f.accessors == nil {
		f.accessors = map[*lower.Instr][]int{}
		for i, p := range all {
			for in := range p.Accesses {
				f.accessors[in] = append(f.accessors[in], i)
			}
		}
	}
	var at []int
	AnyInstr(st, func(in *lower.Instr) bool {
		at = append(at, f.accessors[in]...)
		return false
	})
	slices.Sort(at)
	for _, i := range slices.Compact(at) {
		list = append(list, all[i])
	}
	if s.places == nil {
		s.places = map[placesKey][]*Promoted{}
	}
	s.places[key] = list
	return list
}

// OwnClass reports whether an object overlaps no other one.
func OwnClass(o *lower.Object) bool { return o.Space != idg.SpaceGlobal || o.Restrict }

// PromotedIn returns the places that a loop keeps in registers.
func (s *Kernel) PromotedIn(l *lower.Loop) []*Promoted {
	f := s.facts(l)
	if !f.hasPromoted {
		f.hasPromoted = true
		p := promoter{s: s, head: f.blocks[Head], inside: map[lower.Reg]bool{}, classes: map[lower.ObjectID]*accesses{}}
		f.promoted = p.loop(l)
	}
	return f.promoted
}

// promoter collects the accesses of a loop by what may overlap: an object of its own class, or 0.
type promoter struct {
	s       *Kernel
	head    BlockID
	inside  map[lower.Reg]bool // assigned in the loop; false while it is being looked at
	classes map[lower.ObjectID]*accesses
	order   []lower.ObjectID
}

// accesses are those of a class.
type accesses struct {
	places  []*place
	unknown bool // some may go anywhere, or are neither loads nor stores
	private bool
}

// place is where some of them go: all to the same bytes, and no other to any of these.
type place struct {
	Promoted
	base       string // an expression of what the loop does not change
	from, size int64  // bytes behind it
	typ        lower.Type
}

func (p *promoter) loop(l *lower.Loop) (found []*Promoted) {
	each(l, func(in *lower.Instr) {
		for _, d := range in.Dsts {
			p.inside[d] = true
		}
	})
	ordered := true
	each(l, func(in *lower.Instr) {
		switch in.Op {
		case lower.Load:
			p.access(in, len(in.Dsts))
		case lower.Store:
			p.access(in, len(in.Args)-1)
		case lower.Atomic:
			p.access(in, 0)
		case lower.Barrier, lower.Fence, lower.Copy, lower.CopyGroup, lower.BulkCopy, lower.GroupMatMul:
			ordered = false
		}
	})
	if !ordered {
		return nil
	}
	for _, c := range p.order {
		class := p.classes[c]
		for _, at := range class.places {
			if !class.unknown && (p.always(l.Body, at) || class.private && at.stores()) {
				found = append(found, &at.Promoted)
			}
		}
	}
	return found
}

func (at *place) stores() bool {
	for in := range at.Accesses {
		if in.Op == lower.Store {
			return true
		}
	}
	return false
}

// access adds an access to its class; without words it is neither a load nor a store.
func (p *promoter) access(in *lower.Instr, words int) {
	objects := p.s.pointees(in.Args[0])
	base, from, ok := p.expression(in.Args[0])
	at := place{Promoted{Accesses: map[*lower.Instr]bool{in: true}}, base, from, int64(words) * in.Type.Size(), in.Type}
	var first lower.ObjectID
	for i, o := range objects {
		c := o
		if o == 0 || !OwnClass(p.s.k.Object(o)) {
			c = 0
		}
		if i == 0 {
			first = c
		}
		class := p.classes[c]
		if class == nil {
			class = &accesses{private: o != 0 && p.s.k.Object(o).Space == idg.SpacePrivate}
			p.classes[c] = class
			p.order = append(p.order, c)
		}
		class.unknown = class.unknown || !ok || words == 0 || in.Volatile || c != first || !class.add(at)
	}
}

// add reports whether a place is one of the others, or provably apart from all.
func (a *accesses) add(at place) bool {
	for _, other := range a.places {
		switch {
		case other.base != at.base:
			return false
		case other.from == at.from && other.size == at.size && other.typ == at.typ:
			maps.Copy(other.Accesses, at.Accesses)
			return true
		case other.from < at.from+at.size && at.from < other.from+other.size:
			return false
		}
	}
	a.places = append(a.places, &at)
	return true
}

// expression writes an address, or what it is computed from, by what the loop does not change and a
// constant that is added to it.
func (p *promoter) expression(o lower.Operand) (text string, plus int64, ok bool) {
	if o.Kind == lower.OperandConst && o.Type.IsInteger() {
		return "", int64(o.Bits), true
	}
	if o.Reg == 0 {
		return fmt.Sprint(o.Kind, o.Type, o.Bits, o.Object), 0, true
	}
	inside, found := p.inside[o.Reg]
	if !found {
		return fmt.Sprint("r", o.Reg), 0, true
	}
	defs := p.s.defs[o.Reg-1]
	if !inside || len(defs) != 1 || !computes(defs[0]) || len(defs[0].Dsts) != 1 ||
		p.s.k.Reg(o.Reg).Var && !p.s.Encloses(p.head, p.s.scope[o.Reg-1]) {
		return "", 0, false
	}
	p.inside[o.Reg] = false // a variable that depends on itself
	defer func() { p.inside[o.Reg] = true }()
	in := defs[0]
	args := make([]string, len(in.Args))
	consts := make([]int64, len(in.Args))
	for i, a := range in.Args {
		if args[i], consts[i], ok = p.expression(a); !ok {
			return "", 0, false
		}
	}
	exact := in.Type.IsSigned() || in.Type.Size() == 8 // an unsigned sum that is widened may have wrapped around
	switch {
	case in.Op == lower.Mov:
		return args[0], consts[0], true
	case in.Op == lower.Add && exact && (args[0] == "" || args[1] == ""):
		return args[0] + args[1], consts[0] + consts[1], true
	case in.Op == lower.Sub && exact && args[1] == "":
		return args[0], consts[0] - consts[1], true
	case in.Op == lower.PtrAdd && args[1] == "":
		return args[0], consts[0] + consts[1]*in.Scale, true
	case in.Op == lower.PtrAdd:
		return fmt.Sprint("(", args[0], " + ", in.From, in.Scale, args[1], ")"), consts[0] + consts[1]*in.Scale, true
	}
	return fmt.Sprint("(", in.Op, in.Type, in.From, in.Scale, in.Fn, in.Dim, args, consts, ")"), 0, true
}

// always reports whether a block stores to a place before anything leaves it.
func (p *promoter) always(b lower.Block, at *place) bool {
	for i, st := range b {
		switch st := st.(type) {
		case *lower.Instr:
			if st.Op == lower.Store && at.Accesses[st] {
				return true
			}
		case *lower.If:
			if p.always(st.Then, at) && p.always(st.Else, at) {
				return true
			}
		case *lower.Region:
			if p.always(st.Body, at) {
				return true
			}
		case *lower.Loop:
			if (st.Kind == "do" || entered(st, b[:i])) && p.always(st.Body, at) {
				return true
			}
		case *lower.Leave, *lower.Continue:
			return false
		}
		if hasBlocks(st) && p.s.Escapes(st) {
			return false
		}
	}
	return false
}

// entered reports whether a loop behind some code has an iteration, by constants alone.
func entered(l *lower.Loop, before lower.Block) bool {
	ind := l.Induction
	if ind == nil || ind.Bound.Kind != lower.OperandConst || ind.Plus.Kind != 0 {
		return false
	}
	for i := len(before) - 1; i >= 0; i-- {
		in, ok := before[i].(*lower.Instr)
		if !ok {
			return false
		}
		if len(in.Dsts) != 1 || in.Dsts[0] != ind.Var {
			continue
		}
		if in.Op != lower.Mov || in.Args[0].Kind != lower.OperandConst {
			return false
		}
		first, bound := int64(in.Args[0].Bits), int64(ind.Bound.Bits)
		switch ind.Cmp {
		case lower.Lt:
			return first < bound
		case lower.Le:
			return first <= bound
		case lower.Gt:
			return first > bound
		case lower.Ge:
			return first >= bound
		}
		return ind.Cmp == lower.Ne && first != bound
	}
	return false
}
