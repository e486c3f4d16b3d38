package timeline

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"gpupipe/simulate"
)

// Timeline is the life of all warps of a run.
type Timeline struct {
	Lifetimes []Lifetime // by group, then warp
	Steps     []Step     // by time, the first at the first warp's start
	End       float64    // of the run
	// Mean is the mean number of resident warps from the first start to the end,
	// Peak the largest.
	Mean float64
	Peak int
}

// Lifetime is one warp's, from when it could issue its first instruction until
// its last one was complete.
type Lifetime struct {
	Group      int64
	Warp       uint32
	Start, End float64
}

// Cycles is how long the warp lived.
func (l Lifetime) Cycles() float64 { return l.End - l.Start }

// Step is a number of resident warps from a time on.
type Step struct {
	Time  float64
	Warps int
}

// New reads a profile. A profile that was cut off has no complete lives and is an
// error.
func New(p *simulate.Profile) (*Timeline, error) {
	if p == nil || len(p.Issues) == 0 {
		return nil, errors.New("timeline: the run has no profile")
	}
	if p.Truncated {
		return nil, fmt.Errorf("timeline: the profile ends after %d issues, before the run does; run fewer groups",
			simulate.MaxProfile)
	}
	t := &Timeline{End: cycles(p, p.End)}
	t.Lifetimes = lifetimes(p)
	t.addSteps()
	return t, nil
}

func cycles(p *simulate.Profile, t simulate.Tick) float64 {
	return float64(t) / float64(p.TicksPerCycle)
}

// lifetimes collects each warp's first ready and last complete instruction.
func lifetimes(p *simulate.Profile) []Lifetime {
	type key struct {
		group int64
		warp  uint32
	}
	index := map[key]int{}
	var list []Lifetime
	for i := range p.Issues {
		is := &p.Issues[i]
		start, end := cycles(p, is.Ready), cycles(p, is.Complete)
		k := key{is.Group, is.Warp}
		at, ok := index[k]
		if !ok {
			index[k] = len(list)
			list = append(list, Lifetime{is.Group, is.Warp, start, end})
			continue
		}
		list[at].Start, list[at].End = min(list[at].Start, start), max(list[at].End, end)
	}
	slices.SortFunc(list, func(a, b Lifetime) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Warp, b.Warp))
	})
	return list
}

// addSteps counts the resident warps. Warps that end and warps that start at one
// time are one step.
func (t *Timeline) addSteps() {
	type change struct {
		at float64
		by int
	}
	var changes []change
	for _, l := range t.Lifetimes {
		changes = append(changes, change{l.Start, 1}, change{l.End, -1})
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	warps, area := 0, 0.0
	for i, c := range changes {
		if i > 0 {
			area += float64(warps) * (c.at - changes[i-1].at)
		}
		warps += c.by
		if i+1 < len(changes) && changes[i+1].at == c.at {
			continue
		}
		t.Peak = max(t.Peak, warps)
		t.Steps = append(t.Steps, Step{c.at, warps})
	}
	first := t.Steps[0].Time
	if t.End > first {
		t.Mean = area / (t.End - first)
	}
}

// Between is the mean number of resident warps from one time to another.
func (t *Timeline) Between(from, to float64) float64 {
	area := 0.0
	for i, s := range t.Steps {
		end := t.End
		if i+1 < len(t.Steps) {
			end = t.Steps[i+1].Time
		}
		if overlap := min(end, to) - max(s.Time, from); overlap > 0 {
			area += float64(s.Warps) * overlap
		}
	}
	return area / (to - from)
}
