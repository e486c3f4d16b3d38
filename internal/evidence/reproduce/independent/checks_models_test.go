package independent

import (
	"fmt"
	"math"
	"testing"

	"gpupipe/simulate"
	"gpupipe/simulate/analytic"
)

// exampleChecks are the models on the article's kernel (A 2 and 5.1).
func exampleChecks(t *testing.T) []check {
	e, in := articleExample, exampleInput(t)
	const most = 16
	mwp, cwp := analytic.Parallelism(in, 0)
	flows, _ := analytic.TransitFlows(in)
	list := []check{
		eq("A Eq. 2", "Λ_app", "25", e.app(), number(in.WarpLatency)),
		eq("A 3", "one warp of the example, simulated",
			"", e.app(), func() (float64, error) { return exampleGraph(t).run(1, simulate.Config{}) }),
		eq("A Eq. 1", "Roofline", "0.25", e.roofline(), asks("roofline", in, 1)),
		eq("A 2.1", "Boat hull: no formula printed, the roofline of a class",
			"", e.roofline(), asks("boat-hull", in, 1)),
		eq("A 2.1", "roofline of instructions' types: no formula printed",
			"", e.roofline(), asks("mix-roofline", in, 1)),
		eq("A Eq. 3", "Volkov, ω ≤ 16", "", 0, over("volkov", in, most, e.volkov)),
		eq("A 2.2", "warps at Volkov's roof", "7", math.Ceil(e.roofline()*e.app()), func() (float64, error) {
			n := 1.0
			for ; n < most; n++ {
				if w, err := says("volkov", in, n); err != nil || w >= 0.25 {
					return n, err
				}
			}
			return n, nil
		}),
		eq("A Eq. 4-8", "Transit, ω ≤ 16", "", 0, over("transit", in, most, e.transit)).within(1e-6),
		eq("A Eq. 11", "Transit: warps in the memory, ω = 5", "", e.transitK(5), number(flows.Steady(5))).
			within(1e-6).
			why("misprint: Eq. 9 exchanges Λ_comp and Λ_mem, Eq. 10 has 1/α_comp for 1/Λ_comp: so it leads to Eq. 11"),
		eq("A Eq. 12-14", "Transit is ω/Σ Λ at ω = 5", "", e.transit(5), nil),
		eq("A Eq. 15", "MWP", "3", e.mwp(), number(mwp)),
		eq("A Eq. 16", "CWP", "4", e.cwp(), number(cwp)),
		eq("A Eq. 26-28", "MWP-CWP, ω ≤ 16",
			"", 0, over("mwp-cwp", in, most, func(w float64) float64 { return w / e.mwpcwp(w) })),
		eq("A 5.1", "MWP-CWP*, ω ≤ 16", "", 0,
			over("mwp-cwp-corrected", in, most, func(w float64) float64 { return w / e.mwpcwpCorrected(w) })),
		eq("A Eq. 30-36", "WFG, ω ≤ 16",
			"", 0, over("wfg", in, most, func(w float64) float64 {
				return 1 / e.wfg(w, false)
			})).why("misprint: Eq. 31 multiplies by α what Eq. 30 has multiplied"),
		eq("A 2.4.4", "WFG above Volkov's roofline at ω = 3, per cent", "", 100/e.wfg(3, false)/e.volkov(3)-100, nil),
		eq("A 2.4.4", "the same at ω = 4", "", 100/e.wfg(4, false)/e.volkov(4)-100, nil),
		eq("A Eq. 42", "WFG*, ω ≤ 16",
			"", 0, over("wfg-corrected", in, most, func(w float64) float64 { return 1 / e.wfg(w, true) })),
		eq("A Eq. 42", "WFG*, ω = 7", "", 1/e.wfg(7, true), asks("wfg-corrected", in, 7)),
		eq("A Eq. 42", "WFG*, ω = 8", "", 1/e.wfg(8, true), asks("wfg-corrected", in, 8)),
	}
	for _, c := range []struct{ chain, mem float64 }{{8, 6}, {11, 3}, {3, 11}} {
		// The mix has no λ of its own: A neglects λ_mem^instr and the bandwidth here.
		mix := analytic.Mix{CompCPI: 1e-9, CompLatency: c.chain, MemCPI: 1e-9, MemLatency: c.mem}.Input(1, 1)
		name := fmt.Sprintf("(αΛ_comp, Λ_mem) = (%v, %v)", c.chain, c.mem)
		most := 10.0
		for (most-1)*c.chain/2/most > c.mem {
			most-- // the exposed latency would be below 0
		}
		list = append(list,
			eq("A Eq. 40", fmt.Sprintf("WFG, %s, ω ≤ %v", name, most),
				"", 0, over("wfg", mix, most, func(w float64) float64 { return w / fig6(c.chain, c.mem, w) })).
				within(1e-6),
			eq("A 2.4.2", "Volkov, "+name+", ω = 5", "14", c.chain+c.mem, func() (float64, error) {
				w, err := says("volkov", mix, 5)
				return 5 / w, err
			}),
			eq("A Eq. 42", "WFG*, "+name+", ω = 5",
				"", fig6Corrected(c.chain, c.mem, 5), func() (float64, error) {
					w, err := says("wfg-corrected", mix, 5)
					return 5 / w, err
				}).within(1e-6))
	}
	return list
}

// intervalChecks are GPUMech's by A 2.5.
func intervalChecks(t *testing.T) []check {
	e, in := articleExample, exampleInput(t)
	// Three instructions, then six cycles of stall, so often that the end does not count.
	const times = 300
	h := newHand(t, "comp", "mem")
	c, m := h.class("add.f32", 0, "1", "1"), h.class("ld.global", 1, "1", "7")
	h.add(c)
	h.add(c)
	for last := h.add(m); last < 3*times-1; last = h.add(m) {
		h.add(c, last)
		h.add(c, last)
	}
	many, err := analytic.FromGraph(h.graph(1), &h.mapping, analytic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	many.Memory.Service = 1e-12
	paper := interval{3, 6}
	waste := func(name string) func() (float64, error) {
		return func() (float64, error) { w, err := says(name, many, 4); return 4/w/times - 9, err }
	}
	return []check{
		eq("A 2.5.1", "GPUMech's own example, published: not overlapped",
			"2", nonOverlapped(paper, 3./9, 4, false), waste("gpumech-rr")).within(0.01),
		eq("A 2.5.1", "GPUMech's own example, corrected",
			"6", nonOverlapped(paper, 1, 4, true), waste("gpumech-rr-corrected")).within(0.01),
		eq("A 2.5", "GPUMech RR, ω ≤ 16: through the roof", "", 0,
			over("gpumech-rr", in, 16, func(w float64) float64 { return w / gpumech(e.intervals(), w, false) })),
		eq("A 2.5.1", "GPUMech RR*, ω ≤ 16", "", 0,
			over("gpumech-rr-corrected", in, 16, func(w float64) float64 {
				return w / gpumech(e.intervals(), w, true)
			})),
		eq("A 2.5.2", "GPUMech GTO, ω ≤ 16: to Volkov's roof", "", 0,
			over("gpumech-gto", in, 16, func(w float64) float64 { return w / gpumechGTO(e.intervals(), w) })),
		eq("A 2.5", "GPUMech GTO, many warps",
			"0.25", math.Round(1e6*1e6/gpumechGTO(e.intervals(), 1e6))/1e6, asks("gpumech-gto", in, 1e6)).
			within(1e-5),
	}
}
