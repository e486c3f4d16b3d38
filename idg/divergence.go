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

func (e *encoder) divergence(d *Divergence) {
	if d == nil {
		return
	}
	e.key("divergence")
	e.raw("{")
	e.number("warps", d.Warps)
	e.number("diverged_warps", d.DivergedWarps)
	e.number("executions", d.Executions)
	e.number("diverged", d.Diverged)
	e.number("lanes", d.Lanes)
	e.raw("}")
}

func (d *decoder) divergence() *Divergence {
	v := &Divergence{}
	d.object("the divergence of a branch", 5,
		field{"warps", func() { v.Warps = d.count("the number of warps") }},
		field{"diverged_warps", func() { v.DivergedWarps = d.count("the number of warps") }},
		field{"executions", func() { v.Executions = d.count("the number of executions") }},
		field{"diverged", func() { v.Diverged = d.count("the number of executions") }},
		field{"lanes", func() { v.Lanes = d.count("the number of lanes") }})
	return v
}
