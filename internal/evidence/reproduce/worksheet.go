package main

import (
	"errors"

	"gpupipe/latencies"
	"gpupipe/simulate/analytic"
	"gpupipe/unroll"
)

// worksheetCommand prints V16 T.3.4, and worksheetRules are its assumptions about issue.
const worksheetCommand = "idgen --builtin worksheet -O0 --gpu gtx980 | pipesim models --gpu gtx980 --set " +
	"special:issue=0 --set local:issue=1,reissue=1 --set global:reissue=1"

var worksheetRules = []string{"special:issue=0", "local:issue=1,reissue=1", "global:reissue=1"}

// worksheetOf is the table that worksheetCommand prints.
func worksheetOf() (analytic.Worksheet, error) {
	g, err := graphOf("worksheet", unroll.Options{Local: [3]int64{lanes}, Groups: [3]int64{4096}})
	if err != nil {
		return analytic.Worksheet{}, err
	}
	d, err := latencies.Builtin("gtx980")
	if err != nil {
		return analytic.Worksheet{}, err
	}
	var rules []latencies.Rule
	for _, text := range worksheetRules {
		r, e := latencies.ParseRule(text)
		rules, err = append(rules, r), errors.Join(err, e)
	}
	if err != nil {
		return analytic.Worksheet{}, err
	}
	m, err := latencies.NewMapper(d, rules)
	if err != nil {
		return analytic.Worksheet{}, err
	}
	mapping, err := m.Map(g)
	if err != nil {
		return analytic.Worksheet{}, err
	}
	in, err := analytic.FromGraph(g, mapping, analytic.Options{})
	if err != nil {
		return analytic.Worksheet{}, err
	}
	return analytic.NewWorksheet(in), nil
}
