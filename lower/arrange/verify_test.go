package arrange

import (
	"maps"
	"testing"

	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// verifyAllocation executes allocated code for all paths at once and checks that every read finds what its
// virtual register was given last (as avo's VerifyAllocation does). It knows nothing of liveness.
func verifyAllocation(t testing.TB, c *machine.Code) {
	t.Helper()
	v := verifier{t: t, c: c, targets: map[*ir.Instr]*meetings{}}
	v.block(c.Body, contents{})
}

// place is a physical register; files that are one have one class.
type place struct {
	class machine.Class
	phys  int
}

// held is what a physical register holds: a word of a virtual register, in the lanes of a guard.
type held struct {
	reg   machine.Reg
	word  int
	guard machine.Guard
}

// contents are what physical registers hold: mostly one thing, two under guards, or nothing that is known.
type contents map[place][]held

type meetings struct{ leave, again []contents }

type verifier struct {
	t       testing.TB
	c       *machine.Code
	targets map[*ir.Instr]*meetings
	quiet   bool // until a loop's contents are settled
}

func (v *verifier) place(r machine.Reg, word int) place {
	info := v.c.Reg(r)
	class := info.Class
	if class == machine.Predicate && v.c.Target.Has("scalar unit") {
		class = machine.Uniform
	}
	return place{class, info.Phys + word}
}

func (v *verifier) read(s contents, in *machine.Instr, r machine.Reg, word int, g machine.Guard) {
	if v.quiet || s == nil {
		return
	}
	if v.c.Reg(r).Phys < 0 {
		v.t.Errorf("%s reads %s, which has no register", in.Op, v.c.Reg(r).Name)
		return
	}
	var lanes [2]bool // without, with the guard
	for _, h := range s[v.place(r, word)] {
		if h.reg != r || h.word != word {
			continue
		}
		switch {
		case h.guard.Reg == 0:
			return
		case h.guard == g:
			return
		}
		lanes[map[bool]int{false: 0, true: 1}[h.guard.Not]] = true
	}
	if lanes[0] && lanes[1] {
		return
	}
	v.t.Errorf("%s %v reads word %d of %s in %d, which holds %v", in.Op, in.Pos, word, v.c.Reg(r).Name,
		v.c.Reg(r).Phys+word, s[v.place(r, word)])
}

// instr executes one instruction.
func (v *verifier) instr(s contents, in *machine.Instr) {
	if in == nil || s == nil {
		return
	}
	if in.Guard.Reg != 0 {
		v.read(s, in, in.Guard.Reg, 0, machine.Guard{})
	}
	for _, o := range in.Uses {
		if o.Kind != machine.InReg {
			continue
		}
		word, span := max(0, o.Word), max(1, o.Span)
		if o.Word < 0 {
			span = v.c.Reg(o.Reg).Words
		}
		for k := range span {
			v.read(s, in, o.Reg, word+k, in.Guard)
		}
	}
	for i, d := range in.Defs {
		word, span := 0, v.c.Reg(d).Words
		if i == 0 && in.Part > 0 {
			word, span = in.Part-1, max(1, in.Span)
		}
		for k := range span {
			v.write(s, held{d, word + k, in.Guard})
		}
	}
}

// write puts a value into its place, and forgets what was said of lanes by a guard that is written.
func (v *verifier) write(s contents, h held) {
	if v.c.Reg(h.reg).Phys < 0 {
		return
	}
	at := v.place(h.reg, h.word)
	var kept []held
	if h.guard.Reg != 0 {
		for _, o := range s[at] {
			if o.guard.Reg == 0 { // in the other lanes
				o.guard = h.guard
				o.guard.Not = !o.guard.Not
			}
			if o.guard.Reg != h.guard.Reg || o.guard.Not == h.guard.Not {
				continue
			}
			if o.reg == h.reg && o.word == h.word { // all lanes hold it now
				kept, h.guard = nil, machine.Guard{}
				break
			}
			kept = append(kept, o)
		}
	}
	s[at] = append(kept, h)
	if class := v.c.Reg(h.reg).Class; class == machine.Predicate || class == machine.UniformPredicate {
		for p, list := range s {
			var out []held
			for _, o := range list {
				if o.guard.Reg != h.reg {
					out = append(out, o)
				}
			}
			if len(out) < len(list) {
				s[p] = whole(list, h.reg, out)
			}
		}
	}
}

// whole keeps what all lanes hold although two writes under opposite guards made it.
func whole(list []held, guard machine.Reg, out []held) []held {
	for i, a := range list {
		for _, b := range list[:i] {
			if a.guard.Reg == guard && b.guard.Reg == guard && a.reg == b.reg && a.word == b.word {
				out = append(out, held{reg: a.reg, word: a.word})
			}
		}
	}
	return out
}

// meet is what two paths have in common; nil is a path that does not exist.
func meetContents(a, b contents, only func(place) bool) contents {
	if a == nil || b == nil {
		if a == nil {
			return maps.Clone(b)
		}
		return maps.Clone(a)
	}
	out := contents{}
	for p, list := range a {
		if only != nil && !only(p) {
			out[p] = list
			continue
		}
		for _, h := range list {
			for _, o := range b[p] {
				if h == o {
					out[p] = append(out[p], h)
				}
			}
		}
	}
	return out
}

func (v *verifier) shared(p place) bool {
	return p.class == machine.Uniform || p.class == machine.UniformPredicate
}

// block executes nodes; nil: its end is not reached.
func (v *verifier) block(b *machine.Block, s contents) contents {
	if b == nil {
		return s
	}
	for _, n := range b.Nodes {
		if s == nil {
			return nil
		}
		switch n := n.(type) {
		case *machine.Instr:
			v.instr(s, n)
		case *machine.If:
			s = v.branch(n, s)
		case *machine.Loop:
			s = v.loop(n, s)
		case *machine.Region:
			v.instr(s, n.Enter)
			m := &meetings{}
			v.targets[n.From] = m
			s = v.block(n.Body, s)
			for _, o := range m.leave {
				s = meetContents(s, o, nil)
			}
			v.instr(s, n.Leave)
		case *machine.Jump:
			s = v.jump(n, s)
		}
	}
	return s
}

func (v *verifier) decide(s contents, g machine.Guard, branch *machine.Instr) {
	v.instr(s, branch)
	if g.Reg != 0 {
		v.instr(s, &machine.Instr{Op: "condition", Guard: g})
	}
}

func (v *verifier) branch(n *machine.If, s contents) contents {
	v.instr(s, n.Enter)
	v.decide(s, n.Cond, n.Branch)
	then := v.block(n.Then, maps.Clone(s))
	v.instr(then, n.Skip)
	if v.c.Reg(n.Cond.Reg).Class == machine.Predicate && then != nil {
		s = meetContents(s, then, v.shared)
	}
	s = meetContents(v.block(n.Else, maps.Clone(s)), then, nil)
	v.instr(s, n.Leave)
	return s
}

// loop executes a body until what registers hold at its beginning does not change.
func (v *verifier) loop(n *machine.Loop, s contents) contents {
	v.instr(s, n.Enter)
	quiet := v.quiet
	var m *meetings
	v.quiet = true
	for settled := false; ; {
		m = &meetings{}
		v.targets[n.From] = m
		end := v.block(n.Body, maps.Clone(s))
		next := meetContents(s, end, nil)
		for _, o := range m.again {
			next = meetContents(next, o, nil)
		}
		if settled {
			break
		}
		if settled = maps.EqualFunc(s, next, equalHeld); settled {
			v.quiet = quiet
		}
		s = next
	}
	var out contents
	for _, o := range m.leave {
		out = meetContents(out, o, nil)
	}
	v.instr(out, n.Leave)
	return out
}

func equalHeld(a, b []held) bool {
	for _, h := range a {
		found := false
		for _, o := range b {
			found = found || h == o
		}
		if !found {
			return false
		}
	}
	return len(a) == len(b)
}

func (v *verifier) jump(n *machine.Jump, s contents) contents {
	v.decide(s, n.Guard, n.Branch)
	m := v.targets[n.Target]
	if n.Continue {
		m.again = append(m.again, maps.Clone(s))
	} else {
		m.leave = append(m.leave, maps.Clone(s))
	}
	if n.Guard.Reg == 0 {
		return nil
	}
	return s
}
