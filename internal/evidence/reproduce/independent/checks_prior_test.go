package independent

import (
	"math"
	"testing"

	"gpupipe/simulate/analytic"
)

// priorChecks are V16 chapter 7.
func priorChecks(t *testing.T) []check {
	g80, gt200, fermi, kepler, maxwell := gpu("G80"), gpu("GT200"), gpu("Fermi"), gpu("Kepler"), gpu("Maxwell")
	pins := gt200
	pins.memThru = gt200.perSM(gt200.pins)
	g80.memThru = 1. / 37
	peak, _ := analytic.Parallelism(pins.input(32, 1), 0)
	_, cwp := analytic.Parallelism(gt200.input(32, 1), 1/gt200.aluThru)
	cycles := func(name string, g volkovGPU, alpha int, n float64) func() (float64, error) {
		return func() (float64, error) {
			w, err := says(name, g.input(alpha, accesses), n)
			return n / w / accesses, err
		}
	}
	// adds is additions per cycle of a multiprocessor by GPUMech, whose warps are those of a scheduler.
	adds := func(name string, g volkovGPU, alpha int, n float64) func() (float64, error) {
		return func() (float64, error) {
			if alpha < 0 {
				w, err := says(name, g.input(1, 0), n)
				return 32 * w, err
			}
			w, err := says(name, g.input(alpha, 1), n)
			return 32 * w * float64(alpha), err
		}
	}
	gbs := func() (float64, error) {
		w, err := says("gpumech-rr-full", fermi.input(0, 1), 48)
		return w * 128 * fermi.sms * fermi.ghz, err
	}
	many := func(a int) *analytic.Input { return g80.input(a, accesses) }
	list := []check{
		eq("V16 7.1", "GT200: MWP at pin bandwidth", "12.4", gt200.mwpPeak(gt200.pins), number(peak)),
		eq("V16 7.1", "GT200: CWP, α = 32", "4.3", gt200.memLat/(33*4)+1, number(cwp)),
		eq("V16 7.1", "GT200: cycles, 4 warps: 434 + 4·33", "", gt200.hong(4, 32),
			cycles("mwp-cwp-issue", pins, 32, 4)),
		eq("V16 7.1", "GT200: cycles, 10 warps: 4·10·33", "", gt200.hong(10, 32),
			cycles("mwp-cwp-issue", pins, 32, 10)),
		eq("V16 7.1", "GT200: too fast by, with 24 cycles an addition",
			"2.1", (434+24*32)/gt200.hong(1, 32), nil),
		eq("V16 7.2", "G80: max(37, x, 440-(n-2)x)", "", 0,
			overAll("wfg", alphas, 24, many, func(n, a float64) float64 {
				x := a*math.Max(4, 20/n) + 4
				return 1 / max(37, x, 440-(n-2)*x) / accesses
			})),
		eq("V16 7.2", "G80: the same as its steps", "", 0, overAll("wfg", alphas, 24, many, func(n, a float64) float64 {
			return 1 / g80.baghsorkhi(n, a, 37) / accesses
		})),
		eq("V16 7.2", "G80: cycles for which an instruction issues", "", 4, func() (float64, error) {
			h := mixGraph(t, 1, 11, cell{37, 444}, cell{4, 20}, "0.5")
			in, err := analytic.FromGraph(h.graph(1), &h.mapping, analytic.Options{})
			if err != nil {
				return 0, err
			}
			return in.MemIssue, nil
		}),
		eq("V16 7.2", "G80: α = 0: 448 - 4n at 24 warps",
			"", g80.baghsorkhi(24, 0, 37), cycles1("wfg", g80, 0, 24)),
		eq("V16 7.2", "G80: α = 11 at 8 warps", "", g80.baghsorkhi(8, 11, 37), cycles1("wfg", g80, 11, 8)),
		eq("V16 7.3", "GT200, α = 16: the larger time, ideal rooflines for the measured ones", "", 0,
			over("zhang-owens", gt200.input(16, 1), 32, func(n float64) float64 {
				return n / gt200.zhang(n, 16, false)
			})),
		eq("V16 7.3", "GT200, α = 16: the sum of times", "", 0,
			over("zhang-owens-additive", gt200.input(16, 1), 32, func(n float64) float64 {
				return n / gt200.zhang(n, 16, true)
			})),
		eq("V16 7.4", "C2050: GB/s of 22 warps of 0.335 on 14 units", "103", 0.335*22*14, nil),
		eq("V16 7.5", "round-robin, Fermi, α = 0, 48 warps, GB/s",
			"252", fermi.huangRR(48, 0)*128*fermi.sms*fermi.ghz, gbs),
		eq("V16 7.5", "round-robin, Maxwell, α = ∞, 16 warps of a scheduler",
			"341", 32*4*16/maxwell.aluLat, adds("gpumech-rr-full", maxwell, -1, 64)),
		eq("V16 7.5", "round-robin, Kepler, α = 32, 16 warps of a scheduler, instructions' operations",
			"115", 4*32*kepler.huangRR(16, 32), nil),
		eq("V16 7.5", "the same, additions alone",
			"115", 4*32*32./33*kepler.huangRR(16, 32), adds("gpumech-rr-full", kepler, 32, 64)).
			why("misprint: 115 counts the access among the additions; by T.4.2 it is 32·32·64/589 = 111"),
		eq("V16 7.6", "greedy, Kepler, α = 32: as round-robin",
			"", 4*32*32./33*kepler.huangGTO(16, 32), adds("gpumech-gto-full", kepler, 32, 64)),
		eq("V16 7.6", "greedy, latency 6, α = ∞: above the peak for many warps, %",
			"20", math.Round(1e6*(100*gtoAdds(1e9, 6)-100))/1e6, func() (float64, error) {
				a, err := adds("gpumech-gto-full", maxwell, -1, 4e9)()
				return 100*a/128 - 100, err
			}).within(1e-6),
		eq("V16 7.6", "greedy, latency 25", "4", 100*gtoAdds(1e9, 25)-100, nil),
		eq("V16 7.6", "greedy, Maxwell, 16 warps of a scheduler, adds per cycle",
			"", 128*gtoAdds(16, 6), adds("gpumech-gto-full", maxwell, -1, 64)),
	}
	for _, c := range []struct {
		g       volkovGPU
		printed string
	}{{fermi, "30.7"}, {kepler, "40.3"}, {maxwell, "29.9"}} {
		exact := c.g
		exact.memThru = c.g.perSM(c.g.peak)
		mwp, _ := analytic.Parallelism(exact.input(1, 1), 0)
		list = append(list,
			eq("V16 T.7.1", c.g.name+": MWP at the sustained bandwidth of T.6.4",
				c.printed, c.g.mwpPeak(c.g.peak), number(mwp)),
			eq("V16 7.4", c.g.name+": T_exec, α from 1", "", 0, overAll("gpuperf", alphas[1:], c.g.warps,
				func(a int) *analytic.Input { return exact.input(a, 1) },
				func(n, a float64) float64 { return n / c.g.sim(n, a, c.g.mwpPeak(c.g.peak)) })))
	}
	return append(list, queueChecks()...)
}

// cycles1 is the cycles of a warp for one access and its additions.
func cycles1(name string, g volkovGPU, alpha int, n float64) func() (float64, error) {
	return func() (float64, error) {
		w, err := says(name, g.input(alpha, accesses), n)
		return 1 / w / accesses, err
	}
}

// queueChecks are V16 7.7 and 7.8.
func queueChecks() []check {
	fermi := gpu("Fermi")
	// GPUMech's GPU: 16 cores, 300 cycles, s = 0.667 cycles, as 128 bytes at 192 GB/s and 1 GHz take.
	paper := volkovGPU{sms: 16, schedulers: 1, ghz: 1, pins: 192, memLat: 300, memThru: 1, aluLat: 1,
		aluThru: 1, issue: 1}
	tool := func(g volkovGPU, n, k float64, delay bool) func() (float64, error) {
		in := g.input(0, 1)
		rho, d := in.Queue(n, k)
		if delay {
			return number(d)
		}
		return number(rho)
	}
	rho32, _ := queue(32, 1, 16, 300, 1, 192)
	rho29, delay29 := queue(29, 1, 16, 300, 1, 192)
	_, delay17 := queue(17, 2, 15, 513, 1.4, 177.4)
	_, delay34 := queue(34, 1, 15, 513, 1.4, 177.4)
	_, cap48 := queue(28.124, 1, 16, 300, 1, 192)
	return []check{
		eq("V16 7.7", "paper's GPU, 32 warps: ρ", "1.14", rho32, tool(paper, 32, 1, false)),
		eq("V16 7.7", "paper's GPU, 29 warps: ρ", "1.03", rho29, tool(paper, 29, 1, false)),
		eq("V16 7.7", "paper's GPU, 29 warps: delay", "-11", delay29, tool(paper, 29, 1, true)),
		eq("V16 7.7", "paper's GPU, 29 warps, α = 0: CPI", "-0.7", 300./29+delay29, nil),
		eq("V16 7.7", "paper's GPU: warps where ρ = 1", "28.1", 300/(16*128./192), nil),
		eq("V16 7.7", "paper's GPU, just below: Eq. 21's cap", "", cap48, tool(paper, 28.124, 1, true)),
		eq("V16 7.7", "Fermi, α = 32, 34 warps: adds per cycle",
			"-12", 32*32./33/(1/fermi.huangRR(34, 32)+delay34/33), nil),
		eq("V16 7.8", "Fermi, stride 2, 17 warps: delay", "-120", delay17, tool(fermi, 17, 2, true)),
		eq("V16 7.8", "Fermi, stride 2, 17 warps: CPI", "-89", 513./17+delay17, nil),
	}
}
