package latencies

import (
	"slices"

	"gpupipe/internal/target"
)

// number is a field of a device file that holds one number with its source.
type number struct {
	key      string
	min, max int64 // of the value; min 0 means "more than 0" unless zero is set
	zero     bool  // 0 is allowed
	whole    bool  // no fractions
	set      func(Cycles)
}

// counted is a field of a whole number from 1 on.
func counted[T ~int | ~int64](key string, most int64, into *T) number {
	return number{key: key, min: 1, max: most, whole: true, set: func(v Cycles) { *into = T(v.Num()) }}
}

// measured is a field of an exact number of more than 0.
func measured(key string, most int64, into *Cycles) number {
	return number{key: key, max: most, set: func(v Cycles) { *into = v }}
}

// clock is a field of MHz.
func clock(key string, into *int64) number {
	return number{key: key, max: 20000, set: func(v Cycles) { *into = hertz(v) }}
}

// orZero is the field of which 0 is a value.
func (n number) orZero() number {
	n.min, n.zero = 0, true
	return n
}

// from is the field with another least value.
func (n number) from(least int64) number {
	n.min = least
	return n
}

// choice is a field of a device file that holds one of some words.
type choice struct {
	key   string
	words []string
	set   func(*Device, string)
}

var deviceChoices = []choice{
	{"scheduler", SchedulerNames(), func(d *Device, v string) { d.Scheduler, _ = ParseScheduler(v) }},
	{"issue", IssueModeNames(), func(d *Device, v string) { d.Issue, _ = ParseIssueMode(v) }},
	{"dual_issue", dualIssues, func(d *Device, v string) { d.DualIssue = v }},
	{"compiler", []string{"nvcc", "clang"}, func(d *Device, v string) { d.Compiler, _ = target.ParseCompiler(v) }},
	{"barrier_waits_for", target.BarrierWaits, func(d *Device, v string) {
		d.BarrierWaitsFor, _ = target.ParseBarrierWait(v)
	}},
	{"tensor_cores", target.TensorCoreNames, func(d *Device, v string) {
		d.TensorCores = target.TensorCores(1 + slices.Index(target.TensorCoreNames, v))
	}},
	{"async_copies", []string{"none", "instruction"}, func(d *Device, v string) { d.AsyncCopies = v == "instruction" }},
}

// deviceKeys are all keys of a device file.
func deviceKeys() []string {
	keys := keysOf(new(Device).numbers(), topKeys...)
	for _, c := range deviceChoices {
		keys = append(keys, c.key)
	}
	return keys
}

func (d *Device) numbers() []number {
	return []number{
		counted("compute_units", 4096, &d.ComputeUnits),
		clock("clock_mhz", &d.ClockHz),
		clock("base_clock_mhz", &d.BaseClockHz),
		counted("warp_size", 64, &d.WarpSize),
		measured("issue_limit", 64, &d.IssueLimit),
		counted("partitions", 64, &d.Partitions),
		measured("issue_interval", 1000, &d.IssueInterval).orZero(),
		counted("reissue", maxSlots, &d.Reissue),
		measured("register_reads", 64, &d.RegisterReads),
		measured("group_start", 1000, &d.GroupStart),
		measured("launch_ns", 1000000, &d.LaunchNs),
		measured("group_replacement", 1000000, &d.GroupReplacement).orZero(),
	}
}

func (l *Limits) numbers() []number {
	return []number{
		counted("warps", 1024, &l.Warps),
		counted("groups", 1024, &l.Groups),
		counted("barriers", 1024, &l.Barriers),
		counted("work_items", 65536, &l.WorkItems),
		counted("group_work_items", 65536, &l.GroupWorkItems),
		counted("registers", 1<<24, &l.Registers),
		counted("registers_per_item", 4096, &l.RegistersPerItem),
		counted("registers_per_group", 1<<24, &l.RegistersPerGroup),
		counted("register_unit", 65536, &l.RegisterUnit),
		counted("warp_unit", 64, &l.WarpUnit),
		counted("local_bytes", 1<<26, &l.LocalBytes),
		counted("local_unit", 65536, &l.LocalUnit),
		counted("local_bytes_per_group", 1<<26, &l.LocalBytesPerGroup),
		counted("local_reserved", 1<<20, &l.LocalReserved),
	}
}

func (m *Memory) numbers() []number {
	return []number{
		counted("segment_bytes", 4096, &m.SegmentBytes),
		counted("segment_lanes", 64, &m.SegmentLanes),
		counted("local_banks", 1024, &m.LocalBanks),
		counted("local_bank_bytes", 64, &m.LocalBankBytes),
		counted("local_lanes", 64, &m.LocalLanes),
		counted("local_pairing", 2, &m.LocalPairing),
		counted("local_unaligned_lanes", 64, &m.LocalUnaligned),
		measured("local_request", maxCPI, &m.LocalRequest),
		measured("peak_gbs", 1000000, &m.PeakGBs),
		measured("copy_cost", 10, &m.CopyCost).from(1),
		measured("partial_write_cost", 2, &m.PartialWriteCost).from(1),
		measured("local_float_turn", maxLatency, &m.LocalFloatTurn),
		measured("local_atomic_turn", maxLatency, &m.LocalAtomicTurn),
		measured("constant_turn", maxCPI, &m.ConstantTurn),
		measured("write_request", maxCPI, &m.WriteRequest),
		counted("write_merge", 1024, &m.WriteMerge),
		counted("fetch_bytes", 4096, &m.FetchBytes),
		measured("random_access", maxCPI, &m.RandomAccess),
		measured("random_latency", maxLatency, &m.RandomLatency),
		measured("global_atomic_turn", maxLatency, &m.GlobalAtomicTurn),
		measured("global_atomic_interval", maxLatency, &m.GlobalAtomicInterval),
		measured("float_atomic_interval", maxLatency, &m.FloatAtomicInterval),
	}
}

// numbers share one source.
func (a *Atomics) numbers() []number {
	return []number{
		measured("sector", maxCPI, &a.Sector),
		measured("line", maxCPI, &a.Line),
		measured("float_line", maxCPI, &a.FloatLine),
		measured("slice", maxCPI, &a.Slice),
		counted("slice_bytes", 1<<20, &a.SliceBytes),
	}
}

// numbers share one source.
func (c *Contention) numbers() []number {
	return []number{
		measured("unloaded", maxLatency, &c.Unloaded),
		measured("queueing", maxLatency, &c.Queueing).orZero(),
		measured("capacity", 1000000, &c.Capacity),
	}
}

// maxQueue is the most places of a queue in front of a subsystem that are accepted.
const maxQueue = 64

// Largest λ and Λ that are accepted, in cycles.
const (
	maxCPI     = 1_000_000
	maxLatency = 10_000_000
)

func hertz(mhz Cycles) int64 {
	hz, err := mhz.Mul(WholeCycles(1_000_000))
	if err != nil {
		return 0
	}
	return hz.Num() / hz.Den()
}

// maxDenominator bounds the fractions in device files and --set rules, so that the
// common denominator of a run stays small.
const maxDenominator = 10_000

func keysOf(fields []number, more ...string) []string {
	for _, f := range fields {
		more = append(more, f.key)
	}
	return more
}
