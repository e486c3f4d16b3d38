package sweep

import (
	"cmp"
	"slices"

	"gpupipe/simulate"
)

// balanced is how many configurations per job, at the end of a sweep, are started
// in the order of their work rather than in that of the rows, so that no job is left
// alone with a long one. All the others are started in order: what an interrupt
// leaves in a file is then most of what was simulated.
const balanced = 32

// Precision is that of runs whose times are compared with each other, mostly at differences of percents
// (simulate.Config.Precision).
const Precision = 0.005

// LargeLaunch is how many warp instructions the launch of a configuration must have
// on a compute unit to be sampled (simulate.Config.Precision). A smaller one takes
// about a hundredth of a second as a whole, and its groups have little time to get
// out of step, so that it may seem to have converged when it has not.
const LargeLaunch = 100_000

// longestFirst lists the configurations from the first on by the instructions of
// the groups that are resident at once, most of them first. What a configuration costs
// grows with these: some waves are simulated of each.
func (p *Plan) longestFirst(first int) []int {
	var list []int
	var work []float64
	for k := first; k < p.Len(); k++ {
		c := p.Configuration(k)
		list = append(list, k)
		resident, _ := p.instructions(&c)
		work = append(work, resident)
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(work[b-first], work[a-first]) })
	return list
}

// instructions is what the groups that are resident at once, and all groups of a
// compute unit, execute; 0 if nothing fits.
func (p *Plan) instructions(c *Configuration) (resident, all float64) {
	index := p.combination(c.mapping * p.perMap)
	o, err := simulate.Capacity(p.space.Graphs[index[0]].Graph, p.Device(c), c.config)
	if err != nil {
		return 0, 0
	}
	groups := c.config.Groups
	for _, candidate := range o.Candidates {
		if candidate.Resource == "launch" {
			groups = candidate.Groups
		}
	}
	perGroup := float64(p.perGroup[index[0]])
	return float64(o.Groups) * perGroup, float64(groups) * perGroup
}

// precision is the one that a configuration is simulated with.
func (p *Plan) precision(c *Configuration) float64 {
	if c.config.Precision == 0 {
		return 0
	}
	if _, all := p.instructions(c); all < LargeLaunch {
		return 0
	}
	return c.config.Precision
}
