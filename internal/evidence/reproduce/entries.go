package main

// sections lists all published results.
func sections() []section {
	return []section{
		onePipelineSection(), fig1Section(), exampleSection(), mixSection(), workSection(), barrierSection(),
		{number: 7, title: "Instruction states",
			text:  "L4: waiting, ready, issued, complete, changed only by events. There is no number to compare.",
			tests: "`simulate` TestStates, TestTotalOrder"},
		{number: 8, title: "Issue in exact time",
			text: "P19 Algorithm 1 polls a busy pipeline again at t+1, which makes results depend on the phase of a " +
				"fractional λ; here an instruction issues at max(ready, pipeline free, valve free). There is no " +
				"number to compare.", tests: "`simulate` TestFractionalTimes"},
		mmulSection(), maddSection(), vectorAddSection(), worksheetSection(), modulesSection(), coalescingSection(),
		rooflineSection(), volkovSection(), transitSection(), guideSection(), mwpcwpSection(), wfgSection(),
		gpuPerfSection(),
		{number: 22, title: "Zhang and Owens",
			text: "V16 7.3 prints no number; both forms are in `simulate/analytic` (zhangowens.go) and in the " +
				"comparison below (Fig. 7.5)."},
		gpuMechSection(),
		{number: 24, title: "MAPE and MAPE_shape",
			text: "A 6.3 defines them, of the performance (warps per cycle); the formula of MAPE is printed without " +
				"the division by n. `pipesim compare` and `models` print them, and beside them the MAPE of time.",
			tests: "`simulate/comparison` TestMeasure; `simulate/accuracy` TestMAPE, TestMAPEShape (by hand), " +
				"TestMAPEShapeAgainstSearch"},
		{number: 25, title: "The article's results", text: "See below: the measured times are not published."},
		bandwidthSection(),
	}
}
