package arrange

import (
	"cmp"
	"slices"
	"strings"

	"gpupipe/lower/machine"
)

// Rematerialisation in loops: what a loop does not change, and cheap instructions make of what lives in it anyway, or
// of nothing, is made in the loop again where its registers stand in the way of a budget (P. Briggs et al.,
// Rematerialization, 1992; ptxas 11.8 computes addresses in shared memory from SR_TID in each iteration of products in
// registers, of which NVVM had them in front).

// deepest is how many instructions one behind another make a value again.
const deepest = 5

// rematerialiser moves the instructions of one Code.
type rematerialiser struct {
	l      *linear
	regs   []remade // by Reg - 1
	undo   []func()
	kept   int // registers that the code had
	locked map[machine.Reg]bool
	more   int // words beside those that are too many
}

// remade is what is known of a register.
type remade struct {
	def         *machine.Instr
	writes      int
	at          int32 // of def
	first, last int32 // steps that read it
	depth       int   // of the loops around those
	reads       int
}

func newRematerialiser(l *linear) *rematerialiser {
	r := &rematerialiser{l: l, regs: make([]remade, len(l.code.Regs)), kept: len(l.code.Regs),
		locked: map[machine.Reg]bool{}}
	for i := range l.steps {
		for _, a := range l.of(i) {
			x := &r.regs[l.owner[a.word]-1]
			switch {
			case a.write && (x.def != l.steps[i].instr || x.writes == 0):
				x.writes++
				x.def, x.at = l.steps[i].instr, int32(i)
			case a.write:
			case x.reads == 0:
				x.first, x.last, x.depth, x.reads = int32(i), int32(i), l.steps[i].depth, 1
			default:
				x.last, x.depth, x.reads = int32(i), max(x.depth, l.steps[i].depth), x.reads+1
			}
		}
	}
	return r
}

// cheap reports whether an instruction may be made again: integers, in one cycle, or numbers of the thread.
func cheap(in *machine.Instr) bool {
	if in.Guard.Reg != 0 || len(in.Defs) != 1 || in.Part != 0 || in.Mem != nil || pins(in) || in.Free {
		return false
	}
	name, _, _ := strings.Cut(in.Op, ".")
	return slices.Contains([]string{"IADD3", "VIADD", "IMAD", "LEA", "LOP3", "MOV", "SHF", "S2R"}, name)
}

// remaking orders and allocates within a budget where that takes values that are made again in loops; nil: it does
// not fit either, and nothing is changed.
func (s *scheduler) remaking(budget int) *allocation {
	c := s.l.code
	t := c.Target
	limit := budget - t.Counted - t.Reserved
	if t.RemadeShare == 0 {
		return nil
	}
	over := map[machine.Node]int{} // by a node of a block; those without any are beside others
	limits := s.limits(limit)
	for i, b := range s.blocks {
		if n := s.need(b, limits); n > limit && s.l.blocks[i].start < s.l.blocks[i].end {
			over[s.l.steps[s.l.blocks[i].start].node] = n - limit
		}
	}
	for _, more := range margins {
		r := newRematerialiser(s.l)
		r.more = more
		if r.block(c.Body, over) > 0 || len(r.undo) == 0 {
			r.back()
			break
		}
		again := newScheduler(c)
		again.less = s.less
		if again.needs(limit) <= limit {
			if a := again.within(budget); a != nil {
				return a
			}
		}
		r.back()
	}
	return nil
}

// margins are how many words more are tried than those that are too many: what is read where most live does not help.
var margins = [...]int{0, 4, 12}

// back takes everything back.
func (r *rematerialiser) back() {
	for _, f := range slices.Backward(r.undo) {
		f()
	}
	r.l.code.Regs = r.l.code.Regs[:r.kept]
}

// block goes through the loops of a block, and gives how many words too many live in it at most that no loop in it has
// got rid of.
func (r *rematerialiser) block(b *machine.Block, over map[machine.Node]int) int {
	excess := 0
	if b == nil {
		return 0
	}
	for _, n := range b.Nodes {
		excess = max(excess, over[n])
		switch n := n.(type) {
		case *machine.If:
			excess = max(excess, r.block(n.Then, over), r.block(n.Else, over))
		case *machine.Loop:
			if inside := r.block(n.Body, over); inside > 0 && !r.loop(n, inside) {
				excess = max(excess, inside)
			}
		case *machine.Region:
			excess = max(excess, r.block(n.Body, over))
		}
	}
	return excess
}

// loop makes values that take so many words in a loop again, and reports whether there are enough.
func (r *rematerialiser) loop(loop *machine.Loop, excess int) bool {
	low, high := r.steps(loop)
	if low >= high {
		return false
	}
	depth := r.l.steps[low].depth
	type candidate struct {
		reg  machine.Reg
		cost int
		from int32 // it is made of what lives from here on
	}
	var list []candidate
	through := r.through(low, high)
	for i := range r.regs {
		x := &r.regs[i]
		reg := machine.Reg(i + 1)
		if r.l.code.Reg(reg).Class != machine.Vector || x.reads == 0 || x.writes != 1 || x.at >= low {
			continue
		}
		if from := through[reg]; from > 0 && r.cost(reg, from, deepest) > 0 {
			list = append(list, candidate{reg, 0, from})
		} else if x.first >= low && x.last <= high && x.depth == depth {
			if n := r.cost(reg, low, deepest); n > 0 {
				list = append(list, candidate{reg, n, low})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.cost, b.cost) })
	excess += r.more
	inside, behind := map[machine.Reg]int32{}, map[machine.Reg]int32{}
	left := int(high-low) / r.l.code.Target.RemadeShare
	for _, x := range list {
		if excess <= 0 {
			break
		}
		if r.locked[x.reg] || x.cost*r.regs[x.reg-1].reads > left {
			continue
		}
		if x.from == low {
			inside[x.reg] = low
		} else {
			behind[x.reg] = x.from
		}
		left -= x.cost
		excess -= r.l.code.Reg(x.reg).Words
		r.lock(x.reg, x.from, deepest)
	}
	if excess > r.more {
		return false
	}
	r.rewrite(loop.Body, inside, nil)
	if len(behind) > 0 {
		only := map[*machine.Instr]bool{}
		for _, step := range r.l.steps[high+1:] {
			only[step.instr] = true
		}
		r.rewrite(r.l.code.Body, behind, only)
	}
	return true
}

// through lists registers that nothing reads in a loop, with the step behind it at which something outside of all
// loops is the first to do so.
func (r *rematerialiser) through(low, high int32) map[machine.Reg]int32 {
	found := map[machine.Reg]int32{}
	for i := low; i < int32(len(r.l.steps)); i++ {
		for _, a := range r.l.of(int(i)) {
			switch reg := r.l.owner[a.word]; {
			case i <= high || r.l.steps[i].depth > 0:
				found[reg] = -1
			case !a.write && found[reg] == 0:
				found[reg] = i
			}
		}
	}
	return found
}

// steps are the first and the last one of a loop.
func (r *rematerialiser) steps(loop *machine.Loop) (low, high int32) {
	low, high = int32(len(r.l.steps)), -1
	inside := map[machine.Node]bool{}
	loop.Body.Each(func(n machine.Node) { inside[n] = true })
	for i := range r.l.steps {
		if inside[r.l.steps[i].node] {
			low, high = min(low, int32(i)), int32(i)
		}
	}
	return low, high
}

// available reports whether an operand can be read in a loop that begins at a step without a register more.
func (r *rematerialiser) available(o *machine.Operand, low int32) bool {
	if o.Kind != machine.InReg {
		return true
	}
	if int(o.Reg) > r.kept { // made again
		return false
	}
	x := &r.regs[o.Reg-1]
	return x.writes == 1 && x.at < low && (r.l.code.Reg(o.Reg).Class == machine.Uniform || x.last >= low)
}

// cost is how many instructions make a register again, 0 where that is not possible.
func (r *rematerialiser) cost(reg machine.Reg, low int32, depth int) int {
	if depth == 0 || int(reg) > r.kept {
		return 0
	}
	x := &r.regs[reg-1]
	if x.writes != 1 || x.at >= low || !cheap(x.def) {
		return 0
	}
	n := 1
	for i := range x.def.Uses {
		o := &x.def.Uses[i]
		if r.available(o, low) {
			continue
		}
		k := r.cost(o.Reg, low, depth-1)
		if k == 0 {
			return 0
		}
		n += k
	}
	return n
}

// lock keeps what a register is made of again.
func (r *rematerialiser) lock(reg machine.Reg, low int32, depth int) {
	if depth == 0 {
		return
	}
	for i := range r.regs[reg-1].def.Uses {
		if o := &r.regs[reg-1].def.Uses[i]; o.Kind == machine.InReg {
			if r.available(o, low) {
				r.locked[o.Reg] = true
			} else {
				r.lock(o.Reg, low, depth-1)
			}
		}
	}
}

// rewrite makes registers in front of what reads them outside of further loops, once in each straight run of
// instructions. chosen says from which step on there is what they are made of; only which instructions are meant,
// nil: all.
func (r *rematerialiser) rewrite(b *machine.Block, chosen map[machine.Reg]int32, only map[*machine.Instr]bool) {
	if b == nil {
		return
	}
	old := b.Nodes
	r.undo = append(r.undo, func() { b.Nodes = old })
	out := make([]machine.Node, 0, len(old))
	made := map[machine.Reg]machine.Reg{}
	for _, n := range old {
		switch n := n.(type) {
		case *machine.Instr:
			for i := range n.Uses {
				if o := &n.Uses[i]; o.Kind == machine.InReg && chosen[o.Reg] > 0 &&
					(only == nil || only[n]) {
					was := o.Reg
					r.undo = append(r.undo, func() { o.Reg = was })
					o.Reg = r.again(&out, was, made, chosen[was])
				}
			}
		case *machine.If:
			r.rewrite(n.Then, chosen, only)
			r.rewrite(n.Else, chosen, only)
			clear(made)
		case *machine.Loop:
			clear(made)
		case *machine.Region:
			r.rewrite(n.Body, chosen, only)
			clear(made)
		}
		out = append(out, n)
	}
	b.Nodes = out
}

// again appends what makes a register, and gives the new one.
func (r *rematerialiser) again(out *[]machine.Node, reg machine.Reg, made map[machine.Reg]machine.Reg,
	low int32) machine.Reg {
	if m, ok := made[reg]; ok {
		return m
	}
	in := *r.regs[reg-1].def
	in.Uses = slices.Clone(in.Uses)
	for i := range in.Uses {
		if o := &in.Uses[i]; !r.available(o, low) {
			o.Reg = r.again(out, o.Reg, made, low)
		}
	}
	m := r.l.code.NewReg(*r.l.code.Reg(reg))
	in.Defs = []machine.Reg{m}
	*out = append(*out, &in)
	made[reg] = m
	return m
}
