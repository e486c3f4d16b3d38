package flow

import (
	"gpupipe/lower"
	"gpupipe/lower/ir"
)

// settle takes values away that may not stay, in the order of the list and again from its start, until all may. A value
// is asked for anew only where one went on which the answer depends: an operand, or what it is an operand of.
func (s *scalars) settle(stays func(*ir.Value) bool) {
	at := make([]int, s.f.NumValues())
	open := make([]bool, len(s.list)+1)
	for i, v := range s.list {
		at[v.ID], open[i+1] = i+1, true
	}
	for low, high := 1, len(s.list); low <= high; {
		again, last := len(s.list)+1, 0
		for i := low; i <= high; i++ {
			v := s.list[i-1]
			if !open[i] {
				continue
			}
			if open[i] = false; !s.in[v.ID] || stays(v) {
				continue
			}
			s.in[v.ID] = false
			s.depend(v, func(w *ir.Value) {
				k := at[w.ID]
				if k == 0 || open[k] || !s.in[w.ID] {
					return
				}
				if open[k] = true; k > i {
					high = max(high, k)
				} else {
					again, last = min(again, k), max(last, k)
				}
			})
		}
		low, high = again, last
	}
}

// depend calls f for the values whose operand a value is, directly or where control flow meets, and for its own
// operands.
func (s *scalars) depend(v *ir.Value, f func(*ir.Value)) {
	same := func(from, to []*ir.Value) {
		for i, a := range from {
			if a == v && i < len(to) {
				f(to[i])
			}
		}
	}
	for _, u := range s.users[v.ID] {
		switch u.Op {
		case lower.OpLoop:
			same(u.Args, u.Blocks[0].Params)
		case lower.OpContinue:
			same(u.Args, u.Target.Blocks[0].Params)
		case lower.OpLeave:
			same(u.Args, u.Target.Results)
		case lower.OpYield:
			if owner := u.Parent.Owner; owner != nil {
				same(u.Args, owner.Results)
			}
		}
		for _, r := range u.Results {
			f(r)
		}
	}
	switch {
	case v.Kind == ir.BlockArg:
		f(v.Def.Args[v.Index])
		for _, j := range s.continues[v.Def] {
			f(j.Args[v.Index])
		}
	case v.Kind == ir.Result && v.Def.Nests():
		for _, j := range s.leaves[v.Def] {
			f(j.Args[v.Index])
		}
	case v.Kind == ir.Result:
		for _, a := range v.Def.Args {
			f(a)
		}
	}
}
