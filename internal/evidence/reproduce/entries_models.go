package main

import (
	"errors"
	"fmt"
	"math"

	"gpupipe/simulate/analytic"
)

// rate is what a model says of n warps, in warps per cycle.
func rate(name string, in *analytic.Input, n float64) func() (float64, error) {
	return func() (float64, error) {
		e := analytic.Evaluate(model(name), in, n)
		if e.Invalid != "" {
			return 0, fmt.Errorf("%s: %s", name, e.Invalid)
		}
		return e.WarpsPerCycle, nil
	}
}

// largest is the largest relative difference of a model from a printed formula
// for the time of one access among n warps with α computations each, over the
// occupancies of a GPU and a range of α. The kernel has so many accesses.
func largest(name string, g *volkovGPU, accesses int, αs []int,
	formula func(n, α float64) float64) func() (float64, error) {
	return func() (float64, error) {
		worst := 0.0
		for _, α := range αs {
			in := g.input(α, accesses)
			for n := 1; n <= g.warps; n++ {
				got, err := rate(name, in, float64(n))()
				if err != nil {
					return 0, err
				}
				want := formula(float64(n), float64(α))
				worst = max(worst, math.Abs(got*float64(accesses)*want-1))
			}
		}
		return worst, nil
	}
}

// intensities is α from 0 to 64, and some beyond.
func intensities(from int) []int {
	var list []int
	for α := from; α <= 64; α++ {
		list = append(list, α)
	}
	return append(list, 100, 256, 1000)
}

// many accesses make what stands once in a model's formula, such as the first
// access's latency, small against the rest.
const many = 1 << 40

// exampleModels is the command that prints warps per cycle of the article's example by models.
func exampleModels(models, warps string) string {
	return "pipesim models article/example.json --gpu article/example.yaml --models " + models + " --warps " + warps +
		" --simulate 0 --format csv | awk -F, 'NR > 1 {print $1, $2, sprintf(\"%.4f\", $3) + 0}'"
}

// mixModels is the command that prints a number for each model and occupancy of V16's mix: of $1 warps, whose rate $3
// is that of 4096 accesses and their α additions.
func mixModels(gpu string, α int, models, warps, number string) string {
	return fmt.Sprintf("idgen --builtin mix-global -O0 --gpu %s -D ALPHA=%d -D REPEAT=4096 | pipesim models "+
		"--set ld.global:addresses=coalesced "+
		"--models %s --warps %s --simulate 0 --format csv | awk -F, 'NR > 1 {printf \"%%.0f\\n\", %s}' | xargs", gpu, α,
		models,
		warps, number)
}

func vectorAddSection() section {
	const accesses, additions, issues = 3, 5, 8 // of a warp
	kepler := gpuNamed("Kepler")
	k := kepler.mix
	comp := additions * k.CompCPI
	in := &analytic.Input{
		Comp: analytic.Work{Count: additions, Busy: comp, Sum: comp, Wait: additions * k.CompLatency},
		Mem:  analytic.Uniform(accesses, k.MemCPI, k.MemLatency), PeakCPI: k.CompCPI,
		IssueSlots: issues, IssueLimit: k.IssueLimit, Schedulers: k.Schedulers, ILP: 1,
		WarpLatency: 544 - kepler.replacement, Replacement: kepler.replacement,
		Subsystems: []analytic.Subsystem{{Name: "memory", Count: accesses, Busy: accesses * k.MemCPI,
			Wait: accesses * k.MemLatency}},
	}
	const given = "the cycles and the issues of a warp are given to the model"
	sheet := analytic.NewWorksheet(in)
	one := rate("volkov", in, 1)
	inGBs := func(of func() (float64, error)) func() (float64, error) {
		return func() (float64, error) {
			w, err := of()
			return kepler.gbs(accesses * w), err
		}
	}
	return section{number: 11, title: "Vector addition on Kepler", origin: formula,
		commands: []command{{"idgen --builtin vadd-cuda --gpu gtx680 | pipesim models --models volkov --warps 1 " +
			"--simulate 0 --format csv | awk -F, 'NR > 1 {printf \"%.0f\\n\", 1/$3}'", "576"}},
		text: "Register latencies 301 (load) and 9 (all else), ILP latency 3, block replacement 201, of the device " +
			"file. What the source prints for a warp is not computed by the tool: the instructions of its Listing " +
			"3.5, issued in order and in pairs where neighbours are independent, take 544 cycles and 8 issues. The " +
			"command: the code compiled here, for the earliest target (sm_50), has addresses of 64 bits and 20 " +
			"instructions, where the source has 12.",
		entries: []entry{
			{source: "V16 3.8", what: "warp latency bound", printed: "544", unit: "cycles",
				ours: func() (float64, error) { w, err := one(); return 1 / w, err }, construction: given},
			{source: "V16 3.8", what: "throughput bound, 3 · 128 bytes", printed: "0.0445", unit: "warps/cycle",
				ours: rate("volkov", in, 64), differs: "the source rounds 17.13 bytes per cycle to 17.1"},
			{source: "V16 3.8", what: "issue bound", printed: "0.5", unit: "warps/cycle",
				ours: constant(1 / sheet.Rows[1].Cycles), construction: given},
			{source: "V16 3.8", what: "bandwidth per warp, latency bound", printed: "6.35", unit: "GB/s",
				ours: inGBs(one)},
			{source: "V16 3.8", what: "bandwidth, throughput bound", printed: "154", unit: "GB/s",
				ours: inGBs(rate("volkov", in, 64))},
		}}
}

func worksheetSection() section {
	s := section{number: 12, title: "The worksheet of the throughput bound", origin: pipe,
		text: "kernels/worksheet.cl, the mix of V16 T.3.2: 100 CUDA-core, 5 SFU, 10 conflict-free and 10 two-way " +
			"local accesses, 5 coalesced and 5 stride-2 global accesses of a warp, on the GTX 980. As in T.3.4 " +
			"special functions are issued together with others, and each further pass of an access is issued again.",
		commands: []command{{worksheetCommand +
			` --simulate 0 | awk '/^  (alu|sfu|local|global|issue limit) / {printf "%s%s", n++ ? ", " : "", $0 ~ ` +
			`/bound$/ ? $(NF-1) : $NF} END {print ""}'`,
			"25.0, 5.00, 30.0, 184, 36.2"}}}
	cycles := func(resource string) func() (float64, error) {
		return func() (float64, error) {
			sheet, err := worksheetOf()
			if err != nil {
				return 0, err
			}
			for _, r := range sheet.Rows {
				if r.Resource == resource {
					return r.Cycles, nil
				}
			}
			return 0, fmt.Errorf("the worksheet has no row %s", resource)
		}
	}
	for _, c := range []struct{ resource, printed, differs string }{
		{"alu", "25", ""}, {"sfu", "5", ""}, {"local", "30", ""},
		{"global", "184.5", "the source rounds λ: 128 bytes at 10.4 bytes per cycle are printed as 12.3 cycles, 5 · " +
			"12.3 + 5 · 24.6 = 184.5; T.6.1's 0.65 lanes per cycle and scheduler are 12.31"},
		{"issue limit", "36.25", ""},
	} {
		s.entries = append(s.entries, entry{source: "V16 T.3.4", what: c.resource, printed: c.printed, unit: "cycles",
			ours: cycles(c.resource), differs: c.differs})
	}
	s.entries = append(s.entries, entry{source: "V16 3.6", what: "bound, by the memory system", printed: "0.00542",
		unit: "warps/cycle", ours: func() (float64, error) {
			sheet, err := worksheetOf()
			return sheet.WarpsPerCycle, err
		}})
	return s
}

func rooflineSection() section {
	s := section{number: 15, title: "Rooflines", origin: formula,
		commands: []command{{exampleModels("roofline,boat-hull,mix-roofline", "1"),
			"1 roofline 0.25\n1 boat-hull 0.25\n1 mix-roofline 0.25"}},
		text: "A prints the roofline's number; the other two have none there, and the same roof here. min(IPC_comp, " +
			"BW·CI) on the article's example: 1 computation per cycle, 1/4 warp per cycle."}
	s.entries = append(s.entries, entry{source: "A 2.1", what: model("roofline").About().Title, printed: "0.25",
		unit: "warps/cycle", ours: rate("roofline", example(), 1)})
	for _, name := range []string{"boat-hull", "mix-roofline"} {
		s.entries = append(s.entries, entry{source: "A 2.1", what: model(name).About().Title, derived: 1. / 4,
			unit: "warps/cycle", ours: rate(name, example(), 1)})
	}
	return s
}

func volkovSection() section {
	s := section{number: 16, title: "Volkov's model on mixes", origin: formula,
		text: "α additions that depend on each other and one access: the time of one access among n warps, from " +
			"one to all that a compute unit holds, α = 0 to 64, 100, 256, 1000. The command: cycles of an access and " +
			"32 additions of a warp on Fermi, 513 + 18 · 32, and what the issue of 33 instructions leaves to 48 " +
			"warps, 33 · 48.",
		commands: []command{{mixModels("gtx480", 32, "volkov", "1,24,48", "$1/$3/4096"), "1089 1089 1584"}}}
	for _, c := range []struct {
		gpu, formula string
		time         func(n, α float64) float64
	}{
		{"G80", "min(n/(444+20α), 0.0268, 0.25/α)", func(n, α float64) float64 {
			return max((444+20*α)/n, 1/0.0268, α/0.25)
		}},
		{"GT200", "min(n/(434+24α), 0.0277, 0.25/α)", func(n, α float64) float64 {
			return max((434+24*α)/n, 1/0.0277, α/0.25)
		}},
		{"Fermi", "min(n/(513+18α), 0.0599, 1/(α+1))", func(n, α float64) float64 {
			return max((513+18*α)/n, 1/0.0599, α+1)
		}},
		{"Kepler", "min(n/(301+9α), 0.1338, 4/(α+1))", func(n, α float64) float64 {
			return max((301+9*α)/n, 1/0.1338, (α+1)/4)
		}},
		{"Maxwell", "min(n/(368+6α), 0.0814, 4/(α+1))", func(n, α float64) float64 {
			return max((368+6*α)/n, 1/0.0814, (α+1)/4)
		}},
	} {
		s.entries = append(s.entries, entry{source: "V16 T.4.2", what: c.gpu + ": " + c.formula, deviation: true,
			within: 0.005 / gpuNamed(c.gpu).mix.MemCPI,
			ours:   largest("volkov", gpuNamed(c.gpu), 1, intensities(0), c.time)})
	}
	maxwell := gpuNamed("Maxwell").mix
	const slot = "the source counts no issue slot of the access here, 4/0.0814 = 49.14 and 24 + 29.96 = 53.96; by " +
		"its own row of T.4.2 the bounds cross at 4/0.0814 - 1 = 48.14"
	s.entries = append(s.entries,
		entry{source: "V16 4.3", what: "Maxwell, needed warps, α = 0", printed: "30",
			ours: constant(maxwell.Needed(0))},
		entry{source: "V16 4.3", what: "Maxwell, needed warps, α = ∞", printed: "24",
			ours: constant(maxwell.Needed(math.Inf(1)))},
		entry{source: "V16 4.5", what: "Maxwell, α of the cusp", printed: "49", ours: constant(maxwell.Cusp()),
			differs: slot},
		entry{source: "V16 4.5", what: "Maxwell, needed warps at the cusp", printed: "54",
			ours: constant(maxwell.Needed(maxwell.Cusp())), differs: slot})

	s.entries = append(s.entries,
		entry{source: "V16 6.5", what: "Kepler with contention, x = min(n/(300 + 32x/(0.1477-x) + 9α), 0.1338, " +
			"4/(α+1)): largest residual of our x", deviation: true, ours: contentionResidual})
	return s
}

// contentionResidual is how far our solutions for Kepler are from satisfying the
// printed equation.
func contentionResidual() (float64, error) {
	g := *gpuNamed("Kepler")
	g.mix.MemLatency = g.a
	worst := 0.0
	c := g.c / g.gbs(1) // the source rounds it to 0.1477
	for _, α := range intensities(0) {
		in := g.input(α, 1)
		for n := 1.0; n <= float64(g.warps); n++ {
			x, err := rate("volkov-loaded", in, n)()
			if err != nil {
				return 0, err
			}
			right := min(n/(300+32*x/(c-x)+9*float64(α)), 0.1338, 4/(float64(α)+1))
			worst = max(worst, math.Abs(x/right-1))
		}
	}
	return worst, nil
}

func transitSection() section {
	equal := func(name string) func() (float64, error) {
		return func() (float64, error) {
			worst := 0.0
			for i := range volkovGPUs {
				g := volkovGPUs[i]
				g.mix.IssueLimit = 0
				for _, α := range intensities(0) {
					in := g.mix.Input(α, 1)
					for n := 1.0; n <= float64(g.warps); n++ {
						a, err1 := rate(name, in, n)()
						b, err2 := rate("volkov", in, n)()
						if err := errors.Join(err1, err2); err != nil {
							return 0, err
						}
						worst = max(worst, math.Abs(a/b-1))
					}
				}
			}
			return worst, nil
		}
	}
	return section{number: 17, title: "Transit and X-model", origin: formula,
		commands: []command{{mixModels("gtx480", 32, "volkov,transit,x-model", "24", "$1/$3/4096"), "1089 1089 1089"}},
		tests:    "`simulate/analytic` TestTheorem1 (random parameters)",
		text: "A Theorem 1: without ILP both are Volkov's model. All five GPUs without their issue limits, all " +
			"occupancies, α as above.",
		entries: []entry{
			{source: "A Theorem 1", what: "Transit against Volkov", deviation: true, ours: equal("transit")},
			{source: "A Theorem 1", what: "X-model against Volkov", deviation: true, ours: equal("x-model")},
		}}
}

func guideSection() section {
	s := section{number: 18, title: "The CUDA guide's warps", origin: formula,
		text: "Memory latency / (instruction time · α).",
		commands: []command{{"idgen --builtin mix-global -O0 --gpu gtx680 -D ALPHA=32 -D REPEAT=4096 | pipesim " +
			"models --models cuda-guide --warps 1 --simulate 0 --format csv | sed -n 's/.*asks for \\([0-9.]*\\) " +
			"warps.*/\\1/p'", "37.6"}}}
	for _, c := range []struct {
		gpu, printed string
		α            int
	}{{"G80", "6.9", 16}, {"GT200", "6.8", 16}, {"Fermi", "16", 32}, {"Kepler", "38", 32}, {"Maxwell", "23", 64}} {
		s.entries = append(s.entries, entry{source: "V16 T.4.3", what: fmt.Sprintf("%s, α = %d", c.gpu, c.α),
			printed: c.printed, unit: "warps",
			ours: constant(analytic.GuideWarps(gpuNamed(c.gpu).input(c.α, 1)))})
	}
	return s
}

func mwpcwpSection() section {
	mwp, cwp := analytic.Parallelism(example(), 0)
	gt200 := *gpuNamed("GT200")
	gt200.mix.MemCPI = warpBytes * gt200.units * gt200.clock / gt200.pin
	const α = 32
	peak, period := analytic.Parallelism(gt200.input(α, 1), gt200.mix.CompCPI)
	time := func(n float64) func() (float64, error) {
		return func() (float64, error) {
			w, err := rate("mwp-cwp-issue", gt200.input(α, many), n)()
			return n / w / many, err
		}
	}
	return section{number: 19, title: "MWP-CWP", origin: formula, tests: "`simulate/analytic` TestMWPCWPLimits",
		text: "The article's example; then V16's evaluation of GT200 with α = 32 additions, where MWP is limited " +
			"by the pin bandwidth and the access takes issue time like an addition (mwp-cwp-issue).",
		commands: []command{{mixModels("gtx280", 32, "mwp-cwp-issue", "4,10", "$1/$3/4096"), "566 1320"}},
		entries: []entry{
			{source: "A 2.3.2", what: "MWP = Λ_mem/λ_mem", printed: "3", ours: constant(mwp)},
			{source: "A 2.3.2", what: "CWP = Λ_mem/(CI·λ_comp) + 1", printed: "4", ours: constant(cwp)},
			{source: "V16 7.1", what: "GT200: MWP at peak bandwidth", printed: "12.4", ours: constant(peak)},
			{source: "V16 7.1", what: "GT200: CWP", printed: "4.3", ours: constant(period)},
			{source: "V16 7.1", what: "GT200: cycles of an access and its additions, 4 warps", derived: 434 + 4*(α+1),
				unit: "cycles", ours: time(4)},
			{source: "V16 7.1", what: "GT200: the same, 10 warps", derived: 4 * 10 * (α + 1), unit: "cycles",
				ours: time(10)},
			{source: "A 5.1", what: "corrected, one warp of the example: Λ_app", derived: 25, unit: "cycles",
				ours: func() (float64, error) {
					w, err := rate("mwp-cwp-corrected", example(), 1)()
					return 1 / w, err
				}},
		}}
}

func wfgSection() section {
	g80 := *gpuNamed("G80")
	g80.mix.MemCPI = 37 // as the source rounds it
	printed := func(n, α float64) float64 {
		x := α*max(4, 20/n) + 4
		return max(37, x, 440-(n-2)*x)
	}
	mix := func() (float64, error) {
		worst := 0.0
		for _, α := range intensities(0) {
			in := g80.input(α, many)
			for n := 1.0; n <= float64(g80.warps); n++ {
				w, err := rate("wfg", in, n)()
				if err != nil {
					return 0, err
				}
				worst = max(worst, math.Abs(w*many*printed(n, float64(α))-1))
			}
		}
		return worst, nil
	}
	// above is the first or the last occupancy of more than one warp at which the
	// published model is above Volkov's bound for the article's example. One warp is:
	// its ILP of 2 lets two additions take Λ = 4, where Eq. 2 counts λ + Λ = 5.
	above := func(last bool) func() (float64, error) {
		return func() (float64, error) {
			found := 0.0
			for ω := 2.0; ω <= 64; ω++ {
				w, err1 := rate("wfg", example(), ω)()
				v, err2 := rate("volkov", example(), ω)()
				if err := errors.Join(err1, err2); err != nil {
					return 0, err
				}
				if w > v && (found == 0 || last) {
					found = ω
				}
			}
			return found, nil
		}
	}
	s := section{number: 20, title: "WFG", origin: formula,
		commands: []command{
			{mixModels("8800gtx", 11, "wfg", "8", "1/$3/4096"), "152"},
			{exampleModels("wfg,wfg-corrected", "3,7,8"), "3 wfg 0.1286\n3 wfg-corrected 0.1154\n7 wfg 0.1667\n" +
				"7 wfg-corrected 0.2188\n8 wfg 0.1667\n8 wfg-corrected 0.24"},
		}, tests: "`simulate/analytic` TestWFGExample, TestWFGCases",
		text: "The mix on G80, n = 1 to 24 warps, with so many accesses that the 1 in α_mem + α_sync + 1 does not " +
			"count, as in V16. Then A Fig. 6: three kernels of one computation chain and one access, of which Volkov " +
			"says 14 cycles for every ω below saturation: the published model says αΛ_comp + Λ_mem·ω - " +
			"(ω-1)·αΛ_comp/2 for a run, the corrected one agrees with Volkov.",
		entries: []entry{
			{source: "V16 7.2", what: "G80: max(37, x, 440 - (n-2)x), x = α·max(4, 20/n) + 4", deviation: true,
				ours: mix},
			{source: "A 2.4.4", what: "the example: lowest ω above 1 at which the published model is above Volkov's " +
				"roofline", printed: "3", unit: "warps", ours: above(false)},
			{source: "A 2.4.4", what: "the example: highest such ω", printed: "4", unit: "warps", ours: above(true)},
		}}
	for _, c := range []struct{ comp, mem float64 }{{8, 6}, {11, 3}, {3, 11}} {
		in := analytic.Mix{CompCPI: 1e-12, CompLatency: c.comp, MemCPI: 1e-12, MemLatency: c.mem}.Input(1, 1)
		run := func(name string, ω float64) func() (float64, error) {
			return func() (float64, error) {
				w, err := rate(name, in, ω)()
				return ω / w, err
			}
		}
		const ω = 2
		what := fmt.Sprintf("(αΛ_comp, Λ_mem) = (%v, %v), ω = %d: ", c.comp, c.mem, ω)
		s.entries = append(s.entries,
			entry{source: "A Eq. 40", what: what + "published", derived: c.comp + c.mem*ω - (ω-1)*c.comp/2,
				unit: "cycles", ours: run("wfg", ω)},
			entry{source: "A Eq. 42", what: what + "corrected", derived: 14, unit: "cycles",
				ours: run("wfg-corrected", ω)},
			entry{source: "A 2.4.2", what: what + "Volkov", printed: "14", unit: "cycles", ours: run("volkov", ω)})
	}
	return s
}

func gpuPerfSection() section {
	s := section{number: 21, title: "Sim et al. (GPUPerf)", origin: formula,
		commands: []command{{mixModels("gtx480", 32, "gpuperf", "8,48", "$1/$3/4096"), "668 1617"}}}
	for _, c := range []struct{ gpu, printed string }{{"Fermi", "30.7"}, {"Kepler", "40.3"}, {"Maxwell", "29.9"}} {
		g := *gpuNamed(c.gpu)
		g.mix.MemCPI = g.gbs(1) / g.peak // not rounded as in T.4.1
		mwp, _ := analytic.Parallelism(g.input(1, 1), 0)
		s.entries = append(s.entries, entry{source: "V16 T.7.1", what: c.gpu + ": MWP at peak bandwidth",
			printed: c.printed, ours: constant(mwp)})
	}
	for _, name := range []string{"Fermi", "Kepler", "Maxwell"} {
		g := gpuNamed(name)
		memory, alu, thru := g.mix.MemLatency, g.mix.CompLatency, min(1/g.mix.CompCPI, g.mix.IssueLimit)
		s.entries = append(s.entries, entry{source: "V16 7.4",
			what: name + ": T_comp, T_mem and T by the printed formulas", deviation: true,
			ours: largest("gpuperf", g, 1, intensities(1), func(n, α float64) float64 {
				comp := (α + 1) * n * max(alu/n, 1/thru)
				mwp, cwp := min(memory/g.mix.MemCPI, n), min(memory/(comp/n)+1, n)
				mem := n * memory / min(mwp, max(1, cwp-1))
				if cwp > mwp {
					return max(comp, mem) / n
				}
				return max(comp, mem+comp/n) / n
			})})
	}
	return s
}

// queue is GPUMech's queue when every access of n warps is so many requests.
func (g *volkovGPU) queue(n, requests float64) (ρ, delay float64) {
	return g.input(0, 1).Queue(n, requests)
}

// synthetic is the GPU that V16 7.7 computes GPUMech's queue for.
var synthetic = &volkovGPU{units: 16, clock: 1, pin: 192, mix: analytic.Mix{MemCPI: 1, MemLatency: 300, CompCPI: 1,
	CompLatency: 1, IssueLimit: 1, Schedulers: 1}}

// contended is accesses per cycle with GPUMech's queue for all accesses, negative ones too.
func (g *volkovGPU) contended(α int, n float64) float64 {
	in := g.input(α, 1)
	in.Contention = analytic.AllContention
	return model("gpumech-rr-full").Estimate(in, n).WarpsPerCycle
}

func gpuMechSection() section {
	fermi, maxwell := gpuNamed("Fermi"), gpuNamed("Maxwell")
	of := func(g *volkovGPU, name string, α, accesses int, n float64) func() (float64, error) {
		return rate(name, g.input(α, accesses), n)
	}
	ρ32, _ := synthetic.queue(32, 1)
	_, delay29 := synthetic.queue(29, 1)
	_, delay17 := fermi.queue(17, 2)
	// An interval of three instructions and six stall cycles.
	paper := analytic.Mix{CompCPI: 1, CompLatency: 1, MemCPI: 1, MemLatency: 7}.Input(2, 1)
	apart := func(name string) func() (float64, error) {
		return func() (float64, error) {
			w, err := rate(name, paper, 4)()
			return 4/w - (3 + 6), err
		}
	}
	return section{number: 23, title: "GPUMech", origin: formula,
		commands: []command{
			{mixModels("gtx480", 0, "gpumech-rr-full", "48", "$3*4096*128*15*1.4"), "252"},
			{exampleModels("gpumech-rr,gpumech-gto", "3,10"), "3 gpumech-rr 0.1376\n3 gpumech-gto 0.15\n" +
				"10 gpumech-rr 0.2907\n10 gpumech-gto 0.2273"},
		},
		text: "What A 2.5 says of GPUMech without the latencies of computations. Then results that V16 7.5 to 7.8 " +
			"show to be impossible, with these latencies: a bandwidth above the pins', more additions than the cores " +
			"make, a negative queueing delay. The models here compute them and note that they exceed the roof; a " +
			"negative time they refuse. The synthetic GPU has 16 units, 300 cycles and 0.667 cycles an access, as " +
			"the source says; 1 GHz and 192 GB/s are one way to have these.",
		tests: "`simulate/analytic` TestGPUMechExample, TestGPUMechFigure8, TestGPUMechVolkov, TestQueue",
		entries: []entry{
			{source: "A 2.5.1", what: "interval of 3 instructions and 6 stall cycles, 4 warps, round-robin: " +
				"instructions that do not overlap", printed: "2", ours: apart("gpumech-rr")},
			{source: "A 2.5.1", what: "the same, corrected", printed: "6", ours: apart("gpumech-rr-corrected")},
			{source: "A 2.5", what: "greedy-then-oldest on the example, many warps: Volkov's roof", printed: "0.25",
				unit: "warps/cycle", ours: rate("gpumech-gto", example(), many)},
			{source: "V16 7.5", what: "round-robin, Fermi, α = 0, 48 warps", printed: "252", unit: "GB/s",
				ours: func() (float64, error) {
					w, err := of(fermi, "gpumech-rr-full", 0, 1, 48)()
					return fermi.gbs(w), err
				}},
			{source: "V16 7.5", what: "round-robin, Maxwell, α = ∞, 64 warps", printed: "341", unit: "adds/cycle",
				ours: func() (float64, error) {
					w, err := of(maxwell, "gpumech-rr-full", 1, 0, 64)()
					return lanes * w, err
				}},
			{source: "V16 7.6", what: "greedy-then-oldest, Maxwell, α = ∞, many warps: above the peak of a " +
				"scheduler by", printed: "20", unit: "%", ours: func() (float64, error) {
				w, err := of(maxwell, "gpumech-gto-full", 1, 0, many)()
				return 100 * (w*maxwell.mix.CompCPI - 1), err
			}},
			{source: "V16 7.7", what: "synthetic GPU, 32 warps: ρ", printed: "1.14", ours: constant(ρ32)},
			{source: "V16 7.7", what: "synthetic GPU, 29 warps: delay", printed: "-11", unit: "cycles",
				ours: constant(delay29)},
			{source: "V16 7.7", what: "synthetic GPU, α = 0, 29 warps: CPI", printed: "-0.7", unit: "cycles",
				ours: constant(1 / synthetic.contended(0, 29))},
			{source: "V16 7.7", what: "Fermi, α = 32, 34 warps", printed: "-12", unit: "adds/cycle",
				ours: constant(lanes * 32 * fermi.contended(32, 34))},
			{source: "V16 7.8", what: "Fermi, stride 2, 17 warps: delay", printed: "-120", unit: "cycles",
				ours: constant(delay17)},
			{source: "V16 7.8", what: "Fermi, stride 2, 17 warps: CPI", printed: "-89", unit: "cycles",
				ours: constant(fermi.mix.MemLatency/17 + delay17)},
		}}
}
