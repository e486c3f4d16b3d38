package idg

// Divergence is how the lanes of the resolved warps went at a branch, when its
// condition was known. A branch at which lanes go both ways executes both
// sides, each with its lanes.
type Divergence struct {
	Warps         int64 // that came to the branch
	DivergedWarps int64 // of these, warps of which lanes went both ways at least once
	Executions    int64 // of the branch, by all of these warps
	Diverged      int64 // of these, executions in which lanes went both ways
	Lanes         int64 // active at the branch, over all executions
}

// MeanLanes is the number of active lanes at the branch.
func (d *Divergence) MeanLanes() float64 { return float64(d.Lanes) / float64(d.Executions) }

func (d *Divergence) verify(branch int) *violation {
	if d == nil {
		return nil
	}
	if d.Warps < 1 || d.Executions < d.Warps || d.DivergedWarps < 0 || d.DivergedWarps > d.Warps ||
		d.Diverged < d.DivergedWarps || d.Diverged > d.Executions || d.Lanes < d.Executions ||
		(d.Lanes-1)/MaxWarpSize >= d.Executions {
		return broken(partBranch, branch, "branch %d: %d of %d warps diverged, in %d of %d executions with %d lanes",
			branch, d.DivergedWarps, d.Warps, d.Diverged, d.Executions, d.Lanes)
	}
	return nil
}
