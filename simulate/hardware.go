package simulate

import (
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// maxPartitions bounds the sub-cores of a compute unit; GPUs have up to 4.
const maxPartitions = 64

// hardware is what a run needs to know of a compute unit, apart from the
// parameters of instructions.
type hardware struct {
	partitions  int    // n ≥ 1 sub-cores
	partitioned []bool // by subsystem of the device: every sub-core has its own share
	queues      []int  // by subsystem of the device: places of a sub-core's queue in front of it

	valve       latencies.Cycles // between two issues of one sub-core: n / issue limit; 0 = no limit
	interval    latencies.Cycles // between two issues of one warp; 0 = none
	replacement latencies.Cycles // from the end of a group to the start of the next; 0 = at once
	pace        latencies.Cycles // between the starts of two groups; 0 = at once
	ports       readPorts        // of a sub-core's registers

	valveTicks, intervalTicks, replacementTicks, paceTicks Tick
}

// newHardware reads a device as configured.
func newHardware(d *latencies.Device, cfg Config) (*hardware, error) {
	hw := &hardware{
		partitions: max(d.Partitions, 1), interval: d.IssueInterval, replacement: d.GroupReplacement,
		partitioned: make([]bool, len(d.Subsystems)), queues: make([]int, len(d.Subsystems)),
	}
	if hw.partitions > maxPartitions {
		return nil, diag.Errorf(diag.Pos{}, "CONFIG", "%d partitions of a compute unit; at most %d are possible",
			hw.partitions, maxPartitions)
	}
	for s := range d.Subsystems {
		hw.partitioned[s] = d.Subsystems[s].Partitioned && hw.partitions > 1
		hw.queues[s] = d.Subsystems[s].Queue
	}
	// The GPU starts groups one after the other, and all compute units do the same.
	var err error
	if hw.pace, err = d.GroupStart.Mul(latencies.WholeCycles(uint32(max(d.ComputeUnits, 1)))); err != nil {
		return nil, diag.Errorf(diag.Pos{}, "CONFIG",
			"groups that start every %v cycles on %d compute units cannot be counted: %v", d.GroupStart,
			d.ComputeUnits, err)
	}
	limit := cfg.IssueLimit
	if limit.IsZero() {
		limit = d.IssueLimit
	}
	if !limit.IsZero() {
		if hw.valve, err = latencies.WholeCycles(uint32(hw.partitions)).Div(limit); err != nil {
			return nil, diag.Errorf(diag.Pos{}, "CONFIG", "the issue limit %v cannot be used: %v", limit, err)
		}
	}
	return hw, nil
}

// isPartitioned reports whether every sub-core has its own share of a subsystem.
func (hw *hardware) isPartitioned(s latencies.SubsystemID) bool {
	return int(s) < len(hw.partitioned) && hw.partitioned[s]
}

// isShared reports whether several sub-cores use one subsystem.
func (hw *hardware) isShared(s latencies.SubsystemID) bool {
	return hw.partitions > 1 && !hw.isPartitioned(s)
}

// startAt is when a group starts that may at a given time, where next is when the pace
// allows it, and when the pace allows the one after it: a compute unit starts one group in
// the time in which the GPU starts one for each unit. The first groups of a launch keep
// this distance. Later units are out of step, so that what the GPU did not start for one
// in time, up to the groups of its m slots, it starts at once.
func (hw *hardware) startAt(earliest, next Tick, m int) (at, after Tick) {
	at = max(earliest, next)
	return at, max(next, at-Tick(m-1)*hw.paceTicks) + hw.paceTicks
}

// queueOf is the number of places of a sub-core's queue in front of a subsystem,
// 0 if there is none.
func (hw *hardware) queueOf(s latencies.SubsystemID) int {
	if int(s) >= len(hw.queues) {
		return 0
	}
	return hw.queues[s]
}

// ahead is how many instructions can be in queues in front of a subsystem, or of a
// sub-core's share of it.
func (hw *hardware) ahead(s latencies.SubsystemID) Tick {
	n := Tick(hw.queueOf(s))
	if !hw.isPartitioned(s) {
		n *= Tick(hw.partitions)
	}
	return n
}

func (hw *hardware) spans() []latencies.Cycles {
	return []latencies.Cycles{hw.valve, hw.interval, hw.replacement, hw.pace, hw.ports.reading, hw.ports.ahead}
}

func (hw *hardware) setTimes(b timebase) error {
	for _, s := range []struct {
		to   *Tick
		from latencies.Cycles
	}{{&hw.valveTicks, hw.valve}, {&hw.intervalTicks, hw.interval}, {&hw.replacementTicks, hw.replacement},
		{&hw.paceTicks, hw.pace}, {&hw.ports.readingTicks, hw.ports.reading}, {&hw.ports.aheadTicks, hw.ports.ahead}} {
		t, err := b.ticks(s.from)
		if err != nil {
			return err
		}
		*s.to = t
	}
	return nil
}
