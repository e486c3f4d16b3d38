package independent

import (
	"errors"
	"math"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/accuracy"
	"gpupipe/simulate/comparison"
)

// mixChecks are A Eq. 43 to 45 with the parameters of Fig. 12.
func mixChecks(t *testing.T) []check {
	worst := func(second int, limit string, want func(b float64) float64) func() (float64, error) {
		return func() (float64, error) {
			worst := 0.0
			for b := 1; b <= 16; b++ {
				var cycles [2]float64
				for k, rounds := range []int{40, 80} {
					h := newHand(t, "one", "two")
					if limit != "" {
						h.mapping.Device.IssueLimit = h.cycles(limit)
					}
					one, two := h.class("add.f32", 0, "1", "18"), h.class("cos.f32", second, "4", "40")
					for i := range rounds * (b + 1) {
						if i%(b+1) == b {
							h.add(two)
						} else {
							h.add(one)
						}
					}
					c, err := h.run(48, simulate.Config{Scheduler: simulate.Oldest})
					if err != nil {
						return 0, err
					}
					cycles[k] = c
				}
				worst = math.Max(worst, math.Abs(float64(48*40*b)/(cycles[1]-cycles[0])/want(float64(b))-1))
			}
			return worst, nil
		}
	}
	const misprint = "misprint: 1/λ2 for β/λ2: IPC would stay 1/4, below Eq. 43's one pipeline, 4/5 at β = 16"
	return []check{
		eq("A Eq. 43", "instruction mix, one subsystem, β ≤ 16",
			"", 0, worst(0, "", func(b float64) float64 { return mixOne(b, 1, 4) })),
		eq("A Eq. 44", "instruction mix, two subsystems",
			"", 0, worst(1, "", func(b float64) float64 { return mixTwo(b, 1, 4) })).why(misprint),
		eq("A Eq. 45", "instruction mix, issue limit 1",
			"", 0, worst(1, "1", func(b float64) float64 { return mixLimit(b, 1, 4, 1) })).why(misprint),
	}
}

// moduleChecks are the memory modules of A 6.3 with the GTX 1060's λ and Λ, and A T.6.
func moduleChecks(t *testing.T) []check {
	dram, l2 := cell{12, 345}, cell{4, 216} // L2's are the device file's: the sources print none
	ruled := func(rule string, latency bool) func() (float64, error) {
		return func() (float64, error) {
			r, err := latencies.ParseRule(rule)
			if err != nil {
				return 0, err
			}
			c, err := inContext(t, "ld.global", idg.SpaceGlobal, 1, r)
			if latency {
				return c.L, err
			}
			return c.l, err
		}
	}
	strided := func(op string, space idg.Space, words int64, latency bool) func() (float64, error) {
		return func() (float64, error) {
			c, err := inContext(t, op, space, words)
			if latency {
				return c.L, err
			}
			return c.l, err
		}
	}
	list := []check{
		eq("A 6.3", "R = 1/128 (mmul's A): λ", "", global(1./128, dram, l2).l, ruled("ld.global:R=1/128", false)),
		eq("A 6.3", "R = 1/128 (mmul's A): Λ", "", global(1./128, dram, l2).L, ruled("ld.global:R=1/128", true)),
		eq("A 6.3", "R = 3: λ", "", global(3, dram, l2).l, ruled("ld.global:R=3", false)),
		eq("A 6.3", "R = 3: Λ", "", global(3, dram, l2).L, ruled("ld.global:R=3", true)),
		eq("A 6.3", "R = 2 by stride 2: λ",
			"", global(2, dram, l2).l, strided("ld.global", idg.SpaceGlobal, 2, false)),
		eq("A 6.3", "R = 2 by stride 2: Λ",
			"", global(2, dram, l2).L, strided("ld.global", idg.SpaceGlobal, 2, true)),
		eq("A 6.3", "D = 3 by stride 4: λ'",
			"", local(3, cell{1, 25}).l, strided("ld.local", idg.SpaceLocal, 4, false)),
		eq("A 6.3", "D = 3 by stride 4: Λ'",
			"", local(3, cell{1, 25}).L, strided("ld.local", idg.SpaceLocal, 4, true)),
	}
	// Units and clocks are P19 T.I's and the vendor's; those of the GTX 650 Ti and the R9 380 are solved from T.6
	// itself.
	for _, c := range []struct {
		device, printed string
		units, l, ghz   float64
	}{
		{"c2050", "89.6", 14, 23, 1.15}, {"k620", "22.6", 3, 18, 1.058}, {"gtx1060", "160.6", 10, 12, 1.506},
		{"rtx2070", "361", 36, 18, 1.41}, {"rtx2070", "288", 36, 18, 1.41},
	} {
		row := eq("A T.6", "GB/s of "+c.device, c.printed, bandwidth(c.units, c.l, c.ghz), func() (float64, error) {
			d, err1 := latencies.Builtin(c.device)
			ld, err2 := parameters(c.device, "ld.global")
			if err := errors.Join(err1, err2); err != nil {
				return 0, err
			}
			return bandwidth(float64(d.ComputeUnits), ld.l, float64(d.ClockHz)/1e9), nil
		})
		if c.printed == "288" {
			row = row.why("misprint: 361 stands in the next column; 361 of the pins' 448 are the printed 80.5%, 288 " +
				"of 361 79.8%")
		}
		list = append(list, row)
	}
	return list
}

// accuracyChecks are A 6.3's metrics.
func accuracyChecks() []check {
	e := articleExample
	var warps []int64
	var occupancy, model, real, modelTime, realTime []float64
	for w := 1.0; w <= 16; w++ {
		warps, occupancy = append(warps, int64(w)), append(occupancy, w)
		m, r := e.volkov(w), w/e.mwpcwpCorrected(w)
		model, real = append(model, m), append(real, r)
		modelTime, realTime = append(modelTime, 1/m), append(realTime, 1/r)
	}
	const misprint = "misprint: the first formula has no 1/n: 14 kernels of up to 64 occupancies could not average 22%"
	compared := comparison.Measure(warps, modelTime, realTime)
	return []check{
		eq("A 6.3", "MAPE of performance, Volkov's against MWP-CWP*'s curve",
			"", mape(model, real), func() (float64, error) { return accuracy.MAPE(model, real) }).
			why(misprint),
		eq("A 6.3", "MAPE_shape of performance", "", shape(occupancy, model, real),
			func() (float64, error) { return accuracy.MAPEShape(occupancy, model, real) }),
		eq("A 6.3", "compare's MAPE", "", mape(model, real), number(compared.MAPE)),
		eq("A 6.3", "compare's MAPE_shape", "", shape(occupancy, model, real), number(compared.MAPEShape)),
		eq("A 7", "average MAPE of the Pipeline model on three GPUs", "24", (22+23+27.8)/3, nil),
		eq("A 7", "average MAPE of Volkov's model", "52.9", (36+44+78.7)/3, nil),
	}
}

// inContext is λ and Λ that the GTX 1060 gives an access with a stride in words.
func inContext(t *testing.T, op string, space idg.Space, words int64, rules ...latencies.Rule) (cell, error) {
	h := newHand(t)
	h.add(h.access(op, space, words))
	_, mapping, err := h.on("gtx1060", rules...)
	if err != nil {
		return cell{}, err
	}
	timing := mapping.Entry(1).Timing
	return cell{timing.CPI.Float(), timing.Latency.Float()}, nil
}
