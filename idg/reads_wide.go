package idg

import "gpupipe/idg/isa"

// wideLoad is an instruction that loads several values, which are one operand in a graph.
// How often its values are used again is known from how often it is used: as often as it has values,
// each of them is used once, as in a scalar product; in a product of a row and a column, each
// is used with each of the others. So two instructions that follow each other and use a wide load
// have the same value of it
//
//   - not if they have all their factors in common else: compilers compute nothing twice;
//   - and as long as there are more uses than values.
type wideLoad struct {
	spare   int64 // uses beyond one of each value
	changes bool  // instructions that follow each other have had different values
}

// useWide takes note of an operand of a stored instruction, if it is a wide load.
func (r *reader) useWide(s StaticID, o operand) {
	n := r.values[r.p.StaticInstr(o.from)-1]
	if n == 1 {
		return
	}
	l := r.wide[o.from]
	if l == nil {
		l = &wideLoad{spare: -n}
		r.wide[o.from] = l
	}
	l.spare += r.times(s, o.from)
}

// times is how often a stored instruction is executed for one execution of another, within
// the basic block.
func (r *reader) times(s, from StaticID) int64 {
	n := int64(1)
	for in := r.q.in[s]; in > 0; in = r.p.repeats[in-1].Parent {
		body := &r.p.repeats[in-1]
		if from >= body.First && from < body.End || r.endings[body.End] > r.endings[body.First] {
			break
		}
		n *= body.Count
	}
	return n
}

// sameWords returns those of the operands that an instruction has in common with the one before
// that are the same words. It changes common.
func (r *reader) sameWords(s StaticID, common []operand) []operand {
	wide := 0 // the number of wide loads, which go to the front
	for i, o := range common {
		if r.wide[o.from] != nil {
			common[wide], common[i] = o, common[wide]
			wide++
		}
	}
	if wide == 0 {
		return common
	}
	least := 0 // of the wide loads: the one with the fewest words used again
	for i, o := range common[:wide] {
		if r.wide[o.from].spare < r.wide[common[least].from].spare {
			least = i
		}
	}
	common[0], common[least] = common[least], common[0]
	changed := r.wide[common[0].from]
	if len(common) > 1 {
		changed.changes = true
	}
	same := common[:0]
	for i, o := range common {
		l := r.wide[o.from]
		if l == nil {
			same = append(same, o)
			continue
		}
		if n := r.times(s, o.from); (i > 0 || !l.changes) && l.spare >= n {
			l.spare -= n
			same = append(same, o)
		}
	}
	return same
}

// valueWords is how many registers one value of an instruction's result takes: an element of a wide
// load, a number of a matrix.
func valueWords(in *Instr) int64 {
	typ := isa.TypeNamed(in.Type)
	if in.Access != 0 {
		return typ.Words()
	}
	return in.Operation().ValueWords(typ)
}
