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
	// What is known about statements with blocks.
	ifs    []stmtFacts // by BranchID - 1
	loops  []stmtFacts // by LoopID - 1
	labels []stmtFacts // of regions and switches, by Label
	mark   []uint32    // by Reg - 1: scratch of assignedIn
	marks  uint32

	// What outliving looks at.
	reads      [][]blockID      // by Reg - 1: blocks in which a variable is read
	defs       [][]*lower.Instr // by Reg - 1: what assigns it
	conditions []lower.Operand  // by block: the condition of the if that it is a part of; zero = none
	foldable   []uint8          // by Reg - 1: see maybeKnown

	transactions bool // copies of blocks, for which barriers wait
	tensors      tensors
	roles        *roles // of warps with different programs; nil: all wait for their own copies

	last     []bool   // by BranchID - 1: nothing follows in the kernel
	meetings meetings // found when they are asked for
	contexts contexts // of all warps
	spares   spares
	refused  map[lower.LoopID]bool // loops of which no iterations are skipped
}

// stmtFacts is what is known about a statement with blocks.
type stmtFacts struct {
	blocks   []blockID   // by part
	assigned []lower.Reg // variables that it may assign, ascending
	carried  []lower.Reg // loops: those of them that live on around it
	// steps are the secondary induction variables of a loop: variables assigned
	// once, at top level, by adding a loop-invariant amount.
	steps        map[lower.Reg]*lower.Instr
	outliving    []lower.Reg // loops: see there
	hasOutliving bool
	hasAssigns   bool // assigned has been found
	hasCarried   bool
	selectsArray bool                  // see resolver.selectsArray
	invariant    map[*lower.Instr]bool // see invariantIn
	hasArrays    bool
}

// blockID numbers the blocks of a kernel; 0 is the kernel's outermost.
type blockID uint32

// Parts of statements. A loop's condition, body and post blocks have the
// loop's own block (partLoop) as parent. The parts of a switch are its cases, and
// a region has one.
const (
	partThen = 0
	partElse = 1
	partLoop = 0
	partBody = 1
)

func analyse(k *lower.Kernel) *static {
	s := &static{
		k: k, last: lastBranches(k), refused: map[lower.LoopID]bool{}, scope: make([]blockID, len(k.Regs)), objectScope: make([]blockID, len(k.Objects)),
		parent: []blockID{0}, depth: []int32{0}, mark: make([]uint32, len(k.Regs)),
		reads: make([][]blockID, len(k.Regs)), defs: make([][]*lower.Instr, len(k.Regs)), conditions: make([]lower.Operand, 1), foldable: make([]uint8, len(k.Regs)),
		ifs: make([]stmtFacts, len(k.Branches)), loops: make([]stmtFacts, len(k.Loops)), labels: make([]stmtFacts, 1),
	}
	lower.Walk(k.Body, func(st lower.Stmt) {
		if in, ok := st.(*lower.Instr); ok && in.Op == lower.BulkCopy && in.Fn == "load" {
			s.transactions = true
		}
	})
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
		if o.Reg != 0 {
			s.isRead(o.Reg, b)
		}
		if o.Object != 0 {
			if i := o.Object - 1; !seenObject[i] {
				seenObject[i], s.objectScope[i] = true, b
			} else {
				s.objectScope[i] = s.common(s.objectScope[i], b)
			}
		}
	}
	var walk func(stmts lower.Block, b blockID)
	sub := func(st lower.Stmt, stmts lower.Block, b blockID) { walk(stmts, s.newBlock(st, b)) }
	walk = func(stmts lower.Block, b blockID) {
		for _, st := range stmts {
			switch st := st.(type) {
			case *lower.Instr:
				for _, d := range st.Dsts {
					reg(d, b)
					if d != 0 {
						s.defs[d-1] = append(s.defs[d-1], st)
					}
				}
				for _, a := range st.Args {
					operand(a, b)
				}
			case *lower.If:
				operand(st.Cond, b)
				sub(st, st.Then, b)
				sub(st, st.Else, b)
				for _, part := range s.ifs[st.ID-1].blocks {
					s.conditions[part] = st.Cond
				}
			case *lower.Loop:
				id := s.newBlock(st, b)
				walk(st.Cond, id)
				operand(st.CondValue, id)
				sub(st, st.Body, id)
				walk(st.Post, id)
			case *lower.Region:
				sub(st, st.Body, b)
			case *lower.Switch:
				operand(st.Value, b)
				for i := range st.Cases {
					sub(st, st.Cases[i].Body, b)
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

// newBlock numbers the next block of a statement.
func (s *static) newBlock(st lower.Stmt, parent blockID) blockID {
	id := blockID(len(s.parent))
	s.parent = append(s.parent, parent)
	s.depth = append(s.depth, s.depth[parent]+1)
	s.conditions = append(s.conditions, lower.Operand{})
	for int(labelOf(st)) >= len(s.labels) {
		s.labels = append(s.labels, stmtFacts{})
	}
	f := s.facts(st)
	f.blocks = append(f.blocks, id)
	return id
}

// facts returns what is known about a statement with blocks.
func (s *static) facts(st lower.Stmt) *stmtFacts {
	switch st := st.(type) {
	case *lower.If:
		return &s.ifs[st.ID-1]
	case *lower.Loop:
		return &s.loops[st.ID-1]
	}
	return &s.labels[labelOf(st)]
}

// labelOf returns the label of a statement that has one.
func labelOf(st lower.Stmt) lower.Label {
	switch st := st.(type) {
	case *lower.Loop:
		return st.Label
	case *lower.Region:
		return st.Label
	case *lower.Switch:
		return st.Label
	}
	return 0
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

// assignedIn returns the variables that a statement with blocks may assign,
// ascending.
func (s *static) assignedIn(st lower.Stmt) []lower.Reg {
	f := s.facts(st)
	if f.hasAssigns {
		return f.assigned
	}
	f.hasAssigns = true
	blocks(st, func(b lower.Block) { // the inner statements first, which use the marks too
		for _, x := range b {
			if hasBlocks(x) {
				s.assignedIn(x)
			}
		}
	})
	s.marks++
	var regs []lower.Reg
	add := func(list []lower.Reg) {
		for _, d := range list {
			if d != 0 && s.mark[d-1] != s.marks && s.k.Reg(d).Var {
				s.mark[d-1] = s.marks
				regs = append(regs, d)
			}
		}
	}
	blocks(st, func(b lower.Block) {
		for _, x := range b {
			if in, plain := x.(*lower.Instr); plain {
				add(in.Dsts)
			} else if hasBlocks(x) {
				add(s.assignedIn(x))
			}
		}
	})
	slices.Sort(regs)
	f.assigned = regs
	return regs
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

func hasBlocks(st lower.Stmt) bool {
	switch st.(type) {
	case *lower.Instr, *lower.Leave, *lower.Continue:
		return false
	}
	return true
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

// anyInstr reports whether f holds for any instruction in a statement.
func anyInstr(st lower.Stmt, f func(*lower.Instr) bool) bool {
	return anyStmt(st, func(s lower.Stmt) bool {
		in, ok := s.(*lower.Instr)
		return ok && f(in)
	})
}

// carried returns the variables assigned in a loop that live on around it.
func (s *static) carried(l *lower.Loop) []lower.Reg {
	f := s.facts(l)
	if !f.hasCarried {
		f.hasCarried = true
		for _, r := range s.assignedIn(l) {
			if !s.encloses(f.blocks[partLoop], s.scope[r-1]) {
				f.carried = append(f.carried, r)
			}
		}
	}
	return f.carried
}

// stepsOf returns the variables of a loop that step by a loop-invariant amount
// once per iteration, with the instruction that does it.
func (s *static) stepsOf(l *lower.Loop) map[lower.Reg]*lower.Instr {
	f := s.facts(l)
	if f.steps != nil {
		return f.steps
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
	f.steps = m
	return m
}
