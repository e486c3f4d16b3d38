package analytic

import (
	"math"
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
)

// Options is what an input needs beyond graph and device.
type Options struct {
	IssueLimit latencies.Cycles // instructions per cycle; zero = the device's
	Groups     int64            // groups that the compute unit runs; 0 = its share of the launch
	// MSHRs is how many misses the first-level cache of a compute unit can hold;
	// 0 = DefaultMSHRs.
	MSHRs      int
	Contention ResourceContention // GPUMech's; none by default
}

// DefaultMSHRs is the number of misses in flight of MDM's Pascal
// configuration. No device file has a figure of its own: no vendor publishes one.
const DefaultMSHRs = 128

// lineBytes is the cache line in which MDM counts misses.
const lineBytes = 128

// FromGraph makes the models' input of a kernel on a device from what the
// simulation uses.
func FromGraph(g *idg.Graph, m *latencies.Mapping, opt Options) (*Input, error) {
	d := m.Device
	limit := opt.IssueLimit
	if limit.IsZero() {
		limit = d.IssueLimit
	}
	b := &inputBuilder{
		graph: g, mapping: m, classes: make([]classCost, len(g.Instrs())),
		busyComp: make([]float64, len(m.Subsystems)), busyMem: make([]float64, len(m.Subsystems)),
		in: &Input{
			IssueLimit: limit.Float(), Replacement: d.GroupReplacement.Float(),
			WarpsPerGroup: float64(g.Launch.WarpsPerGroup()), Groups: float64(opt.Groups),
			Subsystems: make([]Subsystem, len(m.Subsystems)), Contention: opt.Contention,
			Memory: Memory{Units: float64(max(d.ComputeUnits, 1)), ClockHz: float64(d.ClockHz),
				MSHRs: float64(opt.MSHRs)},
		},
	}
	if opt.MSHRs == 0 {
		b.in.Memory.MSHRs = DefaultMSHRs
	}
	if opt.Groups == 0 {
		b.in.Groups = math.Ceil(float64(g.Launch.TotalGroups()) / b.in.Memory.Units)
	}
	if c := d.Memory.Contention; c != nil {
		b.in.Memory.Loaded = &Loaded{Queueing: c.Queueing.Float(), Capacity: c.Capacity.Float()}
	}
	for i, name := range m.Subsystems {
		b.in.Subsystems[i].Name = name
	}
	b.in.Schedulers = float64(max(d.Partitions, 1))
	if b.in.Schedulers == 1 {
		b.in.Schedulers = max(1, math.Floor(b.in.IssueLimit))
	}
	if err := b.setCosts(); err != nil {
		return nil, err
	}
	if err := b.addPrograms(); err != nil {
		return nil, err
	}
	b.finish()
	return b.in, nil
}

// inputBuilder adds up the programs of a graph.
type inputBuilder struct {
	graph   *idg.Graph
	mapping *latencies.Mapping
	in      *Input
	classes []classCost // by idg.InstrID - 1
	costs   idg.Costs
	tick    float64 // cycles

	busyComp, busyMem []float64 // by subsystem
	slotsComp         float64   // issue slots of computations
	transactions      float64
	lines             float64
	work, span        float64 // for ILP
	blocks            tally[Block]
	tooLong           bool // a program is not gone through instruction by instruction
}

// classCost is the parameters of an instruction class.
type classCost struct {
	charges      []latencies.Charge // of the subsystems that it keeps busy, of which the first is
	cpi, wait    float64            // λ of the first, Λ
	passed       float64            // the longest λ
	memory       bool
	store        bool
	barrier      bool
	uncoalesced  bool    // touches more cache lines than its bytes fill
	slots        float64 // of issue
	issueOnly    bool    // takes an issue slot and nothing else
	transactions float64
	lines        float64
	bytes        float64 // that device memory moves, not a cache
}

// setCosts reads the mapping, in cycles and in whole ticks.
func (b *inputBuilder) setCosts() error {
	perCycle := int64(1)
	for i := range b.mapping.Entries {
		e := &b.mapping.Entries[i]
		for _, c := range []latencies.Cycles{e.Timing.CPI, e.Timing.Latency, e.Second.CPI} {
			perCycle = latencies.CommonMultiple(perCycle, c.Den())
			if perCycle > maxTicksPerCycle {
				return diag.Errorf(diag.Pos{}, "TIME",
					"the λ and Λ of this graph have no common denominator below %d (at %v cycles)",
					maxTicksPerCycle, c).
					WithNote("round them, e.g. to multiples of 1/(issue limit) as A Table 5 does")
			}
		}
	}
	b.tick = 1 / float64(perCycle)
	ticks := func(c latencies.Cycles) int64 { return c.Num() * (perCycle / c.Den()) }
	b.costs = b.graph.WarpCosts(
		func(id idg.InstrID) int64 {
			e := b.mapping.Entry(id)
			return max(ticks(e.Timing.CPI), ticks(e.Second.CPI))
		},
		func(id idg.InstrID) int64 { return ticks(b.mapping.Entry(id).Timing.Latency) },
	)
	for i := range b.classes {
		in, e := &b.graph.Instrs()[i], &b.mapping.Entries[i]
		c := classCost{
			charges: e.Charges(), cpi: e.Timing.CPI.Float(), passed: max(e.Timing.CPI.Float(), e.Second.CPI.Float()),
			wait: e.Timing.Latency.Float(), slots: float64(e.Slots()),
			store: in.IsStore(), barrier: in.IsBarrier(), issueOnly: in.IsIssueOnly(),
			transactions: max(1, float64(e.Transactions)),
		}
		if c.store {
			c.wait = c.passed
		}
		a := b.graph.Access(in.Access)
		if c.memory = deviceMemory(in.Op, a); c.memory {
			c.bytes = c.transactions * float64(b.mapping.Device.Memory.SegmentBytes)
			c.lines = cacheLines(a, c.bytes)
			c.uncoalesced = a != nil && a.Known() && c.lines > math.Ceil(float64(len(a.Offsets)*int(a.Width))/lineBytes)
			if total := e.Served.Total(); total > 0 {
				c.bytes *= (e.Served.Memory + e.Served.WrittenBack + e.Served.Filled) / total
			}
		}
		b.classes[i] = c
	}
	return nil
}

// maxTicksPerCycle keeps a warp of 2^31 cycles within int64 ticks.
const maxTicksPerCycle = 1 << 32

// deviceMemory reports whether an instruction accesses device memory. Constant
// memory is served by a cache of the compute unit.
func deviceMemory(op string, a *idg.Access) bool {
	o := isa.Parse(op)
	if a != nil {
		return o.Memory() && a.Space != idg.SpaceLocal && a.Space != idg.SpaceConstant
	}
	return o.DeviceMemory()
}

// cacheLines is how many lines an access touches; of unknown addresses, as many
// as the bytes moved fill.
func cacheLines(a *idg.Access, moved float64) float64 {
	if a == nil || !a.Known() {
		return max(1, math.Ceil(moved/lineBytes))
	}
	var lines []int64
	for _, o := range a.Offsets {
		for l := o / lineBytes; l <= (o+int64(a.Width)-1)/lineBytes; l++ {
			lines = append(lines, l)
		}
	}
	slices.Sort(lines)
	return float64(max(1, len(slices.Compact(lines))))
}

// addPrograms adds what the warps of a group execute, and takes the program that
// most of them execute for the representative one (of equals the first).
func (b *inputBuilder) addPrograms() error {
	warps := b.in.WarpsPerGroup
	most := int64(0)
	var representative *idg.Program
	for i, executions := range b.graph.Executions() {
		p := b.graph.Programs()[i]
		if err := b.addProgram(p, float64(executions)/warps); err != nil {
			return err
		}
		if executions > most {
			most, representative = executions, p
		}
	}
	if representative == nil || representative.Len() > maxListed {
		return nil
	}
	f, err := representative.Expanded(maxListed)
	if err != nil {
		return err
	}
	b.in.Intervals, b.in.MemIntervals = b.intervals(f, true), b.intervals(f, false)
	return nil
}

// maxListed bounds the warps that are gone through instruction by instruction:
// about half a second's work. Of longer ones neither intervals, blocks nor the
// instructions of the longest chain are known.
const maxListed = 1 << 22

// addProgram adds a program that the given share of the warps execute.
func (b *inputBuilder) addProgram(p *idg.Program, share float64) error {
	for id, n := range p.Tally(len(b.classes)) {
		if n > 0 {
			b.addClass(&b.classes[id], share*float64(n))
		}
	}
	latency, err := idg.WarpLatency(p, b.costs)
	if err != nil {
		return err
	}
	work, span, err := idg.Parallelism(p, b.costs)
	if err != nil {
		return err
	}
	b.in.WarpLatency += share * b.tick * float64(latency)
	b.work += share * float64(work)
	b.span += share * float64(span)
	return b.addChain(p, share)
}

// addClass adds n instructions of a class.
func (b *inputBuilder) addClass(c *classCost, n float64) {
	in := b.in
	in.IssueSlots += n * c.slots
	w, busy := &in.Comp, b.busyComp
	if c.memory {
		w, busy = &in.Mem, b.busyMem
		b.transactions += n * c.transactions
		b.lines += n * c.lines
		in.Memory.BytesPerWarp += n * c.bytes
	} else if !c.issueOnly && (in.PeakCPI == 0 || c.cpi < in.PeakCPI) {
		in.PeakCPI = c.cpi
	}
	if c.barrier {
		in.Sync += n
	}
	if !c.memory {
		b.slotsComp += n * c.slots
	}
	w.Count += n
	w.Sum += n * c.cpi
	w.Wait += n * c.wait
	for _, x := range c.charges {
		s := &in.Subsystems[x.Subsystem]
		s.Count += n
		s.Busy += n * x.CPI.Float()
		s.Wait += n * c.wait
		busy[x.Subsystem] += n * x.CPI.Float()
	}
}

// addChain adds the longest chain of a program, by subsystem, and its blocks.
func (b *inputBuilder) addChain(p *idg.Program, share float64) error {
	if p.Len() > maxListed {
		b.in.ChainLoads, b.tooLong = math.NaN(), true
		return nil
	}
	path, err := idg.CriticalPath(p, b.costs)
	if err != nil {
		return err
	}
	f, err := p.Expanded(maxListed)
	if err != nil {
		return err
	}
	b.addBlocks(f, share)
	for i, v := range path.Nodes {
		end := path.Length
		if i+1 < len(path.Starts) {
			end = path.Starts[i+1]
		}
		c := &b.classes[classOf(f, v)]
		b.in.Subsystems[c.charges[0].Subsystem].Chain += share * b.tick * float64(end-path.Starts[i])
		if c.memory && !c.store {
			b.in.ChainLoads += share
		}
	}
	return nil
}

// finish derives what needs all programs.
func (b *inputBuilder) finish() {
	in := b.in
	for i := range b.busyComp {
		in.Comp.Busy, in.Mem.Busy = max(in.Comp.Busy, b.busyComp[i]), max(in.Mem.Busy, b.busyMem[i])
	}
	if in.IssueLimit > 0 {
		in.Comp.Busy = max(in.Comp.Busy, b.slotsComp/in.IssueLimit)
	}
	if in.MemIssue = in.PeakCPI; in.MemIssue == 0 && in.IssueLimit > 0 {
		in.MemIssue = 1 / in.IssueLimit
	}
	if !b.tooLong {
		in.Blocks = b.blocks.list
		for i := range in.Blocks {
			in.Blocks[i].Count = b.blocks.count[i]
		}
	}
	in.ILP = 1
	if b.span > 0 {
		in.ILP = max(1, b.work/b.span)
	}
	if m := &in.Memory; in.Mem.Count > 0 {
		m.Transactions, m.Lines = b.transactions/in.Mem.Count, b.lines/in.Mem.Count
		m.Service = in.Mem.Busy / b.transactions / m.Units
	}
	in.Subsystems = slices.DeleteFunc(in.Subsystems, func(s Subsystem) bool { return s.Count == 0 })
}
