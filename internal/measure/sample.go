package measure

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// Sample is what one repetition of one launch measured.
type Sample struct {
	Class        string  // name of the class
	Chains       int     // independent chains in each work item
	GroupSize    int     // work items in a group
	Groups       int     // groups per compute unit in all; more than are resident together for Replacement
	WarpsPerUnit int     // resident warps of a compute unit: the occupancy; of Placement, those that are active
	Instructions int64   // of the class, that each warp executes, all chains together; 0 for Launch
	Repetition   int     // from 0
	Seconds      float64 // of the launch, by the device's timer; 0 if there is none
	Cycles       float64 // of the launch, by the device's counter; 0 if there is none
	ClockBefore  float64 // MHz of the compute units before the launch; 0 if the device does not tell
	ClockAfter   float64 // MHz after it; 0 if the device does not tell
	Marked       string  // why the sample is not to be used; "" if it is
}

// Skipped reports whether the device could not execute the class: Marked says why.
func (s Sample) Skipped() bool { return s.Seconds == 0 && s.Cycles == 0 }

// clockMoved begins the mark of a sample that another launch may not have.
const clockMoved = "the clock moved"

func (s Sample) moved() bool { return strings.HasPrefix(s.Marked, clockMoved) }

// Verify checks what can be checked of one sample alone.
func (s Sample) Verify() error {
	if _, ok := Lookup(s.Class); !ok {
		return fmt.Errorf("there is no class %q", s.Class)
	}
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"chains", int64(s.Chains)}, {"group_size", int64(s.GroupSize)}, {"groups", int64(s.Groups)},
		{"warps_per_unit", int64(s.WarpsPerUnit)},
		{"instructions", s.Instructions}, {"repetition", int64(s.Repetition)},
	} {
		if n.value < 0 {
			return fmt.Errorf("%s of %d is negative", n.name, n.value)
		}
	}
	for _, x := range []float64{s.Seconds, s.Cycles, s.ClockBefore, s.ClockAfter} {
		if !(x >= 0) || math.IsInf(x, 0) {
			return fmt.Errorf("%v is not a valid time or clock", x)
		}
	}
	if s.Skipped() {
		if s.Marked == "" {
			return errors.New("neither a time nor a reason for its absence is given")
		}
		return nil
	}
	if s.Chains < 1 || s.GroupSize < 1 || s.Groups < 1 || s.WarpsPerUnit < 1 {
		return errors.New("a measured launch has at least one chain, work item, group and warp")
	}
	return nil
}
