package finding

import "fmt"

// fewGroups: a launch that is smaller than one wave.
func fewGroups(r *Run) ([]trial, error) {
	n, m, waves := r.waves()
	if waves != 1 {
		return nil, nil
	}
	return r.wholeWaves(Finding{
		What:   "the launch is too small to fill the GPU",
		Proof:  fmt.Sprintf("%d of %d groups that a compute unit can hold", n, m),
		Remedy: "launch more groups: smaller ones, or less work for each",
	}), nil
}

// tailWave: the last of several waves is not full.
func tailWave(r *Run) ([]trial, error) {
	n, m, waves := r.waves()
	if waves < 2 {
		return nil, nil
	}
	return r.wholeWaves(Finding{
		What:   "the last wave of groups leaves compute units partly empty",
		Proof:  fmt.Sprintf("%d groups per compute unit are %.2f waves of %d", n, float64(n)/float64(m), m),
		Remedy: "choose a group size or a number of groups that makes whole waves, or let each group do several tiles",
	}), nil
}

// waves are the groups of the unit, those that it can hold, and how many waves they take; no waves if all are full.
func (r *Run) waves() (n, m, waves int64) {
	n, m = r.Result.Groups, r.Result.Occupancy.Room()
	if m < 1 || n%m == 0 {
		return n, m, 0
	}
	return n, m, (n-1)/m + 1
}

// wholeWaves is the trial of as many groups as fill the last wave.
func (r *Run) wholeWaves(f Finding) []trial {
	_, m, waves := r.waves()
	t := r.trial(f)
	t.config.Groups, t.config.Concurrent = waves*m, m
	return []trial{t}
}
