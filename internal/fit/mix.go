package fit

import (
	"math"
	"slices"
	"strings"

	"gpupipe/internal/measure"
)

// Structure is how two instructions share a compute unit (A 4.2). The zero value is invalid.
type Structure uint8

// The structures.
const (
	Single   Structure = iota + 1 // one subsystem: A Eq. 43
	Separate                      // two subsystems: A Eq. 44
	Limited                       // two subsystems behind an issue limit: A Eq. 45
)

func (s Structure) String() string {
	switch s {
	case Single:
		return "one subsystem"
	case Separate:
		return "two subsystems"
	case Limited:
		return "two subsystems behind an issue limit"
	}
	return "invalid structure"
}

// special is the second instruction of the mix, the addition the first.
const (
	first   = "add.f32"
	special = "cos.approx.f32"
)

// Mix is what sequences of β additions and one special function tell.
type Mix struct {
	Structure Structure
	Limit     float64               // instructions per cycle, of Limited
	Error     float64               // half its 95% interval, relative
	Residuals map[Structure]float64 // standard deviation of the samples around each curve, relative

	first, special *Class
	used           []observation // chains is β
}

// fullest is the share of the largest occupancy from which a unit counts as full.
const fullest = 0.75

// fitMix chooses the structure whose curve is nearest to the samples at full occupancy.
func fitMix(r *Result, list []*data) *Mix {
	m := &Mix{first: r.class(first), special: r.class(special), Residuals: map[Structure]float64{}}
	most := 0
	for _, d := range list {
		if d.class.Kind == measure.Mix {
			for _, o := range d.all {
				o.chains = d.class.Param
				m.used = append(m.used, o)
				most = max(most, o.warps)
			}
		}
	}
	var full []observation
	for _, o := range m.used {
		if float64(o.warps) >= fullest*float64(most) {
			full = append(full, o)
		}
	}
	m.used = full
	if m.first == nil || m.special == nil || len(full) == 0 {
		return nil
	}
	none := []float64{}
	for _, s := range []Structure{Single, Separate} {
		m.Residuals[s] = deviation(m.curve(s), none, full)
	}
	limit := solve(m.curve(Limited), []float64{math.Log(1 / m.first.CPI.Value)}, full)
	m.Residuals[Limited] = deviation(m.curve(Limited), limit.theta, full)
	scatter := max(m.Residuals[Limited], leastScatter)
	loss := map[Structure]float64{
		Single:   huberLoss(m.curve(Single), none, full, scatter),
		Separate: huberLoss(m.curve(Separate), none, full, scatter),
		Limited:  huberLoss(m.curve(Limited), limit.theta, full, scatter) + informative/2,
	}
	m.Structure = Single
	for _, s := range []Structure{Separate, Limited} {
		if loss[s] < loss[m.Structure] {
			m.Structure = s
		}
	}
	if m.Structure == Limited {
		m.Limit, m.Error = math.Exp(limit.theta[0]), confidence*limit.errors[0]
	}
	return m
}

// apart is by how much, relative, a time must differ from that of units to be that of the instructions' issue.
const apart = 0.05

// together is the rate of instructions of several units of which more can be executed than issued. It is a bound where
// some of them, which may share a unit, take as long.
func (r *Result) together(list []*data) Number {
	i := slices.IndexFunc(list, func(d *data) bool { return d.class.Name == "issue.units" })
	if i < 0 || len(list[i].all) == 0 {
		return Number{}
	}
	var times []float64 // at occupancies at which no unit waits
	for _, o := range list[i].all {
		times = append(times, o.time/float64(o.warps))
	}
	typical := middle(times)
	each := typical.Value
	n := Number{Value: 1 / each, Error: typical.Error}
	n.round(1)
	ops := strings.Fields(list[i].class.With)
	sums := []float64{0} // of λ of some of the instructions, of each of all
	for _, op := range slices.Compact(slices.Sorted(slices.Values(ops))) {
		c := r.class(op)
		if c == nil {
			n.Bound, n.Why = true, op+", which the mix has, was not measured"
			return n
		}
		share := float64(strings.Count(list[i].class.With, op)) / float64(len(ops))
		for _, sum := range sums {
			sums = append(sums, sum+share*c.CPI.Value)
		}
	}
	if slices.ContainsFunc(sums, func(sum float64) bool { return math.Abs(sum/each-1) <= apart }) {
		n.Bound, n.Why = true, "a unit takes as long as the mix"
	}
	return n
}

// curve is the cycles per instruction of a warp; the parameter of Limited is the limit.
func (m *Mix) curve(s Structure) curve {
	return func(theta []float64, o *observation) float64 {
		β, λ1, λ2 := float64(o.chains), m.first.CPI.Value, m.special.CPI.Value
		busy := β*λ1 + λ2
		if s != Single {
			busy = max(β*λ1, λ2)
		}
		if s == Limited {
			busy = max(busy, (β+1)/math.Exp(theta[0]))
		}
		chain := β*m.first.Latency.Value + m.special.Latency.Value
		return max(float64(o.warps)*busy, chain) / (β + 1)
	}
}
