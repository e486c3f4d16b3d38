package main

import (
	"cmp"
	"slices"
)

// op is one instruction of a listing of any kind.
type op struct {
	name     string // with its suffixes
	operands string
	guarded  bool
	targets  []int // of a branch
	ends     bool  // what follows is reached from elsewhere only
}

// flow is the code of one function.
type flow struct {
	ops []op
}

// span is a natural loop: the header and what reaches its back edges without it.
type span struct {
	header int
	body   []bool // by instruction
	size   int
	parent int // in the list of loops, -1: none
	depth  int // from 1
}

// loops finds the natural loops, outer ones first. A branch back to something that does not dominate it, as of
// code that the compiler puts behind the function's end, is none.
func (f *flow) loops() []span {
	blocks, at := f.blocks()
	successors := make([][]int, len(blocks))
	predecessors := make([][]int, len(blocks))
	for b, start := range blocks {
		end := len(f.ops)
		if b+1 < len(blocks) {
			end = blocks[b+1]
		}
		_ = start
		last := &f.ops[end-1]
		next := slices.Clone(last.targets)
		if !last.ends && end < len(f.ops) {
			next = append(next, end)
		}
		for _, t := range next {
			if t < 0 || t >= len(f.ops) {
				continue
			}
			successors[b] = append(successors[b], at[t])
			predecessors[at[t]] = append(predecessors[at[t]], b)
		}
	}
	order, idom := dominators(successors, predecessors)
	dominates := func(a, b int) bool {
		for order[b] > order[a] {
			b = idom[b]
		}
		return a == b
	}
	bodies := map[int][]bool{} // by the header's block
	for b := range blocks {
		for _, h := range successors[b] {
			if order[b] < 0 || order[h] < 0 || !dominates(h, b) {
				continue
			}
			body := bodies[h]
			if body == nil {
				body = make([]bool, len(blocks))
				body[h] = true
				bodies[h] = body
			}
			for work := []int{b}; len(work) > 0; {
				v := work[len(work)-1]
				work = work[:len(work)-1]
				if !body[v] {
					body[v] = true
					work = append(work, predecessors[v]...)
				}
			}
		}
	}
	return f.spans(blocks, bodies)
}

// spans makes a list of loops of their blocks.
func (f *flow) spans(blocks []int, bodies map[int][]bool) (list []span) {
	for h, body := range bodies {
		s := span{header: blocks[h], body: make([]bool, len(f.ops)), parent: -1}
		for b, inside := range body {
			end := len(f.ops)
			if b+1 < len(blocks) {
				end = blocks[b+1]
			}
			for i := blocks[b]; inside && i < end; i++ {
				s.body[i] = true
				s.size++
			}
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b span) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.header, b.header))
	})
	for i := range list {
		list[i].depth = 1
		for p := range i {
			if list[p].body[list[i].header] && list[p].header != list[i].header {
				list[i].parent, list[i].depth = p, list[p].depth+1
			}
		}
	}
	return list
}

// blocks are the first instructions of the basic blocks, and the block of each of those.
func (f *flow) blocks() (starts []int, at map[int]int) {
	leader := make([]bool, len(f.ops)+1)
	leader[0] = true
	for i := range f.ops {
		o := &f.ops[i]
		for _, t := range o.targets {
			if t >= 0 && t < len(f.ops) {
				leader[t] = true
			}
		}
		if o.ends || len(o.targets) > 0 {
			leader[i+1] = true
		}
	}
	at = map[int]int{}
	for i := range f.ops {
		if leader[i] {
			at[i] = len(starts)
			starts = append(starts, i)
		}
	}
	return starts, at
}

// dominators numbers the blocks that the first one reaches in reverse postorder (others: -1) and gives the
// immediate dominator of each (Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm).
func dominators(successors, predecessors [][]int) (order, idom []int) {
	n := len(successors)
	order, idom = make([]int, n), make([]int, n)
	for i := range order {
		order[i], idom[i] = -1, -1
	}
	var post []int
	seen := make([]bool, n)
	type visit struct{ block, next int }
	stack := []visit{{0, 0}}
	seen[0] = true
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		if v.next < len(successors[v.block]) {
			s := successors[v.block][v.next]
			v.next++
			if !seen[s] {
				seen[s] = true
				stack = append(stack, visit{s, 0})
			}
			continue
		}
		post = append(post, v.block)
		stack = stack[:len(stack)-1]
	}
	slices.Reverse(post)
	for i, b := range post {
		order[b] = i
	}
	idom[0] = 0
	for changed := true; changed; {
		changed = false
		for _, b := range post[1:] {
			d := -1
			for _, p := range predecessors[b] {
				if order[p] < 0 || idom[p] < 0 {
					continue
				}
				if d < 0 {
					d = p
					continue
				}
				for q := p; q != d; {
					if order[q] > order[d] {
						q = idom[q]
					} else {
						d = idom[d]
					}
				}
			}
			if idom[b] != d {
				idom[b], changed = d, true
			}
		}
	}
	return order, idom
}
