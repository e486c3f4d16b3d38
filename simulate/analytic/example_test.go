package analytic

// example is the article's example kernel (A Fig. 1, Table 2), by hand: C C M C M C,
// the first two computations independent of each other.
func example() *Input {
	return &Input{
		Comp: Uniform(4, 1, 4), Mem: Uniform(2, 2, 6), PeakCPI: 1, IssueSlots: 6, ILP: 28. / 24,
		WarpLatency: 25, ChainLoads: 2, Schedulers: 1, MemIssue: 1,
		Subsystems: []Subsystem{
			{Name: "comp", Count: 4, Busy: 4, Wait: 16},
			{Name: "mem", Count: 2, Busy: 4, Wait: 12},
		},
		Blocks: []Block{
			{Count: 1, Busy: 2, Span: 4, Access: true, Wait: 6},
			{Count: 1, Busy: 1, Span: 4, Access: true, Wait: 6},
			{Count: 1, Busy: 1, Span: 4},
		},
		MemIntervals: []Interval{
			{Count: 1, Instructions: 3, Stall: 5, Loads: 1},
			{Count: 1, Instructions: 2, Stall: 5, Loads: 1},
			{Count: 1, Instructions: 1},
		},
		Memory: Memory{Units: 1, Transactions: 1, Lines: 1, Service: 2, MSHRs: 128},
	}
}
