package report

import (
	"io"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/simulate/cause"

	"github.com/google/pprof/profile"
)

// writePprof writes the time of kernels by source line as a pprof profile: the first type of its samples is the
// whole time in nanoseconds, the others are that of each cause.
func writePprof(w io.Writer, all []*Prediction) error {
	kinds := cause.Kinds()
	p := &profile.Profile{DefaultSampleType: "time",
		SampleType: []*profile.ValueType{{Type: "time", Unit: "nanoseconds"}}}
	for _, k := range kinds {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: k.String(), Unit: "nanoseconds"})
	}
	for _, one := range all {
		functions := map[string]*profile.Function{}
		samples := map[idg.Pos]*profile.Sample{}
		for i := range one.Causes.Causes {
			c := &one.Causes.Causes[i]
			s := samples[c.Pos]
			if s == nil {
				s = &profile.Sample{Location: []*profile.Location{one.location(p, functions, c.Pos)},
					Value: make([]int64, 1+len(kinds))}
				samples[c.Pos], p.Sample = s, append(p.Sample, s)
			}
			// kinds begin with 1
			s.Value[c.Kind] += int64(c.Cycles.Float()/float64(one.Mapping.Device.ClockHz)*1e9 + 0.5)
		}
		p.DurationNanos += int64(one.Result.Seconds*1e9 + 0.5)
	}
	for _, s := range p.Sample {
		for _, v := range s.Value[1:] {
			s.Value[0] += v
		}
	}
	if err := p.CheckValid(); err != nil {
		return diag.AsDefect(err)
	}
	return p.Write(w)
}

// location is a source line, or the kernel as a whole.
func (p *Prediction) location(to *profile.Profile, functions map[string]*profile.Function,
	pos idg.Pos) *profile.Location {
	file := pos.File
	if !pos.IsValid() {
		file = p.Graph.Source.File
	}
	f := functions[file]
	if f == nil {
		f = &profile.Function{ID: uint64(len(to.Function) + 1), Name: p.Graph.Kernel, Filename: file}
		functions[file], to.Function = f, append(to.Function, f)
	}
	l := &profile.Location{ID: uint64(len(to.Location) + 1), Line: []profile.Line{{Function: f, Line: int64(pos.Line)}}}
	to.Location = append(to.Location, l)
	return l
}
