package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"gpupipe/latencies"
)

// seriesParameter is the only parameter of a series' table: the name of the step, which
// is no macro.
const seriesParameter = "step"

func (s *Spec) checkSeries() error {
	if len(s.Apart) > 0 || s.Twins != "" || s.Every > 1 {
		return fmt.Errorf("apart, twins and every are of tables, not of a series")
	}
	if s.Source+s.Kernel+s.Measured+s.Time.Column != "" ||
		len(s.Local)+len(s.Groups)+len(s.Template)+len(s.Parameters) > 0 {
		return fmt.Errorf("in a series source, kernel, template, local and groups are those of each step, whose time " +
			"is in its seconds")
	}
	for i := range s.Series {
		step := s.step(i)
		needed := []struct{ name, value string }{
			{"name", s.Series[i].Name}, {"source", step.Source}, {"kernel", step.Kernel},
			{"seconds", s.Series[i].Seconds},
		}
		for _, f := range needed {
			if f.value == "" {
				return fmt.Errorf("series: %s of step %d is not given", f.name, i+1)
			}
		}
		if err := step.checkRest(); err != nil {
			return fmt.Errorf("series: %s: %w", s.Series[i].Name, err)
		}
	}
	named := func(name string) bool {
		return slices.ContainsFunc(s.Series, func(step StepSpec) bool { return step.Name == name })
	}
	for _, r := range s.Ratios {
		if !named(r.Of) || !named(r.To) {
			return fmt.Errorf("series: ratio of %q to %q: there is no such step", r.Of, r.To)
		}
	}
	if s.Title == "" {
		return fmt.Errorf("title is not given")
	}
	return nil
}

// step is the specification of one kernel of a series.
func (s *Spec) step(i int) *Spec {
	out, step := *s, &s.Series[i]
	out.Source, out.Kernel, out.Template, out.Local, out.Groups = step.Source, step.Kernel, step.Template, step.Local,
		step.Groups
	out.Args = maps.Clone(s.Args)
	if out.Args == nil {
		out.Args = map[string]string{}
	}
	maps.Copy(out.Args, step.Args)
	out.Replace = slices.Concat(s.Replace, step.Replace)
	out.Contents = slices.Concat(s.Contents, step.Contents)
	out.Hints, out.Warm = s.Hints.with(step.Hints), s.Warm && !step.Cold
	if step.DynamicLocal != "" {
		out.DynamicLocal = step.DynamicLocal
	}
	return &out
}

// newSeries makes the study of a series.
func newSeries(o *options, s *Spec, d *latencies.Device) (*study, error) {
	out := &study{spec: s, table: &table{params: []string{seriesParameter}, named: true}, every: 1}
	for i := range s.Series {
		step := &s.Series[i]
		p, err := newPredictor(s.step(i), d, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", step.Name, err)
		}
		seconds, err := measuredSeconds(step.Seconds)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", step.Name, err)
		}
		out.steps = append(out.steps, p)
		out.table.rows = append(out.table.rows, row{values: []string{step.Name}, seconds: seconds, step: i})
	}
	out.predictor = out.steps[0]
	var err error
	out.counters, err = readCounters(o, s)
	return out, err
}

// measuredSeconds evaluates the measured time of a step.
func measuredSeconds(text string) (float64, error) {
	e, err := parseExpr(text)
	if err != nil {
		return 0, fmt.Errorf("seconds: %w", err)
	}
	seconds, err := e.value(nil)
	if err != nil || !(seconds > 0) {
		return 0, fmt.Errorf("%q is not a number of seconds", text)
	}
	return seconds, nil
}

// predictorOf is what predicts a row.
func (s *study) predictorOf(r *row) *predictor {
	if s.steps == nil {
		return s.predictor
	}
	return s.steps[r.step]
}

// writeSteps writes a line for each kernel of a series.
func (s *study) writeSteps(w io.Writer) {
	if s.steps == nil {
		return
	}
	fmt.Fprintf(w, "\n| kernel | measured ms | predicted ms, %s | measured / predicted | bound by | resident warps | "+
		"registers |\n|---|---|---|---|---|---|---|\n", s.predictor.modes[0].name)
	for i := range s.table.rows {
		r, p := &s.table.rows[i], &s.predictions[i]
		fmt.Fprintf(w, "| %s | %.4g | %.4g | %.2f | %s | %.0f | %d |\n", r.values[0], 1e3*r.seconds, 1e3*p.seconds[0],
			r.seconds/p.seconds[0], p.result.Bound.Subsystem, p.warps, p.graph.registers)
	}
}
