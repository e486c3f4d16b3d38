package structure

import (
	"slices"

	"gpupipe/lower"
)

// Effects are what code may do to memory of which the contents are known before it.
type Effects struct {
	// Shared: what others may have written is there behind it, as behind a barrier or a fence.
	Shared bool
	// Written are the objects that it may write, ascending; 0 is what a pointer of unknown origin
	// points to.
	Written []lower.ObjectID
}

// None reports whether everything known before stays known.
func (e *Effects) None() bool { return e == nil || !e.Shared && len(e.Written) == 0 }

func (e *Effects) add(o *Effects) {
	e.Shared = e.Shared || o.Shared
	e.Written = union(e.Written, o.Written)
}

func union(a, b []lower.ObjectID) []lower.ObjectID {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// Effects returns what the statements of a part of an if or a switch, or of all of a loop (Head),
// may do on the paths that reach its end.
func (s *Kernel) Effects(st lower.Stmt, part int) *Effects {
	f := s.facts(st)
	for len(f.effects) < len(f.blocks) {
		f.effects = append(f.effects, nil)
	}
	if f.effects[part] == nil {
		p := paths{s: s, left: map[lower.Label]*Effects{}}
		switch st := st.(type) {
		case *lower.If:
			f.effects[part] = p.block([]lower.Block{st.Then, st.Else}[part])
		case *lower.Switch:
			f.effects[part] = p.labelled(st.Label, p.block(st.Cases[part].Body))
		default:
			f.effects[part] = p.stmt(st)
		}
	}
	return f.effects[part]
}

// LeaveEffects returns what the paths may do that leave a statement before its end, and the code
// that they pass over: both from where the first of them begins. Without such paths it is none.
func (s *Kernel) LeaveEffects(st lower.Stmt) *Effects {
	f := s.facts(st)
	if f.leaving == nil {
		f.leaving = s.early(st, func(x lower.Stmt) bool {
			leave, ok := x.(*lower.Leave)
			return ok && leave.Label == labelOf(st)
		})
	}
	return f.leaving
}

// ContinueEffects returns what LeaveEffects does of the paths to a loop's next iteration.
func (s *Kernel) ContinueEffects(l *lower.Loop) *Effects {
	f := s.facts(l)
	if f.continuing == nil {
		f.continuing = s.early(l, func(x lower.Stmt) bool {
			c, ok := x.(*lower.Continue)
			return ok && c.Label == l.Label
		})
	}
	return f.continuing
}

// Escapes reports whether some path leaves a statement for somewhere else than its end.
func (s *Kernel) Escapes(st lower.Stmt) bool {
	f := s.facts(st)
	if !f.hasEscapes {
		inside := map[lower.Label]bool{}
		AnyStmt(st, func(x lower.Stmt) bool { inside[labelOf(x)] = true; return false })
		f.hasEscapes, f.escapes = true, AnyStmt(st, func(x lower.Stmt) bool {
			switch x := x.(type) {
			case *lower.Leave:
				return !inside[x.Label]
			case *lower.Continue:
				return !inside[x.Label]
			}
			return false
		})
	}
	return f.escapes
}

// early are the effects of the blocks of a statement from the first statement in them on that leaves may hold
// for. The last statement of a block is not an early leave.
func (s *Kernel) early(st lower.Stmt, leaves func(lower.Stmt) bool) *Effects {
	e := &Effects{}
	Blocks(st, func(b lower.Block) {
		i := slices.IndexFunc(b, func(x lower.Stmt) bool { return hasBlocks(x) && AnyStmt(x, leaves) })
		if i < 0 {
			return
		}
		for _, x := range b[i:] {
			each(x, func(in *lower.Instr) { e.add(s.effectsOf(in)) })
		}
	})
	return e
}

// paths follows what is done on the way to the ends of statements.
type paths struct {
	s    *Kernel
	left map[lower.Label]*Effects // by those that leave the labelled statement
}

// block returns what is done on the paths that reach a block's end, nil if none does.
func (p *paths) block(b lower.Block) *Effects {
	e := &Effects{}
	for _, st := range b {
		switch st := st.(type) {
		case *lower.Leave:
			p.leave(st.Label, e)
			return &Effects{}
		case *lower.Continue:
			p.leave(st.Label, e)
			return &Effects{}
		}
		e.add(p.stmt(st))
	}
	return e
}

func (p *paths) leave(l lower.Label, e *Effects) {
	if p.left[l] == nil {
		p.left[l] = &Effects{}
	}
	p.left[l].add(e)
}

// labelled adds what is done on the paths that leave a labelled statement.
func (p *paths) labelled(l lower.Label, e *Effects) *Effects {
	if left := p.left[l]; left != nil {
		e.add(left)
	}
	return e
}

func (p *paths) stmt(st lower.Stmt) *Effects {
	if in, ok := st.(*lower.Instr); ok {
		return p.s.effectsOf(in)
	}
	e := &Effects{}
	Blocks(st, func(b lower.Block) { e.add(p.block(b)) })
	return p.labelled(labelOf(st), e)
}

// effectsOf returns what an instruction may do.
func (s *Kernel) effectsOf(in *lower.Instr) *Effects {
	switch in.Op {
	case lower.Store, lower.ImageStore, lower.Atomic, lower.Copy, lower.BulkCopy:
		return &Effects{Written: s.pointees(in.Args[0])}
	case lower.Barrier, lower.Fence:
		return &Effects{Shared: true}
	case lower.CopyGroup:
		switch in.Fn {
		case "commit", "bulk_commit", "wgmma_commit", "wgmma_fence", "bind", "arrive", "expect", "release":
			return &Effects{}
		}
		return &Effects{Shared: true}
	}
	return &Effects{}
}

// MayWrite reports whether some instruction of the kernel may write an object, executed or not.
// Buffers of a launch are different objects.
func (s *Kernel) MayWrite(id lower.ObjectID) bool {
	if !s.hasWritten {
		s.hasWritten = true
		lower.Walk(s.k.Body, func(st lower.Stmt) {
			if in, ok := st.(*lower.Instr); ok {
				s.written = union(s.written, s.effectsOf(in).Written)
			}
		})
	}
	return slices.Contains(s.written, 0) || slices.Contains(s.written, id)
}

// pointees returns the objects that a pointer may point into, by all that its variables are
// assigned, ascending.
func (s *Kernel) pointees(o lower.Operand) []lower.ObjectID {
	t := pointeeFinder{s: s, seen: map[lower.Reg]bool{}}
	t.operand(o)
	if len(t.found) == 0 {
		return []lower.ObjectID{0}
	}
	return union(t.found, nil)
}

type pointeeFinder struct {
	s     *Kernel
	seen  map[lower.Reg]bool
	found []lower.ObjectID
}

func (t *pointeeFinder) operand(o lower.Operand) {
	if o.Object != 0 {
		t.found = append(t.found, o.Object)
	}
	if o.Reg == 0 || t.seen[o.Reg] {
		return
	}
	t.seen[o.Reg] = true
	for _, p := range t.s.k.Params {
		if p.Reg == o.Reg && p.Object != 0 {
			t.found = append(t.found, p.Object)
		}
	}
	for _, in := range t.s.defs[o.Reg-1] {
		switch {
		case in.Op == lower.PtrAdd:
			t.operand(in.Args[0])
		case in.Op == lower.Load || in.Op == lower.Atomic || in.Op == lower.SubGroup || in.Op == lower.Call:
			t.found = append(t.found, 0)
		case in.Op.IsComparison() || in.Op == lower.PtrDiff || in.Op == lower.Index:
		default:
			for _, a := range in.Args {
				t.operand(a)
			}
		}
	}
}
