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
	return c.resident(o, c.Resources.Registers)
}

// Bound reports whether more would be resident if registers did not count.
func (c *Code) Bound(o *Options) bool { return c.Warps(o) < c.resident(o, 1) }

func (c *Code) resident(o *Options, registers int) int {
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

// registersFor is how many registers a thread may have so that so many warps are resident.
func (t *Target) registersFor(warps int) int {
	inPartition := max(1, (warps+t.Partitions-1)/t.Partitions)
	step := max(1, t.RegisterStep)
	n := t.FileRegisters / t.Partitions / inPartition / t.WarpSize
	return min(n/step*step, t.MaxRegisters)
}

// hardLimit is the most registers that a thread may have, as reported: what is asked for, else what lets so many
// groups of the size that the kernel is bound to be resident (CUDA C++ Programming Guide, Launch Bounds), else the
// target's.
func (t *Target) hardLimit(o *Options) int {
	limit := t.MaxRegisters
	if o.MaxThreads > 0 {
		warps := (o.MaxThreads + t.WarpSize - 1) / t.WarpSize
		step := max(1, t.RegisterStep)
		file := t.FileRegisters * max(1, t.GroupUnits)
		groups := max(1, o.MinGroups)
		if groups*warps > t.MaxWarps*max(1, t.GroupUnits) { // more than there can be: ptxas ignores the number
			groups = 1
		}
		limit = min(limit, file/(warps*t.WarpSize*groups)/step*step)
	}
	if o.MaxRegisters > 0 {
		limit = min(limit, o.MaxRegisters)
	}
	return max(limit, t.fewest())
}

// filled is up to how many registers, as reported, code is filled with loads on their way: where the compiler is told
// how many groups are to be resident, even 1, or the limit itself; 0: none.
func (t *Target) filled(o *Options) int {
	if o.MinGroups == 0 && (o.MaxRegisters == 0 || o.MaxRegisters >= t.MaxRegisters) {
		return 0
	}
	return min(t.hardLimit(o), t.Filled)
}

// grown is the most registers that code may have: the hard limit, or what its warps take after they are launched with
// that (PTX ISA, setmaxnreg).
func (t *Target) grown(o *Options) int {
	most := t.MaxRegisters
	if o.MaxRegisters > 0 {
		most = min(most, o.MaxRegisters)
	}
	return max(t.hardLimit(o), min(o.Grown, most))
}

// fewest is a number of registers below which nothing can be compiled.
func (t *Target) fewest() int { return min(t.MaxRegisters, 16) }

// budgets lists how many registers a thread may have, as reported, from the number with which as many groups are
// resident as local memory and their size allow, over those with which it is one less, to the hard limit; where the
// compiler counts warps, or groups may have any size, by warps of a partition. A compiler takes the first one that its
// code fits in: ptxas uses 32 where 64 warps fit, 40 where the device holds 48, 64 where groups of one warp leave room
// for 32, and the next number where it would have to spill (nvcc 11.8, 13); LLVM's GCNMaxOccupancySchedStrategy and
// its occupancy do the same.
func (t *Target) budgets(o *Options, local int64) []int {
	hard := t.hardLimit(o)
	step, most := t.Partitions, t.MaxWarps
	if o.MaxThreads > 0 {
		most = t.counted(o).Occupancy(1, o.MaxThreads, local).Warps
		if t.GroupSteps > 0 {
			step = (o.MaxThreads + t.WarpSize - 1) / t.WarpSize
		}
	}
	var list []int
	for warps := most / step * step; warps >= step; warps -= step {
		r := t.registersFor(warps)
		if r >= hard {
			break
		}
		if len(list) == 0 || r > list[len(list)-1] {
			list = append(list, r)
		}
	}
	return append(list, t.grown(o))
}
