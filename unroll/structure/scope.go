package structure

import (
	"slices"

	"gpupipe/lower"
)

// Kernel is what is found by looking at a kernel once, before it is executed.
type Kernel struct {
	k *lower.Kernel
	// scope is the innermost block that contains every occurrence of a
	// register, by Reg - 1; objectScope likewise for objects.
	scope       []BlockID
	objectScope []BlockID
	// owned lists the variables, and ownedObjects the objects, whose scope a block is.
	owned        [][]lower.Reg
	ownedObjects [][]lower.ObjectID
	parent       []BlockID
	label        []lower.Label // by block: of the statement that it is a part of, or that is all of it; 0 = none
	depth        []int32
	// What is known about statements with blocks.
	ifs    []stmtFacts // by BranchID - 1
	loops  []stmtFacts // by LoopID - 1
	labels []stmtFacts // of regions and switches, by Label
	mark   []uint32    // by Reg - 1: scratch of assignedIn
	marks  uint32

	places map[placesKey][]*Promoted // see PromotedAccessedIn

	// What outliving looks at.
	reads      [][]BlockID      // by Reg - 1: blocks in which a variable is read
	defs       [][]*lower.Instr // by Reg - 1: what assigns it
	conditions []lower.Operand  // by block: the condition of the if that it is a part of; zero = none
	foldable   []uint8          // by Reg - 1: see maybeKnown

	last     []bool   // by BranchID - 1: nothing follows in the kernel
	meetings Meetings // found when they are asked for
	// The objects that some instruction may write, ascending; found when they are asked for.
	written    []lower.ObjectID
	hasWritten bool
	uses       map[*lower.Stmt][]lower.Reg // by the first of the statements: see Uses
}

// stmtFacts is what is known about a statement with blocks.
type stmtFacts struct {
	blocks   []BlockID   // by part
	assigned []lower.Reg // variables that it may assign, ascending
	carried  []lower.Reg // loops: those of them that live on around it
	// steps are the secondary induction variables of a loop: variables assigned
	// once, at top level, by adding a loop-invariant amount.
	steps        map[lower.Reg]*lower.Instr
	outliving    []lower.Reg // loops: see there
	hasOutliving bool
	hasAssigns   bool // assigned has been found
	hasCarried   bool
	selectsArray bool                  // see SelectsArray
	invariant    map[*lower.Instr]bool // see InvariantIn
	hasArrays    bool
	effects      []*Effects // by part: see Effects
	leaving      *Effects   // see LeaveEffects
	continuing   *Effects   // see ContinueEffects
	promoted     []*Promoted
	hasPromoted  bool
	accessors    map[*lower.Instr][]int // of promoted, by index
	escapes      bool                   // see Escapes
	hasEscapes   bool
}

// BlockID numbers the blocks of a kernel; 0 is the kernel's outermost.
type BlockID uint32

// Parts of statements. A loop's condition, body and post blocks have the
// loop's own block (Head) as parent. The parts of a switch are its cases, and
// a region has one.
const (
	Then = 0
	Else = 1
	Head = 0
	Body = 1
)

// Of looks at a kernel.
func Of(k *lower.Kernel) *Kernel {
	s := &Kernel{
		k: k, last: lastBranches(k), scope: make([]BlockID, len(k.Regs)), objectScope: make([]BlockID, len(k.Objects)),
		parent: []BlockID{0}, label: []lower.Label{0}, depth: []int32{0}, mark: make([]uint32, len(k.Regs)),
		reads: make([][]BlockID, len(k.Regs)), defs: make([][]*lower.Instr, len(k.Regs)),
		conditions: make([]lower.Operand, 1), foldable: make([]uint8, len(k.Regs)),
		ifs: make([]stmtFacts, len(k.Branches)), loops: make([]stmtFacts, len(k.Loops)), labels: make([]stmtFacts, 1),
	}
	seen := make([]bool, len(k.Regs))
	seenObject := make([]bool, len(k.Objects))
	reg := func(r lower.Reg, b BlockID) {
		if r == 0 {
			return
		}
		if !seen[r-1] {
			seen[r-1], s.scope[r-1] = true, b
			return
		}
		s.scope[r-1] = s.common(s.scope[r-1], b)
	}
	operand := func(o lower.Operand, b BlockID) {
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
	var walk func(stmts lower.Block, b BlockID)
	sub := func(st lower.Stmt, stmts lower.Block, b BlockID) { walk(stmts, s.newBlock(st, b)) }
	walk = func(stmts lower.Block, b BlockID) {
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
	if len(k.Body) == 1 { // the function: nothing reads its parameters behind it
		s.label[0] = labelOf(k.Body[0])
	}
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
func (s *Kernel) newBlock(st lower.Stmt, parent BlockID) BlockID {
	id := BlockID(len(s.parent))
	s.parent, s.label = append(s.parent, parent), append(s.label, labelOf(st))
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
func (s *Kernel) facts(st lower.Stmt) *stmtFacts {
	switch st := st.(type) {
	case *lower.If:
		return &s.ifs[st.ID-1]
	case *lower.Loop:
		return &s.loops[st.ID-1]
	}
	return &s.labels[labelOf(st)]
}

// Block is the block of a part of a statement.
func (s *Kernel) Block(st lower.Stmt, part int) BlockID { return s.facts(st).blocks[part] }

// Labelled is how many labels there are, with that of none.
func (s *Kernel) Labelled() int { return len(s.labels) }

// IsLast reports whether nothing follows a branch in the kernel.
func (s *Kernel) IsLast(id lower.BranchID) bool { return s.last[id-1] }

// ScopeOf is the innermost block that contains every occurrence of a register, ScopeOfObject
// that of every occurrence of an object.
func (s *Kernel) ScopeOf(r lower.Reg) BlockID             { return s.scope[r-1] }
func (s *Kernel) ScopeOfObject(id lower.ObjectID) BlockID { return s.objectScope[id-1] }

// LabelsAround calls f for the labels of the statements that a block is in, inner ones first.
func (s *Kernel) LabelsAround(b BlockID, f func(lower.Label)) {
	for {
		if l := s.label[b]; l != 0 {
			f(l)
		}
		if b == 0 {
			return
		}
		b = s.parent[b]
	}
}

// VariablesOf are the variables whose scope a block is, ObjectsOf the objects.
func (s *Kernel) VariablesOf(b BlockID) []lower.Reg    { return s.owned[b] }
func (s *Kernel) ObjectsOf(b BlockID) []lower.ObjectID { return s.ownedObjects[b] }

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
func (s *Kernel) common(a, b BlockID) BlockID {
	for a != b {
		if s.depth[a] < s.depth[b] {
			a, b = b, a
		}
		a = s.parent[a]
	}
	return a
}

// Encloses reports whether block outer contains b (or is b).
func (s *Kernel) Encloses(outer, b BlockID) bool {
	for s.depth[b] > s.depth[outer] {
		b = s.parent[b]
	}
	return b == outer
}

// AssignedIn returns the variables that a statement with blocks may assign,
// ascending.
func (s *Kernel) AssignedIn(st lower.Stmt) []lower.Reg {
	f := s.facts(st)
	if f.hasAssigns {
		return f.assigned
	}
	f.hasAssigns = true
	Blocks(st, func(b lower.Block) { // the inner statements first, which use the marks too
		for _, x := range b {
			if hasBlocks(x) {
				s.AssignedIn(x)
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
	Blocks(st, func(b lower.Block) {
		for _, x := range b {
			if in, plain := x.(*lower.Instr); plain {
				add(in.Dsts)
			} else if hasBlocks(x) {
				add(s.AssignedIn(x))
			}
		}
	})
	slices.Sort(regs)
	f.assigned = regs
	return regs
}

// each calls f for every instruction in a statement.
func each(st lower.Stmt, f func(*lower.Instr)) {
	Blocks(st, func(b lower.Block) {
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

// Blocks calls f for every block directly inside a statement.
func Blocks(st lower.Stmt, f func(lower.Block)) {
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

// AnyStmt reports whether some statement in st, st included, satisfies f.
func AnyStmt(st lower.Stmt, f func(lower.Stmt) bool) bool {
	if f(st) {
		return true
	}
	found := false
	Blocks(st, func(b lower.Block) {
		for _, x := range b {
			found = found || AnyStmt(x, f)
		}
	})
	return found
}

// AnyInstr reports whether f holds for any instruction in a statement.
func AnyInstr(st lower.Stmt, f func(*lower.Instr) bool) bool {
	return AnyStmt(st, func(s lower.Stmt) bool {
		in, ok := s.(*lower.Instr)
		return ok && f(in)
	})
}

// Carried returns the variables assigned in a loop that live on around it.
func (s *Kernel) Carried(l *lower.Loop) []lower.Reg {
	f := s.facts(l)
	if !f.hasCarried {
		f.hasCarried = true
		for _, r := range s.AssignedIn(l) {
			if !s.Encloses(f.blocks[Head], s.scope[r-1]) {
				f.carried = append(f.carried, r)
			}
		}
	}
	return f.carried
}

// StepsOf returns the variables of a loop that step by a loop-invariant amount
// once per iteration, with the instruction that does it.
func (s *Kernel) StepsOf(l *lower.Loop) map[lower.Reg]*lower.Instr {
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
			if !ok || len(in.Dsts) != 1 || len(in.Args) != 2 ||
				in.Op != lower.Add && in.Op != lower.Sub && in.Op != lower.PtrAdd {
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
			if self.Kind == lower.OperandReg && self.Reg == d && (by.Kind == lower.OperandConst ||
				by.Kind == lower.OperandReg && count[by.Reg] == 0) {
				m[d] = in
			}
		}
	}
	f.steps = m
	return m
}

// leaves reports whether a statement is a return or another way out.
func leaves(s lower.Stmt) bool {
	_, ok := s.(*lower.Leave)
	return ok
}

// lastBranches says of each branch, by BranchID - 1, whether nothing follows it in the kernel.
func lastBranches(k *lower.Kernel) []bool {
	last := make([]bool, len(k.Branches))
	var tail func(b lower.Block)
	tail = func(b lower.Block) {
		for len(b) > 0 && leaves(b[len(b)-1]) {
			b = b[:len(b)-1]
		}
		if len(b) == 0 {
			return
		}
		switch s := b[len(b)-1].(type) {
		case *lower.If:
			last[s.ID-1] = true
			tail(s.Then)
			tail(s.Else)
		case *lower.Region:
			tail(s.Body)
		}
	}
	tail(k.Body)
	return last
}
