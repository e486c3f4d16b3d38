package simulate

import "gpupipe/latencies"

// OccupancyStep is what another number of groups at once takes of a resource.
type OccupancyStep struct {
	Resource string // "registers" or "local memory"
	Groups   int64
	Amount   int64 // registers per work item, or bytes of local memory per group
}

// StepUp is the largest use of the resource that limits the occupancy with which
// more groups would fit, as far as that resource is concerned. ok is false if something else
// than registers or local memory limits, or no use is small enough.
func (o *Occupancy) StepUp(d *latencies.Device, warpsPerGroup int64) (step OccupancyStep, ok bool) {
	amount, fits := o.resource(o.Limit, d, warpsPerGroup)
	if fits == nil {
		return OccupancyStep{}, false
	}
	// Fewer never fit in less: the groups grow as the amount falls.
	low, high := int64(0), amount // fits(low) > o.Groups or low = 0
	for a := int64(1); a < high; {
		middle := a + (high-a)/2
		if fits(middle) > o.Groups {
			low, a = middle, middle+1
		} else {
			high = middle
		}
	}
	if low == 0 {
		return OccupancyStep{}, false
	}
	return OccupancyStep{o.Limit, fits(low), low}, true
}

// StepDown is the smallest use of a resource, registers or local memory, beyond the
// present one at which fewer groups fit. ok is false if the use is not known, or no
// group fits then.
func (o *Occupancy) StepDown(resource string, d *latencies.Device, warpsPerGroup int64) (step OccupancyStep, ok bool) {
	amount, fits := o.resource(resource, d, warpsPerGroup)
	if fits == nil {
		return OccupancyStep{}, false
	}
	low, high := amount, amount+1 // fits(low) ≥ o.Groups
	for fits(high) >= o.Groups {
		low, high = high, 2*high
	}
	for high-low > 1 {
		if middle := low + (high-low)/2; fits(middle) >= o.Groups {
			low = middle
		} else {
			high = middle
		}
	}
	if fits(high) < 1 {
		return OccupancyStep{}, false
	}
	return OccupancyStep{resource, fits(high), high}, true
}

// resource returns the present use of a resource and how many groups fit for a
// use of it; nil if the use is not known or does not limit.
func (o *Occupancy) resource(name string, d *latencies.Device, warpsPerGroup int64) (int64, func(int64) int64) {
	switch {
	case name == "registers" && d.GroupsByRegisters(warpsPerGroup, o.Registers) >= 0:
		return o.Registers, func(n int64) int64 { return d.GroupsByRegisters(warpsPerGroup, n) }
	case name == "local memory" && d.GroupsByLocalMemory(o.LocalBytes) >= 0:
		return o.LocalBytes, d.GroupsByLocalMemory
	}
	return 0, nil
}
