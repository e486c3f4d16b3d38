package machine

import (
	"cmp"
	"slices"
)

// chooseBanks says in which bank of the register file each single register should lie, so that the two registers
// that an instruction reads lie in different ones (Z. Jia et al., Dissecting the NVIDIA Volta GPU Architecture via
// Microbenchmarking, 2018: 3.1): the graph of what is read together is coloured from what lives first on, which gets
// the last bank (ptxas: sums in odd registers, what is multiplied by them in even ones, and the other way round).
func (a *allocation) chooseBanks(list []candidate) {
	n := len(a.l.code.Regs)
	a.late = make([]bool, len(a.l.steps))
	edges := make([][]Reg, n)
	for i := range a.l.steps {
		in := a.l.steps[i].instr
		if a.late[i] = in != nil && in.Mem != nil; in == nil || in.Mem != nil {
			continue
		}
		if x, y := a.pair(in); x != y {
			edges[x-1], edges[y-1] = append(edges[x-1], y), append(edges[y-1], x)
		}
	}
	a.bank = make([]int8, n)
	for i := range a.bank {
		a.bank[i] = -1
	}
	byStart := slices.Clone(list)
	slices.SortStableFunc(byStart, func(x, y candidate) int { return cmp.Compare(x.start, y.start) })
	var work []Reg
	for _, c := range byStart {
		if a.bank[c.reg-1] >= 0 || len(edges[c.reg-1]) == 0 {
			continue
		}
		a.bank[c.reg-1] = int8(a.banks - 1)
		work = append(work[:0], c.reg)
		for len(work) > 0 {
			r := work[0]
			work = work[1:]
			for _, o := range edges[r-1] {
				if a.bank[o-1] < 0 {
					a.bank[o-1] = a.otherBank(edges[o-1])
					work = append(work, o)
				}
			}
		}
	}
}

// pair is the two single vector registers that an instruction reads; twice the same: it reads others.
func (a *allocation) pair(in *Instr) (x, y Reg) {
	for i := range in.Uses {
		o := &in.Uses[i]
		if o.Kind != InReg || a.l.code.Reg(o.Reg).Class != Vector || o.Reg == x {
			continue
		}
		switch {
		case a.l.code.Reg(o.Reg).Words > 1 || y != 0:
			return 0, 0
		case x == 0:
			x = o.Reg
		default:
			y = o.Reg
		}
	}
	if y == 0 {
		return 0, 0
	}
	return x, y
}

// otherBank is the first bank that the fewest neighbours lie in.
func (a *allocation) otherBank(neighbours []Reg) int8 {
	var count [8]int
	for _, o := range neighbours {
		if b := a.bank[o-1]; b >= 0 {
			count[b]++
		}
	}
	best := 0
	for b := range a.banks {
		if count[b] < count[best] {
			best = b
		}
	}
	return int8(best)
}
