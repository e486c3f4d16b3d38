package tune

import (
	"maps"
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/latencies"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
	"gpupipe/simulate"
)

// chosen ends the work on a launch whose warps take longer than the limit for what each of them certainly executes,
// before that is arranged or executed. A launch that cannot run is left to worth, which says why. Registers keep it
// from that only where their number is given: as many as are counted let a group run (Device.RegistersOf).
func (p *Plan) chosen(c *machine.Code, h *idg.Header, j *job, limit float64) error {
	d := j.options.Device
	h.Resources.Registers = j.options.Registers.Number
	if _, err := simulate.Capacity(&idg.Graph{Header: *h}, d, p.Recipe.Config); err != nil {
		return nil
	}
	warps := float64(h.Launch.WarpsPerGroup()*h.Launch.TotalGroups()) * unevenness(&h.Launch, d)
	if least := rounding * certainSeconds(c, p.devices[d].Mapper, d, warps); least > limit {
		return slower(least)
	}
	return nil
}

// rounding keeps a bound below a time that it equals.
const rounding = 1 - 1e-9

// unevenness is how many groups the busiest compute unit runs for each one that they run on average.
func unevenness(l *idg.Launch, d *latencies.Device) float64 {
	groups, units := l.TotalGroups(), int64(max(d.ComputeUnits, 1))
	return float64((groups-1)/units+1) / (float64(groups) / float64(units))
}

// certainSeconds is for how long the busiest pipe of the compute units is in use by instructions that each warp
// certainly executes: PipeSeconds of these.
func certainSeconds(c *machine.Code, m *latencies.Mapper, d *latencies.Device, warps float64) float64 {
	times := map[string]int64{}
	certain(c.Body, times)
	busy := map[latencies.SubsystemID]float64{}
	longest := 0.0
	for _, op := range slices.Sorted(maps.Keys(times)) {
		if e, ok := m.Entry(op); ok {
			busy[e.Subsystem] += float64(times[op]) * warps * e.Timing.CPI.Float()
			longest = max(longest, busy[e.Subsystem])
		}
	}
	return longest / float64(d.ComputeUnits) / float64(d.ClockHz)
}

// certain counts, by class, the floating-point arithmetic and the loads of local memory that whoever enters a block
// executes once at least, with whatever lanes: arranging the code adds none of these and takes none away.
func certain(b *machine.Block, times map[string]int64) {
	for _, n := range b.Nodes {
		switch n := n.(type) {
		case *machine.Instr:
			if n.Guard.Reg == 0 && !n.Free && counted(n) {
				times[n.Class]++
			}
		case *machine.If:
			if jumps(n.Then) || jumps(n.Else) {
				return
			}
		case *machine.Loop:
			certain(n.Body, times)
			if jumps(n.Body, n.From) {
				return
			}
		case *machine.Region:
			certain(n.Body, times)
			if jumps(n.Body, n.From) {
				return
			}
		default: // a jump
			return
		}
	}
}

func counted(in *machine.Instr) bool {
	if in.Mem != nil {
		return in.Mem.Space == idg.SpaceLocal && !in.Mem.Store && !in.Mem.Atomic && in.Class == "ld.local"
	}
	switch isa.Parse(in.Class).Class() {
	case isa.FP16, isa.FP32, isa.FP64:
		return true
	}
	return false
}

// jumps reports whether a block has a jump for other places than the end or the next turn of what it is the body of.
func jumps(b *machine.Block, inside ...*ir.Instr) bool {
	return b != nil && slices.ContainsFunc(b.Nodes, func(n machine.Node) bool {
		switch n := n.(type) {
		case *machine.Jump:
			return n.Target == nil || !slices.Contains(inside, n.Target)
		case *machine.If:
			return jumps(n.Then, inside...) || jumps(n.Else, inside...)
		case *machine.Loop:
			return jumps(n.Body, append(slices.Clip(inside), n.From)...)
		case *machine.Region:
			return jumps(n.Body, append(slices.Clip(inside), n.From)...)
		}
		return false
	})
}
