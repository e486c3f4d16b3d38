package page

import (
	"cmp"
	"context"
	"slices"

	"gpupipe/internal/report"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
	"gpupipe/simulate/comparison"
	"gpupipe/simulate/roof"
)

// Roofline is floating-point operations per second against their number for each byte of a memory level (Williams,
// Waterman, Patterson 2009).
type Roofline struct {
	Peaks  []Peak      `json:"peaks"`  // of operations per second
	Memory []Peak      `json:"memory"` // of bytes per second
	Points []RoofPoint `json:"points"`
}

// Peak is what the device can do per second.
type Peak struct {
	Name string  `json:"name"`
	Rate float64 `json:"rate"`
}

// RoofPoint is the launch at a memory level.
type RoofPoint struct {
	Memory    string  `json:"memory"`
	Intensity float64 `json:"intensity"` // operations for each byte
	Rate      float64 `json:"rate"`      // operations per second
}

// rooflineOf is nil if the launch does no floating-point operations, or if nothing is known of its bytes.
func rooflineOf(r *roof.Roof) *Roofline {
	out := &Roofline{Peaks: []Peak{}, Memory: []Peak{}, Points: []RoofPoint{}}
	amount, rate := 0.0, 0.0
	for i := range r.Uses {
		if u := &r.Uses[i]; !u.Bytes {
			amount, rate = amount+u.Amount, rate+u.PerSecond
			if u.Peak > 0 {
				out.Peaks = append(out.Peaks, Peak{u.Name, u.Peak})
			}
		}
	}
	for i := range r.Uses {
		if u := &r.Uses[i]; u.Bytes && u.Amount > 0 && amount > 0 {
			out.Points = append(out.Points, RoofPoint{u.Name, amount / u.Amount, rate})
			if u.Peak > 0 {
				out.Memory = append(out.Memory, Peak{u.Name, u.Peak})
			}
		}
	}
	if len(out.Points) == 0 || len(out.Peaks)+len(out.Memory) == 0 {
		return nil
	}
	return out
}

// Occupancy is the throughput against the number of resident warps: what the pipelines and the latency of a warp allow
// (V16 3.6), and what the simulation says.
type Occupancy struct {
	Warps     int64            `json:"warps"` // resident
	Most      int64            `json:"most"`  // that the device holds
	Per       float64          `json:"per"`   // instructions of a warp: rates are instructions per cycle
	Roof      float64          `json:"roof"`
	Bound     string           `json:"bound"` // what gives the roof
	Model     []OccupancyPoint `json:"model"`
	Simulated []OccupancyPoint `json:"simulated"`
}

// OccupancyPoint is a rate at a number of warps.
type OccupancyPoint struct {
	Warps int64   `json:"warps"`
	Rate  float64 `json:"rate"` // warp instructions per cycle
}

// occupancyRoofline is the model of the least of throughput and latency bound.
const occupancyRoofline = "volkov"

// simulatedOccupancies is how many numbers of warps are simulated at most, with simulatedIssues instructions in all;
// a simulation has three waves of groups or more.
const simulatedOccupancies, simulatedIssues, leastWaves = 8, 20_000_000, 3

// occupancyOf compares the simulation at some occupancies with the occupancy roofline.
func occupancyOf(ctx context.Context, p *report.Prediction) (*Occupancy, error) {
	r, cfg, device := p.Result, p.Config, p.Mapping.Device
	models := analytic.Models()
	models = slices.DeleteFunc(models, func(m analytic.Model) bool { return m.About().Name != occupancyRoofline })
	var warps []int64
	for n := r.WarpsPerGroup; n <= max(r.OccupancyWarps, r.Occupancy.MaxWarps); n += r.WarpsPerGroup {
		warps = append(warps, n)
	}
	cfg.Budget, cfg.Precision, cfg.Full = simulate.DefaultBudget/8, 0, false
	c, err := comparison.Run(ctx, p.Graph, device, comparison.Options{
		Map: func(groups int64) (*latencies.Mapping, error) {
			o := p.Options
			o.ConcurrentGroups = groups
			return p.Mapper.MapWith(p.Graph, o)
		},
		Config: cfg, Models: models, Warps: warps, Known: r.OccupancyWarps,
		Simulate: int(min(simulatedOccupancies,
			simulatedIssues/max(1, r.Issued/r.Groups*r.ConcurrentGroups*leastWaves))),
	})
	if err != nil {
		return nil, err
	}
	out := &Occupancy{Warps: r.OccupancyWarps, Most: r.Occupancy.MaxWarps,
		Per: float64(r.Issued) / float64(r.Groups*r.WarpsPerGroup), Model: []OccupancyPoint{},
		Simulated: []OccupancyPoint{}}
	rate, bound := c.Input.Throughput()
	out.Roof, out.Bound = rate*out.Per, device.TitleOf(bound)
	for i := range c.Points {
		at := &c.Points[i]
		if e := &at.Estimates[0]; e.Invalid == "" {
			out.Model = append(out.Model, OccupancyPoint{at.Warps, e.WarpsPerCycle * out.Per})
		}
		if at.Simulated != nil {
			out.Simulated = append(out.Simulated, OccupancyPoint{at.Warps, at.Simulated.WarpsPerCycle * out.Per})
		}
	}
	out.Simulated = append(out.Simulated, OccupancyPoint{out.Warps, r.WarpsPerCycle * out.Per})
	slices.SortFunc(out.Simulated, func(a, b OccupancyPoint) int { return cmp.Compare(a.Warps, b.Warps) })
	return out, nil
}
