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

	valve       latencies.Cycles // between two issues of one sub-core: n / issue limit; 0 = no limit
	interval    latencies.Cycles // between two issues of one warp; 0 = none
	replacement latencies.Cycles // from the end of a group to the start of the next; 0 = at once

	valveTicks, intervalTicks, replacementTicks Tick
}

// newHardware reads a device as configured.
func newHardware(d *latencies.Device, cfg Config) (*hardware, error) {
	hw := &hardware{
		partitions: max(d.Partitions, 1), interval: d.IssueInterval, replacement: d.GroupReplacement,
		partitioned: make([]bool, len(d.Subsystems)),
	}
	if hw.partitions > maxPartitions {
		return nil, diag.Errorf(diag.Pos{}, "CONFIG", "%d partitions of a compute unit; at most %d are possible", hw.partitions, maxPartitions)
	}
	for s := range d.Subsystems {
		hw.partitioned[s] = d.Subsystems[s].Partitioned && hw.partitions > 1
	}
	limit := cfg.IssueLimit
	if limit.IsZero() {
		limit = d.IssueLimit
	}
	if !limit.IsZero() {
		var err error
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

func (hw *hardware) spans() []latencies.Cycles {
	return []latencies.Cycles{hw.valve, hw.interval, hw.replacement}
}

func (hw *hardware) setTimes(b timebase) error {
	for _, s := range []struct {
		to   *Tick
		from latencies.Cycles
	}{{&hw.valveTicks, hw.valve}, {&hw.intervalTicks, hw.interval}, {&hw.replacementTicks, hw.replacement}} {
		t, err := b.ticks(s.from)
		if err != nil {
			return err
		}
		*s.to = t
	}
	return nil
}
