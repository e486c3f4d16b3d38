package latencies

// DeriveRule is a documented way to get a device's number from what a source
// prints. A number of a device file is either printed by its source or derived by one
// of these rules; none is fitted.
type DeriveRule struct{ Name, Doc string }

// DeriveRules lists the rules in the order of their names.
func DeriveRules() []DeriveRule {
	return []DeriveRule{
		{"bandwidth", "cpi = warp size × 4 B × compute units × clock / bandwidth of the whole GPU, to 1/100 cycle; all of the GPU that the source measured"},
		{"bandwidth-identity", "clock = achieved bandwidth × cpi of ld.global / (compute units × warp size × 4 B), to 1 MHz: the clock at which A T.5 and A T.6 agree"},
		{"issue-slot", "cpi = 1/issue limit: the instruction takes an issue slot and nothing else"},
		{"lanes", "cpi = warp size / lanes per cycle and compute unit, and no less than 1/issue limit"},
		{"rate-ratio", "cpi of another GPU of the same architecture times the ratio of the specified rates"},
		{"same-architecture", "measured on another GPU of the same architecture, which the source names"},
		{"same-pipeline", "as another instruction that the same units execute, which the source names"},
		{"scheduler-throughput", "cpi = warp size / (lanes per cycle and scheduler × schedulers), to 1/100 cycle, which keeps the denominators of exact times small"},
	}
}

func deriveRuleNames() []string {
	var names []string
	for _, r := range DeriveRules() {
		names = append(names, r.Name)
	}
	return names
}
