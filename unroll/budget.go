package unroll

import "gpupipe/internal/diag"

// Work is what resolving takes, in units of about 50 ns: not only instructions recorded, but also
// operations that leave none and loops that are entered. One warp may take as much of it as
// Options.MaxInstructions allow. Where the warps and groups of a launch together take more, others
// stand for those that are left, and a note says so.
const (
	operationWork   = 1
	instructionWork = 16
	loopWork        = 40
	searchedLevels  = 8 // rolled loops around an operation that add as much as the operation itself
	// workPerInstruction is for each of MaxInstructions, with what is recorded and swept, and the
	// operations that leave no instruction. minWork is always allowed.
	workPerInstruction = 24
	minWork            = 500_000
)

// maxWork bounds the work on a warp.
func (o *Options) maxWork() int64 { return max(minWork, workPerInstruction*int64(o.MaxInstructions)) }

// pollWork is the work, some milliseconds, after which Options.Ended is asked again.
const pollWork = 1 << 17

// ended is the error of Options.Ended.
func (o *Options) ended() error {
	if o.Ended == nil {
		return nil
	}
	return o.Ended()
}

// spend counts work on the warp against its limit.
func (r *resolver) spend(work int64) {
	if r.work/pollWork != (r.work+work)/pollWork {
		if err := r.opt.ended(); err != nil {
			r.fail(err)
		}
	}
	if r.work += work; r.work > r.maxWork {
		r.fail(diag.Errorf(r.outermost(), "TOO-LARGE", "one warp of kernel %s executes too much to be resolved: more "+
			"than %d instructions, or as many loops and operations as take that long",
			r.k.Name, r.opt.MaxInstructions).WithNote(smallerLaunch))
	}
}

func (r *resolver) tooMany() error {
	return diag.Errorf(r.outermost(), "TOO-LARGE", "one warp of kernel %s executes more than %d instructions", r.k.Name,
		r.opt.MaxInstructions).
		WithNote(smallerLaunch)
}

const smallerLaunch = "give smaller trip counts (--trip LINE=N, --arg NAME=VALUE) or a smaller launch, or allow more " +
	"with --max-instructions N"

// spent is the work on the warps of a launch so far.
type spent struct{ all, last int64 }

func (s *spent) add(work int64) { *s = spent{s.all + work, work} }

// affords reports whether so many more warps like the last one fit into limit.
func (s *spent) affords(warps int, limit int64) bool { return s.all+int64(warps)*s.last <= limit }
