package finding

import (
	"fmt"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/latencies"
	"gpupipe/simulate/remedy"
)

// divergence: lanes of a warp go both ways at a branch, and the warp executes both sides. If all lanes of a warp
// went the same way, a warp would execute each side as often as its share of the lanes: of the instructions
// of each subsystem so many are removed.
func divergence(r *Run) ([]trial, error) {
	b := r.mostDiverged()
	pos, loop := r.uneven()
	if b != nil {
		pos, loop = b.Pos, false
	}
	if !pos.IsValid() {
		return nil, nil
	}
	removed := map[idg.Instr]bool{}
	left := map[latencies.SubsystemID]float64{} // by how much more than their share are kept
	warp := float64(r.Mapping.Device.WarpSize)
	issued, idle, alone := 0.0, 0.0, 0.0
	for i := range r.Result.Classes {
		c := &r.Result.Classes[i]
		n := float64(c.Issued)
		share := float64(c.Instr.Lanes) / warp
		if issued += n; share >= 1 {
			continue
		}
		idle += n * (1 - share)
		if c.Instr.Lanes == 1 {
			alone += n * (1 - share)
		}
		s := c.Entry.Subsystem
		if left[s]+n*(1-share) >= n/2 {
			removed[*c.Instr] = true
			left[s] -= n * share
		} else {
			left[s] += n * (1 - share)
		}
	}
	proof := fmt.Sprintf("%.0f%% of the lanes are idle on average", 100*idle/max(issued, 1))
	if b != nil {
		proof = fmt.Sprintf("%d of %d executions diverge; %s", b.Divergence.Diverged, b.Divergence.Executions, proof)
	}
	f := Finding{
		floor: r.trafficSeconds(), symptom: true, // the data stay the same
		Pos:   pos,
		What:  "divergent branch: the lanes of a warp go several ways, and the warp executes all of them",
		Proof: proof,
		Remedy: "let whole warps go one way: branch on the warp's number, sort or compact the work first, or compute " +
			"all sides without a branch",
	}
	switch {
	case loop:
		f.What = "divergent loop: the lanes of a warp need different numbers of iterations, and wait for the largest"
		f.Remedy = "sort the work so that the lanes of a warp have as much to do, or let lanes that are done take " +
			"the next piece of it"
	case alone > idle/2:
		f.What = "divergent branch: one work item works, and the others of its warp wait for it"
		f.Remedy = "share its work among all work items of the group, as a reduction by shuffles or by a tree in " +
			"local memory does"
	}
	return r.remedied(nil, f, remedy.Change{Kind: remedy.Removed,
		Pick: func(in *idg.Instr) bool { return removed[*in] }})
}

// mostDiverged is the branch with the most executions in which lanes went both ways, nil if there is none.
func (r *Run) mostDiverged() (top *idg.Branch) {
	for i := range r.Graph.Branches {
		b := &r.Graph.Branches[i]
		if d := b.Divergence; d != nil && d.Diverged > 0 && (top == nil || d.Diverged > top.Divergence.Diverged) {
			top = b
		}
	}
	return top
}

// uneven is the first loop that some lanes of a warp leave before others, else the first switch that is executed, of
// which the graph does not tell which ways lanes go.
func (r *Run) uneven() (pos idg.Pos, loop bool) {
	lanes := map[idg.Pos]uint8{}
	for _, i := range r.executed() {
		switch in := &r.Graph.Instrs()[i]; {
		case in.IsRolledLoop():
			if n := lanes[in.Pos]; n > 0 && n != in.Lanes {
				return in.Pos, true
			}
			lanes[in.Pos] = in.Lanes
		case !pos.IsValid() && in.Operation().Verb == isa.Branch && r.word(in.Pos) == "switch":
			pos = in.Pos
		}
	}
	return pos, false
}
