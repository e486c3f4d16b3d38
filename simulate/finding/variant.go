package finding

import (
	"context"
	"math"

	"gpupipe/idg"
	"gpupipe/simulate"
	"gpupipe/simulate/remedy"
)

// variant is the time of a variant of the graph, 0 if there is none or it hardly differs.
func (r *Run) variant(ctx context.Context, what string) (seconds float64, err error) {
	g := r.Graph.VariantOf(what)
	if g == nil {
		return 0, nil
	}
	m, err := r.Mapper.MapWith(g, r.Options)
	if err != nil {
		return 0, err
	}
	res, err := simulate.Run(ctx, g, m, r.trial(Finding{}).config)
	if err != nil || math.Abs(res.Seconds/r.Result.Seconds-1) < leastReading {
		return 0, err
	}
	return res.Seconds, nil
}

// compiled is a finding whose remedy is code that has been compiled: a variant of the graph.
func (r *Run) compiled(f Finding, variant *idg.Graph) ([]trial, error) {
	m, err := r.Mapper.MapWith(variant, r.Options)
	t := r.trial(f)
	t.Remedied = remedy.Remedied{Graph: variant, Mapping: m}
	return []trial{t}, err
}
