package independent

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
)

// accesses are so many that what stands once in a model's formula does not count, as V16 assumes.
const accesses = 1 << 40 // an int where a model takes a count

var alphas = []int{0, 1, 2, 4, 8, 11, 16, 32, 48, 49, 64, 128, 512}

func gpu(name string) volkovGPU {
	for _, g := range volkovGPUs {
		if g.name == name {
			return g
		}
	}
	panic(name)
}

// volkovChecks are those of V16.
func volkovChecks(t *testing.T) []check {
	list := append(boundChecks(), worksheetChecks(t)...)
	for _, g := range volkovGPUs {
		list = append(list, g.mixChecks(t)...)
	}
	list = append(list, neededChecks()...)
	list = append(list, specialChecks(t)...)
	return append(list, priorChecks(t)...)
}

// boundChecks are V16 chapter 3.
func boundChecks() []check {
	m, k := gpu("Maxwell"), gpu("Kepler")
	latency, issues := vectorAdd(301, 9, 3, 201)
	return []check{
		eq("V16 T.3.1", "Maxwell, additions in flight",
			"24", m.aluLat*m.aluThru, number(m.toolMix().Needed(math.Inf(1)))),
		eq("V16 T.3.1", "Maxwell, accesses in flight", "30", m.memLat*m.memThru, number(m.toolMix().Needed(0))),
		eq("V16 3.2", "Maxwell, accesses in flight at pin bandwidth",
			"33", m.memLat*m.perSM(m.pins), number(pinned(m))).why("misprint: 368 · 0.0864 is 31.8"),
		eq("V16 3.8", "vector add: latency of a warp, by Listing 3.5", "544", float64(latency), nil),
		eq("V16 3.8", "vector add: issues", "8", float64(issues), nil),
		eq("V16 3.8", "issue bound, warps per cycle", "0.5", 4/float64(issues), nil),
		eq("V16 3.8", "memory: bytes per cycle",
			"17.1", k.peak/(k.sms*k.ghz), nil),
		eq("V16 3.8", "memory bound, warps per cycle", "0.0445", 17.1/384, nil),
		eq("V16 3.8", "GB/s of a warp", "6.35", 384*k.sms*k.ghz/544, nil),
	}
}

// worksheetChecks are T.3.2 to T.3.4, on the GTX 980. T.3.4 issues the special functions with others, and accesses of
// two passes twice.
func worksheetChecks(t *testing.T) []check {
	const cpi = 12.3 // 128 bytes at 10.4 as T.3.4 prints it
	row := func(name string, rules ...string) func() (float64, error) {
		return func() (float64, error) { return worksheetRow(t, name, rules) }
	}
	return []check{
		eq("V16 T.3.4", "CUDA cores", "25", 100*32/128., row("alu")),
		eq("V16 T.3.4", "SFUs", "5", 5*32/32., row("sfu")),
		eq("V16 T.3.4", "banks: two-way twice", "30", 10*1+10*2, row("local")),
		eq("V16 T.3.4", "memory: CPI rounded to 12.3 and 24.6", "184.5", 5*cpi+5*2*cpi, row("global")).within(1e-3),
		eq("V16 T.3.4", "memory: 1920 bytes at 10.4", "184.5", 1920/10.4, nil).
			why("rounding: 128/10.4 = 12.308 is rounded to 12.3 before it is multiplied by 15: 184.5 for 184.615"),
		eq("V16 T.3.4", "issue: 125 single, 5 dual, 10 replays of banks, 5 of stride 2", "36.25", .25*(125+5+10+5),
			row("issue", "special:issue=0", "local:issue=1,reissue=1", "global:reissue=1")),
		eq("V16 T.3.4", "warps per cycle", "0.00542", 1/(15*cpi), nil),
	}
}

func worksheetRow(t *testing.T, name string, texts []string) (float64, error) {
	var rules []latencies.Rule
	for _, text := range texts {
		r, err := latencies.ParseRule(text)
		if err != nil {
			return 0, err
		}
		rules = append(rules, r)
	}
	h := newHand(t)
	times := func(n int, i idg.InstrID) {
		for range n {
			h.add(i)
		}
	}
	times(100, h.plain("add.f32", "f32"))
	times(5, h.plain("cos.approx.f32", "f32"))
	for _, words := range []int64{1, 2} {
		times(10, h.access("ld.local", idg.SpaceLocal, words))
		times(5, h.access("ld.global", idg.SpaceGlobal, words))
	}
	g, mapping, err := h.on("gtx980", rules...)
	if err != nil {
		return 0, err
	}
	in, err := analytic.FromGraph(g, mapping, analytic.Options{})
	if err != nil {
		return 0, err
	}
	for _, r := range analytic.NewWorksheet(in).Rows {
		if strings.HasPrefix(r.Resource, name) {
			return r.Cycles, nil
		}
	}
	return 0, fmt.Errorf("no row %s", name)
}

// mixChecks are V16 4.1 to 4.5, 6.5 and 6.7 on one GPU.
func (g volkovGPU) mixChecks(t *testing.T) []check {
	loaded := func(a int) *analytic.Input {
		in := g.input(a, 1)
		in.Mem = analytic.Uniform(1, 1/g.memThru, g.a)
		in.WarpLatency += g.a - g.memLat
		in.Memory.Loaded = &analytic.Loaded{Queueing: g.b, Capacity: g.c}
		return in
	}
	add, err1 := parameters(g.device, "add.f32")
	ld, err2 := parameters(g.device, "ld.global")
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	ours := g
	ours.memThru, ours.memLat, ours.aluThru, ours.aluLat = 1/ld.l, ld.L, 1/add.l, add.L
	printed := func(a int) *analytic.Input { return g.input(a, 1) }
	filed := func(a int) *analytic.Input { return ours.input(a, 1) }
	above := func() (float64, error) {
		worst := 0.0
		for _, a := range []int{0, 4, 32, 128} {
			for n := 1.0; n <= g.warps; n += 11 {
				const rounds = 20
				h := mixGraph(t, rounds, a, cell{1 / g.memThru, g.memLat}, cell{1 / g.aluThru, g.aluLat},
					fmt.Sprint(g.issue))
				c, err := h.run(int64(n), simulate.Config{})
				if err != nil {
					return 0, err
				}
				worst = math.Max(worst, rounds*n/c/g.mix(n, float64(a))-1)
			}
		}
		return worst, nil
	}
	thru := strconv.FormatFloat(g.memThru, 'f', 4, 64)
	increment := map[string]string{"G80": "6.7", "GT200": "7.6", "Fermi": "34", "Kepler": "33", "Maxwell": "5.9"}
	guide := strconv.FormatFloat(g.guideWarps, 'f', -1, 64)
	list := []check{
		eq("V16 T.4.2", g.name+": the mix, n to all warps, α to 512, by the model",
			"", 0, overAll("volkov", alphas, g.warps, printed, g.mix)),
		eq("V16 T.4.2", g.name+": the mix with the λ and Λ of the device file", "", 0,
			overAll("volkov", alphas, g.warps, filed, g.mix)).within(0.0125).
			why("rounding: the file has T.6.1's throughputs of two digits; Fermi's 0.97/16 is 1.24% above " +
				"T.4.1's 0.0599"),
		eq("V16 T.4.2", g.name+": the mix, simulated: above the bound by", "", 0, above).within(1e-6),
		eq("V16 6.5", g.name+": the mix with contention", "", 0, overAll("volkov-loaded", alphas, g.warps, loaded,
			g.contended)).
			within(1e-6),
		eq("V16 T.4.1", g.name+": accesses per cycle",
			thru, math.Round(1e4*g.perSM(g.peak))/1e4, number(ours.memThru)).within(0.0125),
		eq("V16 T.4.3", g.name+": warps by the CUDA guide", guide, g.memLat*g.aluThru/g.guideAlpha,
			number(analytic.GuideWarps(g.input(int(g.guideAlpha), 1)))),
		eq("V16 T.6.7", g.name+": latency of one more transaction",
			increment[g.name], (g.latency[5]-g.latency[4])/(32-g.coalesced), nil),
	}
	if g.name == "Maxwell" {
		list = append(list,
			eq("V16 4.5", "Maxwell: α of the cusp, alu_thru/mem_thru", "49", g.aluThru/g.memThru, nil),
			eq("V16 T.4.2", "Maxwell: α where 0.0814 = 4/(α+1)", "", g.issue/g.memThru-1, number(g.toolMix().Cusp())),
			eq("V16 4.5", "Maxwell: warps at the cusp, without an issue limit",
				"54", g.aluLat*g.aluThru+g.memLat*g.memThru, nil),
			eq("V16 4.5", "Maxwell: warps at the cusp",
				"", g.neededWarps(g.issue/g.memThru-1), number(g.toolMix().Needed(g.toolMix().Cusp()))))
	}
	if g.name == "Kepler" {
		list = append(list,
			eq("V16 4.8", "Kepler: the better estimate", "74", g.memLat*g.aluThru/32+g.aluLat*g.aluThru, nil),
			eq("V16 6.5", "Kepler: capacity, accesses per cycle",
				"0.1477", g.perSM(g.c), nil))
	}
	return list
}

// pinned is how many accesses the tool wants in flight at the pins' bandwidth.
func pinned(g volkovGPU) float64 {
	g.memThru = g.perSM(g.pins)
	return g.toolMix().Needed(0)
}

// neededChecks are T.6.3 and the linear column of T.6.4: 35 numbers of warps, measured. V16 says of most that they are
// the law, latency · throughput / 32, or that rounded up to whole warps of the multiprocessor or of each scheduler; at
// 90% of the peak the loaded latency of T.6.5 takes the place of the unloaded one.
func neededChecks() []check {
	ops := [6]struct{ name, ours string }{
		{"add", "add.f32"}, {"SFU", "cos.approx.f32"}, {"smem", "ld.local"}, {"smem2", ""}, {"stream", "ld.global"},
		{"random", ""},
	}
	var list []check
	for _, g := range volkovGPUs {
		for i, op := range ops {
			law, needed := g.little(i), g.needed[i]
			c := eq("V16 T.6.3", fmt.Sprintf("%s, %s: the law", g.name, op.name),
				strconv.FormatFloat(needed, 'f', -1, 64), law, nil).within(2e-3)
			if op.ours != "" {
				c.tool = func() (float64, error) {
					p, err := parameters(g.device, op.ours)
					return p.L / p.l / g.schedulers, err
				}
			}
			switch up := func(x, per float64) float64 { return math.Ceil(x*per-1e-9) / per }; {
			case needed == 0 && law < 1:
				c.printed, c.what = "", c.what+", printed < 1"
			case math.Abs(law-needed) < 1e-9:
			case i < 4 && up(law, g.schedulers) == needed:
				c.reason = "rounded up to whole warps of the multiprocessor"
			case i < 4 && up(law, 1) == needed:
				c.reason = "rounded up to whole warps of each scheduler"
			case i < 4:
				c.reason = fmt.Sprintf("measured: rounded up it is %v or %v", up(law, g.schedulers), up(law, 1))
			case i == 4:
				x := 0.9 * g.peak
				loaded := 0.9 * law * (g.a + g.b*x/(g.c-x)) / g.latency[i]
				c.reason = fmt.Sprintf("measured at 90%% of the peak: the loaded latency gives %.1f, rounded "+
					"up %v or %v",
					loaded, up(loaded, g.schedulers), up(loaded, 1))
			default:
				c.reason = "measured at 90% of the peak: no loaded latency of random accesses is printed"
			}
			list = append(list, c)
		}
		linear := func(law float64) float64 { return math.Round(2*law) / 2 }
		list = append(list, eq("V16 T.6.4", g.name+": linear estimate, the law to half a warp",
			strconv.FormatFloat(g.linear, 'f', -1, 64), linear(g.little(4)), func() (float64, error) {
				p, err := parameters(g.device, "ld.global")
				return linear(p.L / p.l / g.schedulers), err
			}))
	}
	return list
}

// specialChecks are V16 4.6 and 4.7.
func specialChecks(t *testing.T) []check {
	rate := func(n int64, s simulate.Scheduler) func() (float64, error) {
		return func() (float64, error) {
			x, err := steady(t, n, 4, cell{1, 12}, cell{1, 3}, "", s)
			return 4 * x, err
		}
	}
	drawn := func(n float64) float64 { return math.Min(n*4/(12+4*3), 1) }
	list := []check{
		eq("V16 4.6", "Fig. 4.7: additions per cycle, 6 warps, oldest first",
			"1", drawn(6), rate(6, simulate.Oldest)),
		eq("V16 4.6", "Fig. 4.7: 5 warps, oldest first: below the peak", "", drawn(5), rate(5, simulate.Oldest)),
		eq("V16 4.6", "Fig. 4.7: 6 warps, the default scheduler", "1", drawn(6), rate(6, 0)).
			otherwise("the drawing is an ideal schedule; round-robin is nearer to what V16 measured " +
				"(TestVolkovSchedulers)"),
	}
	for _, g := range volkovGPUs {
		for i, name := range []string{1: "SFU", 2: "smem"} {
			if name == "" || name == "smem" && g.schedulers == 1 {
				continue // 4.7: not possible on G80 and GT200
			}
			first, cost := g.latency[i], 1.0
			if g.name == "Maxwell" { // the next instruction is of a CUDA core; 2 and 3 issue cycles
				first, cost = []float64{1: 9, 2: 22}[i], []float64{1: 2, 2: 3}[i]
			}
			unit := g.throughput[i] / 32 * g.schedulers
			in := func(a int) *analytic.Input {
				h := mixGraph(t, 1, a, cell{1 / unit, g.latency[i]}, cell{1 / g.aluThru, g.aluLat}, fmt.Sprint(g.issue))
				graph, mapping := h.graph(1), &h.mapping
				if g.name == "Maxwell" { // what its device file says
					graph, mapping = onMaxwell(t, name, a)
				}
				in, err := analytic.FromGraph(graph, mapping, analytic.Options{})
				if err != nil {
					t.Fatal(err)
				}
				return in
			}
			want := func(n, a float64) float64 { return special(n, a, first, g.aluLat, unit, g.aluThru, g.issue, cost) }
			list = append(list, eq("V16 4.7", g.name+": mix of additions and "+name, "", 0,
				overAll("volkov", []int{1, 2, 4, 8, 16}, g.warps, in, want)).within(1e-4))
		}
	}
	return list
}

// onMaxwell is one special function or access of shared memory and α additions on the GTX 980.
func onMaxwell(t *testing.T, unit string, alpha int) (*idg.Graph, *latencies.Mapping) {
	h := newHand(t)
	first := h.plain("cos.approx.f32", "f32")
	if unit == "smem" {
		first = h.access("ld.local", idg.SpaceLocal, 1)
	}
	last, add := h.add(first), h.plain("add.f32", "f32")
	for range alpha {
		last = h.add(add, last)
	}
	g, mapping, err := h.on("gtx980")
	if err != nil {
		t.Fatal(err)
	}
	return g, mapping
}
