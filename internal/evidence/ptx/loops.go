package ptx

import "slices"

// All returns the numbers of all blocks.
func (k *Kernel) All() []int {
	var blocks []int
	for i := range k.Blocks {
		blocks = append(blocks, i)
	}
	return blocks
}

// Loops returns the loops among some blocks of the graph, each as its blocks in
// ascending order: the sets of blocks that reach each other. A loop inside
// another is found among the outer one's blocks without its first.
func (k *Kernel) Loops(among []int) [][]int {
	reach := map[[2]int]bool{}
	for _, from := range among {
		pending := []int{from}
		for len(pending) > 0 {
			b := pending[len(pending)-1]
			pending = pending[:len(pending)-1]
			for _, n := range k.Blocks[b].Next {
				if slices.Contains(among, n) && !reach[[2]int{from, n}] {
					reach[[2]int{from, n}] = true
					pending = append(pending, n)
				}
			}
		}
	}
	var loops [][]int
	seen := map[int]bool{}
	for _, a := range among {
		if seen[a] || !reach[[2]int{a, a}] {
			continue
		}
		var loop []int
		for _, b := range among {
			if reach[[2]int{a, b}] && reach[[2]int{b, a}] {
				loop = append(loop, b)
				seen[b] = true
			}
		}
		loops = append(loops, loop)
	}
	return loops
}
