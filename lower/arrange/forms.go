package arrange

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
)

// Forms is final forms of codes, for others that Code cannot tell from them: those that differ in immediates,
// values, and offsets with the same dependences, as codes of a kernel whose macros give sizes do. The zero value has
// none. It may be used by several goroutines.
type Forms struct {
	mu    sync.Mutex
	forms map[[sha256.Size]byte]*form
	steps int // in all of them
}

// mostSteps bounds the steps of the forms that are kept: about 50 MB.
const mostSteps = 1 << 22

// form is the final form of a code.
type form struct {
	removals    []removal
	order       []int32 // by step: the instruction that comes there, by its step before
	issue, phys []int32 // by step, its cycle; by register
	resources   machine.Resources
}

// removal is an order in which registers of a small file were chosen that vector registers keep for a time.
type removal struct {
	order  []int32
	class  machine.Class
	limit  int
	chosen []machine.Reg
}

// moved is the order of the steps of a code that had another one before, nil if instructions were added.
func moved(before, after *linear) []int32 {
	if len(after.steps) != len(before.steps) || len(after.code.Regs) != len(before.base) {
		return nil
	}
	at := make(map[*machine.Instr]int32, len(before.steps))
	for i := range before.steps {
		at[before.steps[i].instr] = int32(i)
	}
	order := make([]int32, len(after.steps))
	for i := range after.steps {
		from, ok := at[after.steps[i].instr]
		if !ok {
			return nil
		}
		order[i] = from
	}
	return order
}

// move puts instructions where an order says.
func (l *linear) move(order []int32) {
	for i := range l.steps {
		if slot := l.steps[i].slot; slot != nil {
			*slot = l.steps[order[i]].instr
		}
	}
}

// apply gives code the form of one that is alike, if that is known.
func (k *Forms) apply(l *linear, key [sha256.Size]byte) bool {
	k.mu.Lock()
	f := k.forms[key]
	k.mu.Unlock()
	if f == nil {
		return false
	}
	c, short := l.code, map[machine.Reg]bool{}
	for _, s := range f.removals {
		l.move(s.order)
		p := newSpiller(linearise(c), s.class, s.limit, short)
		for _, r := range s.chosen {
			p.spill(r)
			p.settle()
		}
		p.rewrite()
		l = linearise(c)
	}
	l.move(f.order)
	for i := range l.steps {
		if l.steps[i].slot != nil {
			l.steps[f.order[i]].instr.Issue = int(f.issue[i])
		}
	}
	for i := range c.Regs {
		c.Regs[i].Phys = int(f.phys[i])
	}
	local, private := c.Resources.LocalBytes, c.Resources.PrivateBytes
	c.Resources = f.resources
	c.Resources.LocalBytes, c.Resources.PrivateBytes = local, private
	return true
}

// keep takes the form of a code over that a scheduler ordered, unless instructions were added since then.
func (k *Forms) keep(key [sha256.Size]byte, s *scheduler, after *linear) {
	c := after.code
	f := &form{removals: s.removals, order: moved(s.l, after), resources: c.Resources}
	if f.order == nil {
		return
	}
	for i := range after.steps {
		issue := 0
		if in := after.steps[i].instr; in != nil {
			issue = in.Issue
		}
		f.issue = append(f.issue, int32(issue))
	}
	for i := range c.Regs {
		f.phys = append(f.phys, int32(c.Regs[i].Phys))
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.forms == nil || k.steps+len(f.order) > mostSteps {
		k.forms, k.steps = map[[sha256.Size]byte]*form{}, 0
	}
	if k.forms[key] == nil {
		k.forms[key] = f
		k.steps += len(f.order)
	}
}

// arrangement is what Code looks at, written one after the other.
type arrangement []byte

func (w *arrangement) number(n ...int) {
	for _, n := range n {
		*w = binary.AppendVarint(*w, int64(n))
	}
}

func (w *arrangement) text(s string) {
	w.number(len(s))
	*w = append(*w, s...)
}

func (w *arrangement) numbers(list []int32) {
	w.number(len(list))
	for _, n := range list {
		w.number(int(n))
	}
}

func (w *arrangement) flag(b ...bool) {
	for _, b := range b {
		w.number(int(b2n(b)))
	}
}

// key is a digest of all that the final form of a code depends on.
func (s *scheduler) key(o *machine.Options) [sha256.Size]byte {
	l, c := s.l, s.l.code
	var w arrangement
	w.text(c.Target.Name)
	w.number(budgets(c, o)...)
	w.number(hardLimit(c.Target, o), len(c.Regs))
	for i := range c.Regs {
		r := &c.Regs[i]
		w.number(int(r.Class), r.Words)
		if w.flag(r.Given); r.Given {
			w.text(r.Name)
		}
	}
	w.block(c.Body, map[*ir.Instr]int{})
	for i := range l.blocks {
		b := &l.blocks[i]
		w.number(b.start, b.end)
		w.number(b.preds...)
		w.number(-1)
		w.number(b.warp...)
		w.number(-1)
		if g := s.blocks[i].graph; g != nil { // offsets count by what they make depend on what
			w.number(g.nodes)
			w.numbers(g.first)
			w.numbers(g.to)
			w.numbers(g.after)
		}
	}
	return sha256.Sum256(w)
}

// block writes nodes; targets are the loops and regions around, by their depth.
func (w *arrangement) block(b *machine.Block, targets map[*ir.Instr]int) {
	if w.flag(b != nil); b == nil {
		return
	}
	w.number(len(b.Nodes))
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *machine.Instr:
			w.text("instr")
			w.instr(n)
		case *machine.If:
			w.text("if")
			w.guard(n.Cond)
			w.flag(n.Rare)
			w.instr(n.Branch, n.Skip, n.Enter, n.Leave)
			w.block(n.Then, targets)
			w.block(n.Else, targets)
		case *machine.Loop:
			w.text("loop")
			w.instr(n.Enter, n.Leave)
			targets[n.From] = len(targets) + 1
			w.block(n.Body, targets)
		case *machine.Region:
			w.text("region")
			w.instr(n.Enter, n.Leave)
			targets[n.From] = len(targets) + 1
			w.block(n.Body, targets)
		case *machine.Jump:
			w.text("jump")
			w.number(targets[n.Target])
			w.flag(n.Continue)
			w.guard(n.Guard)
			w.instr(n.Branch)
		}
	}
}

func (w *arrangement) guard(g machine.Guard) {
	w.number(int(g.Reg))
	w.flag(g.Not)
}

// instr writes instructions, each of which may be nil.
func (w *arrangement) instr(list ...*machine.Instr) {
	for _, in := range list {
		if w.flag(in != nil); in == nil {
			continue
		}
		w.text(in.Op)
		w.text(in.Class)
		w.text(in.Pipe)
		w.guard(in.Guard)
		w.number(in.Part, in.Span, len(in.Defs))
		for _, r := range in.Defs {
			w.number(int(r))
		}
		w.number(len(in.Uses))
		for i := range in.Uses {
			o := &in.Uses[i]
			if w.number(int(o.Kind)); o.Kind == machine.Special {
				w.text(o.Name)
			}
			w.number(int(o.Reg), o.Word, o.Span)
		}
		w.flag(in.Spill, in.Free, pins(in), synchronises(in), in.Mem != nil)
		if m := in.Mem; m != nil {
			w.number(int(m.Space), int(m.Object), int(m.Bytes))
			w.flag(m.Store, m.Atomic, m.Constant, m.Volatile)
		}
	}
}
