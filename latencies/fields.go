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
	set      func(*Device, Cycles)
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
	keys := keysOf(deviceNumbers, topKeys...)
	for _, c := range deviceChoices {
		keys = append(keys, c.key)
	}
	return keys
}

var deviceNumbers = []number{
	{key: "compute_units", min: 1, max: 4096, whole: true, set: func(d *Device, v Cycles) {
		d.ComputeUnits = int(v.Num())
	}},
	{key: "clock_mhz", max: 20000, set: func(d *Device, v Cycles) { d.ClockHz = hertz(v) }},
	{key: "base_clock_mhz", max: 20000, set: func(d *Device, v Cycles) { d.BaseClockHz = hertz(v) }},
	{key: "warp_size", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) { d.WarpSize = int(v.Num()) }},
	{key: "issue_limit", max: 64, set: func(d *Device, v Cycles) { d.IssueLimit = v }},
	{key: "partitions", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) { d.Partitions = int(v.Num()) }},
	{key: "issue_interval", max: 1000, zero: true, set: func(d *Device, v Cycles) { d.IssueInterval = v }},
	{key: "reissue", min: 1, max: maxSlots, whole: true, set: func(d *Device, v Cycles) { d.Reissue = int(v.Num()) }},
	{key: "register_reads", max: 64, set: func(d *Device, v Cycles) { d.RegisterReads = v }},
	{key: "group_start", max: 1000, set: func(d *Device, v Cycles) { d.GroupStart = v }},
	{key: "launch_ns", max: 1000000, set: func(d *Device, v Cycles) { d.LaunchNs = v }},
	{key: "group_replacement", max: 1000000, zero: true, set: func(d *Device, v Cycles) { d.GroupReplacement = v }},
}

var limitNumbers = []number{
	{key: "warps", min: 1, max: 1024, whole: true, set: func(d *Device, v Cycles) { d.Limits.Warps = v.Num() }},
	{key: "groups", min: 1, max: 1024, whole: true, set: func(d *Device, v Cycles) { d.Limits.Groups = v.Num() }},
	{key: "barriers", min: 1, max: 1024, whole: true, set: func(d *Device, v Cycles) { d.Limits.Barriers = v.Num() }},
	{key: "work_items", min: 1, max: 65536, whole: true, set: func(d *Device, v Cycles) {
		d.Limits.WorkItems = v.Num()
	}},
	{key: "group_work_items", min: 1, max: 65536, whole: true, set: func(d *Device, v Cycles) {
		d.Limits.GroupWorkItems = v.Num()
	}},
	{key: "registers", min: 1, max: 1 << 24, whole: true, set: func(d *Device, v Cycles) {
		d.Limits.Registers = v.Num()
	}},
	{key: "registers_per_item", min: 1, max: 4096, whole: true, set: func(d *Device, v Cycles) {
		d.Limits.RegistersPerItem = v.Num()
	}},
	{key: "registers_per_group", min: 1, max: 1 << 24, whole: true, set: func(d *Device, v Cycles) {
		d.Limits.RegistersPerGroup = v.Num()
	}},
	{key: "register_unit", min: 1, max: 65536, whole: true, set: func(d *Device, v Cycles) {
		d.Limits.RegisterUnit = v.Num()
	}},
	{key: "warp_unit", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) { d.Limits.WarpUnit = v.Num() }},
	{key: "local_bytes", min: 1, max: 1 << 26, whole: true, set: func(d *Device, v Cycles) {
		d.Limits.LocalBytes = v.Num()
	}},
	{key: "local_unit", min: 1, max: 65536, whole: true, set: func(d *Device, v Cycles) {
		d.Limits.LocalUnit = v.Num()
	}},
	{key: "local_bytes_per_group", min: 1, max: 1 << 26, whole: true, set: func(d *Device, v Cycles) {
		d.Limits.LocalBytesPerGroup = v.Num()
	}},
	{key: "local_reserved", min: 1, max: 1 << 20, whole: true, set: func(d *Device, v Cycles) {
		d.Limits.LocalReserved = v.Num()
	}},
}

var memoryNumbers = []number{
	{key: "segment_bytes", min: 1, max: 4096, whole: true, set: func(d *Device, v Cycles) {
		d.Memory.SegmentBytes = int(v.Num())
	}},
	{key: "segment_lanes", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) {
		d.Memory.SegmentLanes = int(v.Num())
	}},
	{key: "local_banks", min: 1, max: 1024, whole: true, set: func(d *Device, v Cycles) {
		d.Memory.LocalBanks = int(v.Num())
	}},
	{key: "local_bank_bytes", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) {
		d.Memory.LocalBankBytes = int(v.Num())
	}},
	{key: "local_lanes", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) {
		d.Memory.LocalLanes = int(v.Num())
	}},
	{key: "local_pairing", min: 1, max: 2, whole: true, set: func(d *Device, v Cycles) {
		d.Memory.LocalPairing = int(v.Num())
	}},
	{key: "local_unaligned_lanes", min: 1, max: 64, whole: true, set: func(d *Device, v Cycles) {
		d.Memory.LocalUnaligned = int(v.Num())
	}},
	{key: "local_request", max: maxCPI, set: func(d *Device, v Cycles) { d.Memory.LocalRequest = v }},
	{key: "peak_gbs", max: 1000000, set: func(d *Device, v Cycles) { d.Memory.PeakGBs = v }},
	{key: "copy_cost", min: 1, max: 10, set: func(d *Device, v Cycles) { d.Memory.CopyCost = v }},
	{key: "partial_write_cost", min: 1, max: 2, set: func(d *Device, v Cycles) { d.Memory.PartialWriteCost = v }},
	{key: "local_float_turn", max: maxLatency, set: func(d *Device, v Cycles) { d.Memory.LocalFloatTurn = v }},
	{key: "local_atomic_turn", max: maxLatency, set: func(d *Device, v Cycles) { d.Memory.LocalAtomicTurn = v }},
	{key: "constant_turn", max: maxCPI, set: func(d *Device, v Cycles) { d.Memory.ConstantTurn = v }},
	{key: "write_request", max: maxCPI, set: func(d *Device, v Cycles) { d.Memory.WriteRequest = v }},
	{key: "write_merge", min: 1, max: 1024, whole: true, set: func(d *Device, v Cycles) {
		d.Memory.WriteMerge = v.Num()
	}},
	{key: "fetch_bytes", min: 1, max: 4096, whole: true, set: func(d *Device, v Cycles) {
		d.Memory.FetchBytes = v.Num()
	}},
	{key: "random_access", max: maxCPI, set: func(d *Device, v Cycles) { d.Memory.RandomAccess = v }},
	{key: "random_latency", max: maxLatency, set: func(d *Device, v Cycles) { d.Memory.RandomLatency = v }},
	{key: "global_atomic_turn", max: maxLatency, set: func(d *Device, v Cycles) { d.Memory.GlobalAtomicTurn = v }},
	{key: "global_atomic_interval", max: maxLatency, set: func(d *Device, v Cycles) {
		d.Memory.GlobalAtomicInterval = v
	}},
	{key: "float_atomic_interval", max: maxLatency,
		set: func(d *Device, v Cycles) { d.Memory.FloatAtomicInterval = v }},
}

// atomicsNumbers share one source.
var atomicsNumbers = []number{
	{key: "sector", max: maxCPI, set: func(d *Device, v Cycles) { d.Memory.Atomics.Sector = v }},
	{key: "line", max: maxCPI, set: func(d *Device, v Cycles) { d.Memory.Atomics.Line = v }},
	{key: "float_line", max: maxCPI, set: func(d *Device, v Cycles) { d.Memory.Atomics.FloatLine = v }},
	{key: "slice", max: maxCPI, set: func(d *Device, v Cycles) { d.Memory.Atomics.Slice = v }},
	{key: "slice_bytes", min: 1, max: 1 << 20, whole: true, set: func(d *Device, v Cycles) {
		d.Memory.Atomics.SliceBytes = v.Num()
	}},
}

// contentionNumbers share one source.
var contentionNumbers = []number{
	{key: "unloaded", max: maxLatency, set: func(d *Device, v Cycles) { d.Memory.Contention.Unloaded = v }},
	{key: "queueing", max: maxLatency, zero: true, set: func(d *Device, v Cycles) { d.Memory.Contention.Queueing = v }},
	{key: "capacity", max: 1000000, set: func(d *Device, v Cycles) { d.Memory.Contention.Capacity = v }},
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
