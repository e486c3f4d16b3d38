package measure

import "strings"

// sectorBytes is what a lane that reads on its own moves at least: a sector of 32 bytes, on NVIDIA's GPUs since 2010.
const sectorBytes = 32

// OfDeviceMemory reports whether a class measures what no cache holds.
func (c Class) OfDeviceMemory() bool {
	return (c.Op == "ld.global" || c.Op == "st.global" || strings.HasPrefix(c.Name, "copy.") ||
		c.Kind == Stream) &&
		!strings.HasSuffix(c.Name, ".l1") && !strings.HasSuffix(c.Name, ".l2")
}

// Lane are the bytes that a lane's access of device memory takes of its warp's: what it reads, and what
// it skips as far as that is in the same sector.
func (c Class) Lane() int {
	switch {
	case strings.HasSuffix(c.Name, ".random"):
		return sectorBytes
	case strings.Contains(c.Name, ".stride"):
		return min(4*c.Param, sectorBytes)
	}
	return c.Param
}

// Whole reports whether the lanes of a warp together take whole sectors, and neighbouring ones.
func (c Class) Whole() bool {
	return !strings.HasSuffix(c.Name, ".random") && !strings.HasSuffix(c.Name, ".misaligned") &&
		!(strings.Contains(c.Name, ".stride") && 4*c.Param > sectorBytes)
}

// beyond is how many times L2 a launch must touch so that its bytes are not in L2 from the launch before: L2 of
// NVIDIA's GPUs since Ampere keeps some sectors twice, so that a third of its size more than it has is enough
// (33 of 50 MB were found again, of 52 MB none: one H100).
const beyond = 1.5

// Apart says why a sample measured something else than its class is about; "" if it did not.
func (p *Properties) Apart(s Sample) string {
	c, ok := Lookup(s.Class)
	switch {
	case !ok, !c.OfDeviceMemory() || strings.HasSuffix(c.Name, ".random"):
		return ""
	case p.Former && s.Chains > 1:
		return "a work item's chains read the lines of other work items, which L2 has"
	}
	if s.Instructions < p.least(c, s.GroupSize*s.Groups) {
		return "L2 holds what the launch touches, from the launch before"
	}
	return ""
}

// least is how many instructions a warp must execute for the launch to touch more than L2 holds.
func (p *Properties) least(c Class, itemsPerUnit int) int64 {
	if !c.OfDeviceMemory() {
		return 0
	}
	step := int64(itemsPerUnit*max(p.ComputeUnits, 1)) * int64(c.Lane())
	return int64(beyond*float64(p.L2Bytes))/max(step, 1) + 1
}
