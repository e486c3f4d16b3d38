package latencies

import (
	"cmp"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/target"
)

// Device is one GPU: everything that the model knows about it, with the source
// of every number. Devices come from Builtin or ParseDevice and must not be
// modified.
type Device struct {
	Name         string   // canonical name, lower case: "gtx1060"
	Title        string   // the vendor's name: "GeForce GTX 1060 6GB"
	Aliases      []string // further names that Builtin accepts
	Vendor       string   // "NVIDIA", "AMD"
	Architecture string   // "Pascal"
	Capability   string   // the vendor's version of the architecture ("6.1", "gfx802"), may be empty
	Extends      string   // the device whose entries this one refines, may be empty
	Description  string   // what sets this device file apart, may be empty

	ComputeUnits int    // P: compute units of the whole GPU
	ClockHz      int64  // core clock, the one that cycles count
	BaseClockHz  int64  // the clock that the vendor promises under any load; 0 = not known
	WarpSize     int    // lanes per warp: 32 or 64
	IssueLimit   Cycles // warp instructions per cycle that a compute unit can issue
	// sub-cores: the warp at place p of a unit runs on partition p mod Partitions; 1 is the papers' model
	Partitions    int
	IssueInterval Cycles // shortest time between two issues of one warp (V16 3.7 "ILP latency"); 0 = none
	Reissue       int    // issue slots that each further pass of a memory access takes (V16 7.4); 0 = none
	// words of a warp (32 bits of each lane) that the registers of one partition give per cycle (H25 5.3); 0 = any
	// number
	RegisterReads    Cycles
	GroupReplacement Cycles    // from the end of a group until its successor may issue; 0 = at once
	GroupStart       Cycles    // shortest time between the starts of two groups anywhere on the GPU; 0 = none
	LaunchNs         Cycles    // nanoseconds that a launch takes beside what its groups do; 0 = not known
	Scheduler        Scheduler // 0 = the simulator's default
	Issue            IssueMode // 0 = the simulator's default
	// what becomes of issuing two instructions of one warp at once, one of dualIssues; empty = not known
	DualIssue       string
	Compiler        target.Compiler
	BarrierWaitsFor target.BarrierWait // 0 = not known
	TensorCores     target.TensorCores // 0 = none
	AsyncCopies     bool               // from global to local memory have an instruction

	Limits       Limits
	Memory       Memory
	Subsystems   []Subsystem   // by SubsystemID, in the order of the file
	Instructions []Instruction // in the order of the file, a base device's first

	References []Reference // what the sources' short names stand for
	Origins    []Origin    // every number of the device and where it comes from, in the order of the file
	Warnings   diag.List   // doubts about the file that do not stop the work
}

// dualIssues are the ways in which the model treats a scheduler's issuing of more than
// one instruction at a time: the hardware does not; what it gains is in the issue limit;
// it is in λ of the units; graphs tell which instructions the compiler pairs (fma.dual.f32).
var dualIssues = []string{"none", "in-limit", "in-rates", "paired"}

// Limits is what a compute unit can hold at once.
type Limits struct {
	Warps              int64 // resident warps
	Groups             int64 // resident work groups
	Barriers           int64 // resident work groups of more than one warp, each of which takes a barrier; 0 = Groups
	WorkItems          int64 // resident work items
	GroupWorkItems     int64 // work items of one group
	Registers          int64 // 32-bit registers
	RegistersPerItem   int64 // 32-bit registers that one work item can use; 0 = not known
	RegistersPerGroup  int64 // 32-bit registers that a compiler counts on for one group; 0 = Registers
	RegisterUnit       int64 // registers are handed out in multiples of this, per warp or per group
	RegistersByGroup   bool  // RegisterUnit applies to the whole group (compute capability 1.x), not to each warp
	WarpUnit           int64 // warps that registers can serve are rounded down to a multiple of this
	LocalBytes         int64 // local memory
	LocalUnit          int64 // local memory is handed out in multiples of this
	LocalBytesPerGroup int64 // local memory that one group can use
	LocalReserved      int64 // local memory that the system takes of each group's share
}

// Memory is the geometry and speed of a device's memories.
type Memory struct {
	SegmentBytes   int // bytes that one global memory transaction moves: a line, a sector
	SegmentLanes   int // lanes coalesced together: the warp, or half of it on G80 and GT200
	LocalBanks     int // banks of local memory
	LocalBankBytes int // width of a bank
	LocalLanes     int // lanes that access the banks together
	// 2: wide loads of which pairs of lanes share an address are served for twice the lanes at a time; else 0 or 1
	LocalPairing int
	// lanes that a pass serves of a wide load or store that is not aligned; 0 = as of those that are
	LocalUnaligned int
	// cycles between two requests to local memory, however few passes they need; 0 = those of the passes
	LocalRequest Cycles
	PeakGBs      Cycles // pin bandwidth of device memory in GB/s (10^9 bytes); 0 = not known
	// how many sectors device memory moves for one that leaves L2 written in part: 2 where it reads the rest first; 0 =
	// not known, 1
	PartialWriteCost Cycles
	// how many times as long device memory takes for a byte of a copy as for one that is read; 0 = not known, 1
	CopyCost Cycles

	L1         *L1         // nil = no source
	L2         *Cache      // nil = no source
	L3         *Cache      // a cache between L2 and device memory; nil = none, or no source
	Contention *Contention // loaded latency of device memory; nil = no source

	// What one more lane that updates the same word adds to Λ of an atomic, and to λ of local memory;
	// 0 = λ of an access for local memory, nothing for device memory, whose
	// updates of a warp L2 combines.
	LocalAtomicTurn, GlobalAtomicTurn Cycles
	// LocalFloatTurn is LocalAtomicTurn of floating-point numbers, which no instruction updates there: lanes exchange
	// them until nobody else did between. 0 = as of integers.
	LocalFloatTurn Cycles
	// λ for each different word that lanes read of constant memory, where they read more than one; 0 = the entry's
	ConstantTurn Cycles
	// λ of each sector that is stored on the way to L2, and of the request for a line of which sectors are stored in
	// part; 0 = not limiting
	WriteRequest Cycles
	// sectors up to which a store waits for a further one of its warp to the same ones, with which it goes on; 0 = none
	WriteMerge int64
	// bytes that device memory fetches for a read that misses L2, if not a segment; 0 = a segment
	FetchBytes int64
	// λ of an access to a place by chance, however few its bytes: a row of a bank is opened for it; 0 = not known
	RandomAccess Cycles
	// Λ of an access by which each lane of a warp reads a place by chance; 0 = not known
	RandomLatency Cycles
	Atomics       *Atomics // of L2 by line and slice; nil = no source
	// Between two updates of the same word in L2, from anywhere in the launch; 0 = GlobalAtomicTurn.
	GlobalAtomicInterval Cycles
	// The same where the word is a floating-point number; 0 = GlobalAtomicInterval.
	FloatAtomicInterval Cycles
}

// Atomics is the time that updates of device memory take in L2. Lanes that update different words of a sector share a
// pass, and those that update one word need a pass each.
type Atomics struct {
	Sector Cycles // of a compute unit between two sectors, wherever they are
	Line   Cycles // of the whole GPU between two passes over a sector of one line
	// FloatLine is the same for floating point, between two passes over the line, whatever its sectors.
	FloatLine  Cycles
	Slice      Cycles // between two sectors of one slice
	SliceBytes int64  // consecutive bytes that one slice updates
}

// Contention is the latency of device memory under load (V16 T.6.5):
// Λ(T) = Unloaded + Queueing·T/(Capacity - T).
type Contention struct {
	Unloaded Cycles   // a, cycles
	Queueing Cycles   // b, cycles
	Capacity Cycles   // c, GB/s of the whole GPU
	Spread   []Spread // by rising throughput; none = each access takes the mean latency
}

// Subsystem is a part of a compute unit that serves one instruction every λ.
type Subsystem struct {
	Name        string
	Doc         string // what it executes
	Partitioned bool   // each partition has its own share
	// instructions that each partition can have issued to it before their turn; 0 = they wait at issue
	Queue int
}

// Instruction is one entry of a device: the parameters of the ops it matches.
type Instruction struct {
	Match     string // an op ("fma.f32"), a family ("fma") or a class ("int32")
	Subsystem SubsystemID
	Timing    Timing
	Issue     int // issue slots; 0 = one
	// Dependents is Λ for what waits in some subsystems, where it is not Timing's.
	Dependents []DependentLatency
	Source     string
	Derived    string // name of the DeriveRule by which the numbers follow from the source, empty = as printed
	// LatencySource and LatencyDerived are those of Λ where they are not the same
	// as those of λ, which Source and Derived are then; else empty.
	LatencySource, LatencyDerived string

	Note      string
	Inherited string // name of the extended device that the entry was taken from, empty = the device's own
	Pos       diag.Pos
}

// Cite says where the entry's numbers come from: their sources, and the rules by
// which they follow from these.
func (in *Instruction) Cite() string {
	text := bySource(in.Source, in.Derived)
	if in.LatencySource != "" {
		text += "; latency: " + bySource(in.LatencySource, in.LatencyDerived)
	}
	return text
}

// bySource is a source and the rule that was applied to it, if any.
func bySource(source, derived string) string {
	if derived == "" {
		return source
	}
	return source + ", by rule " + derived
}

// Reference is a source that a device file cites.
type Reference struct{ Key, Text string }

// Origin is where one number of a device comes from.
type Origin struct {
	Path      string // "limits.warps", "instructions.fma.f32.cpi"
	Value     string
	Source    string
	Derived   string // name of a DeriveRule, empty = as printed
	Note      string
	Interval  float64 // half the 95% interval of what was measured, relative; 0 = not known
	Inherited string  // name of the extended device that the number was taken from, empty = the device's own
	Pos       diag.Pos
}

// Cite says where the number comes from: its source, and the rule by which it
// follows from it.
func (o *Origin) Cite() string { return bySource(o.Source, o.Derived) }

// Target is what code for the device is compiled for, but for the device's name in graphs and the level.
func (d *Device) Target() target.Target {
	return target.Target{
		Capability: d.Capability, Compiler: cmp.Or(d.Compiler, target.NVCC), WarpSize: d.WarpSize,
		SectorBytes: d.SectorBytes(),
		Barrier:     d.BarrierWaitsFor, TensorCores: cmp.Or(d.TensorCores, target.NoTensorCores),
		SyncCopies: !d.AsyncCopies, ComputeUnits: d.ComputeUnits,
	}
}

// SectorBytes is the unit in which a graph should tell its locality for the device: what its
// memory moves at least (idg.Footprint). 0 = graphs know no such unit.
func (d *Device) SectorBytes() int64 {
	if n := d.Memory.SegmentBytes; n >= idg.SectorBytes && n <= idg.MaxSectorBytes && n&(n-1) == 0 {
		return int64(n)
	}
	return 0
}

// Origin returns the origin of the number at a path such as "compute_units" or
// "limits.warps".
func (d *Device) Origin(path string) (Origin, bool) {
	for _, o := range d.Origins {
		if o.Path == path {
			return o, true
		}
	}
	return Origin{}, false
}

// Seconds is the time of c cycles at the device's clock (P19: time = cycles / f).
func (d *Device) Seconds(c Cycles) float64 { return c.Float() / float64(d.ClockHz) }

// GroupsOf is how many groups of the given warps can be resident for their number;
// 0 means that it does not limit.
func (l *Limits) GroupsOf(warps int64) int64 {
	if warps > 1 && l.Barriers > 0 {
		return l.Barriers
	}
	return l.Groups
}

// CompiledRegisters is how many registers a work item has at most in code that is
// compiled for groups of up to items work items: those that let one such group run, in
// whole units of a warp (LLVM, AMDGPU target: getMaxNumVGPRs for the least waves per SIMD
// that amdgpu_flat_work_group_size asks for).
func (d *Device) CompiledRegisters(items int64) int64 {
	l := &d.Limits
	total := l.RegistersPerGroup
	if total == 0 {
		total = l.Registers
	}
	warp := int64(max(d.WarpSize, 1))
	n := total
	if unit := max(l.RegisterUnit, 1); items > 0 && total > 0 {
		n = total / roundUp((items+warp-1)/warp, max(l.WarpUnit, 1)) / unit * unit / warp
	}
	if l.RegistersPerItem > 0 {
		n = min(n, l.RegistersPerItem)
	}
	return max(n, 1)
}

// GroupsByRegisters is how many groups of the given warps the registers can
// hold when each work item uses perItem of them (the rule of NVIDIA's occupancy
// calculator: registers are rounded up to RegisterUnit, the warps that they can
// serve down to WarpUnit). perItem 0 means that registers do not limit and
// gives -1.
func (d *Device) GroupsByRegisters(warps, perItem int64) int64 {
	l := &d.Limits
	if perItem <= 0 || warps <= 0 || l.Registers == 0 {
		return -1
	}
	unit, warpUnit := max(l.RegisterUnit, 1), max(l.WarpUnit, 1)
	if warps > l.Registers || perItem > l.Registers {
		return 0
	}
	if l.RegistersByGroup {
		return l.Registers / roundUp(roundUp(warps, warpUnit)*int64(d.WarpSize)*perItem, unit)
	}
	served := l.Registers / roundUp(int64(d.WarpSize)*perItem, unit)
	return served / warpUnit * warpUnit / warps
}

// GroupsByLocalMemory is how many groups of the given bytes of local memory fit;
// bytes 0 means that local memory does not limit and gives -1.
func (d *Device) GroupsByLocalMemory(bytes int64) int64 {
	l := &d.Limits
	switch {
	case bytes <= 0 || l.LocalBytes == 0:
		return -1
	case bytes > l.LocalBytes || l.LocalBytesPerGroup > 0 && bytes > l.LocalBytesPerGroup:
		return 0
	}
	return l.LocalBytes / roundUp(bytes+l.LocalReserved, max(l.LocalUnit, 1))
}

// ReachedByLocalMemory reports whether so many groups are resident if each of them, which uses
// the given bytes of local memory, allocates more. What the device allots to a group, in whole
// units and at most so much, leaves some numbers out: of the 96 KB of a GTX 1060 a group takes
// at most 48, and so at least 2 groups are resident. All numbers are reached where the device does
// not tell its local memory.
func (d *Device) ReachedByLocalMemory(groups, bytes int64) bool {
	l := &d.Limits
	if l.LocalBytes == 0 {
		return true
	}
	unit := max(l.LocalUnit, 1)
	most := l.LocalBytes/groups/unit*unit - l.LocalReserved // with which so many groups fit
	if l.LocalBytesPerGroup > 0 {
		most = min(most, l.LocalBytesPerGroup)
	}
	return most >= bytes && d.GroupsByLocalMemory(most) == groups
}

func roundUp(n, unit int64) int64 { return (n + unit - 1) / unit * unit }
