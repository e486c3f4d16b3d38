package fit

import (
	"math"
	"slices"
	"strings"

	"gpupipe/internal/measure"
)

// Result is what the samples of one device tell.
type Result struct {
	Device  measure.Properties
	Machine Machine
	// Classes are those that were measured, of the kinds Chain, Throughput and Barrier, in the order of
	// measure.Classes.
	Classes []Class
	Mix     *Mix // nil: the mix was not measured, or one of its instructions was refused
	// IssueLimit is the highest rate of all, instructions per cycle; Bound: at least so much.
	IssueLimit Number
	Geometry   Geometry
	// Read, Written and Copied are the bytes per cycle that device memory moves, of a copy both ways; the zero value is
	// not known.
	Read, Written, Copied Number
	Launch                Number  // nanoseconds of a launch that does nothing
	GroupStart            float64 // cycles between the starts of two groups anywhere on the device
	// Replacement is the cycles from the end of a group to the start of the next; Bound: too few to be told.
	Replacement Number
}

// Fit finds the parameters of a device from its samples.
func Fit(device measure.Properties, samples []measure.Sample) *Result {
	list, launch, replacement := readings(device, samples)
	r := &Result{Device: device, Replacement: replacement}
	merge(list)
	for _, d := range list {
		d.packed()
	}
	r.Machine = findMachine(list)
	measured := slices.DeleteFunc(slices.Clone(list), func(d *data) bool {
		return len(d.all) == 0 && d.reason == "" && d.counts == (Counts{}) ||
			d.class.Kind != measure.Chain && d.class.Kind != measure.Throughput && d.class.Kind != measure.Barrier
	})
	r.Classes = make([]Class, len(measured))
	each(len(measured), func(i int) {
		of := fitClass
		if measured[i].class.Kind == measure.Barrier {
			of = fitBarrier
		}
		r.Classes[i] = of(&r.Machine, measured[i])
	})
	r.refine()
	for i := range r.Classes {
		r.Classes[i].widen()
		r.Classes[i].readLevel(device.Former)
		r.Classes[i].judge()
	}
	r.Mix = fitMix(r, list)
	r.findIssueLimit(list)
	r.separate()
	for i := range r.Classes {
		r.Classes[i].clocked(&r.Machine)
	}
	r.findBandwidth(list)
	r.byBandwidth()
	r.Geometry = findGeometry(r)
	r.Launch = Number{Value: launch.seconds * 1e9, Error: launch.error}
	r.GroupStart = launch.perGroup * device.ClockMHz * 1e6 / float64(max(device.ComputeUnits, 1))
	return r
}

// class is the result of that name, nil if it was not measured or was refused.
func (r *Result) class(name string) *Class {
	i := slices.IndexFunc(r.Classes, func(c Class) bool { return c.Name == name && c.Refused == "" })
	if i < 0 {
		return nil
	}
	return &r.Classes[i]
}

// merge adds what other kinds measured of a class's instruction to its samples: launches of few warps
// with many chains, and of some warps of a group.
func merge(list []*data) {
	for _, d := range list {
		if d.class.Kind != measure.Issue && d.class.Kind != measure.Placement {
			continue
		}
		for _, to := range list {
			if to.class.Name == d.class.Op {
				to.all = append(to.all, d.all...)
			}
		}
	}
}

// fastest is the highest rate of one class: at least so much can be issued.
func (r *Result) fastest() Number {
	best := Number{Bound: true, Why: "no mix of instructions shows a limit"}
	for i := range r.Classes {
		c := &r.Classes[i]
		if c.Refused == "" && c.Kind == measure.Chain && 1/c.CPI.Value > best.Value && c.With == "" {
			best.Value, best.Error = 1/c.CPI.Value, c.CPI.Error
		}
	}
	return best
}

// findIssueLimit takes the highest rate that was reached. Where a mix is limited by issue, that is
// the limit; else it is at least so much.
func (r *Result) findIssueLimit(list []*data) {
	best := r.fastest()
	if r.Mix != nil && r.Mix.Structure == Limited && r.Mix.Limit > best.Value*(1-best.Error) {
		best = Number{Value: max(r.Mix.Limit, best.Value), Error: r.Mix.Error}
	}
	if n := r.together(list); n.Value*(1+n.Error) > best.Value*(1-best.Error) && (best.Bound || !n.Bound) {
		best = n
	}
	r.IssueLimit = best
	for i := range r.Classes {
		c := &r.Classes[i]
		if c.Refused != "" || c.CPI.Bound || best.Value == 0 {
			continue
		}
		executed := float64(1 + len(strings.Fields(c.With)))
		if math.Abs(c.CPI.Value*best.Value/executed-1) <= c.CPI.Error+best.Error {
			if c.CPI.Error > best.Error {
				c.CPI.Value, c.CPI.Error = executed/best.Value, best.Error
			}
			c.CPI.Bound, c.CPI.Why = true, "as many are issued as can be: λ of the units may be smaller"
		}
	}
}
