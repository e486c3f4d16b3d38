package machine

// occupancyLimit is how many vector registers a schedule may use: no more than leave a compute unit the resident
// warps that the code allows in the order with the least pressure, as far as launch bounds and --registers let it.
// Registers up to the next step of occupancy cost nothing (LLVM's GCNMaxOccupancySchedStrategy schedules for the
// occupancy that the least pressure of the function's regions allows; ptxas's registers of the H100's suite stand
// at or below these steps: 32, 40, 48, 64, 80, 96, 128).
func (s *scheduler) occupancyLimit(o *Options) int {
	t := s.l.code.Target
	fixed := t.Reserved + t.Counted
	most := t.MaxRegisters
	if o != nil && o.MaxRegisters > 0 {
		most = min(most, o.MaxRegisters)
	}
	least := 0
	limits := s.limits(0)
	for _, b := range s.blocks {
		least = max(least, b.try(limits, 0).peak[Vector])
	}
	for warps := t.MaxWarps; warps > 0; warps -= warpStep {
		if n := t.registersAt(warps); n >= least+fixed {
			return min(n, most) - fixed
		}
	}
	return most - fixed
}

// warpStep is in how many warps occupancy changes: one for each sub-core (CUDA Occupancy Calculator: warp
// allocation granularity 4).
const warpStep = 4

// registersAt is how many registers a thread has where so many warps are resident.
func (t *Target) registersAt(warps int) int {
	n := t.FileRegisters / (warps * t.WarpSize)
	return min(n-n%max(t.RegisterStep, 1), t.MaxRegisters)
}
