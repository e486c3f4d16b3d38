package finding

import (
	"fmt"
	"math"

	"gpupipe/idg"
	"gpupipe/simulate"
	"gpupipe/simulate/cause"
)

// fewGroups: a launch that is smaller than one wave.
func fewGroups(r *Run) ([]trial, error) {
	n, m, waves := r.waves()
	if waves != 1 {
		return nil, nil
	}
	return r.wholeWaves(Finding{
		What:   "the launch is too small to fill the GPU",
		Proof:  fmt.Sprintf("%.3g groups for each compute unit, which holds %d", n, m),
		Remedy: "launch more groups: smaller ones, or less work for each",
	}), nil
}

// tailWave: the last of several waves is not full, on the compute units or as it has no group for some of them.
func tailWave(r *Run) ([]trial, error) {
	n, m, waves := r.waves()
	if waves < 2 {
		return nil, nil
	}
	return r.wholeWaves(Finding{
		What:   "the last wave of groups leaves compute units partly or wholly empty",
		Proof:  fmt.Sprintf("%.2f waves of %d groups on each compute unit", n/float64(m), m),
		Remedy: "choose a group size or a number of groups that makes whole waves, or let each group do several tiles",
	}), nil
}

// waves are the groups of a compute unit on average, those that it can hold, and how many waves they take; no waves if
// all are full, or nothing limits them.
func (r *Run) waves() (n float64, m, waves int64) {
	n, m = float64(r.Result.Groups), r.Result.Occupancy.Room()
	if r.Config.Groups == 0 {
		n = float64(r.Graph.Launch.TotalGroups()) / float64(max(r.Mapping.Device.ComputeUnits, 1))
	}
	if m < 1 || m == math.MaxInt64 || n/float64(m) == math.Trunc(n/float64(m)) {
		return n, m, 0
	}
	return n, m, int64(n/float64(m)) + 1
}

// wholeWaves is the trial of as many groups as fill the last wave, for the time of as many as there are. There is none
// where the busiest resource, which whole waves keep busy for as long, leaves less than Least of the time, or where
// device memory is the limit of several waves, which serves all compute units and has the same work then.
func (r *Run) wholeWaves(f Finding) []trial {
	n, m, waves := r.waves()
	if b := &r.Result.Bound; waves > 1 && b.Kind == simulate.BoundThroughput && b.Subsystem == "global" {
		return nil
	}
	full := n / float64(m*waves) // of all places in these waves
	if work := r.Causes.Busiest.Utilization * n / float64(r.Result.Groups); 1-max(work, full) < Least {
		return nil
	}
	if waves > 1 && r.share(idg.Pos{}, cause.Tail) < Least { // places are hardly ever empty
		return nil
	}
	f.floor = max(full*(r.Result.Seconds-r.Result.LaunchSeconds), r.trafficSeconds())
	t := r.trial(f)
	t.config.Groups, t.config.Concurrent, t.groups = waves*m, m, n
	return []trial{t}
}
