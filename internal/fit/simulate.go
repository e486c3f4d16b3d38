package fit

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/synthetic"
	"gpupipe/latencies"
)

// Where some warps go first and there are sub-cores, warps are served in an order that no formula tells: what
// times follow from is found by simulating them.

// schedulers are those with which some warps go first.
var schedulers = []latencies.Scheduler{latencies.Oldest, latencies.GreedyThenOldest, latencies.GreedyThenYoungest}

// certain is the share of a subsystem's time up to which its instructions do not meet.
const certain = 0.9

// server simulates launches of chains that all wait for one subsystem. It may be used by several goroutines.
type server struct {
	machine Machine
	limit   float64 // instructions per cycle that are issued
	mu      sync.Mutex
	known   map[simulated]float64 // cycles per instruction of a warp
}

// simulated is a launch of which the time is known.
type simulated struct {
	service
	warps, chains int
}

// service is how they are served, where λ is 1 cycle.
type service struct {
	scheduler   latencies.Scheduler
	partitioned bool
	queue       int
	x, interval float64 // Λ and the shortest time between two issues of a warp
	slot        float64 // time between two issues of a sub-core
}

func newServer(m Machine, limit float64) *server {
	return &server{machine: m, limit: limit, known: map[simulated]float64{}}
}

// slot is the time between two issues of a sub-core, where the given λ is 1: what waits in front of a shared
// subsystem comes in turns from all sub-cores, because each issues at its pace.
func (s *server) slot(cpi float64) float64 {
	return whole(float64(s.machine.Partitions) / (s.limit * cpi))
}

// time is that of a launch, cycles per instruction of a warp.
func (s *server) time(at service, o *observation) (float64, error) {
	parts := s.machine.Partitions
	busy := float64(o.warps * o.chains)
	if at.partitioned {
		busy = float64((o.warps+parts-1)/parts*parts) * float64(o.chains)
	}
	h := Hull{Latency: at.x, Interval: at.interval}
	alone := h.alone(o.configuration)
	if busy <= certain*min(at.x, alone*float64(o.chains)) {
		return alone, nil
	}
	key := simulated{at, o.warps, o.chains}
	s.mu.Lock()
	time, ok := s.known[key]
	s.mu.Unlock()
	if ok {
		return time, nil
	}
	class, _ := measure.Lookup(first)
	b, err := s.bench(at, class.Op)
	if err != nil {
		return 0, err
	}
	x, err := b.Time(context.Background(), measure.Point{
		Class: class, Chains: o.chains, GroupSize: lanes, Groups: o.warps, WarpsPerUnit: o.warps,
		Instructions: 1 << 20,
	})
	if err != nil {
		return 0, err
	}
	time = x.Seconds * clock / float64(x.Instructions)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[key] = time
	return time, nil
}

// What does not matter of the simulated devices: clock, Hz, and work items of a warp.
const (
	clock = 1e9
	lanes = 32
)

// bench is a device that has one instruction and nothing else.
func (s *server) bench(at service, op string) (*synthetic.Bench, error) {
	cpi, latency := latencies.WholeCycles(1), exact(at.x)
	limit, err := latencies.NewCycles(int64(s.machine.Partitions)*precision, max(parts(at.slot), 1))
	if err != nil {
		return nil, err
	}
	d := &latencies.Device{
		Name: "trial", Title: "trial", ComputeUnits: 1, ClockHz: clock, WarpSize: lanes,
		Partitions: s.machine.Partitions, IssueLimit: limit, IssueInterval: exact(at.interval),
		Scheduler:    at.scheduler,
		Subsystems:   []latencies.Subsystem{{Name: "unit", Partitioned: at.partitioned, Queue: at.queue}},
		Instructions: []latencies.Instruction{{Match: op, Timing: latencies.Timing{CPI: cpi, Latency: latency}}},
		Memory: latencies.Memory{
			SegmentBytes: usualSegment, SegmentLanes: lanes, LocalBanks: usualBanks, LocalBankBytes: bankBytes,
			LocalLanes: lanes,
		},
	}
	rule, err := latencies.ParseRule(fmt.Sprintf("%s:cpi=%v,latency=%v", op, cpi, latency))
	if err != nil {
		return nil, err
	}
	return synthetic.New(d, synthetic.Disturbance{}, rule)
}

// precision is how many parts of a cycle the simulator is given.
const precision = 10_000

func parts(x float64) int64 { return int64(math.Round(x * precision)) }

// exact is a time as the simulator takes it.
func exact(x float64) latencies.Cycles {
	c, err := latencies.NewCycles(parts(x), precision)
	if err != nil {
		return latencies.Cycles{}
	}
	return c
}
