package analytic

import "gpupipe/idg"

// Block is a node of the WFG: computations that no access of device memory and
// no barrier separates, and the access that ends them (A 2.4). All times are in
// cycles.
type Block struct {
	Count float64 // of equal blocks, per warp
	Busy  float64 // α_i·λ_comp: Σ λ
	// Span is α_i·Λ_comp/ILP_i: the longest chain of Λ among the computations. So ILP_i
	// = Σ Λ / Span, of equal independent instructions their number (A 1).
	Span   float64
	Access bool // an access of device memory ends the block
	// Wait is Λ of that access if a later instruction depends on it; 0 = there is no
	// data-dependence arc.
	Wait float64
}

// addBlocks adds the blocks of a program that the given share of the warps
// execute. A barrier is a block of its own: A gives its node no latency.
func (b *inputBuilder) addBlocks(p *idg.Flat, share float64) {
	needed := make([]bool, p.Len()) // by a later instruction
	for v := range idg.NodeID(p.Len()) {
		from, kind := p.Preds(v)
		for i, u := range from {
			needed[u] = needed[u] || kind[i] != idg.Order
		}
	}
	var current Block
	first := idg.NodeID(0)               // of the current block
	finished := make([]float64, p.Len()) // of the block's computations, from the block's begin
	end := func(next idg.NodeID) {
		if current != (Block{}) {
			current.Busy, current.Span = rounded(current.Busy), rounded(current.Span)
			b.blocks.add(current, share)
		}
		current, first = Block{}, next
	}
	for v := range idg.NodeID(p.Len()) {
		c := &b.classes[classOf(p, v)]
		if c.memory {
			current.Access = true
			if needed[v] {
				current.Wait = c.wait
			}
			end(v + 1)
			continue
		}
		if c.barrier {
			end(v)
		}
		ready := 0.0
		from, kind := p.Preds(v)
		for i, u := range from {
			if u < first {
				continue
			}
			if kind[i] == idg.Order {
				ready = max(ready, finished[u]-b.classes[classOf(p, u)].wait+b.classes[classOf(p, u)].passed)
			} else {
				ready = max(ready, finished[u])
			}
		}
		finished[v] = ready + c.wait
		current.Busy += c.cpi
		current.Span = max(current.Span, finished[v])
		if c.barrier {
			end(v + 1)
		}
	}
	end(0)
}
