package walk

import (
	"fmt"
	"math/bits"
	"slices"

	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/machine"
)

// A barrier is undefined that some work items of the group do not reach (OpenCL C 1.2, 6.12.8; CUDA C++ Programming
// Guide, Synchronization Functions). Those that have returned are not waited for on NVIDIA's GPUs (PTX ISA, bar).

// returns notes that lanes have returned.
func (w *warp) returns(lanes uint64) {
	if w.c.waitsForPresent {
		w.returned |= lanes
		w.early |= lanes
	}
}

// arrives notes that the active lanes reach a barrier, and which do not.
func (w *warp) arrives(in *machine.Instr) {
	if in.From == nil || in.From.Op != lower.Barrier { // a wait for copies
		return
	}
	w.barriers++
	missing := w.all &^ (w.mask | w.returned)
	if missing == 0 || in.From.Fn != "" || // of a part of the group
		len(w.undecided) > 0 || !w.c.news(in.Pos, "missed") {
		return
	}
	w.c.faults.Add(diag.Warningf(in.Pos, "BARRIER", "%d of %d work items of warp %d do not reach this barrier",
		bits.OnesCount64(missing), bits.OnesCount64(w.all), w.number).
		WithNote("%s is one of them; put the barrier where all work items of the group pass",
			w.item(trailing(missing))))
}

// item names the work item of a lane.
func (w *warp) item(lane int) string {
	id := func(d int) uint64 { return w.id("get_local_id", d, lane) }
	return fmt.Sprintf("work item %d,%d,%d", id(0), id(1), id(2))
}

// checkBarriers compares how many barriers the warps of the group pass.
func (x *execution) checkBarriers() {
	if slices.ContainsFunc(x.s.faults, func(e *diag.Error) bool { return e.Code == "BARRIER" }) {
		return
	}
	for _, w := range x.warps[1:] {
		a, b := x.warps[0], w
		if a.barriers == b.barriers || a.early == a.all || b.early == b.all {
			continue
		}
		if a.barriers < b.barriers {
			a, b = b, a
		}
		for id, in := range x.s.instrs { // a barrier that warp a passes more often
			if in.Class == "barrier" && in.From != nil && in.From.Op == lower.Barrier && in.From.Fn == "" &&
				a.counts[id] > b.counts[id] {
				x.s.faults.Add(diag.Warningf(in.Pos, "BARRIER",
					"not all warps of a group reach this barrier: barriers "+
						"passed by warp %d: %d, by warp %d: %d", a.number, a.barriers, b.number, b.barriers).
					WithNote("put the barrier where all work items of the group pass"))
				return
			}
		}
	}
}
