package comparison

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
	"gpupipe/simulate/analytic"
)

// source makes the models' inputs of one graph at different occupancies. What
// is the same for neighbouring occupancies is made once.
type source struct {
	graph    *idg.Graph
	options  *Options
	groups   int64 // that the compute unit runs
	perGroup int64 // warps

	mapping *latencies.Mapping // the last one
	last    *analytic.Input
}

// input is the input and the mapping for so many concurrent groups.
func (s *source) input(concurrent int64) (*analytic.Input, *latencies.Mapping, error) {
	m, err := s.options.Map(concurrent)
	if err != nil {
		return nil, nil, err
	}
	if s.mapping != nil && sameTimes(m, s.mapping) {
		return s.last, s.mapping, nil
	}
	in, err := analytic.FromGraph(s.graph, m, analytic.Options{
		IssueLimit: s.options.Config.IssueLimit, Groups: s.groups, MSHRs: s.options.MSHRs,
		Contention: s.options.Contention,
	})
	if err != nil {
		return nil, nil, err
	}
	if err := in.Verify(); err != nil {
		return nil, nil, diag.Errorf(diag.Pos{}, "MODELS", "the models cannot be used: %v", err)
	}
	s.mapping, s.last = m, in
	return in, m, nil
}

// sameTimes reports whether two mappings of one graph are the same to models
// and simulation.
func sameTimes(a, b *latencies.Mapping) bool {
	return slices.Equal(a.Subsystems, b.Subsystems) &&
		slices.EqualFunc(a.Entries, b.Entries, func(x, y latencies.Entry) bool {
			return x.Subsystem == y.Subsystem && x.Timing == y.Timing && x.Second == y.Second &&
				x.Transactions == y.Transactions && x.Served == y.Served
		})
}
