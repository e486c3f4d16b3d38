package spill

import (
	"cmp"
	"slices"

	"gpupipe/idg"
)

// frame says where spilled webs lie in a work item's private memory.
type frame struct {
	words int64   // of the frame
	at    []int64 // by webID - 1: the first word, -1 = not spilled
}

// frame gives places to the webs that are stored; those that are never in memory at the same time
// may share one, the first that is free (LLVM, StackSlotColoring).
func (c *choice) frame() frame {
	f := frame{at: make([]int64, len(c.webs))}
	type span struct {
		web         webID
		first, last uint32
	}
	spans := make([]span, len(c.webs))
	for i := range c.webs {
		if f.at[i] = -1; c.loaded[i] && !c.webs[i].again {
			spans[i] = span{webID(i + 1), c.webs[i].makes[0], c.webs[i].makes[len(c.webs[i].makes)-1]}
		}
	}
	for _, r := range c.loads {
		s := &spans[r.web-1]
		s.last = max(s.last, r.turn)
		for l := c.in[r.place]; l >= 0; l = c.loops[l].parent {
			if c.around[loopWeb{l, r.web}] { // the next iteration loads it again
				s.last = max(s.last, uint32(c.loops[l].end)-1)
			}
		}
	}
	spans = slices.DeleteFunc(spans, func(s span) bool { return s.web == 0 })
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.web, b.web))
	})
	ends := slices.Clone(spans)
	slices.SortFunc(ends, func(a, b span) int { return cmp.Or(cmp.Compare(a.last, b.last), cmp.Compare(a.web, b.web)) })
	free := map[int64][]int64{} // by words
	for _, s := range spans {
		for ; ends[0].last < s.first; ends = ends[1:] {
			n := c.webs[ends[0].web-1].size
			free[n] = append(free[n], f.at[ends[0].web-1])
		}
		n := c.webs[s.web-1].size
		if k := len(free[n]); k > 0 {
			f.at[s.web-1], free[n] = free[n][k-1], free[n][:k-1]
			continue
		}
		f.at[s.web-1] = f.words
		f.words += n
	}
	return f
}

// touch is an access of the frame: by an instruction of a class, so many times.
type touch struct {
	web   webID
	class idg.InstrID
	times int64
}

// touches are a program's, in order. What a loop does first and what it does from then on stand
// one behind the other, with how often it does either.
func (x *inserter) touches() []touch {
	var list []touch
	loads := make(map[uint32][]reload, len(x.loads)) // by turn
	for _, r := range x.loads {
		if !x.webs[r.web-1].again {
			loads[r.turn] = append(loads[r.turn], r)
		}
	}
	var run func(first, end uint32, in, depth int, times int64)
	run = func(first, end uint32, in, depth int, times int64) {
		for turn := first; turn < end; turn++ {
			if l := x.entered(turn, in); l >= 0 {
				from, to, n := uint32(x.loops[l].first), uint32(x.loops[l].end), x.loops[l].count
				if depth < maxApart {
					run(from, to, l, depth+1, times)
					n--
				}
				if n > 0 {
					run(from, to, l, depth+1, times*n)
				}
				turn = to - 1
				continue
			}
			for _, r := range loads[turn] {
				list = append(list, touch{r.web, x.classes[r.slot], times})
			}
			at := x.order[turn]
			if class := x.classes[len(x.reads)+int(at)]; class > 0 {
				list = append(list, touch{x.makes[at], class, times})
			}
		}
	}
	run(0, uint32(len(x.order)), -1, 0, 1)
	return list
}

// maxApart is how many loops within each other are told apart in their first iteration and the
// others.
const maxApart = 3

// reuses counts the executions of each class by how many words of the frame a work item has
// touched since it touched the same ones, these included: all words of the frame where it never
// did, since the work item that had the frame before has left it so.
func (f *frame) reuses(c *choice, list []touch, count func(t touch, words int64)) {
	last := make([]int, f.words) // by first word: the touch, from 1 on; 0 = none
	newest := make(sums, len(list)+1)
	touched := int64(0)
	for i, t := range list {
		at, n := f.at[t.web-1], c.webs[t.web-1].size
		then := last[at]
		if then == 0 {
			count(t, f.words)
			touched += n
		} else {
			count(t, touched-newest.upTo(then)+n)
			newest.add(then, -n)
		}
		newest.add(i+1, n)
		last[at] = i + 1
	}
}

// sums are numbers from 1 on that are summed up from the first (P. Fenwick, A new data
// structure for cumulative frequency tables, 1994).
type sums []int64

func (s sums) add(i int, n int64) {
	for ; i < len(s); i += i & -i {
		s[i] += n
	}
}

func (s sums) upTo(i int) (n int64) {
	for ; i > 0; i -= i & -i {
		n += s[i]
	}
	return n
}
