package finding

import (
	"context"
	"math"

	"gpupipe/simulate"
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
