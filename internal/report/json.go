package report

import (
	"math"
	"strconv"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
)

// Document is the report as JSON. Numbers are exact where a decimal is.
type Document struct {
	Format  string `json:"format"` // "pipesim"
	Version int    `json:"version"`

	Kernel string         `json:"kernel"`
	Source sourceDocument `json:"source"`
	Launch launchDocument `json:"launch"`
	Device deviceDocument `json:"device"`

	Cycles        Number  `json:"cycles"`
	Seconds       float64 `json:"seconds"`
	LaunchSeconds float64 `json:"launch_seconds"` // part of the seconds, for the launch itself
	// Groups are those of one compute unit.
	Groups             int64  `json:"groups"`
	ConcurrentGroups   int64  `json:"concurrent_groups"`
	WarpsPerGroup      int64  `json:"warps_per_group"`
	OccupancyWarps     int64  `json:"occupancy_warps"`
	OccupancyLimit     string `json:"occupancy_limit"`
	Registers          int64  `json:"registers"` // per work item; 0 = not known
	RegistersEstimated bool   `json:"registers_estimated"`
	MaxWarps           int64  `json:"max_warps"`

	Spilled *spilledDocument `json:"spilled,omitempty"` // what registers do not hold, where it is in the graph

	Issued           int64   `json:"issued"`
	WarpsPerCycle    float64 `json:"warps_per_cycle"`
	IssueUtilization float64 `json:"issue_utilization"`
	ReadUtilization  float64 `json:"read_utilization"` // of the ports of the registers; 0 where they cannot limit

	Bound       string              `json:"bound"` // throughput, issue, reads, latency, barrier or starts
	Bottleneck  bottleneckDocument  `json:"bottleneck"`
	Causes      []causeDocument     `json:"causes"`         // add up to the cycles and the launch's own time
	Roof        *roofDocument       `json:"roof,omitempty"` // where something is known of it
	LowerBounds lowerBoundsDocument `json:"lower_bounds"`
	Subsystems  []subsystemDocument `json:"subsystems"`
	Lines       []lineDocument      `json:"lines"`
	Warp        simulate.Waiting    `json:"warp"`

	DeviceMemory *memoryDocument `json:"device_memory,omitempty"` // where something is known of it

	SimulatedGroups int64              `json:"simulated_groups"`
	Extrapolated    bool               `json:"extrapolated"`
	Sampling        *simulate.Sampling `json:"sampling,omitempty"` // where the error has a bound
	Kinds           []simulate.KindUse `json:"kinds"`              // of groups
	Assumptions     []string           `json:"assumptions"`

	Instructions []instructionDocument `json:"instructions,omitempty"` // with --explain
	Critical     []linkDocument        `json:"critical,omitempty"`     // with --critical
}

type sourceDocument struct {
	File    string   `json:"file"`
	Dialect string   `json:"dialect"`
	SHA256  string   `json:"sha256"`
	Defines []string `json:"defines"`
}

type launchDocument struct {
	Local    [3]int64 `json:"local"`
	Groups   [3]int64 `json:"groups"`
	WarpSize int      `json:"warp_size"`
}

type deviceDocument struct {
	Name         string `json:"name"`
	Title        string `json:"title"`
	Architecture string `json:"architecture"`
	ComputeUnits int    `json:"compute_units"`
	ClockHz      int64  `json:"clock_hz"`
}

type bottleneckDocument struct {
	Subsystem   string `json:"subsystem"` // the busiest one
	File        string `json:"file,omitempty"`
	Line        int    `json:"line,omitempty"`
	NeededWarps int64  `json:"needed_warps"`
	Text        string `json:"text"`
}

// roofDocument is what the launch does per second beside what the device can do.
type roofDocument struct {
	Uses      []useDocument `json:"uses"`
	Intensity float64       `json:"intensity,omitempty"` // FLOP for each byte of device memory
}

type useDocument struct {
	Name      string  `json:"name"`
	Unit      string  `json:"unit"` // FLOP or B
	Amount    float64 `json:"amount"`
	PerSecond float64 `json:"per_second"`
	Peak      float64 `json:"peak_per_second"` // 0 = not known
}

// causeDocument is a part of the time; file and line are left out where no instruction is responsible.
type causeDocument struct {
	Code      string `json:"code"`
	Subsystem string `json:"subsystem,omitempty"`
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Cycles    Number `json:"cycles"`
}

// lowerBoundsDocument is in cycles.
type lowerBoundsDocument struct {
	Throughput Number `json:"throughput"`
	Subsystem  string `json:"subsystem"`
	Issue      Number `json:"issue"`
	Latency    Number `json:"latency"`
	Reads      Number `json:"reads"`  // of registers; 0 where they cannot limit
	Starts     Number `json:"starts"` // of groups; 0 where the device has no pace for them
}

type subsystemDocument struct {
	Name        string  `json:"name"`
	Title       string  `json:"title"` // what people call it
	Issued      int64   `json:"issued"`
	BusyCycles  Number  `json:"busy_cycles"`
	Utilization float64 `json:"utilization"`
}

type lineDocument struct {
	File           string  `json:"file"`
	Line           int     `json:"line"`
	Text           string  `json:"text"`
	Issued         int64   `json:"issued"`
	Subsystem      string  `json:"subsystem"` // where it is busy longest
	BusyCycles     Number  `json:"busy_cycles"`
	Share          float64 `json:"share"` // of the busiest subsystem's time
	CriticalCycles Number  `json:"critical_cycles"`
	WaitedCycles   float64 `json:"waited_cycles"` // of an average warp
	QueuedCycles   float64 `json:"queued_cycles"`
}

// memoryDocument is the traffic of the launch with device memory, in bytes, and
// the latency that its load made, in cycles.
type memoryDocument struct {
	Traffic    *trafficDocument    `json:"traffic,omitempty"`
	Contention *contentionDocument `json:"contention,omitempty"`
}

type trafficDocument struct {
	Read              int64 `json:"read_bytes"`
	Written           int64 `json:"written_bytes"`
	CompulsoryRead    int64 `json:"compulsory_read_bytes"`
	CompulsoryWritten int64 `json:"compulsory_written_bytes"`
	Estimated         bool  `json:"compulsory_estimated"`
	Partial           bool  `json:"partial,omitempty"` // without accesses at addresses that are not known
}

type contentionDocument struct {
	Accesses int64            `json:"accesses"`
	Unloaded latencies.Cycles `json:"unloaded_cycles"`
	Mean     float64          `json:"mean_cycles"`
	Longest  Number           `json:"longest_cycles"`
}

type instructionDocument struct {
	File         string           `json:"file"`
	Line         int              `json:"line"`
	Column       int              `json:"column"`
	Op           string           `json:"op"`
	Buffer       string           `json:"buffer,omitempty"`
	Lanes        uint8            `json:"lanes"`
	Subsystem    string           `json:"subsystem"`
	CPI          latencies.Cycles `json:"cpi"`
	Latency      latencies.Cycles `json:"latency"`
	Second       *chargeDocument  `json:"second,omitempty"`
	Transactions int              `json:"transactions,omitempty"`
	R            *Number          `json:"R,omitempty"` // bytes in device memory / bytes requested
	D            *Number          `json:"D,omitempty"` // conflict degree
	Entry        string           `json:"entry"`
	Source       string           `json:"source"`
	Fallback     string           `json:"fallback,omitempty"`
	Assumed      string           `json:"assumed,omitempty"`
}

// chargeDocument is another subsystem that an instruction keeps busy at the same time.
type chargeDocument struct {
	Subsystem string           `json:"subsystem"`
	CPI       latencies.Cycles `json:"cpi"`
}

// Number is a number of cycles that is always a JSON number: the exact decimal
// if there is one, else the nearest double.
type Number latencies.Cycles

func (n Number) MarshalJSON() ([]byte, error) {
	c := latencies.Cycles(n)
	text, err := c.MarshalJSON()
	if err == nil && len(text) > 0 && text[0] == '"' {
		return strconv.AppendFloat(nil, c.Float(), 'g', -1, 64), nil
	}
	return text, err
}

// UnmarshalJSON reads what MarshalJSON writes: a decimal exactly, else a double, down to 2^-62 cycles.
func (n *Number) UnmarshalJSON(data []byte) error {
	c, err := latencies.ParseCycles(string(data))
	if err == nil {
		*n = Number(c)
		return nil
	}
	x, err := strconv.ParseFloat(string(data), 64)
	if err != nil {
		return err
	}
	fraction, exponent := math.Frexp(x) // x has 53 binary digits
	shift := min(53-exponent, 62)
	if shift < 0 {
		return latencies.ErrCyclesRange
	}
	c, err = latencies.NewCycles(int64(math.Ldexp(fraction, exponent+shift)), 1<<shift)
	*n = Number(c)
	return err
}

// Float is the nearest double.
func (n Number) Float() float64 { return latencies.Cycles(n).Float() }

// Document is the report as JSON; explain adds the instruction classes.
func (p *Prediction) Document(explain bool) *Document {
	g, d, r := p.Graph, p.Mapping.Device, p.Result
	doc := &Document{
		Format: "pipesim", Version: 1,
		Kernel: g.Kernel,
		Source: sourceDocument{g.Source.File, g.Source.Dialect, g.Source.SHA256,
			append([]string{}, g.Source.Defines...)},
		Launch: launchDocument{g.Launch.Local, g.Launch.Groups, g.Launch.WarpSize},
		Device: deviceDocument{d.Name, d.Title, d.Architecture, d.ComputeUnits, d.ClockHz},
		Cycles: Number(r.Cycles), Seconds: r.Seconds, LaunchSeconds: r.LaunchSeconds,
		Groups: r.Groups, ConcurrentGroups: r.ConcurrentGroups, WarpsPerGroup: r.WarpsPerGroup,
		OccupancyWarps: r.OccupancyWarps, OccupancyLimit: r.OccupancyLimit, MaxWarps: r.Occupancy.MaxWarps,
		Spilled:   spilledOf(g),
		Registers: r.Occupancy.Registers, RegistersEstimated: r.Occupancy.RegistersEstimated,
		Issued: r.Issued, WarpsPerCycle: r.WarpsPerCycle, IssueUtilization: r.IssueUtilization,
		ReadUtilization: r.ReadUtilization,
		Bound:           r.Bound.Kind,
		Bottleneck: bottleneckDocument{Subsystem: r.Bound.Subsystem, NeededWarps: r.Bound.NeededWarps,
			Text: p.Say(r.Bound.Text)},
		LowerBounds: lowerBoundsDocument{Number(r.LowerBounds.Throughput), r.LowerBounds.Subsystem,
			Number(r.LowerBounds.Issue), Number(r.LowerBounds.Latency), Number(r.LowerBounds.Reads),
			Number(r.LowerBounds.Starts)},
		Causes:     []causeDocument{},
		Subsystems: []subsystemDocument{}, Lines: []lineDocument{},
		Warp:            r.Waiting,
		DeviceMemory:    p.deviceMemory(),
		Roof:            p.roofDocument(),
		SimulatedGroups: r.SimulatedGroups, Extrapolated: r.Extrapolated, Sampling: r.Sampling,
		Kinds:       append([]simulate.KindUse{}, r.Kinds...),
		Assumptions: append([]string{}, p.assumptions()...),
	}
	if l := p.guilty(); l != nil {
		doc.Bottleneck.File, doc.Bottleneck.Line = l.Pos.File, l.Pos.Line
	}
	for _, x := range p.Causes.Causes {
		doc.Causes = append(doc.Causes, causeDocument{x.Kind.String(), x.Subsystem, x.Pos.File, x.Pos.Line,
			Number(x.Cycles)})
	}
	for _, s := range r.Subsystems {
		doc.Subsystems = append(doc.Subsystems, subsystemDocument{s.Name, d.TitleOf(s.Name), s.Issued, Number(s.Busy),
			s.Utilization})
	}
	for i := range r.Lines {
		l := &r.Lines[i]
		doc.Lines = append(doc.Lines, lineDocument{
			File: l.Pos.File, Line: l.Pos.Line, Text: p.sourceLine(l.Pos), Issued: l.Issued, Subsystem: l.Subsystem,
			BusyCycles: Number(l.Busy), Share: l.Share, CriticalCycles: Number(l.Critical), WaitedCycles: l.Waited,
			QueuedCycles: l.Queued,
		})
	}
	if explain {
		doc.Instructions = p.instructions()
	}
	doc.Critical = p.criticalDocument()
	return doc
}

// roofDocument is nil if nothing is known of the roof.
func (p *Prediction) roofDocument() *roofDocument {
	if len(p.Roof.Uses) == 0 {
		return nil
	}
	doc := &roofDocument{Intensity: p.Roof.Intensity}
	for _, u := range p.Roof.Uses {
		unit := "FLOP"
		if u.Bytes {
			unit = "B"
		}
		doc.Uses = append(doc.Uses, useDocument{u.Name, unit, u.Amount, u.PerSecond, u.Peak})
	}
	return doc
}

// deviceMemory is nil if nothing is known of it.
func (p *Prediction) deviceMemory() *memoryDocument {
	t, c := p.Mapping.Traffic, p.Result.Contention
	if t == nil && c == nil {
		return nil
	}
	doc := &memoryDocument{}
	if t != nil {
		doc.Traffic = &trafficDocument{t.ReadBytes, t.WrittenBytes, t.CompulsoryReadBytes, t.CompulsoryWrittenBytes,
			t.Estimated, t.Partial}
	}
	if c != nil {
		doc.Contention = &contentionDocument{c.Accesses, c.Constants.Unloaded, c.Mean, Number(c.Longest)}
	}
	return doc
}

// instructions are the entries that were chosen for the graph's instruction
// classes.
func (p *Prediction) instructions() []instructionDocument {
	list := []instructionDocument{}
	for i := range p.Graph.Instrs() {
		in, e := &p.Graph.Instrs()[i], p.Mapping.Entry(idg.InstrID(i+1))
		doc := instructionDocument{
			File: in.Pos.File, Line: in.Pos.Line, Column: in.Pos.Column, Op: in.Op, Lanes: in.Lanes,
			Subsystem: p.Mapping.Subsystems[e.Subsystem], CPI: e.Timing.CPI, Latency: e.Timing.Latency,
			Transactions: e.Transactions, R: factor(e.Module.Ratio), D: factor(e.Module.Conflicts), Entry: e.Matched,
			Source: e.Source, Fallback: e.Fallback, Assumed: e.Assumed,
		}
		if s := &e.Second; !s.CPI.IsZero() {
			doc.Second = &chargeDocument{p.Mapping.Subsystems[s.Subsystem], s.CPI}
		}
		if a := p.Graph.Access(in.Access); a != nil {
			doc.Buffer = a.Buffer
		}
		list = append(list, doc)
	}
	return list
}

// factor is nil for none.
func factor(f latencies.Factor) *Number {
	if !f.Known {
		return nil
	}
	n := Number(f.Value)
	return &n
}

// spilledDocument is what spilled registers cost.
type spilledDocument struct {
	Bytes  int64 `json:"bytes"`  // of private memory, per work item
	Stores int64 `json:"stores"` // warp instructions of a group
	Loads  int64 `json:"loads"`
	Lines  []int `json:"lines"` // of the source
}

// spilledOf is nil if no accesses of spilled registers are in a graph.
func spilledOf(g *idg.Graph) *spilledDocument {
	s := g.Spills()
	if s.Bytes == 0 {
		return nil
	}
	doc := &spilledDocument{Bytes: s.Bytes, Stores: s.Stores, Loads: s.Loads, Lines: []int{}}
	for _, p := range s.Lines {
		doc.Lines = append(doc.Lines, p.Line)
	}
	return doc
}
