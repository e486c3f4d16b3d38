package machine

// Occupancy is how much of a kernel a compute unit holds at once, by what limits it (NVIDIA, cuda_occupancy.h; LLVM,
// AMDGPUBaseInfo: getNumWavesPerEUWithNumVGPRs).
type Occupancy struct {
	Groups, Warps int
	// The groups that would fit if only this counted.
	ByThreads, ByRegisters, ByLocal int
}

// Occupancy of groups of so many threads, each with so many registers (as reported), and bytes of local memory of a
// group.
func (t *Target) Occupancy(registers, threads int, local int64) Occupancy {
	warps := (max(1, threads) + t.WarpSize - 1) / t.WarpSize
	o := Occupancy{ByThreads: min(t.MaxGroups, t.MaxWarps/warps), ByRegisters: t.MaxGroups, ByLocal: t.MaxGroups}
	if t.FileRegisters > 0 {
		o.ByRegisters = t.warpsWith(registers) / warps
	}
	if t.LocalUnit > 0 && local+t.LocalReserved > 0 {
		units := (local + t.LocalReserved + t.LocalUnit - 1) / t.LocalUnit
		o.ByLocal = int(t.LocalBytes / (units * t.LocalUnit))
	}
	o.Groups = min(o.ByThreads, o.ByRegisters, o.ByLocal)
	o.Warps = o.Groups * warps
	return o
}

// Warps is how many warps of a kernel are resident; of one that does not state the size of its groups, in groups of
// one warp of each partition.
func (c *Code) Warps(o *Options) int {
	return c.Resident(o, c.Resources.Registers)
}

// Bound reports whether more would be resident if registers did not count.
func (c *Code) Bound(o *Options) bool { return c.Warps(o) < c.Resident(o, 1) }

// Resident is how many warps of a kernel would be resident if it had so many registers.
func (c *Code) Resident(o *Options, registers int) int {
	threads := o.MaxThreads
	if threads == 0 {
		threads = c.Target.Partitions * c.Target.WarpSize
	}
	return c.Target.counted(o).Occupancy(registers, threads, c.Resources.LocalBytes).Warps
}

// counted is a target as the compiler counts with it: one that has its own figure of the memory of groups does not
// know what the device reserves of it.
func (t *Target) counted(o *Options) *Target {
	if o.LocalBytes == 0 {
		return t
	}
	c := *t
	c.LocalBytes, c.LocalReserved = min(c.LocalBytes, o.LocalBytes), 0
	return &c
}

// warpsWith is how many warps of so many registers a thread the file of a compute unit holds.
func (t *Target) warpsWith(registers int) int {
	unit := max(1, t.RegisterUnit)
	words := (max(1, registers)*t.WarpSize + unit - 1) / unit * unit
	return min(t.MaxWarps, t.FileRegisters/t.Partitions/words*t.Partitions)
}
