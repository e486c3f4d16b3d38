package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/goccy/go-yaml"

	"gpupipe/unroll"
)

// Spec says how to predict a table of measured times: a YAML file such as
//
//	title: Blur, 1024x1024
//	source: kernels/blur.cu          # below --sources
//	kernel: blur
//	measured: blur_a100.csv          # below --measured; a header, then one row per configuration
//	time: {column: median_ms, seconds: 0.001}
//	defines: [RADIUS=3]              # macros besides the row's parameters
//	local: [block_x, block_y]
//	groups: [ceil(1024 / (block_x * tile)), ceil(1024 / block_y)]
//
// Every column but that of the times is a parameter: a macro of its name and
// value. The elements of local and groups are expressions over the parameters
// (see parseExpr); missing dimensions are 1. docs/guide/evaluation.md explains every field
// by an example.
type Spec struct {
	Title    string   `yaml:"title"`
	Source   string   `yaml:"source"`
	Origin   string   `yaml:"origin"` // where the source is from, for the report
	Remark   string   `yaml:"remark"` // for the report
	Kernel   string   `yaml:"kernel"`
	Measured string   `yaml:"measured"`
	Time     TimeSpec `yaml:"time"`
	GPU      string   `yaml:"gpu"` // the device of the measured times, where --gpu does not name it
	// Language is "cuda" or "opencl"; without it the source's name tells: CUDA is what
	// ends in .cu or .hip, or has .cu in the end, such as .cu.hip.
	Language string `yaml:"language"`
	// Parameters are the columns of the table that are macros; without them all but the
	// column of the times are.
	Parameters []string `yaml:"parameters"`
	Defines    []string `yaml:"defines"`
	// FastMath says that the kernel was compiled with -use_fast_math or -cl-fast-relaxed-math.
	FastMath bool `yaml:"fast_math"`
	// IncludeDirs are folders below --sources in which included files lie, beside that of
	// the source.
	IncludeDirs []string `yaml:"include_dirs"`
	// Template are arguments of a CUDA kernel template, as NAME=VALUE.
	Template []string `yaml:"template"`
	Local    []string `yaml:"local"`
	Groups   []string `yaml:"groups"`
	// DynamicLocal is the bytes of local memory that the launch gives, an expression.
	DynamicLocal string `yaml:"dynamic_local"`
	// Replace changes the source's text, as for a problem that is a part of the one
	// measured; Scale is what its time is multiplied with (0 = 1).
	Replace []ReplaceSpec `yaml:"replace"`
	Scale   float64       `yaml:"scale"`
	// Args are the kernel's scalar arguments by name, as expressions over the parameters.
	Args map[string]string `yaml:"args"`
	// Warm says that what the launch touches is in a cache if it fits (latencies.Options).
	Warm bool `yaml:"warm"`
	// Contents are buffers of which the launch determines the values.
	Contents []ContentSpec `yaml:"contents"`
	Hints    HintSpec      `yaml:"hints"`
	// Counters is a table of what hardware counted of each kernel of a series, by name: see countersOf.
	Counters string `yaml:"counters"`
	// CountedWarm says that the counters are of launches behind others, not of one with empty caches.
	CountedWarm bool `yaml:"counted_warm"`
	// Ratios are pairs of kernels of a series of which the measured times are compared.
	Ratios []RatioSpec `yaml:"ratios"`
	// Every takes every so many-th row of the table (0 = 1), for kernels that take long.
	Every int `yaml:"every"`
	// Twins names a parameter that hardly changes the code: the report compares the
	// measured times of configurations that differ in it alone.
	Twins string `yaml:"twins"`
	// Apart are configurations at which the report looks apart from the others.
	Apart []ApartSpec `yaml:"apart"`
	// Analysis is Markdown for the end of the report's part.
	Analysis string `yaml:"analysis"`
	// Clock is the core clock that the predictions are for; its zero value is that of the device file.
	Clock ClockSpec `yaml:"clock"`
	// Clocks are further clocks of the device at which the report gives the MAPE of time.
	Clocks []ClockSpec `yaml:"clocks"`
	// Warps is "all" (the default) or "first": the warps of a group to resolve.
	Warps string `yaml:"warps"`
	// Edges says that groups at the edges of the launch are resolved apart from
	// those in the middle.
	Edges bool `yaml:"edges"`
	// Locality is "none", "group" or "launch" (the default, as idgen's): how far the
	// reuse of memory is analysed.
	Locality string `yaml:"locality"`
	// Precision, if above 0, is the relative error to which the throughput of long
	// launches is sampled; others are simulated as a whole. Without it they are
	// extrapolated after as many instructions as by pipesim.
	Precision float64 `yaml:"precision"`
	// Series are kernels with one measured time each, as the steps of a tutorial. They are
	// in the place of source, kernel, template, measured, time, local and groups.
	Series []StepSpec `yaml:"series"`
	// Targets are what the report compares the metrics with.
	Targets TargetSpec `yaml:"targets"`
}

// TimeSpec is the column of measured times and its unit.
type TimeSpec struct {
	Column  string  `yaml:"column"`
	Seconds float64 `yaml:"seconds"` // one unit of the column in seconds
}

// StepSpec is one kernel of a series; the fields that a Spec has too are its own.
type StepSpec struct {
	Name     string   `yaml:"name"`
	Source   string   `yaml:"source"`
	Kernel   string   `yaml:"kernel"`
	Template []string `yaml:"template"`
	Local    []string `yaml:"local"`
	Groups   []string `yaml:"groups"`
	// DynamicLocal is the step's own where it is given, else that of the Spec.
	DynamicLocal string `yaml:"dynamic_local"`
	// Args are the kernel's own scalar arguments, beside those of the Spec and before them;
	// Replace are changes of its text, behind those of the Spec.
	Args    map[string]string `yaml:"args"`
	Replace []ReplaceSpec     `yaml:"replace"`
	// Contents are the step's own buffers, beside those of the Spec.
	Contents []ContentSpec `yaml:"contents"`
	Cold     bool          `yaml:"cold"`     // not Warm, though the others are
	Hints    HintSpec      `yaml:"hints"`    // beside those of the Spec
	Miscount string        `yaml:"miscount"` // why counts are more than twice or less than half of the counters'
	Seconds  string        `yaml:"seconds"`  // the measured time, an expression without parameters
}

// HintSpec is what a user says of data that the source does not tell, as flags of idgen and pipesim.
type HintSpec struct {
	Trips    []string `yaml:"trips"`    // --trip, LOC=N
	Branches []string `yaml:"branches"` // --branch, LOC=SIDE
	Set      []string `yaml:"set"`      // --set, a rule
}

// RatioSpec is the time of a kernel divided by that of another one.
type RatioSpec struct {
	Of string `yaml:"of"`
	To string `yaml:"to"`
}

// ReplaceSpec is a change of the source's text: every Old becomes New.
type ReplaceSpec struct {
	Old string `yaml:"old"`
	New string `yaml:"new"`
}

// ContentSpec is what a buffer holds.
type ContentSpec struct {
	Buffer   string `yaml:"buffer"`
	Type     string `yaml:"type"` // float (the default), double or int
	Elements int    `yaml:"elements"`
	Value    string `yaml:"value"` // expression over i, the element's number, and last, the value before it (first 0)
}

// ClockSpec is a core clock that the device may have run at.
type ClockSpec struct {
	MHz    float64 `yaml:"mhz"`
	Source string  `yaml:"source"`
}

// ApartSpec is some of the configurations.
type ApartSpec struct {
	Name string `yaml:"name"` // what they have in common
	When string `yaml:"when"` // expression over the parameters, not 0 for those it means
}

// TargetSpec is what a study should reach; 0 = no target.
type TargetSpec struct {
	Spearman   float64 `yaml:"spearman"`     // at least
	MAPEOfTime float64 `yaml:"mape_of_time"` // percent, at most
	Top1       float64 `yaml:"top1"`         // percent of the optimum that the best of the top 1% reaches, at least
}

// readSpec reads and checks a specification.
func readSpec(file string) (*Spec, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var s Spec
	if err := yaml.UnmarshalWithOptions(data, &s, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &s, nil
}

func (s *Spec) check() error {
	if len(s.Series) > 0 {
		return s.checkSeries()
	}
	for _, f := range []struct{ name, value string }{
		{"title", s.Title}, {"source", s.Source}, {"kernel", s.Kernel}, {"measured", s.Measured},
		{"time: column", s.Time.Column},
	} {
		if f.value == "" {
			return fmt.Errorf("%s is not given", f.name)
		}
	}
	if s.Counters != "" || len(s.Ratios) > 0 {
		return errors.New("counters and ratios are of a series")
	}
	if !(s.Time.Seconds > 0) {
		return errors.New("time: seconds must say how many seconds one unit of the column is, as in 0.001")
	}
	return s.checkRest()
}

// checkRest checks what tables and series have in common.
func (s *Spec) checkRest() error {
	switch {
	case len(s.Local) == 0 || len(s.Local) > 3 || len(s.Groups) == 0 || len(s.Groups) > 3:
		return errors.New("local and groups take one to three expressions")
	case s.Language != "" && s.Language != "cuda" && s.Language != "opencl":
		return fmt.Errorf("language is %q; it is cuda or opencl", s.Language)
	case s.Every < 0:
		return errors.New("every must be at least 1")
	case !(s.Precision >= 0 && s.Precision < 1):
		return errors.New("precision must be a fraction below 1")
	case s.Scale < 0:
		return errors.New("scale must be more than 0")
	case s.Warps != "" && s.Warps != "all" && s.Warps != "first":
		return fmt.Errorf("warps is %q; it is all or first", s.Warps)
	}
	if s.Locality != "" {
		if _, err := unroll.ParseLocality(s.Locality); err != nil {
			return err
		}
	}
	return nil
}
