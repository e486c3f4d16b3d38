package sweep

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// MaxConfigurations bounds a sweep: more than a night's work for one machine.
const MaxConfigurations = 1_000_000

// Graph is a kernel of a sweep.
type Graph struct {
	Name  string // in the rows
	Graph *idg.Graph
	// Digest tells the graph from others in Row keys: a checksum of its text.
	Digest string
	// Device is what the graph is simulated on where Space.Devices is empty.
	Device *latencies.Device
}

// Occupancies says which numbers of resident groups are simulated.
type Occupancies uint8

const (
	// ListedOccupancies are those of Space.Concurrent.
	ListedOccupancies Occupancies = iota
	// ReachableOccupancies are as many groups as the resources allow, and the smaller numbers that
	// a launch reaches by allocating local memory that it does not use, as the sources vary the
	// occupancy (P19 IV.A, A 6.3). Space.Concurrent is then empty.
	ReachableOccupancies
	// EveryOccupancy is each number from 1 to what the resources allow. Space.Concurrent is then
	// empty.
	EveryOccupancy
)

// Space is what a sweep varies: the cross product of all lists. An empty list
// leaves a parameter as Base has it and gives no column.
type Space struct {
	Graphs      []Graph
	Devices     []*latencies.Device // empty = each graph's own
	Rules       []latencies.Rule    // for all configurations
	Vary        []Vary              // after Rules, where both pick an instruction
	Registers   []int64
	Schedulers  []simulate.Scheduler
	Issues      []simulate.IssueMode
	IssueLimits []latencies.Cycles
	Groups      []int64 // run by the compute unit
	Concurrent  []int64 // resident at once; 0 = what the resources allow
	Occupancies Occupancies
	Warm        bool            // latencies.Options
	Base        simulate.Config // what is not varied
}

// Validate reports what makes a space useless: nothing to simulate, the same
// value twice, more than MaxConfigurations.
func (s *Space) Validate() error {
	if len(s.Graphs) == 0 || len(s.Devices) == 0 && slices.ContainsFunc(s.Graphs, func(g Graph) bool {
		return g.Device == nil
	}) {
		return spaceError("there is nothing to simulate: %d graphs, %d devices", len(s.Graphs), len(s.Devices))
	}
	if s.Occupancies != ListedOccupancies && len(s.Concurrent) > 0 {
		return spaceError("%d occupancies are listed beside those that follow from the resources", len(s.Concurrent))
	}
	if err := s.Base.Validate(); err != nil {
		return err
	}
	for _, v := range s.Vary {
		if len(v.Rules) == 0 || len(v.Rules) != len(v.Values) {
			return spaceError("%s takes %d values by %d rules", v.Name, len(v.Values), len(v.Rules))
		}
	}
	axes := s.axes()
	names := map[string]bool{}
	for _, a := range axes {
		if names[a.name] {
			return spaceError("%s is varied twice", a.name)
		}
		names[a.name] = true
		seen := map[string]bool{}
		for i := range a.count {
			if text := a.text(i); seen[text] {
				return spaceError("%s %s is listed twice", a.name, text)
			} else {
				seen[text] = true
			}
		}
	}
	total := 1
	for _, a := range axes {
		if total *= a.count; total > MaxConfigurations {
			return tooMany()
		}
	}
	return nil
}

// device is that of a graph and an index of the second axis.
func (s *Space) device(graph, device int) *latencies.Device {
	if len(s.Devices) == 0 {
		return s.Graphs[graph].Device
	}
	return s.Devices[device]
}

func tooMany() error {
	return spaceError("more than %d configurations", MaxConfigurations).
		WithNote("vary fewer parameters, or in larger steps (100..800:100)")
}

func spaceError(format string, args ...any) *diag.Error {
	return diag.Errorf(diag.Pos{}, "SWEEP", format, args...)
}
