package trace

import (
	"cmp"
	"slices"

	"gpupipe/idg"
)

// replay writes what is skipped to a graph.
type replay struct {
	t      *Trace
	b      *idg.Builder
	budget int64 // instructions that may be written where the builder does not see that they repeat

	how    []written  // by skip
	nodes  []repeated // live nodes of the repetition of the next skip that is within no other
	edges  []idg.Edge // theirs
	shifts []shift    // of the repetitions that are being written, outer ones first
	moved  []idg.Edge // scratch
}

// written is how the repetitions of a skip are written.
type written struct {
	outermost int          // the skip around it that is within no other, or itself
	length    int64        // instructions of a repetition
	from      idg.Executed // edges from this one on move along, others stay
}

// repeated is a node that is written again.
type repeated struct {
	at    int // index in the trace
	class idg.InstrID
	edges int // how many
	first int // of them, in edges
}

// shift moves edges from an instruction on.
type shift struct{ from, by idg.Executed }

func newReplay(t *Trace, b *idg.Builder, budget int64) *replay {
	p := &replay{t: t, b: b, budget: budget, how: make([]written, len(t.Skips))}
	for outer := len(t.Skips) - 1; outer >= 0; {
		first := outer - t.Skips[outer].Within
		for k := first; k <= outer; k++ {
			p.how[k].outermost = outer
		}
		outer = first - 1
	}
	return p
}

// note takes notice of a node that has been written before the next skip.
func (p *replay) note(next, i int, class idg.InstrID, edges []idg.Edge) {
	if next < len(p.how) && i >= p.t.Skips[p.how[next].outermost].From() {
		p.nodes = append(p.nodes, repeated{i, class, len(edges), len(p.edges)})
		p.edges = append(p.edges, edges...)
	}
}

// reached writes the repetitions of a skip where it is reached first, of which
// the last has so many instructions. It reports false if the budget is spent.
func (p *replay) reached(k int, length int64, from idg.Executed) bool {
	p.how[k].length, p.how[k].from = length, from
	if !p.skip(k) {
		return false
	}
	if k == p.how[k].outermost {
		p.nodes, p.edges = p.nodes[:0], p.edges[:0]
	}
	return true
}

// skip writes the repetitions of a skip. A loop that the builder has seen to
// repeat need not be told all of them.
func (p *replay) skip(k int) bool {
	s, h := &p.t.Skips[k], &p.how[k]
	if h.length == 0 {
		return true
	}
	level := len(p.shifts)
	p.shifts = append(p.shifts, shift{from: h.from})
	first, _ := slices.BinarySearchFunc(p.nodes, s.From(), func(n repeated, at int) int {
		return cmp.Compare(n.at, at)
	})
	for n := int64(1); n <= s.Copies; n++ {
		mark, depth := s.marks, 0
		// Repetitions are counted where some pass begins: the builder's need not begin
		// where ours do.
		upTo := func(i, end int) {
			for ; mark < end && int(p.t.marks[mark].at) <= i; mark++ {
				announce(p.b, p.t.marks[mark:mark+1], i)
				switch p.t.marks[mark].what {
				case LoopBegins:
					depth++
				case LoopEnds:
					depth--
				case IterationBegins:
					if depth == 0 && n < s.Copies {
						n += p.b.Again(h.length, s.Copies-n)
					}
				}
			}
			p.shifts[level].by = idg.Executed(n * h.length)
		}
		within := k - s.Within
		for _, node := range p.nodes[first:] {
			if node.at >= s.At {
				break
			}
			for ; within < k && p.t.Skips[within].At <= node.at; within++ {
				upTo(p.t.Skips[within].At, p.t.Skips[within].marksEnd)
				if !p.skip(within) {
					return false
				}
			}
			upTo(node.at, s.marksEnd)
			if p.budget--; p.budget < 0 {
				return false
			}
			p.b.Add(node.class, p.shifted(node)...)
		}
		upTo(s.At, s.marksEnd)
	}
	p.shifts = p.shifts[:level]
	return true
}

// shifted returns a node's edges in the repetitions that are being written.
func (p *replay) shifted(n repeated) []idg.Edge {
	p.moved = append(p.moved[:0], p.edges[n.first:n.first+n.edges]...)
	for i := range p.moved {
		from := p.moved[i].From
		for _, s := range p.shifts {
			if from >= s.from {
				p.moved[i].From += s.by
			}
		}
	}
	return p.moved
}
