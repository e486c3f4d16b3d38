package independent

import "math"

// Formulas of P19, A and L4 as they are printed, in their notation: l is λ (CPI), L is Λ (latency), w is ω.

// cell is a pair of λ and Λ.
type cell struct{ l, L float64 }

// block is a run of computations before an access, a of them, of the given ILP.
type block struct{ a, ilp float64 }

// example is the kernel of A Table 2: CCMCMC, its first two computations independent.
type example struct {
	comp, mem  cell
	instr      float64 // λ of the issue of an access
	blocks     []block
	acomp, mmm float64 // α_comp and α_mem
	aind       float64 // computations that run beside another
}

var articleExample = example{comp: cell{1, 4}, mem: cell{2, 6}, instr: 1, acomp: 4, mmm: 2, aind: 1,
	blocks: []block{{2, 2}, {1, 1}, {1, 1}}}

func (e example) ci() float64 { return e.acomp / e.mmm }

// onePipeline is P19 Eq. 1.
func onePipeline(w, n float64, c cell) float64 {
	if w <= c.L/c.l {
		return n*c.L + (w-1)*c.l
	}
	return c.L + (n*w-1)*c.l
}

// fig1 is the sum that P19 prints below its Fig. 1.
func fig1(index, mem, madd cell) float64 { return index.L + mem.l + mem.L + madd.L + mem.l }

// roofline is A Eq. 1, in warps per cycle.
func (e example) roofline() float64 {
	return math.Min(1/e.comp.l, 1/e.mem.l*e.ci()) / e.acomp
}

// app is A Eq. 2.
func (e example) app() float64 {
	return (e.acomp-e.aind)*e.comp.L + e.mmm*e.mem.L + e.aind*e.comp.l
}

// volkov is A Eq. 3.
func (e example) volkov(w float64) float64 { return math.Min(e.roofline(), w/e.app()) }

// transit finds the crossing of supply (A Eq. 5) and demand (A Eq. 4) with x + k = ω by bisection, in warps per cycle.
func (e example) transit(w float64) float64 {
	demand := func(x float64) float64 { return math.Min(1/e.comp.l, x/e.comp.L) / e.acomp }
	supply := func(k float64) float64 { return math.Min(1/e.mem.l, k/e.mem.L) / e.mmm }
	low, high := 0.0, w
	for range 100 {
		if k := (low + high) / 2; supply(k) < demand(w-k) {
			low = k
		} else {
			high = k
		}
	}
	return supply(high)
}

// transitK is A Eq. 11. Eq. 9 prints the two latencies exchanged and Eq. 10 1/α_comp for 1/Λ_comp: only with both
// mended does Eq. 8 lead to Eq. 11.
func (e example) transitK(w float64) float64 { return w / (1 + e.ci()*e.comp.L/e.mem.L) }

func (e example) mwp() float64 { return e.mem.L / e.mem.l }             // A Eq. 15
func (e example) cwp() float64 { return e.mem.L/(e.ci()*e.comp.l) + 1 } // A Eq. 16
func (e example) memoryBound(w float64) float64 { // A Eq. 26
	return e.mmm*w*e.mem.l + e.ci()*e.comp.l*e.mwp()
}
func (e example) computeBound(w float64) float64 { return e.acomp*e.comp.l*w + e.mem.L } // A Eq. 27
func (e example) occupancyBound(w, app float64) float64 { // A Eq. 28
	return app + e.ci()*e.comp.l*(w-1)
}

// mwpcwp is the cycles of a run by A 2.3.
func (e example) mwpcwp(w float64) float64 {
	switch {
	case e.mwp() < math.Min(w, e.cwp()):
		return e.memoryBound(w)
	case e.cwp() < math.Min(w, e.mwp()):
		return e.computeBound(w)
	default:
		return e.occupancyBound(w, e.mmm*e.mem.L+e.acomp*e.comp.l)
	}
}

// mwpcwpCorrected is the largest of the three cases with Λ_app of Eq. 2 (A 5.1).
func (e example) mwpcwpCorrected(w float64) float64 {
	return math.Max(e.occupancyBound(w, e.app()), math.Max(e.memoryBound(w), e.computeBound(w)))
}

// wfg is the cycles of one warp by A Eq. 30 to 36; corrected takes Eq. 42 for Eq. 36 and 0 for λ_mem^instr.
// Eq. 31 prints λ_trans·α although λ_trans of Eq. 30 contains α already: V16 7.2 multiplies once.
func (e example) wfg(w float64, corrected bool) float64 {
	instr := e.instr
	if corrected {
		instr = 0
	}
	trans := func(b block) float64 { return b.a * math.Max(e.comp.l, e.comp.L/(b.ilp*w)) }
	compute := 0.0
	for _, b := range e.blocks {
		compute += trans(b)
	}
	nbc := (compute + instr*e.mmm) / (e.mmm + 1)        // Eq. 35, no barriers
	bandwidth := math.Max(instr, e.mem.l-compute/e.mmm) // Eq. 34
	cycles := compute
	for i := range int(e.mmm) {
		exposed := e.mem.L - (w-1)*nbc // Eq. 36
		if b := e.blocks[i]; corrected {
			exposed = e.mem.L/w - math.Max(0, (w-1)/w*nbc-b.a*e.comp.L/(w*b.ilp)) // Eq. 42
		}
		cycles += math.Max(bandwidth, exposed)
	}
	return cycles
}

// fig6 is A Eq. 40: chain is α·Λ_comp.
func fig6(chain, mem, w float64) float64 { return chain + mem*w - (w-1)*chain/2 }

// fig6Corrected is the same kernel by Eq. 42.
func fig6Corrected(chain, mem, w float64) float64 {
	nbc := chain / w / 2
	return w * (chain/w + mem/w - math.Max(0, (w-1)/w*nbc-chain/w))
}

// interval is one of GPUMech: instructions, then a stall.
type interval struct{ insts, stall float64 }

// gpumech is the cycles of a run of w warps by the round-robin policy (GPUMech Eq. 7, 9 to 11 as A 2.5 and V16 7.5 read
// them) or by the correction of A 2.5.1.
func gpumech(in []interval, w float64, corrected bool) float64 {
	insts, cycles := 0.0, 0.0
	for _, i := range in {
		insts += i.insts
		cycles += i.insts + i.stall
	}
	p := insts / cycles
	for _, i := range in {
		cycles += nonOverlapped(i, p, w, corrected)
	}
	return cycles
}

func nonOverlapped(i interval, p, w float64, corrected bool) float64 {
	if corrected {
		return (w-1)*i.insts - math.Min(i.stall, w-1)
	}
	return p * (w - 1) * (i.insts - 1)
}

// gpumechGTO is the greedy-then-oldest policy (GPUMech Eq. 12 to 16, min and max as V16 7.6 corrects them).
func gpumechGTO(in []interval, w float64) float64 {
	insts, cycles := 0.0, 0.0
	for _, i := range in {
		insts += i.insts
		cycles += i.insts + i.stall
	}
	p, average := insts/cycles, insts/float64(len(in))
	for _, i := range in {
		cycles += math.Max(0, math.Min(p*i.stall, 1)*average*(w-1)-i.stall)
	}
	return cycles
}

// exampleIntervals are those of the example without latencies of computations (A 2.5): CCM, CM, C.
func (e example) intervals() []interval {
	stall := e.mem.L - 1
	return []interval{{3, stall}, {2, stall}, {1, 0}}
}

// mix is A Eq. 43 to 45; Eq. 44 and 45 print 1/λ2, with which IPC of type 1 would not go to 0 with β.
func mixOne(b, l1, l2 float64) float64       { return b / (b*l1 + l2) }
func mixTwo(b, l1, l2 float64) float64       { return math.Min(1/l1, b/l2) }
func mixLimit(b, l1, l2, il float64) float64 { return math.Min(mixTwo(b, l1, l2), b/(b+1)*il) }

// global is the memory module of A 6.3 with R = bytes of DRAM / bytes of the access.
func global(r float64, dram, l2 cell) cell {
	if r < 1 {
		return cell{r*dram.l + (1-r)*l2.l, r*dram.L + (1-r)*l2.L}
	}
	return cell{r * dram.l, dram.L + (r-1)*dram.l}
}

// local is the memory module of A 6.3 with the conflict degree D.
func local(d float64, c cell) cell { return cell{(1 + d) * c.l, c.L + d*c.l} }

// mape and shape are A 6.3 of performance; the first prints no 1/n although it is a mean.
func mape(model, real []float64) float64 {
	sum := 0.0
	for i := range real {
		sum += math.Abs(model[i]-real[i]) / real[i]
	}
	return 100 * sum / float64(len(real))
}

func shape(occupancy, model, real []float64) float64 {
	n, sx, sy, sxx, sxy := float64(len(real)), 0.0, 0.0, 0.0, 0.0
	for i, x := range occupancy {
		d := model[i] - real[i]
		sx, sy, sxx, sxy = sx+x, sy+d, sxx+x*x, sxy+x*d
	}
	slope := (n*sxy - sx*sy) / (n*sxx - sx*sx)
	sum := 0.0
	for i, x := range occupancy {
		sum += math.Abs(model[i]-real[i]-slope*x-(sy-slope*sx)/n) / real[i]
	}
	return 100 * sum / n
}

// bandwidth is the throughput below A Table 5, in GB/s.
func bandwidth(units, l, ghz float64) float64 { return units * 32 * 4 / l * ghz }

// occupancies counts the pairs of group size and resident groups, and the warp counts, that local memory can choose: a
// group takes a multiple of unit bytes, at most most, of the total; sizes are powers of two of 32 to 1024.
func occupancies(warps, groups, total, most, unit int) (combinations, counts int) {
	seen := map[int]bool{}
	for size := 1; size <= 32; size *= 2 {
		reached := map[int]bool{}
		for bytes := unit; bytes <= most; bytes += unit {
			reached[min(total/bytes, groups, warps/size)] = true
		}
		for m := range reached {
			combinations++
			seen[m*size] = true
		}
	}
	return combinations, len(seen)
}
