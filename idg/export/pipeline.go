package export

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// kindOf is the kind of pipeline that executes an op, where no device says its pipelines.
func kindOf(in *idg.Instr) string {
	op := in.Operation()
	if op.Memory() {
		if op.Space == 0 {
			return "memory"
		}
		return op.Space.String() + " memory"
	}
	switch c := op.Class(); c {
	case isa.Comparison, isa.IndexClass, isa.Conversion:
		return string(isa.Integer)
	case isa.LoopClass, isa.BranchClass, isa.ConvergeClass, isa.OffClass:
		return "control"
	case isa.FenceClass:
		return string(isa.BarrierClass)
	default:
		return string(c)
	}
}

// fills are light, for dark text: pipelines have them by name, in order.
var fills = [...]string{"#cfe0f3", "#fbdcc4", "#d3ecd5", "#f3d5e4", "#fdf0bd", "#dcd6ef", "#cdeaea", "#e3e3e3"}

// fillsOf gives pipelines their colours.
func fillsOf(pipelines []string) map[string]string {
	names := slices.Compact(slices.Sorted(slices.Values(pipelines)))
	of := map[string]string{"": "#ffffff"}
	for i, name := range names {
		of[name] = fills[i%len(fills)]
	}
	return of
}
