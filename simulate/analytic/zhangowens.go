package analytic

// zhangOwens is Zhang and Owens' model: each component's time as if it were
// alone at the same occupancy. The components overlap perfectly, or, additive,
// not at all.
type zhangOwens struct{ additive bool }

func (z zhangOwens) About() About {
	a := About{
		Name: "zhang-owens", Title: "Zhang and Owens",
		Source:  "Zhang, Owens 2011; V16 7.3",
		Formula: "V16 7.3: max over subsystems of max(Σ λ, Σ Λ/n)",
		Assumes: "components overlap perfectly, also their latencies; no ILP",
	}
	if z.additive {
		a.Name, a.Title = "zhang-owens-additive", "Zhang and Owens, additive"
		a.Formula = "V16 7.3: Σ over subsystems of max(Σ λ, Σ Λ/n)"
		a.Assumes = "components do not overlap at all; no ILP"
	}
	return a
}

// Estimate is max or Σ over the subsystems of max(Σ λ, Σ Λ/n), and of issue
// (V16 7.3).
func (z zhangOwens) Estimate(in *Input, n float64) Estimate {
	if len(in.Subsystems) == 0 {
		return invalid("the kernel's instruction mix is not given")
	}
	components := []namedTime{{nameIssue, in.issueBusy()}}
	total := 0.0
	for _, s := range in.Subsystems {
		time := max(s.Busy, s.Wait/n)
		total += time
		components = append(components, namedTime{s.Name, time})
	}
	e := slowest(components...)
	if z.additive {
		// Instructions wait for issue while they wait for their subsystem.
		e.WarpsPerCycle = 1 / max(total, in.issueBusy())
	}
	return e
}
