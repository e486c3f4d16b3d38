package simulate

import "gpupipe/idg"

// flowProgram is a program for dataflow issue.
type flowProgram struct {
	*flatProgram
	nodes  []flowNode // and one more, which ends the last one's successors
	done   []flowEnd
	passed []flowEnd
	// preds is how many dependences each node has. Where there are more than a
	// byte holds, the rest is a number of whole rounds of 255, in rounds.
	preds  []uint8
	many   []idg.NodeID // nodes with rounds, ascending
	rounds []uint32     // by index in many
}

// flowNode is an instruction. Its successors are done[doneFirst : doneFirst of
// the next node] and passed[passedFirst : passedFirst of the next node].
type flowNode struct {
	class       uint32
	doneFirst   uint32
	passedFirst uint32
	subsystem   uint16
	flags       nodeFlags
}

// flowEnd is the end of a dependence, with what is needed when it is the last
// one of its node to be satisfied.
type flowEnd struct {
	node      uint32
	subsystem uint16
	flags     nodeFlags
}

func (w *workload) newFlowProgram(p *flatProgram) *flowProgram {
	n := p.len()
	f := &flowProgram{flatProgram: p, nodes: make([]flowNode, n+1), preds: make([]uint8, n)}
	for v := range idg.NodeID(n) {
		node := flowNode{
			class: uint32(p.class[v]), doneFirst: p.done.off[v], passedFirst: p.passed.off[v],
			subsystem: uint16(w.classes[p.class[v]].subsystem), flags: w.flags(p, v),
		}
		count := p.preds[v]
		if count > 255 {
			rounds := (count - 1) / 255
			count -= 255 * rounds
			node.flags |= flagMany
			f.many, f.rounds = append(f.many, v), append(f.rounds, rounds)
		}
		f.nodes[v], f.preds[v] = node, uint8(count)
	}
	f.nodes[n] = flowNode{doneFirst: p.done.off[n], passedFirst: p.passed.off[n]}
	f.done, f.passed = f.ends(&p.done), f.ends(&p.passed)
	return f
}

// flags returns the flags of a node.
func (w *workload) flags(p *flatProgram, v idg.NodeID) nodeFlags {
	done, passed := len(p.done.of(v)) > 0, len(p.passed.of(v)) > 0
	f := w.classes[p.class[v]].flags(done, passed)
	if done {
		f |= flagDone
	}
	if passed {
		f |= flagPassed
	}
	return f
}

func (f *flowProgram) ends(s *successors) []flowEnd {
	ends := make([]flowEnd, len(s.to))
	for i, v := range s.to {
		ends[i] = flowEnd{uint32(v), f.nodes[v].subsystem, f.nodes[v].flags}
	}
	return ends
}
