package sweep

import (
	"strconv"

	"gpupipe/latencies"
	"gpupipe/simulate"
)

// axis is one dimension of a space.
type axis struct {
	name    string
	count   int
	text    func(i int) string
	numbers bool // the values are numbers
	set     func(*simulate.Config, int)
	rule    func(i int) latencies.Rule // instead of set: a rule of the mapping
}

// Names of the axes that are treated apart.
const (
	axisGraph      = "graph"
	axisGPU        = "gpu"
	axisGroups     = "groups"
	axisConcurrent = "concurrent"
)

// axes lists the dimensions from the outermost to the innermost: first what
// decides the mapping of a graph, so that rows that share one follow each other,
// last the occupancy, so that a curve is in one piece.
func (s *Space) axes() []axis {
	list := []axis{
		{name: axisGraph, count: len(s.Graphs), text: func(i int) string { return s.Graphs[i].Name }},
		// see Plan.Configuration
		{name: axisGPU, count: max(1, len(s.Devices)), text: func(i int) string { return s.device(0, i).Name }},
	}
	for k := range s.Vary {
		v := &s.Vary[k]
		list = append(list, axis{
			name: v.Name, count: len(v.Values), numbers: v.Rules[0].Subsystem == "",
			text: func(i int) string { return v.Values[i] },
			rule: func(i int) latencies.Rule { return v.Rules[i] },
		})
	}
	list = appendAxis(list, "registers", s.Registers, whole, true, func(c *simulate.Config, v int64) {
		c.Registers = int(v)
	})
	list = appendAxis(list, "scheduler", s.Schedulers, simulate.Scheduler.String, false,
		func(c *simulate.Config, v simulate.Scheduler) { c.Scheduler = v })
	list = appendAxis(list, "issue", s.Issues, simulate.IssueMode.String, false,
		func(c *simulate.Config, v simulate.IssueMode) { c.Issue = v })
	list = appendAxis(list, "issue_limit", s.IssueLimits, latencies.Cycles.String, true,
		func(c *simulate.Config, v latencies.Cycles) { c.IssueLimit = v })
	list = appendAxis(list, axisGroups, s.Groups, whole, true, func(c *simulate.Config, v int64) { c.Groups = v })
	return appendAxis(list, axisConcurrent, s.Concurrent, concurrency, true, func(c *simulate.Config, v int64) {
		c.Concurrent = v
	})
}

func appendAxis[T any](list []axis, name string, values []T, text func(T) string, numbers bool,
	set func(*simulate.Config, T)) []axis {
	if len(values) == 0 {
		return list
	}
	return append(list, axis{
		name: name, count: len(values), numbers: numbers,
		text: func(i int) string { return text(values[i]) },
		set:  func(c *simulate.Config, i int) { set(c, values[i]) },
	})
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

// concurrency prints a number of resident groups; 0 is what the resources
// allow.
func concurrency(n int64) string {
	if n == 0 {
		return "max"
	}
	return whole(n)
}
