package analytic

import (
	"fmt"
	"math"
)

// Model is an analytical performance model. Estimate may divide by zero or go
// beyond the model's validity: Evaluate calls it and keeps such results back.
type Model interface {
	About() About
	Estimate(in *Input, warps float64) Estimate
}

// About says what a model is.
type About struct {
	Name    string // short, as in --models and in tables
	Title   string // with the form: "MWP-CWP, corrected"
	Source  string // paper, and where the sources treat it
	Formula string // what Estimate computes, in the numbers of the sources
	Assumes string // what it leaves out or takes for granted: one clause
	Static  bool   // does not know occupancy, so that it asks for no number of warps
}

// Estimate is what a model says of an occupancy.
type Estimate struct {
	WarpsPerCycle float64 // > 0 and finite, or 0 with Invalid
	Bound         string  // what limits, in the model's terms
	Invalid       string  // why there is no number; empty if there is one
	Note          string  // what the reader of the number should know, or empty
}

// Models returns all models in the order in which the sources treat them.
func Models() []Model {
	return []Model{
		roofline{}, boatHull{}, mixRoofline{}, // bounds that do not know occupancy
		cudaGuide{},
		volkov{}, contention{}, // the occupancy roofline
		transit{}, xModel{}, // supply and demand
		mwpcwp{}, mwpcwp{issued: true}, mwpcwp{corrected: true}, // cases by parallelism
		wfg{}, wfg{corrected: true}, // exposed latency
		gpuPerf{},
		zhangOwens{}, zhangOwens{additive: true}, // isolated components
		gpuMech{}, gpuMech{corrected: true}, gpuMech{greedy: true}, // intervals
		gpuMech{full: true}, gpuMech{greedy: true, full: true}, mdm{},
	}
}

// Evaluate is a model's estimate for so many resident warps. The result is a
// positive finite rate, or says why not.
func Evaluate(m Model, in *Input, warps float64) Estimate {
	if err := in.Verify(); err != nil {
		return invalid("%v", err)
	}
	if !positive(warps) {
		return invalid("%v resident warps compute nothing", warps)
	}
	e := m.Estimate(in, warps)
	if e.Invalid != "" {
		return Estimate{Invalid: e.Invalid}
	}
	if !positive(e.WarpsPerCycle) {
		reason := "the model's formula gives no positive number"
		if e.Note != "" {
			reason += ": " + e.Note
		}
		return invalid("%s", reason)
	}
	if roof, bound := in.Throughput(); len(in.Subsystems) > 0 && e.WarpsPerCycle > roof*(1+beyond) {
		over := fmt.Sprintf("%.3g times what %s allows", e.WarpsPerCycle/roof, boundText(bound))
		if e.Note != "" {
			over = e.Note + "; " + over
		}
		e.Note = over
	}
	return e
}

// beyond is how far an estimate may be above the roof before that is noted:
// rounding.
const beyond = 1e-9

func invalid(format string, args ...any) Estimate {
	return Estimate{Invalid: fmt.Sprintf(format, args...)}
}

// slowest is the estimate of a warp that takes the longest of some times, each
// under its name; the first of equals is named.
func slowest(times ...namedTime) Estimate {
	top := namedTime{cycles: math.Inf(-1)}
	for _, t := range times {
		if t.cycles > top.cycles {
			top = t
		}
	}
	return Estimate{WarpsPerCycle: 1 / top.cycles, Bound: top.name}
}

// namedTime is cycles per warp with what takes them.
type namedTime struct {
	name   string
	cycles float64
}

// Names of what limits, where models agree on them.
const (
	boundLatency = "latency"
	boundCompute = "computation"
	boundMemory  = "memory"
)
