package analytic

// nearRoof is how near to the throughput bound a model must come for its
// latency to count as hidden.
const nearRoof = 0.99

// Needed is how many warps a model asks for: the fewest, of at most most, with
// which it reaches 99% of the throughput that subsystems and issue limit allow;
// 0 if it never does or does not know occupancy.
func Needed(m Model, in *Input, most int) int {
	if m.About().Static {
		return 0
	}
	roof, _ := in.Throughput()
	for n := 1; n <= most; n++ {
		if e := Evaluate(m, in, float64(n)); e.Invalid == "" && e.WarpsPerCycle >= nearRoof*roof {
			return n
		}
	}
	return 0
}
