package trace

import "gpupipe/idg/isa"

// AMD's RDNA 3 executes two instructions of a wavefront of 32 at once where one instruction
// word holds both (VOPD), and LLVM makes such words out of neighbours behind its last
// scheduling, which brings them together (GCNCreateVOPD, VOPDPairingMutation). As clang 19
// compiles loops for gfx1100 (TestPairs of internal/evidence/fidelity):
//
//   - Additions, multiplications and multiply-adds of single precision, minima and maxima
//     pair with each other.
//   - One does not wait for the other, and both are of one basic block. Each takes the first
//     behind it that fits.
//   - They read no register in common, since the two read their operands from different banks
//     of registers. What is the same in all lanes is in scalar registers, which have none.
//
// Which registers are in which banks is known to the compiler alone; it leaves one in twenty
// single of those that pair here. That and the integer operations of VOPD are left out.

// pairWindow is how many instructions that could pair are looked at for one.
const pairWindow = 64

// waitDepth is how long a chain of other instructions may be between two that could pair.
const waitDepth = 4

// pair marks the instructions that are issued two at a time.
func pair(t *Trace, live []bool) {
	if !t.IssuesPairs() {
		return
	}
	p := pairer{t: t, live: live, issued: make([]bool, t.length)}
	for i := range t.length {
		if !live[i] {
			continue
		}
		n := t.at(i)
		switch {
		case n.flags&Gate != 0:
			p.block()
		case t.kinds.of(n.kind).pairable:
			p.list = append(p.list, i)
		}
	}
	p.block()
}

// pairer is the state of pair.
type pairer struct {
	t      *Trace
	live   []bool
	list   []int  // indices of what could pair in the current basic block
	issued []bool // by index: before those in front of it, as the second of a pair
}

// block pairs what is in the list, and empties it.
func (p *pairer) block() {
	for k, i := range p.list {
		if p.issued[i] {
			continue
		}
		for _, j := range p.list[k+1 : min(k+1+pairWindow, len(p.list))] {
			if !p.issued[j] && p.alike(i, j) && p.ready(j, i, waitDepth) {
				p.issued[j] = true
				p.mark(i)
				p.mark(j)
				break
			}
		}
	}
	p.list = p.list[:0]
}

// alike reports whether two instructions have the same lanes and no register in common.
func (p *pairer) alike(i, j int) bool {
	n, m := p.t.at(i), p.t.at(j)
	if n.lanes != m.lanes {
		return false
	}
	others := p.t.patterns.deps(m.pattern)
	for _, l := range p.t.patterns.deps(n.pattern) {
		for _, o := range others {
			if d := l.of(i); d == o.of(j) && !p.t.kinds.of(p.t.node(d).kind).is.ScalarRegister() {
				return false
			}
		}
	}
	return true
}

// ready reports whether all that an instruction waits for has been issued when the one at
// now is the next, without looking through more than depth others.
func (p *pairer) ready(i, now, depth int) bool {
	for _, l := range p.t.patterns.deps(p.t.at(i).pattern) {
		d := int(l.of(i)) - 1
		if d < now || p.issued[d] {
			continue
		}
		if d == now || depth == 0 || p.t.kinds.of(p.t.at(d).kind).pairable || !p.ready(d, now, depth-1) {
			return false
		}
	}
	return true
}

// mark makes an instruction one of a pair.
func (p *pairer) mark(i int) {
	n := p.t.at(i)
	paired := p.t.kinds.renamed(n.kind, p.t.kinds.of(n.kind).is.With(isa.Dual))
	p.t.change(n, func(c *content) { c.kind = paired })
}
