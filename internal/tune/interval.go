package tune

import (
	"context"
	"math"
	"reflect"
	"slices"

	"gpupipe/latencies"
	"gpupipe/simulate"
)

// Interval is the least and the most time that a variant takes where what the prediction assumes is otherwise.
type Interval struct {
	Low, High float64
	Assumed   []string // what was taken otherwise
}

// What an interval takes otherwise.
const (
	otherCaches     = "what an earlier launch left in the caches"
	otherL2         = "what L2 keeps between groups"
	otherContention = "how load delays device memory"
	otherAddresses  = "addresses that are not known"
	otherSampling   = "the rest of a launch that was sampled"
)

// run is a prediction of a graph.
type run struct {
	mapping *latencies.Mapping
	config  simulate.Config
	result  *simulate.Result
}

// equals reports whether another prediction of the graph, on the same device, is the same.
func (r *run) equals(m *latencies.Mapping, c simulate.Config) bool {
	return r.config == c && r.mapping.UnitsAtWork == m.UnitsAtWork &&
		reflect.DeepEqual(r.mapping.Traffic, m.Traffic) && reflect.DeepEqual(r.mapping.Entries, m.Entries)
}

// Interval predicts a variant again with each of its assumptions at the other end. All these runs are without
// Config.Precision, and their times relative to that of the assumptions as they are.
func (p *Plan) Interval(ctx context.Context, r *Row) (Interval, error) {
	j := &p.jobs[p.Index(r.Number)]
	in, scale := Interval{Low: r.Seconds, High: r.Seconds}, 0.0
	config := p.Recipe.Config
	config.Precision = 0
	g, known := p.fast.of(j.launch)
	if g == nil {
		var err error
		if g, err = p.alone(j); err != nil {
			return Interval{}, err
		}
	}
	d := p.devices[j.options.Device]
	try := func(what string, m *latencies.Mapper, o latencies.Options, c simulate.Config) (*simulate.Result, error) {
		mapping, err := m.MapWith(g, o)
		if err != nil {
			return nil, err
		}
		var res *simulate.Result
		if i := slices.IndexFunc(known, func(r run) bool { return r.equals(mapping, c) }); i >= 0 {
			res = known[i].result
		} else if res, err = simulate.Run(ctx, g, mapping, c); err != nil {
			return nil, err
		}
		known = append(known, run{mapping, c, res})
		if what == "" {
			scale = r.Seconds / res.Seconds
			return res, nil
		}
		seconds := res.Seconds * scale
		if math.Abs(seconds-r.Seconds) <= (1-rounding)*r.Seconds {
			return res, nil
		}
		if !slices.Contains(in.Assumed, what) {
			in.Assumed = append(in.Assumed, what)
		}
		in.Low, in.High = min(in.Low, seconds), max(in.High, seconds)
		return res, nil
	}
	base := latencies.Options{Warm: p.Recipe.Warm}
	res, err := try("", d.Mapper, base, config)
	if err != nil {
		return in, err
	}
	if _, err = try(otherCaches, d.Mapper, latencies.Options{Warm: !p.Recipe.Warm}, config); err != nil {
		return in, err
	}
	least := base
	least.LeastTraffic = true
	if _, err = try(otherL2, d.Mapper, least, config); err != nil {
		return in, err
	}
	if res.Contention != nil {
		idle := config
		idle.NoContention = true
		if _, err = try(otherContention, d.Mapper, base, idle); err != nil {
			return in, err
		}
	}
	mapping, err := d.MapWith(g, base)
	if err != nil {
		return in, err
	}
	if unknown := mapping.UnknownAddresses(g); len(unknown) > 0 {
		for _, kind := range []latencies.Addresses{latencies.Same, latencies.Coalesced, latencies.Scattered} {
			var rules []latencies.Rule
			for _, id := range unknown {
				x := g.Instr(id)
				rules = append(rules, latencies.Rule{Selector: latencies.Selector{Name: x.Op,
					Buffer: g.Access(x.Access).Buffer}, Addresses: kind})
			}
			m, err := latencies.NewMapper(j.options.Device, rules)
			if err == nil {
				_, err = try(otherAddresses, m, base, config)
			}
			if err != nil {
				return in, err
			}
		}
	}
	if res.Sampling != nil && res.Sampling.Bound > 0 {
		in.Low, in.High = in.Low*(1-res.Sampling.Bound), in.High*(1+res.Sampling.Bound)
		in.Assumed = append(in.Assumed, otherSampling)
	}
	return in, nil
}
