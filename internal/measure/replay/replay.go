// Package replay answers microbenchmarks with what they took on a device before: the samples of its run are a
// device on which the same classes can be measured and fitted again, wherever there is no GPU.
//
// It consumes samples (package measure) and gives a measure.Bench. Nothing is computed: a launch that is not among
// the samples is refused.
package replay

import (
	"context"
	"fmt"

	"gpupipe/internal/measure"
)

// Bench is a recorded device.
type Bench struct {
	device  measure.Properties
	samples map[launch][]measure.Sample
	classes map[string]bool
	skipped map[string]string // class -> why the device could not execute it
}

var _ measure.Bench = (*Bench)(nil)

// launch is a point that can be a key.
type launch struct {
	class                       string
	chains, size, groups, warps int
}

// New returns the device whose samples these are.
func New(device measure.Properties, samples []measure.Sample) *Bench {
	b := &Bench{device: device, samples: map[launch][]measure.Sample{}, classes: map[string]bool{},
		skipped: map[string]string{}}
	for _, s := range samples {
		if s.Skipped() {
			b.skipped[s.Class] = s.Marked
			continue
		}
		b.classes[s.Class] = true
		at := launch{s.Class, s.Chains, s.GroupSize, s.Groups, s.WarpsPerUnit}
		b.samples[at] = append(b.samples[at], s)
	}
	return b
}

// Properties are those that the device told.
func (b *Bench) Properties() measure.Properties { return b.device }

// Skip says why the recorded device could not execute the class, or that nobody asked it to.
func (b *Bench) Skip(c measure.Class) string {
	switch {
	case b.classes[c.Name]:
		return ""
	case b.skipped[c.Name] != "":
		return b.skipped[c.Name]
	}
	return "the samples have no such class"
}

// Time is a repetition as it was recorded, the first again behind the last. While the number of instructions is
// being chosen, a launch takes in proportion to them.
func (b *Bench) Time(_ context.Context, p measure.Point) (measure.Reading, error) {
	list := b.samples[launch{p.Class.Name, p.Chains, p.GroupSize, p.Groups, p.WarpsPerUnit}]
	if len(list) == 0 {
		return measure.Reading{}, fmt.Errorf("the samples have no launch of %d groups of %d work items with %d chains",
			p.Groups, p.GroupSize, p.Chains)
	}
	s := list[max(p.Repetition, 0)%len(list)]
	r := measure.Reading{Instructions: s.Instructions, Seconds: s.Seconds, Cycles: s.Cycles,
		ClockBefore: s.ClockBefore, ClockAfter: s.ClockAfter}
	if p.Repetition < 0 && s.Instructions > 0 {
		share := float64(p.Instructions) / float64(s.Instructions)
		r.Instructions, r.Seconds, r.Cycles = p.Instructions, s.Seconds*share, s.Cycles*share
	}
	return r, nil
}
