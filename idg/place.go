package idg

import (
	"slices"
	"sort"
)

// places says where the stored instructions of a program stand among the executed
// ones.
type places struct {
	p      *Program
	number []Executed // by stored instruction: as it is executed first
	in     []RepeatID // by stored instruction: its innermost repetition
	length []int64    // by repetition: instructions of one execution of its body
	list   []RepeatID // scratch
}

func (p *Program) places() *places {
	q := &places{p: p, number: make([]Executed, len(p.code)), in: make([]RepeatID, len(p.code)), length: p.bodies()}
	for w := p.walkOnce(); w.more(); w.next() {
		q.number[w.static] = w.number
		if n := len(w.open); n > 0 {
			q.in[w.static] = RepeatID(w.open[n-1].index + 1)
		}
	}
	return q
}

// around returns the repetitions around a stored instruction, outermost first, in
// the memory of list.
func (q *places) around(s StaticID, list []RepeatID) []RepeatID {
	list = list[:0]
	for r := q.in[s]; r > 0; r = q.p.repeats[r-1].Parent {
		list = append(list, r)
	}
	slices.Reverse(list)
	return list
}

// at returns the stored instruction that is executed at a number. Repetition by
// repetition, outer ones first, the number becomes that of the first execution.
func (q *places) at(v Executed) StaticID {
	for depth := 0; ; depth++ {
		s := StaticID(sort.Search(len(q.number), func(i int) bool { return q.number[i] > v }) - 1)
		q.list = q.around(s, q.list)
		if depth >= len(q.list) {
			return s
		}
		r := q.list[depth]
		start := q.number[q.p.repeats[r-1].First]
		v = start + (v-start)%Executed(q.length[r-1])
	}
}

// before returns how often a stored instruction is executed before a number.
func (q *places) before(s StaticID, v Executed) int64 {
	q.list = q.around(s, q.list)
	list := q.list
	each := int64(1) // executions of s in one of the current repetition's body
	for _, r := range list {
		each *= q.p.repeats[r-1].Count
	}
	n := int64(0)
	for _, r := range list {
		repeat := &q.p.repeats[r-1]
		start := q.number[repeat.First]
		if v <= start {
			return n
		}
		each /= repeat.Count
		done := min(int64(v-start)/q.length[r-1], repeat.Count)
		n += done * each
		if done == repeat.Count {
			return n
		}
		v = start + (v-start)%Executed(q.length[r-1])
	}
	if v > q.number[s] {
		n++
	}
	return n
}

// lags returns how many executions back the producers of instructions are, at
// most and by stored instruction, as far as the first and the last iterations of
// the repetitions around tell.
func (q *places) lags() []int64 {
	lag := make([]int64, len(q.p.code))
	w := &walk{p: q.p}
	for s := range StaticID(len(q.p.code)) {
		list := q.around(s, nil)
		// Every repetition is in its first or in its last iteration; beyond four,
		// the outer ones are as the innermost of them.
		free := min(len(list), 4)
		for last := range 1 << free {
			w.number, w.open = q.number[s], w.open[:0]
			moved := Executed(0)
			for i, r := range list {
				w.open = append(w.open, openRepeat{index: int(r - 1), start: q.number[q.p.repeats[r-1].First] + moved})
				if last>>min(len(list)-1-i, free-1)&1 != 0 {
					moved += Executed(q.length[r-1] * (q.p.repeats[r-1].Count - 1))
				}
			}
			w.number += moved
			row := q.p.StaticPreds(s)
			for i := range row {
				u := w.producer(&row[i])
				t := q.at(u)
				lag[t] = max(lag[t], q.before(t, w.number)-q.before(t, u))
			}
		}
	}
	return lag
}
