package unroll

import (
	"slices"

	"gpupipe/lower"
)

// static holds what is found by looking at a kernel once, before it is
// executed.
type static struct {
	k *lower.Kernel
	// scope is the innermost block that contains every occurrence of a
	// register, by Reg - 1; objectScope likewise for objects.
	scope       []blockID
	objectScope []blockID
	// owned lists the variables, and ownedObjects the objects, whose scope a block is.
	owned        [][]lower.Reg
	ownedObjects [][]lower.ObjectID
	parent       []blockID
	depth        []int32
	// ids finds the id of one of a statement's blocks.
	ids map[blockKey]blockID
	// assigned caches the variables assigned in a statement.
	assigned map[lower.Stmt][]lower.Reg
	// steps caches the secondary induction variables of a loop: variables
	// assigned once, at top level, by adding a loop-invariant amount.
	steps map[*lower.Loop]map[lower.Reg]*lower.Instr
}

// blockID numbers the blocks of a kernel; 0 is the kernel's outermost.
type blockID uint32

// blockKey names one of a statement's blocks.
type blockKey struct {
	owner lower.Stmt
	part  int
}

// Parts of statements. A loop's condition, body and post blocks have the
// loop's own block (partLoop) as parent.
const (
	partThen = iota
	partElse
	partLoop
	partBody
	partRegion
	partCase // + index of the case
)

func analyse(k *lower.Kernel) *static {
	s := &static{
		k: k, scope: make([]blockID, len(k.Regs)), objectScope: make([]blockID, len(k.Objects)),
		parent: []blockID{0}, depth: []int32{0}, ids: map[blockKey]blockID{},
		assigned: map[lower.Stmt][]lower.Reg{}, steps: map[*lower.Loop]map[lower.Reg]*lower.Instr{},
	}
	seen := make([]bool, len(k.Regs))
	seenObject := make([]bool, len(k.Objects))
	reg := func(r lower.Reg, b blockID) {
		if r == 0 {
			return
		}
		if !seen[r-1] {
			seen[r-1], s.scope[r-1] = true, b
			return
		}
		s.scope[r-1] = s.common(s.scope[r-1], b)
	}
	operand := func(o lower.Operand, b blockID) {
		reg(o.Reg, b)
		if o.Object != 0 {
			if i := o.Object - 1; !seenObject[i] {
				seenObject[i], s.objectScope[i] = true, b
			} else {
				s.objectScope[i] = s.common(s.objectScope[i], b)
			}
		}
	}
	var walk func(stmts lower.Block, b blockID)
	sub := func(key blockKey, stmts lower.Block, b blockID) blockID {
		id := s.newBlock(key, b)
		walk(stmts, id)
		return id
	}
	walk = func(stmts lower.Block, b blockID) {
		for _, st := range stmts {
			switch st := st.(type) {
			case *lower.Instr:
				for _, d := range st.Dsts {
					reg(d, b)
				}
				for _, a := range st.Args {
					operand(a, b)
				}
			case *lower.If:
				operand(st.Cond, b)
				sub(blockKey{st, partThen}, st.Then, b)
				sub(blockKey{st, partElse}, st.Else, b)
			case *lower.Loop:
				id := s.newBlock(blockKey{st, partLoop}, b)
				walk(st.Cond, id)
				operand(st.CondValue, id)
				sub(blockKey{st, partBody}, st.Body, id)
				walk(st.Post, id)
			case *lower.Region:
				sub(blockKey{st, partRegion}, st.Body, b)
			case *lower.Switch:
				operand(st.Value, b)
				for i := range st.Cases {
					sub(blockKey{st, partCase + i}, st.Cases[i].Body, b)
				}
			}
		}
	}
	for _, p := range k.Params {
		reg(p.Reg, 0)
		if p.Object != 0 {
			seenObject[p.Object-1] = true
		}
	}
	walk(k.Body, 0)
	s.owned = make([][]lower.Reg, len(s.parent))
	s.ownedObjects = make([][]lower.ObjectID, len(s.parent))
	for i, b := range s.scope {
		if k.Regs[i].Var {
			s.owned[b] = append(s.owned[b], lower.Reg(i+1))
		}
	}
	for i, b := range s.objectScope {
		s.ownedObjects[b] = append(s.ownedObjects[b], lower.ObjectID(i+1))
	}
	return s
}

func (s *static) newBlock(key blockKey, parent blockID) blockID {
	id := blockID(len(s.parent))
	s.parent = append(s.parent, parent)
	s.depth = append(s.depth, s.depth[parent]+1)
	s.ids[key] = id
	return id
}

// common returns the innermost block that encloses both.
func (s *static) common(a, b blockID) blockID {
	for a != b {
		if s.depth[a] < s.depth[b] {
			a, b = b, a
		}
		a = s.parent[a]
	}
	return a
}

// encloses reports whether block outer contains b (or is b).
func (s *static) encloses(outer, b blockID) bool {
	for s.depth[b] > s.depth[outer] {
		b = s.parent[b]
	}
	return b == outer
}

// assignedIn returns the variables that a statement may assign, ascending.
func (s *static) assignedIn(st lower.Stmt) []lower.Reg {
	if regs, ok := s.assigned[st]; ok {
		return regs
	}
	set := map[lower.Reg]bool{}
	s.collect(st, set)
	regs := make([]lower.Reg, 0, len(set))
	for r := range set {
		regs = append(regs, r)
	}
	slices.Sort(regs)
	s.assigned[st] = regs
	return regs
}

func (s *static) collect(st lower.Stmt, set map[lower.Reg]bool) {
	each(st, func(in *lower.Instr) {
		for _, d := range in.Dsts {
			if d != 0 && s.k.Reg(d).Var {
				set[d] = true
			}
		}
	})
}

// each calls f for every instruction in a statement.
func each(st lower.Stmt, f func(*lower.Instr)) {
	blocks(st, func(b lower.Block) {
		for _, x := range b {
			each(x, f)
		}
	})
	if in, ok := st.(*lower.Instr); ok {
		f(in)
	}
}

// blocks calls f for every block directly inside a statement.
func blocks(st lower.Stmt, f func(lower.Block)) {
	switch st := st.(type) {
	case *lower.If:
		f(st.Then)
		f(st.Else)
	case *lower.Loop:
		f(st.Cond)
		f(st.Body)
		f(st.Post)
	case *lower.Region:
		f(st.Body)
	case *lower.Switch:
		for i := range st.Cases {
			f(st.Cases[i].Body)
		}
	}
}

// anyStmt reports whether some statement in st, st included, satisfies f.
func anyStmt(st lower.Stmt, f func(lower.Stmt) bool) bool {
	if f(st) {
		return true
	}
	found := false
	blocks(st, func(b lower.Block) {
		for _, x := range b {
			found = found || anyStmt(x, f)
		}
	})
	return found
}

// carried returns the variables assigned in a statement that live on around it.
func (s *static) carried(st lower.Stmt, inner blockID) []lower.Reg {
	var out []lower.Reg
	for _, r := range s.assignedIn(st) {
		if !s.encloses(inner, s.scope[r-1]) {
			out = append(out, r)
		}
	}
	return out
}

// stepsOf returns the variables of a loop that step by a loop-invariant amount
// once per iteration, with the instruction that does it.
func (s *static) stepsOf(l *lower.Loop) map[lower.Reg]*lower.Instr {
	if m, ok := s.steps[l]; ok {
		return m
	}
	count := map[lower.Reg]int{}
	each(l, func(in *lower.Instr) {
		for _, d := range in.Dsts {
			count[d]++
		}
	})
	m := map[lower.Reg]*lower.Instr{}
	for _, b := range []lower.Block{l.Body, l.Post} {
		for _, st := range b {
			in, ok := st.(*lower.Instr)
			if !ok || len(in.Dsts) != 1 || len(in.Args) != 2 || in.Op != lower.Add && in.Op != lower.Sub && in.Op != lower.PtrAdd {
				continue
			}
			d := in.Dsts[0]
			if !s.k.Reg(d).Var || count[d] != 1 || in.Type.IsFloat() {
				continue
			}
			self, by := in.Args[0], in.Args[1]
			if in.Op == lower.Add && self.Reg != d {
				self, by = by, self
			}
			if self.Kind == lower.OperandReg && self.Reg == d && (by.Kind == lower.OperandConst || by.Kind == lower.OperandReg && count[by.Reg] == 0) {
				m[d] = in
			}
		}
	}
	s.steps[l] = m
	return m
}
