package main

import (
	"errors"
	"math"

	"gpupipe/latencies"
	"gpupipe/simulate"
)

func onePipelineSection() section {
	pipelines := []struct {
		cpi, latency string
		λ, Λ         float64
	}{
		{"1", "1", 1, 1}, {"1", "18", 1, 18}, {"2", "6", 2, 6}, {"8", "40", 8, 40}, {"0.25", "6", 0.25, 6},
		{"0.375", "6", 0.375, 6}, {"1/6", "9", 1. / 6, 9},
	}
	return section{number: 1, title: "One pipeline", origin: simulation,
		text: "The command: 256 more additions of 1, 8, 18 and 32 warps take 256·Λ = 4608 cycles up to Λ/λ = 18 " +
			"warps, and 256·32·λ = 8192 beyond.",
		commands: []command{{"cycles() { idgen --builtin add-dependent -O0 --gpu c2050 --local $((32*$1)) --groups " +
			"64 -D N=$2 | pipesim --groups 1 --format json | jq '.cycles | round'; }; for w in 1 8 18 32; do echo " +
			"$(($(cycles $w 512) - $(cycles $w 256))); done", "4608\n4608\n4608\n8192"}},
		tests: "`simulate` TestOnePipeline, TestSchedulersThatStarve", entries: []entry{{
			source: "P19 Eq. 1", what: "cycles of W ≤ 64 warps of N dependent instructions on one pipeline, 7 " +
				"pipelines: N·Λ + (W-1)·λ if W ≤ Λ/λ, else Λ + (N·W-1)·λ",
			deviation: true,
			ours: func() (float64, error) {
				worst := 0.0
				for _, p := range pipelines {
					for _, n := range []int{1, 2, 5, 12} {
						for w := 1; w <= 64; w += 3 {
							want := float64(n)*p.Λ + float64(w-1)*p.λ
							if float64(w) > p.Λ/p.λ {
								want = p.Λ + float64(n*w-1)*p.λ
							}
							got, err := onePipeline(n, w, p.cpi, p.latency)
							if err != nil {
								return 0, err
							}
							worst = max(worst, math.Abs(got/want-1))
						}
					}
				}
				return worst, nil
			},
		}}}
}

// fig1 is P19's kernel of Fig. 1 with one device's parameters: index, two loads,
// multiply-add, store.
func fig1(cpi, latency, alu string) func() (float64, error) {
	return func() (float64, error) {
		b := newBench("alu", "mem")
		index, load := b.class("index", 0, "1", alu), b.class("ld.global", 1, cpi, latency)
		fma, store := b.class("fma.f32", 0, "1", alu), b.class("st.global", 1, cpi, latency)
		b.begin(1)
		add := b.builder.Add
		i := add(index)
		x, y := add(load, data(i)), add(load, data(i))
		add(store, data(add(fma, data(x), data(y))))
		return cyclesOf(b.run(1, 1, simulate.Config{}))
	}
}

func fig1Section() section {
	return section{number: 2, title: "The kernel of P19 Fig. 1", origin: simulation,
		commands: []command{{"for gpu in c2050-p19 gtx1060-p19; do idgen --builtin fig1 -O0 --gpu $gpu --local 32 " +
			"--groups 4096 | pipesim --groups 1 --format json | jq '.cycles | round'; done", "603\n414"}},
		tests: "`simulate` TestFig1Kernel; `unroll` and `kernels` (the graph from source)",
		text: "One warp takes Λ(index) + λ(mem) + Λ(mem) + Λ(madd) + λ(mem): its last store is complete once it has " +
			"been issued. P19 prints no time of it; the sums take the parameters of its Tables II and III.",
		entries: []entry{
			{source: "P19 Fig. 1, T.II", what: "one warp on the C2050: 18 + 23 + 521 + 18 + 23",
				derived: 18 + 23 + 521 + 18 + 23, unit: "cycles", ours: fig1("23", "521", "18")},
			{source: "P19 Fig. 1, T.II", what: "one warp on the GTX 1060: 6 + 12 + 378 + 6 + 12",
				derived: 6 + 12 + 378 + 6 + 12, unit: "cycles", ours: fig1("12", "378", "6")},
		}}
}

func exampleSection() section {
	simulated := func(ω int64, s simulate.Scheduler) func() (float64, error) {
		return func() (float64, error) {
			return cyclesOf(exampleKernel().run(1, ω, simulate.Config{Groups: ω, Concurrent: ω, Scheduler: s}))
		}
	}
	volkov := func(ω float64) func() (float64, error) { return rate("volkov", example(), ω) }
	return section{number: 3, title: "The article's example kernel", origin: formula,
		commands: []command{
			{"pipesim article/example.json --gpu article/example.yaml --unit-groups 1 --format json | jq " +
				".cycles", "25"},
			{"pipesim models article/example.json --gpu article/example.yaml --models volkov --warps 7 --simulate 0 " +
				"--format csv | awk -F, 'END {print $3}'", "0.25"},
		},
		text:  "The graph and the device are in `testdata/article`.",
		tests: "`simulate` TestExampleKernel, TestProfiles; `simulate/analytic` TestExampleInput", entries: []entry{
			{source: "A 2.2", what: "one warp, simulated", origin: simulation, printed: "25", unit: "cycles",
				ours: simulated(1, simulate.RoundRobin)},
			{source: "A 2.1", what: "peak, warps per cycle", printed: "0.25", ours: func() (float64, error) {
				w, _ := example().Throughput()
				return w, nil
			}},
			{source: "A Eq. 3", what: "Volkov, 5 warps: ω/25", derived: 5. / 25, unit: "warps/cycle", ours: volkov(5)},
			{source: "A 2.2", what: "warps at which Volkov's model reaches its roof", printed: "7",
				ours: func() (float64, error) {
					for ω := 1.0; ; ω++ {
						r, err := rate("volkov", example(), ω)()
						if err != nil || r >= 0.25 {
							return ω, err
						}
					}
				}},
			{source: "A Fig. 9", what: "10 warps, oldest first: share of the run in which the memory is idle between " +
				"filling and draining", origin: simulation, derived: 0, ours: func() (float64, error) {
				got, err := simulated(10, simulate.Oldest)()
				// two reads a warp; two computations; what follows the last read
				const busy, fill, drain = 10 * 4, 5, 4 + 4
				return max(0, (got-busy-fill-drain)/got), err
			}},
		}}
}

func mixSection() section {
	worst := func(shared, limited bool, formula func(β float64) float64) func() (float64, error) {
		return func() (float64, error) {
			worst := 0.0
			for β := 1; β <= 16; β++ {
				got, err := instructionMix(β, shared, limited)
				if err != nil {
					return 0, err
				}
				worst = max(worst, math.Abs(got/formula(float64(β))-1))
			}
			return worst, nil
		}
	}
	const λ1, λ2, limit = 1.0, 4.0, 1.0
	return section{number: 4, title: "Instruction mix of two types", origin: simulation,
		commands: []command{
			{
				`for beta in 1 4 16; do idgen --builtin mix -O0 --gpu c2050 -D BETA=$beta -D REPEAT=256 | pipesim ` +
					`--set add.f32:cpi=1 --set native_cos.f32:cpi=4 --issue-limit 1 --format json | jq -r --argjson ` +
					`b $beta '"\(.subsystems[0].utilization * 1000 | round / 1000) of \([1, $b / 4, $b / ($b + ` +
					`1)] | min * 1000 | round / 1000)"'; done`,
				"0.247 of 0.25\n0.788 of 0.8\n0.935 of 0.941"}},
		tests: "`simulate` TestInstructionMix, TestDependentMix",
		text: "β = 1 to 16 instructions of type 1 (λ 1), then one of type 2 (λ 4), 48 warps, in the steady state. " +
			"Eqs. 44 and 45 as printed say 1/λ2 where β/λ2 is meant: IPC counts type 1 only, and the printed form " +
			"would not go to 0 with β.",
		entries: []entry{
			{source: "A Eq. 43", what: "IPC on one subsystem: β/(β·λ1 + λ2)", deviation: true,
				ours: worst(true, false, func(β float64) float64 { return β / (β*λ1 + λ2) })},
			{source: "A Eq. 44, corrected", what: "IPC on two subsystems: min(1/λ1, β/λ2)", deviation: true,
				ours: worst(false, false, func(β float64) float64 { return min(1/λ1, β/λ2) })},
			{source: "A Eq. 45, corrected", what: "behind an issue limit of 1: min(1/λ1, β/λ2, β/(β+1))",
				deviation: true, ours: worst(false, true, func(β float64) float64 {
					return min(1/λ1, β/λ2, β/(β+1)*limit)
				})},
		}}
}

func workSection() section {
	groups := func(device string, block int64) func() (float64, error) {
		return func() (float64, error) {
			g, err := mmul(block)
			if err != nil {
				return 0, err
			}
			d, err := latencies.Builtin(device)
			if err != nil {
				return 0, err
			}
			o, err := simulate.Capacity(g, d, simulate.Config{})
			if err != nil {
				return 0, err
			}
			for _, c := range o.Candidates {
				if c.Resource == "launch" {
					return float64(c.Groups), nil
				}
			}
			return 0, errors.New("the launch does not limit the occupancy")
		}
	}
	return section{number: 5, title: "Work per compute unit", origin: pipe,
		tests: "`simulate` TestWorkPerComputeUnit, TestOccupancy",
		text: "N = ceil(N_total / P) groups; the scarcest resource decides how many are resident; time = cycles / " +
			"clock. The second command prints the numbers of P19 IV.A.",
		commands: []command{
			{"idgen --builtin mmul-08 --gpu gtx1060 | pipesim --format json | jq .groups", "1639"},
			{"for gpu in c2050 gtx1060; do for n in 32 64 128 256 512 1024; do idgen --builtin vadd --gpu $gpu " +
				"--local $n --groups 4096 -o $gpu-$n.json; done; pipesim sweep $gpu-*.json --format csv | awk -F, " +
				"'NR > 1 {warps[$7]} END {print NR-1, length(warps)}'; done", "34 18\n78 43"},
		},
		entries: append([]entry{
			{source: "P19 III.D", what: "16384 groups on the 10 units of the GTX 1060", derived: math.Ceil(16384. / 10),
				unit: "groups", ours: groups("gtx1060", 8)},
			{source: "P19 III.D", what: "4096 groups on the 14 units of the C2050", derived: math.Ceil(4096. / 14),
				unit: "groups", ours: groups("c2050", 16)},
		}, occupancyEntries()...)}
}

func barrierSection() section {
	listing := func(instruction int) func() (float64, error) {
		return func() (float64, error) {
			b := newBench("alu", "sync")
			b.mapping.Device.IssueInterval = b.cycles("6")
			b.iterative(1, 2, true, b.class("add.f32", 0, "1", "18"), b.class("barrier", 1, "2", "34"))
			r, err := b.run(1, 1, simulate.Config{Profile: true})
			if err != nil {
				return 0, err
			}
			const first = 540 // when the listing's FADD issues
			return first + float64(r.Profile.Issues[instruction].Issued)/float64(r.Profile.TicksPerCycle), nil
		}
	}
	return section{number: 6, title: "Barriers", origin: simulation,
		commands: []command{{"cycles() { idgen --builtin barrier -O0 --barrier issue --gpu gtx480 --local 32 " +
			"--groups 64 -D N=$1 | pipesim --groups 1 --format json | jq '.cycles | round'; }; echo " +
			"$((($(cycles 128) - $(cycles 64)) / 64))", "40"}},
		tests: "`simulate` TestIterativeBarrier, TestLargeGroupsAreSlower (A Fig. 16), TestMeasuredBarrier",
		text: "A barrier of Fermi waits for the issue of what stands before it; in the article's iterative barrier " +
			"kernel it waits for the completion. Neither source prints a formula; the tests have ours. Instructions " +
			"of a warp issue 6 cycles apart (V16 L.3.2). The command: cycles of a round, 6 + 34.",
		entries: []entry{
			{source: "V16 L.3.3", what: "the barrier behind the FADD of cycle 540 issues at", printed: "546",
				ours: listing(1)},
			{source: "V16 L.3.3", what: "the next instruction issues at", printed: "580", ours: listing(2),
				construction: "the barrier's latency of 34 cycles is what the source reads off this number"},
		}}
}
