package independent

import "math"

// Formulas of V16 as they are printed; occupancy n is in warps per multiprocessor unless said otherwise.

// volkovGPU is a row of V16's tables: T.2.6, T.2.7, T.4.1, T.6.1 to T.6.5.
type volkovGPU struct {
	name                           string
	device                         string // of ours
	sms, schedulers, warps         float64
	ghz, pins                      float64
	memLat, memThru                float64
	aluLat, aluThru, issue         float64
	peak, a, b, c                  float64 // GB/s, cycles, cycles, GB/s
	guideAlpha, guideWarps, linear float64
	throughput, latency, needed    [6]float64 // add, SFU, smem, smem2, stream, random; 0: below 1
	coalesced                      float64    // transactions of a coalesced access (6.7)
}

var volkovGPUs = []volkovGPU{
	{"G80", "8800gtx", 16, 1, 24, 1.350, 86.4, 444, 0.0268, 20, 0.25, 0.5, 74, 453, 61, 81, 16, 6.9, 12,
		[6]float64{8, 2, 6, 3, 0.86, 0.027}, [6]float64{20, 32, 38, 54, 444, 644}, [6]float64{5, 2, 9, 6, 20, 0}, 2},
	{"GT200", "gtx280", 30, 1, 32, 1.296, 141.7, 434, 0.0277, 24, 0.25, 0.5, 138, 438, 17, 140, 16, 6.8, 12,
		[6]float64{8, 2, 8, 4, 0.89, 0.016}, [6]float64{24, 34, 40, 56, 434, 662}, [6]float64{6, 3, 11, 8, 16, 0}, 2},
	{"Fermi", "gtx480", 15, 2, 48, 1.400, 177.4, 513, 0.0599, 18, 1, 1, 161, 501, 41, 170, 32, 16, 15.5,
		[6]float64{16, 2, 8, 4, 0.97, 0.029}, [6]float64{18, 22, 26, 58, 513, 1571},
		[6]float64{9, 1.5, 6.5, 7.5, 21, 2}, 1},
	{"Kepler", "gtx680", 8, 4, 64, 1.124, 192.3, 301, 0.1338, 9, 4, 4, 154, 300, 32, 170, 32, 38, 10,
		[6]float64{32, 8, 8, 4, 1.07, 0.034}, [6]float64{9, 9, 24, 56, 301, 1213}, [6]float64{9, 3, 6, 7, 14, 1.75}, 4},
	{"Maxwell", "gtx980", 16, 4, 64, 1.266, 224, 368, 0.0814, 6, 4, 4, 211, 372, 22, 221, 64, 23, 7.5,
		[6]float64{32, 8, 8, 4, 0.65, 0.023}, [6]float64{6, 13, 24, 26, 368, 534},
		[6]float64{6, 4, 8, 3.75, 10, 0.75}, 4},
}

// latency is the denominator of the mix (V16 4.1).
func (g volkovGPU) path(alpha float64) float64 { return g.memLat + alpha*g.aluLat }

// roof is the throughput bound of the mix, accesses per cycle.
func (g volkovGPU) roof(alpha float64) float64 {
	return min(g.memThru, g.aluThru/alpha, g.issue/(alpha+1))
}

// mix is V16 T.4.2, accesses per cycle.
func (g volkovGPU) mix(n, alpha float64) float64 { return math.Min(n/g.path(alpha), g.roof(alpha)) }

// neededWarps is V16 4.5.
func (g volkovGPU) neededWarps(alpha float64) float64 { return g.path(alpha) * g.roof(alpha) }

// perSM turns GB/s of the GPU into accesses per cycle of a multiprocessor.
func (g volkovGPU) perSM(gbs float64) float64 { return gbs / (g.sms * g.ghz * 128) }

// contended solves V16 6.5 by bisection: the right side falls with x.
func (g volkovGPU) contended(n, alpha float64) float64 {
	c := g.perSM(g.c)
	low, high := 0.0, math.Min(g.roof(alpha), c*(1-1e-12))
	for range 200 {
		x := (low + high) / 2
		if n/(g.a+g.b*x/(c-x)+alpha*g.aluLat) > x {
			low = x
		} else {
			high = x
		}
	}
	return low
}

// little is the warps per scheduler that column i needs: latency · throughput / 32.
func (g volkovGPU) little(i int) float64 { return g.latency[i] * g.throughput[i] / 32 }

// mwpPeak is MWP_peak_bw: accesses in flight at a bandwidth (V16 7.1 with the pins', 7.4 with the sustained one).
func (g volkovGPU) mwpPeak(gbs float64) float64 { return g.memLat * g.perSM(gbs) }

// hong is V16 7.1: cycles of a group of α+1 instructions; the access takes issue time like an addition.
func (g volkovGPU) hong(n, alpha float64) float64 {
	time := 1 / g.aluThru * (alpha + 1)
	if cwp := g.memLat/time + 1; n <= cwp {
		return g.memLat + time
	}
	return n * time
}

// baghsorkhi is V16 7.2 written out as its steps; bandwidth is the printed 37 cycles.
func (g volkovGPU) baghsorkhi(n, alpha, bandwidth float64) float64 {
	issue := 1 / g.aluThru
	alu := math.Max(issue, g.aluLat/n)
	compute := alpha*alu + issue
	transition := issue + math.Max(0, bandwidth-alpha*alu-issue)
	exposed := g.memLat - (n-1)*compute
	return alpha*alu + math.Max(transition, exposed)
}

// sim is V16 7.4: cycles of a group of α+1 instructions in all n warps.
func (g volkovGPU) sim(n, alpha, mwpPeak float64) float64 {
	rate := math.Max(g.aluLat/n, 1/g.aluThru)
	comp := (alpha + 1) * n * rate
	cwp := math.Min(n, 1+g.memLat/((alpha+1)*rate))
	mwp := math.Min(n, mwpPeak)
	mem := n * g.memLat / math.Min(mwp, math.Max(1, cwp-1))
	if cwp > mwp {
		return math.Max(comp, mem)
	}
	return math.Max(comp, mem+comp/n)
}

// zhang is V16 7.3 with the ideal rooflines of 4.2 for the measured alu(n) and mem(n): cycles of a group in n warps.
func (g volkovGPU) zhang(n, alpha float64, add bool) float64 {
	alu := n * alpha / math.Min(n/g.aluLat, g.aluThru)
	mem := n / math.Min(n/g.memLat, g.memThru)
	if add {
		return alu + mem
	}
	return math.Max(alu, mem)
}

// huangRR is V16 7.5, instructions per cycle of a scheduler with n warps.
func (g volkovGPU) huangRR(n, alpha float64) float64 { return n * (1 + alpha) / g.path(alpha) }

// huangGTO is V16 7.6.
func (g volkovGPU) huangGTO(n, alpha float64) float64 {
	p := (1 + alpha) / g.path(alpha)
	no := func(lat float64) float64 {
		return math.Max(0, math.Min(p*(lat-1), 1)*(n-1)-lat+1)
	}
	return n * (1 + alpha) / (g.path(alpha) + no(g.memLat) + alpha*no(g.aluLat))
}

// gtoAdds is V16 7.6's limit α = ∞.
func gtoAdds(n, lat float64) float64 { return n / math.Max(lat, (n-1)*(1-1/lat)+1) }

// queue is V16 7.7: ρ and the delay of GPUMech's Eq. 21 with its cap; k is the transactions of an access. 7.8 prints
// 1-s for 1-ρ: with it the delay would be -50 and not the -120 that it gives.
func queue(n, k, cores, lat, ghz, pins float64) (rho, delay float64) {
	s := ghz * 128 / pins
	rate := k * n * cores / lat
	rho = rate * s
	return rho, math.Min(rate*s*s/(2*(1-rho)), s*k*n*cores/2)
}

// vectorAdd is the longest path of V16 Listing 3.5 on Kepler (3.8): in order, two independent neighbours pair unless
// both are loads, one pair every ilp cycles, then the replacement of the block.
func vectorAdd(load, other, ilp, replace int) (latency, issues int) {
	type op struct {
		writes string
		reads  []string
		load   bool
	}
	code := []op{{"R1", nil, false}, {"R3", nil, false}, {"R0", nil, false}, {"R2", []string{"R0", "R3"}, false},
		{"R3", []string{"R2"}, false}, {"R0", []string{"R2"}, false}, {"R3", []string{"R3"}, true},
		{"R0", []string{"R0"}, true}, {"R2", []string{"R2"}, false}, {"R3", []string{"R3", "R0"}, false},
		{"", []string{"R2", "R3"}, false}, {"", nil, false}}
	ready := map[string]int{}
	at, paired := -ilp, true
	for i, o := range code {
		t := at + ilp
		for _, r := range o.reads {
			t = max(t, ready[r])
		}
		pair := !paired && !(o.load && code[i-1].load)
		for _, r := range o.reads {
			pair = pair && r != code[i-1].writes && ready[r] <= at
		}
		if paired = pair; pair {
			t = at
		} else {
			issues++
		}
		at = t
		if ready[o.writes] = t + other; o.load {
			ready[o.writes] = t + load
		}
	}
	return at + replace, issues
}

// special is V16 4.7: α additions behind one operation of latency first (to an addition) and rate thru; cost is its
// issue cycles. Operations per cycle of a multiprocessor.
func special(n, alpha, first, add, thru, aluThru, issue, cost float64) float64 {
	return min(n/(first+alpha*add), thru, aluThru/alpha, issue/(alpha+cost))
}
