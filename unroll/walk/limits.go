package walk

import (
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower/ir"
	"gpupipe/unroll"
)

const (
	// maxTrips bounds the iterations of a loop: more no run would finish.
	maxTrips = 1 << 36
	// pollSteps is after how many steps, some milliseconds, Options.Ended is asked again.
	pollSteps = 1 << 13
	// kindsBudget bounds what is executed for groups besides the one in the middle, in units of what one warp may
	// execute.
	kindsBudget = 2
	// accessSteps is how many steps of a group an access counts that no other one is like. Those of a subscript that
	// follows no pattern take 1.1 KB each of a graph's memory, where an instruction takes 25 bytes.
	accessSteps = 40
)

// spend counts steps: what is executed one by one, and iterations that are counted.
func (w *warp) spend(steps int64) {
	if w.steps/pollSteps != (w.steps+steps)/pollSteps && w.launch.Ended != nil {
		if err := w.launch.Ended(); err != nil {
			w.fail(err)
		}
	}
	w.steps += steps
	w.spent += steps
	w.c.spent += steps
	if w.steps > int64(w.launch.MaxInstructions) {
		w.fail(w.tooMany())
	}
}

// interned counts an access, which is new where no number before was as high.
func (w *warp) interned(id idg.AccessID) {
	if id > w.c.accesses {
		w.c.accesses = id
		w.spent += accessSteps
		w.c.spent += accessSteps
	}
}

const smallerLaunch = "give smaller trip counts (--trip LINE=N, --arg NAME=VALUE) or a smaller launch, or allow more " +
	"with --max-instructions N"

// outermost is the position of the outermost loop that is being executed, or the kernel's.
func (w *warp) outermost() diag.Pos {
	if len(w.running) > 0 {
		return w.running[0].from.Pos
	}
	return w.c.code.Pos
}

func (w *warp) tooMany() error {
	return diag.Errorf(w.outermost(), "TOO-LARGE", "one warp of kernel %s executes more than %d instructions",
		w.c.code.Func.Name, w.launch.MaxInstructions).WithNote(smallerLaunch)
}

// checkExecuted refuses a warp that executes more than a graph can have.
func (w *warp) checkExecuted() {
	n := int64(0)
	for _, k := range w.counts {
		if n += k; n > idg.MaxExecuted {
			w.fail(diag.Errorf(w.c.longest(w), "TOO-LARGE",
				"one warp of kernel %s executes more than %d instructions, "+
					"those that are counted only included", w.c.code.Func.Name, int64(idg.MaxExecuted)).
				WithNote("give smaller trip counts (--trip LINE=N, --arg NAME=VALUE) or a smaller launch"))
			return
		}
	}
}

// longest is the position of the first loop that is entered.
func (s *static) longest(w *warp) diag.Pos {
	for source := 1; source <= s.sources; source++ {
		if w.loops[source].executions > 0 {
			return s.loopPos[source]
		}
	}
	return s.code.Pos
}

func (s *static) tooManyTrips(pos diag.Pos, trips int64) error {
	return diag.Errorf(pos, "TOO-LARGE", "this loop has %d iterations, more than any run finishes", trips).
		WithNote("give smaller argument values, or --trip %d=N", pos.Line)
}

// endless refuses a loop that nothing ends.
func (s *static) endless(loop *ir.Instr) error {
	why := "it has no condition and nothing leaves it"
	if s.kernel != nil && loop.Source != 0 {
		if l := s.kernel.Loops[loop.Source-1]; l.CondValue.Kind != 0 {
			why = "its condition (" + l.BoundText + ") stays true"
		}
	}
	return diag.Errorf(loop.Pos, "ENDLESS", "this loop never ends: %s", why).
		WithNote("if that is intended, give the number of iterations with --trip %d=N", loop.Pos.Line)
}

// affords reports whether so many more warps like the last one fit into what is executed for a launch.
func (s *static) affords(o *unroll.Options, warps int64, last int64) bool {
	return s.spent+warps*last <= int64(o.MaxInstructions)
}
