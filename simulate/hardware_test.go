package simulate

import (
	"testing"

	"gpupipe/latencies"
)

// TestStartAt: groups keep the distance that the GPU needs to start one for each unit; what it did not start in time, up
// to the groups of the unit's slots, it starts at once.
func TestStartAt(t *testing.T) {
	hw := &hardware{paceTicks: 10}
	for _, c := range []struct {
		earliest, next Tick
		slots          int
		at, after      Tick
	}{
		{0, 0, 4, 0, 10},       // the first one
		{0, 10, 4, 10, 20},     // one more of those that start with the launch
		{25, 20, 4, 25, 30},    // late by less than the distance: the next one keeps its time
		{100, 20, 1, 100, 110}, // a single slot: nothing is made up for
		{100, 20, 3, 100, 90},  // two more may start at once
		{100, 20, 20, 100, 30}, // never more than were late
	} {
		if at, after := hw.startAt(c.earliest, c.next, c.slots); at != c.at || after != c.after {
			t.Errorf("%+v: starts at %d, the next one at %d", c, at, after)
		}
	}
}

// TestPartitioned: a subsystem of which nothing is said is one for all sub-cores.
func TestPartitioned(t *testing.T) {
	for _, c := range []struct {
		hw          hardware
		subsystem   latencies.SubsystemID
		own, shared bool
		ahead       Tick
	}{
		{hardware{partitions: 4, partitioned: []bool{false, true}, queues: []int{3, 3}}, 0, false, true, 12},
		{hardware{partitions: 4, partitioned: []bool{false, true}, queues: []int{3, 3}}, 1, true, false, 3},
		{hardware{partitions: 4, partitioned: []bool{false, true}, queues: []int{3, 3}}, 2, false, true, 0},
		{hardware{partitions: 1, queues: []int{3}}, 0, false, false, 3},
	} {
		own, shared, ahead := c.hw.isPartitioned(c.subsystem), c.hw.isShared(c.subsystem), c.hw.ahead(c.subsystem)
		if own != c.own || shared != c.shared || ahead != c.ahead {
			t.Errorf("%+v: each its own %v, shared %v, %d ahead", c, own, shared, ahead)
		}
	}
}
