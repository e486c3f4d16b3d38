package finding

import (
	"context"
	"math"
	"slices"

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

// compiled adds a trial of a finding on instructions whose remedy is code that has been compiled: a variant of the
// graph, if it has that.
func (r *Run) compiled(into []trial, variant string, f Finding, about func(*idg.Instr) bool) ([]trial, error) {
	g := r.Graph.VariantOf(variant)
	if g == nil {
		return into, nil
	}
	f.variant = variant
	t := r.trialOf(f, about)
	if t.idle {
		return append(into, t), nil
	}
	m, err := r.Mapper.MapWith(g, r.Options)
	t.Remedied, t.groups = remedy.Remedied{Graph: g, Mapping: m}, 0
	return append(into, t), err
}

// edited is the variant with all that findings advise of which there is code and with the least else, which saves too
// little to be advised, and what it has; where not all of them are in one, that of the first finding.
func (r *Run) edited(list []Finding) (*idg.Graph, []string) {
	var names []string
	for _, f := range list {
		if f.variant != "" && !slices.Contains(names, f.variant) {
			names = append(names, f.variant)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	var best *idg.Graph
	for _, v := range r.Graph.Variants {
		of := idg.Of(v.Variant)
		if !slices.ContainsFunc(names, func(x string) bool { return !slices.Contains(of, x) }) &&
			(best == nil || len(of) < len(idg.Of(best.Variant))) {
			best = v
		}
	}
	if best != nil {
		return best, names
	}
	return r.Graph.VariantOf(names[0]), names[:1]
}
