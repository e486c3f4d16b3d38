package arrange

import "gpupipe/lower/machine"

// registersFor is how many registers a thread may have so that so many warps are resident.
func registersFor(t *machine.Target, warps int) int {
	inPartition := max(1, (warps+t.Partitions-1)/t.Partitions)
	step := max(1, t.RegisterStep)
	n := t.FileRegisters / t.Partitions / inPartition / t.WarpSize
	return min(n/step*step, t.MaxRegisters)
}

// hardLimit is the most registers that a thread may have, as reported: what is asked for, else what lets so many
// groups of the size that the kernel is bound to be resident (CUDA C++ Programming Guide, Launch Bounds), else the
// target's.
func hardLimit(t *machine.Target, o *machine.Options) int {
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
	return max(limit, fewestRegisters(t))
}

// filled is up to how many registers, as reported, code is filled with loads on their way: where the compiler is told
// how many groups are to be resident, even 1, or the limit itself; 0: none.
func filled(t *machine.Target, o *machine.Options) int {
	if o.MinGroups == 0 && (o.MaxRegisters == 0 || o.MaxRegisters >= t.MaxRegisters) {
		return 0
	}
	return min(hardLimit(t, o), t.Filled)
}

// grown is the most registers that code may have: the hard limit, or what its warps take after they are launched with
// that (PTX ISA, setmaxnreg).
func grown(t *machine.Target, o *machine.Options) int {
	most := t.MaxRegisters
	if o.MaxRegisters > 0 {
		most = min(most, o.MaxRegisters)
	}
	return max(hardLimit(t, o), min(o.Grown, most))
}

// fewestRegisters is a number of registers below which nothing can be compiled.
func fewestRegisters(t *machine.Target) int { return min(t.MaxRegisters, 16) }

// budgets lists how many registers a thread may have, as reported, from the number with which as many groups are
// resident as local memory and their size allow, over those with which it is one less, to the hard limit; where the
// compiler counts warps, or groups may have any size, by warps of a partition. A compiler takes the first one that its
// code fits in: ptxas uses 32 where 64 warps fit, 40 where the device holds 48, 64 where groups of one warp leave room
// for 32, and the next number where it would have to spill (nvcc 11.8, 13); LLVM's GCNMaxOccupancySchedStrategy and
// its occupancy do the same.
func budgets(c *machine.Code, o *machine.Options) []int {
	t := c.Target
	hard := hardLimit(t, o)
	step, most := t.Partitions, t.MaxWarps
	if o.MaxThreads > 0 {
		most = c.Resident(o, 1)
		if t.GroupSteps > 0 {
			step = (o.MaxThreads + t.WarpSize - 1) / t.WarpSize
		}
	}
	var list []int
	for warps := most / step * step; warps >= step; warps -= step {
		r := registersFor(t, warps)
		if r >= hard {
			break
		}
		if len(list) == 0 || r > list[len(list)-1] {
			list = append(list, r)
		}
	}
	return append(list, grown(t, o))
}
