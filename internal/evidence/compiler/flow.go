package main

import (
	"cmp"
	"slices"

	dominance "gonum.org/v1/gonum/graph/flow"
	"gonum.org/v1/gonum/graph/simple"
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
	tree := dominators(successors)
	dominates := func(a, b int) bool { // and the first block reaches b
		for n := int64(b); n != int64(a); {
			up := tree.DominatorOf(n)
			if up == nil {
				return false
			}
			n = up.ID()
		}
		return b == 0 || tree.DominatorOf(int64(b)) != nil
	}
	bodies := map[int][]bool{} // by the header's block
	for b := range blocks {
		for _, h := range successors[b] {
			if !dominates(h, b) {
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

// dominators gives the dominators of the blocks that the first one reaches.
func dominators(successors [][]int) dominance.DominatorTree {
	g := simple.NewDirectedGraph()
	g.AddNode(simple.Node(0))
	for from, list := range successors {
		for _, to := range list {
			if from != to { // a block dominates itself
				g.SetEdge(simple.Edge{F: simple.Node(from), T: simple.Node(to)})
			}
		}
	}
	return dominance.DominatorsSLT(g.Node(0), g)
}
