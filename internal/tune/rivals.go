package tune

import (
	"math"
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
)

// Roofline is the time in seconds that the classic roofline model gives: the
// floating-point instructions at the rate of their units, or the bytes of device
// memory that a group cannot avoid, each once, at the pin bandwidth, whichever takes longer.
func Roofline(kinds []simulate.GroupKind) float64 {
	var compute, bytes float64 // cycles of a compute unit; bytes of the launch
	for _, k := range kinds {
		g, groups := k.Graph, float64(k.Count)
		var requested float64
		for i, n := range executions(g) {
			in := &g.Instrs()[i]
			if c := isa.Parse(in.Op).Class(); c == isa.FP32 || c == isa.FP64 {
				compute += float64(n) * k.Mapping.Entries[i].Timing.CPI.Float() * groups
			}
			if a := g.Access(in.Access); a != nil && a.Space == idg.SpaceGlobal {
				requested += float64(n) * float64(a.Width) * float64(in.Lanes)
			}
		}
		if f := g.Footprint; f != nil {
			requested = float64(f.ReadBytes + f.WrittenBytes)
		}
		bytes += requested * groups
	}
	d := kinds[0].Mapping.Device
	seconds := compute / float64(d.ComputeUnits) / float64(d.ClockHz)
	if b := d.Memory.PeakGBs.Float() * 1e9; b > 0 {
		seconds = max(seconds, bytes/b)
	}
	return seconds
}

// PipeSeconds is for how long the busiest pipe of the compute units is in use at
// the device file's clock, if the work is dealt evenly: the sum of λ of its
// instructions. Accesses of global memory are left out, since memory has a clock of its own.
func PipeSeconds(kinds []simulate.GroupKind) float64 {
	busy := map[latencies.SubsystemID]float64{}
	for _, k := range kinds {
		for i, n := range executions(k.Graph) {
			if a := k.Graph.Access(k.Graph.Instrs()[i].Access); a != nil && a.Space == idg.SpaceGlobal {
				continue
			}
			e := &k.Mapping.Entries[i]
			busy[e.Subsystem] += float64(n) * float64(k.Count) * e.Timing.CPI.Float()
		}
	}
	longest := 0.0
	for _, b := range busy {
		longest = max(longest, b)
	}
	d := kinds[0].Mapping.Device
	return longest / float64(d.ComputeUnits) / float64(d.ClockHz)
}

// executions is how often a group executes each instruction class.
func executions(g *idg.Graph) []int64 {
	count := make([]int64, len(g.Instrs()))
	for i, n := range g.Executions() {
		for class, times := range g.Programs()[i].Tally(len(count)) {
			count[class] += n * times
		}
	}
	return count
}

// Volkov is the time in seconds by Volkov's model without contention (V16
// chapter 4, package analytic) at the occupancy of r; NaN where the model has none.
func Volkov(kinds []simulate.GroupKind, r *simulate.Result) (float64, error) {
	models := analytic.Models()
	model := models[slices.IndexFunc(models, func(m analytic.Model) bool { return m.About().Name == "volkov" })]
	var groups, cycles float64 // of the launch; of one compute unit that runs all of it
	for _, k := range kinds {
		in, err := analytic.FromGraph(k.Graph, k.Mapping, analytic.Options{Groups: r.Groups})
		if err != nil {
			return 0, err
		}
		e := analytic.Evaluate(model, in, float64(r.OccupancyWarps))
		if e.Invalid != "" {
			return math.NaN(), nil
		}
		groups += float64(k.Count)
		cycles += float64(k.Count) * in.WarpsPerGroup / e.WarpsPerCycle
	}
	return cycles / groups * float64(r.Groups) / float64(kinds[0].Mapping.Device.ClockHz), nil
}
