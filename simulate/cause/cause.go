// Package cause divides the time of a run among its causes: each cycle has one, and each
// cause is on a source line where an instruction is responsible.
//
// It consumes a simulate.Result and produces a Breakdown, whose causes add up to the time of
// the launch exactly: in all, for each source line and for each subsystem.
//
// # The rule
//
// The resource that is busiest (a subsystem, the issue slots, the read ports of the registers,
// the start of groups) accounts for the cycles in which it is busy, divided among the
// instructions by the time that each keeps it busy. What of that an instruction needs only because of bank
// conflicts, further sectors, equal addresses of atomics or idle lanes is a cause of its own.
// In the other cycles the resource waits for the warps. They are divided among what the places for warps on the
// unit spend their time with then: waiting for an instruction's result, at barriers, for other resources,
// or empty. Time for which warps queue for the busiest resource is left out: then it is busy.
// The first part is what remains with any number of warps, the second what more parallelism
// would hide (V16 4.3: throughput and latency bound).
//
// # Invariants
//
// Causes are positive and their sum is Breakdown.Total (Breakdown.Verify). Same result, same
// causes in the same order.
package cause

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// Kind is what time passes with.
type Kind uint8

// The kinds of causes. The zero value is invalid.
const (
	Work          Kind = iota + 1 // the busiest subsystem executes what the program asks for
	BankConflicts                 // passes over the banks that conflict-free accesses would not need
	ExtraSectors                  // transactions that coalesced accesses would not need
	SameAddress                   // atomics of several lanes on one address
	IdleLanes                     // lanes that execute nothing, in divergent branches and partial warps
	Issue                         // the issue limit
	Reads                         // the read ports of the registers
	Starts                        // the GPU starts groups one after the other
	Data                          // warps wait for the result of an instruction
	Barrier                       // warps wait for each other
	Queue                         // warps are ready, and their pipeline or the issue slots are taken
	Few                           // the launch has fewer groups than could be resident
	Tail                          // places for groups are empty at the start and the end, and between groups
	Launch                        // what the launch takes beside its groups
)

var codes = [...]string{
	Work: "work", BankConflicts: "bank-conflicts", ExtraSectors: "extra-sectors", SameAddress: "same-address",
	IdleLanes: "idle-lanes", Issue: "issue", Reads: "register-reads", Starts: "group-starts", Data: "data",
	Barrier: "barrier", Queue: "queue", Few: "few-groups", Tail: "tail", Launch: "launch",
}

// String is the stable code of a kind.
func (k Kind) String() string {
	if k > 0 && int(k) < len(codes) {
		return codes[k]
	}
	return "invalid cause"
}

// Kinds lists all kinds in their order.
func Kinds() []Kind {
	var all []Kind
	for k := Work; k <= Launch; k++ {
		all = append(all, k)
	}
	return all
}

// Cause is a part of the time.
type Cause struct {
	Kind      Kind
	Subsystem string  // that is busy, or whose instruction is waited or queued for; empty for other kinds
	Pos       idg.Pos // source line, Column 0; not valid where no instruction is responsible
	Cycles    latencies.Cycles
}

// Breakdown is the time of a launch by causes.
type Breakdown struct {
	Total   latencies.Cycles // of the launch: Result.Cycles and its overhead
	Causes  []Cause          // largest first, then by kind, subsystem and position; one for each of these
	Busiest Resource

	builder *builder
}

// Load is the share of the busiest resource's time that an instruction class of the run takes.
func (b *Breakdown) Load(c *simulate.ClassUse) float64 {
	return b.builder.load(c) / max(b.builder.loads, math.SmallestNonzeroFloat64)
}

// Resource is what instructions compete for.
type Resource struct {
	Kind        Kind   // Work for a subsystem, Issue, Reads or Starts
	Subsystem   string // of Work
	Utilization float64
}

// Of divides the time of a run on a device among its causes.
func Of(r *simulate.Result, d *latencies.Device) (*Breakdown, error) {
	b := &builder{run: r, device: d, cycles: r.Cycles.Float()}
	b.out.Busiest, b.out.builder = b.busiest(), b
	for i := range r.Classes {
		b.loads += b.load(&r.Classes[i])
	}
	b.addBusy()
	b.addWaiting()
	if err := b.round(); err != nil {
		return nil, err
	}
	return &b.out, b.out.Verify()
}

// Verify checks that the causes add up.
func (b *Breakdown) Verify() error {
	sum := new(big.Rat)
	for _, c := range b.Causes {
		if c.Cycles.IsZero() {
			return fmt.Errorf("cause: %v on %v takes no time", c.Kind, c.Pos)
		}
		sum.Add(sum, rat(c.Cycles))
	}
	if sum.Cmp(rat(b.Total)) != 0 {
		return fmt.Errorf("cause: the causes add up to %v of %v cycles", sum, b.Total)
	}
	return nil
}

func rat(c latencies.Cycles) *big.Rat { return big.NewRat(c.Num(), c.Den()) }

// By adds up the causes that have the same key, largest sums first and equal ones in the order of Causes.
func By[K comparable](b *Breakdown, key func(*Cause) K) (keys []K, sums map[K]float64) {
	sums = map[K]float64{}
	for i := range b.Causes {
		k := key(&b.Causes[i])
		if _, ok := sums[k]; !ok {
			keys = append(keys, k)
		}
		sums[k] += b.Causes[i].Cycles.Float()
	}
	slices.SortStableFunc(keys, func(x, y K) int { return cmp.Compare(sums[y], sums[x]) })
	return keys, sums
}

// builder collects causes with approximate times, which round makes exact.
type builder struct {
	run    *simulate.Result
	device *latencies.Device
	cycles float64
	loads  float64 // sum over the classes
	passed map[site]passing
	parts  []part
	out    Breakdown
}

// site is the accesses of a source line. One may load what others find in a cache, or fill sectors that they have
// begun: only together they tell what passes to device memory.
type site struct {
	pos   idg.Pos
	store bool
}

func siteOf(in *idg.Instr) site {
	pos := in.Pos
	pos.Column = 0
	return site{pos, in.IsStore()}
}

type passing struct{ least, moved float64 } // transactions

// memoryExcess is which share of what a class's site moves to and from device memory it would not with consecutive
// addresses.
func (b *builder) memoryExcess(c *simulate.ClassUse) float64 {
	if b.passed == nil {
		b.passed = map[site]passing{}
		for i := range b.run.Classes {
			x := &b.run.Classes[i]
			e, total := x.Entry, x.Entry.Served.Total()
			if total <= 0 || x.Issued == 0 {
				continue
			}
			at := siteOf(x.Instr)
			p, n := b.passed[at], float64(x.Issued)
			p.least += n * float64(e.Least)
			p.moved += n * float64(e.Transactions) * (e.Served.Memory + e.Served.WrittenBack + e.Served.Filled) / total
			b.passed[at] = p
		}
	}
	p := b.passed[siteOf(c.Instr)]
	return max(0, 1-p.least/max(p.moved, math.SmallestNonzeroFloat64))
}

type part struct {
	cause Cause // without Cycles
	time  float64
}

func (b *builder) add(k Kind, subsystem string, pos idg.Pos, time float64) {
	if time > 0 {
		pos.Column = 0
		b.parts = append(b.parts, part{Cause{Kind: k, Subsystem: subsystem, Pos: pos}, time})
	}
}

// pace is the time between the starts of two groups on a unit.
func (b *builder) pace() float64 {
	return b.device.GroupStart.Float() * float64(max(b.device.ComputeUnits, 1))
}

// busiest is the resource with the highest utilisation, the first of equals.
func (b *builder) busiest() Resource {
	r := b.run
	var top Resource
	for _, s := range r.Subsystems {
		if s.Utilization > top.Utilization || top.Kind == 0 {
			top = Resource{Work, s.Name, s.Utilization}
		}
	}
	starts := b.pace() * float64(r.Groups-1) / b.cycles
	for _, x := range []Resource{{Issue, "", r.IssueUtilization}, {Reads, "", r.ReadUtilization},
		{Starts, "", starts}} {
		if x.Utilization > top.Utilization {
			top = x
		}
	}
	top.Utilization = min(top.Utilization, 1)
	return top
}

// load is for how long a class keeps the busiest resource busy.
func (b *builder) load(c *simulate.ClassUse) float64 {
	switch b.out.Busiest.Kind {
	case Issue:
		return float64(c.Issued) * float64(c.Entry.Slots())
	case Reads:
		return c.Reads.Float()
	case Starts:
		return 0
	}
	for _, x := range c.Entry.Charges() {
		if b.run.Subsystems[x.Subsystem].Name == b.out.Busiest.Subsystem {
			return float64(c.Issued) * x.CPI.Float()
		}
	}
	return 0
}

// addBusy divides the cycles in which the busiest resource is busy.
func (b *builder) addBusy() {
	top, time := b.out.Busiest, b.out.Busiest.Utilization*b.cycles
	if top.Kind == Starts {
		b.add(Starts, "", idg.Pos{}, time)
		return
	}
	for i := range b.run.Classes {
		c := &b.run.Classes[i]
		share := b.out.Load(c) * time
		if top.Kind == Work {
			share = b.addExcess(c, top.Subsystem, share)
		}
		b.add(top.Kind, top.Subsystem, c.Instr.Pos, share)
	}
}

// addExcess takes from the time of a class what it needs beyond what the program asks for, and returns the rest.
func (b *builder) addExcess(c *simulate.ClassUse, subsystem string, time float64) (rest float64) {
	excess, kind := 0.0, IdleLanes
	switch e := c.Entry; {
	case !e.Turns.IsZero():
		excess, kind = min(1, e.Turns.Float()/e.Timing.CPI.Float()), SameAddress
	case e.Transactions > e.Least && e.Least > 0:
		excess = 1 - float64(e.Least)/float64(e.Transactions)
		switch {
		case e.Module.Conflicts.Known:
			kind = BankConflicts
		default:
			kind = ExtraSectors
			if l1 := b.device.Memory.L1; l1 != nil && l1.Subsystem == subsystem {
				excess = b.excessInL1(c)
			} else if total := e.Served.Total(); total > 0 {
				// of what passes below the caches above; those serve neighbours' sectors
				passes := 1 - e.Served.L1/total
				excess = max(0, 1-float64(e.Least)/(passes*float64(e.Transactions)))
				if subsystem != "l2" {
					excess = b.memoryExcess(c)
				}
			}
		}
	case e.Transactions == 0 && int(c.Instr.Lanes) < b.device.WarpSize:
		excess = 1 - float64(c.Instr.Lanes)/float64(b.device.WarpSize)
	}
	b.add(kind, subsystem, c.Instr.Pos, time*excess)
	return time * (1 - excess)
}

// excessInL1 is which share of its time in L1 an access takes since it is not coalesced: L1 is busy with bytes, banks
// and lines, not with sectors.
func (b *builder) excessInL1(c *simulate.ClassUse) float64 {
	m := &b.device.Memory
	bytes := float64(c.Entry.Least * m.SegmentBytes)
	least := m.L1.CPI.Float() * max(1, bytes/float64(4*b.device.WarpSize))
	return max(0, 1-least*float64(c.Issued)/b.load(c))
}

// addWaiting divides the other cycles.
func (b *builder) addWaiting() {
	r := b.run
	rest := (1 - b.out.Busiest.Utilization) * b.cycles
	from := len(b.parts)
	for i := range r.Classes {
		c := &r.Classes[i]
		name := r.Subsystems[c.Entry.Subsystem].Name
		if c.Instr.IsBarrier() {
			b.add(Barrier, "", c.Instr.Pos, c.Waited)
		} else {
			b.add(Data, name, c.Instr.Pos, c.Waited)
		}
		if b.out.Busiest.Kind != Issue && b.load(c) == 0 {
			b.add(Queue, name, c.Instr.Pos, c.Queued)
		}
	}
	perWarp := b.cycles / (float64(r.Groups) * float64(r.WarpsPerGroup)) // of one place, for each warp of the run
	b.add(Tail, "", idg.Pos{}, perWarp*float64(r.OccupancyWarps)-r.Waiting.Resident)
	if room := r.Occupancy.Room(); r.OccupancyLimit == "launch" && room < math.MaxInt64 {
		b.add(Few, "", idg.Pos{}, perWarp*float64(room-r.ConcurrentGroups)*float64(r.WarpsPerGroup))
	}
	sum := 0.0
	for _, p := range b.parts[from:] {
		sum += p.time
	}
	if sum == 0 { // its own pace is all that is left
		b.add(b.out.Busiest.Kind, b.out.Busiest.Subsystem, idg.Pos{}, rest)
		return
	}
	for i := range b.parts[from:] {
		b.parts[from+i].time *= rest / sum
	}
}

// round joins the parts of one cause and makes times of them that add up to the run exactly.
func (b *builder) round() error {
	order := func(x, y *Cause) int {
		return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Subsystem, y.Subsystem), x.Pos.Compare(y.Pos))
	}
	slices.SortStableFunc(b.parts, func(x, y part) int { return order(&x.cause, &y.cause) })
	total := 0.0
	for _, p := range b.parts {
		total += p.time
	}
	units, den := b.run.Cycles.Num(), b.run.Cycles.Den()
	before, given := 0.0, int64(0)
	for i, p := range b.parts {
		before += p.time
		end := units
		if i < len(b.parts)-1 {
			end = min(units, max(given, int64(before/total*float64(units)+0.5)))
		}
		c := p.cause
		var err error
		if c.Cycles, err = latencies.NewCycles(end-given, den); err != nil {
			return err
		}
		given = end
		if n := len(b.out.Causes); n > 0 && order(&b.out.Causes[n-1], &c) == 0 {
			if c.Cycles, err = c.Cycles.Add(b.out.Causes[n-1].Cycles); err != nil {
				return err
			}
			b.out.Causes = b.out.Causes[:n-1]
		}
		b.out.Causes = append(b.out.Causes, c)
	}
	return b.finish(order)
}

// finish adds the launch's own time and sorts.
func (b *builder) finish(order func(x, y *Cause) int) (err error) {
	b.out.Total = b.run.Cycles
	if overhead := int64(math.Round(b.run.LaunchSeconds * float64(b.device.ClockHz))); overhead > 0 {
		c := Cause{Kind: Launch}
		if c.Cycles, err = latencies.NewCycles(overhead, 1); err != nil {
			return err
		}
		if b.out.Total, err = b.out.Total.Add(c.Cycles); err != nil {
			return err
		}
		b.out.Causes = append(b.out.Causes, c)
	}
	b.out.Causes = slices.DeleteFunc(b.out.Causes, func(c Cause) bool { return c.Cycles.IsZero() })
	slices.SortStableFunc(b.out.Causes, func(x, y Cause) int {
		return cmp.Or(y.Cycles.Cmp(x.Cycles), order(&x, &y))
	})
	return nil
}
