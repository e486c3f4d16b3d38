package latencies

// DeriveRule is a documented way to get a device's number from what a source
// prints. A number of a device file is either printed by its source or derived by one
// of these rules; none is fitted.
type DeriveRule struct{ Name, Doc string }

// DeriveRules lists the rules in the order of their names.
func DeriveRules() []DeriveRule {
	return []DeriveRule{
		{"achieved-share", "rule bandwidth with the specified bandwidth times the share of it that another GPU of " +
			"the same architecture achieves, both of which the source names"},
		{"at-most-memory", "Λ = Λ of device memory, the most that a hit takes, where no source gives it"},
		{"bandwidth", "cpi = warp size × 4 B × compute units × clock / bandwidth of the whole GPU, to 1/100 cycle; " +
			"all of the GPU that the source measured"},
		{"bandwidth-identity", "clock = achieved bandwidth × cpi of ld.global / (compute units × warp size × 4 B), " +
			"to 1 MHz: the clock at which A T.5 and A T.6 agree"},
		{"beyond-cache", "Λ = Λ of the last cache + the nanoseconds that device memory takes beyond it, which the " +
			"source gives, × this device's clock, to 1 cycle"},
		{"block-copy", "Λ = cycles of a chain of copies of 16 bytes by the tensor memory accelerator, in L2, each of " +
			"which a barrier waits for and the next one's address is read from - those that the same source prints " +
			"for a plain load, and Λ of a read of local memory and of a barrier, which are instructions of their " +
			"own, to 1/2 cycle"},
		{"bytes", "cpi = warp size × 4 B / bytes per cycle and compute unit, to 1/100 cycle"},
		{"copied", "copy_cost = GB/s read (written, where reads alone are bound by their latency) / GB/s copied, of " +
			"this GPU or of one of the same architecture, which the source names, to 1/1000"},
		{"issue-slot", "cpi = 1/issue limit: the instruction takes an issue slot and nothing else"},
		{"lane-rate", "cycles = 1 / (lanes per cycle and scheduler × schedulers), to 1/100 cycle"},
		{"lanes", "cpi = warp size / lanes per cycle and compute unit, and no less than 1/issue limit"},
		{"launch", "nanoseconds of the shortest launch that the source measured in a captured sequence of them (its " +
			"bytes / its throughput) - Λ of that GPU's L2, to 10 ns"},
		{"launch-slope", "cycles per group = slope of the times of launches, by least squares, over their numbers of " +
			"groups × clock, to 1/100 cycle; of the smallest groups measured, and of launches of more than 2,000 for " +
			"which groups of twice the work items reach more than 1.7 times the throughput, so that no memory " +
			"limits them"},
		{"little", "Λ = threads × bytes in flight per thread / throughput × this device's clock (Little's law), to 1 " +
			"cycle, at the smallest load that the source gives"},
		{"loaded-latency", "Λ = threads × bytes in flight per thread × clock / throughput (Little's law) at each " +
			"measured point; unloaded = Λ of the first, queueing and capacity by least squares of (Λ - " +
			"unloaded)·(capacity - T) = queueing·T, to 1 cycle and 1 GB/s"},
		{"matrix", "cpi = multiply-adds of the instruction / those per cycle and compute unit, which follow from the " +
			"specified rate"},
		{"midpoint", "the middle of the range that the source gives, to 1 cycle"},
		{"nanoseconds", "Λ = nanoseconds that the source gives × this device's clock, to 1 cycle"},
		{"nearest-architecture", "measured on another architecture of the vendor, the nearest for which a source " +
			"gives it, which the source names"},
		{"one-warp", "cpi = cycles per instruction of one warp's independent instructions / partitions, for " +
			"instructions of which one warp keeps its sub-core's unit busy"},
		{"own-time", "Λ = partitions × cpi: the time for which the unit of a sub-core is busy with the instruction; " +
			"what it reads arrives by an instruction of its own"},
		{"per-line", "cpi = (cycles of a strided access - 1) / (its lines - 1), per compute unit, to 1/100 cycle"},
		{"rate-ratio", "cpi of another GPU of the same architecture times the ratio of the specified rates"},
		{"same-architecture", "measured on another GPU of the same architecture, which the source names"},
		{"same-pipeline", "as another instruction that the same units execute, which the source names"},
		{"same-time", "measured in cycles on another GPU, which the source names with its clock, and converted to " +
			"this device's clock, to 1 cycle"},
		{"scaled-load", "loaded latency of another GPU of the same architecture, or of the nearest that was " +
			"measured, which the source names with its clock and specified bandwidth: unloaded = Λ of this device's " +
			"memory, queueing for the same time in this device's cycles, capacity in proportion to the specified " +
			"bandwidths, to 1 cycle and 1 GB/s"},
		{"scheduler-throughput", "cpi = warp size / (lanes per cycle and scheduler × schedulers), to 1/100 cycle, " +
			"which keeps the denominators of exact times small"},
		{"slope", "(cycles with 32 - cycles with 1) / 31, to 1/100 cycle"},
		{"specified-rate", "clock = specified single precision rate / (2 × lanes per compute unit × compute " +
			"units), to 1 MHz"},
		{"transactions", "Λ = Λ of an access of several transactions - cpi of those beyond the first; where another " +
			"level serves a share of the accesses, after its Λ for that share is taken away; to 1 cycle"},
		{"updates", "cycles = 8 bytes × clock / throughput of the atomics of one word, to 1/100 cycle: 4 bytes read " +
			"and 4 written"},
		{"warp-rate", "cpi = 1 / warp instructions per cycle and compute unit, to 1/100 cycle"},
	}
}

func deriveRuleNames() []string {
	var names []string
	for _, r := range DeriveRules() {
		names = append(names, r.Name)
	}
	return names
}
