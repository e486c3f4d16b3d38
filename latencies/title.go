package latencies

import (
	"slices"
	"strings"
)

// TitleOf is the name by which people know a subsystem.
func (d *Device) TitleOf(subsystem string) string {
	switch subsystem {
	case "global":
		return "DRAM"
	case "l1", "l2", "l3":
		return "L" + subsystem[1:]
	case "local":
		if d.Memory.L1 != nil && d.Memory.L1.Subsystem == subsystem {
			return "L1/shared"
		}
		return "shared"
	case "fma":
		return "FP32"
	case "alu":
		if slices.ContainsFunc(d.Subsystems, func(s Subsystem) bool { return s.Name == "fma" }) {
			return "INT"
		}
		return "FP32/INT"
	case "fmaheavy":
		return "INT multiply"
	case "issue":
		return "no pipeline"
	case "sfu", "fp16", "fp64":
		return strings.ToUpper(subsystem)
	}
	return subsystem
}
