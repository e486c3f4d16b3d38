package analytic

import (
	"math"
	"strings"
	"testing"
)

// TestGPUMechExample: the article's example by A 2.5 (Fig. 2, 14), by hand.
// Intervals of 3, 2 and 1 instructions, of which the first two end with 5 stall
// cycles: total_cycles = 16, p = 6/16, the mean interval has 2.
func TestGPUMechExample(t *testing.T) {
	in := example()
	for n := 1.0; n <= 64; n++ {
		for _, c := range []struct {
			model  gpuMech
			cycles float64
		}{
			{gpuMech{}, 16 + 6/16.*(n-1)*(2+1+0)},
			{gpuMech{corrected: true}, 16 + 6*(n-1) - 2*min(5, n-1)},
			{gpuMech{greedy: true}, 16 + 2*max(0, 2*(n-1)-5)}, // p·5 > 1; p·0 issues nothing
		} {
			if e := Evaluate(c.model, in, n); e.Invalid != "" || !near(e.WarpsPerCycle, n/c.cycles) {
				t.Errorf("%s, %v warps: %+v, want %v", c.model.About().Name, n, e, n/c.cycles)
			}
		}
	}
	// "With RR, the performance goes through the roof; while with GTO, the
	// performance converges to Volkov's."
	roof, _ := in.Throughput()
	if e := Evaluate(gpuMech{}, in, 7); e.WarpsPerCycle <= roof || !strings.Contains(e.Note, "times what") {
		t.Errorf("round-robin, 7 warps: %+v, the roof is %v", e, roof)
	}
	if e := Evaluate(gpuMech{greedy: true}, in, 1e6); math.Abs(e.WarpsPerCycle/roof-1) > 1e-4 ||
		e.WarpsPerCycle > roof {
		t.Errorf("greedy, many warps: %+v, the roof is %v", e, roof)
	}
}

// TestGPUMechFigure8 is the example in GPUMech's paper by A 2.5.1: an interval of
// 3 instructions and 6 stall cycles, 4 warps: 2 instructions by Eq. 11 do not
// overlap, 6 corrected.
func TestGPUMechFigure8(t *testing.T) {
	in := Mix{CompCPI: 1, CompLatency: 1, MemCPI: 1, MemLatency: 7}.Input(2, 1)
	for m, want := range map[gpuMech]float64{{}: 2, {corrected: true}: 6} {
		if e := Evaluate(m, in, 4); !near(4/e.WarpsPerCycle-9, want) {
			t.Errorf("%s: %v instructions do not overlap, want %v", m.About().Name, 4/e.WarpsPerCycle-9, want)
		}
	}
}

// synthetic is GPUMech's simulated GPU (V16 7.7) on α additions of 25 cycles and
// one access: s = 0.667 cycles, 16 units, 300 cycles.
func synthetic(α int) *Input {
	in := Mix{CompCPI: 1, CompLatency: 25, MemCPI: 1, MemLatency: 300, IssueLimit: 1}.Input(α, 1)
	in.Memory.Units, in.Memory.Service = 16, 128/192.
	return in
}

// TestQueue: what V16 7.7 prints of the queue, and its cap.
func TestQueue(t *testing.T) {
	in := synthetic(0)
	if ρ, _ := in.Queue(32, 1); math.Abs(ρ-1.14) > 0.005 {
		t.Errorf("32 warps: ρ = %v, want 1.14", ρ)
	}
	if _, delay := in.Queue(29, 1); math.Round(delay) != -11 {
		t.Errorf("29 warps: delay %v, want -11", delay)
	}
	// Near ρ = 1 the cap s·n·units/2 holds.
	if ρ, delay := in.Queue(28.1, 1); ρ >= 1 || !near(delay, 128/192.*28.1*16/2) {
		t.Errorf("28.1 warps: ρ = %v, delay %v", ρ, delay)
	}
	// Two lines an access count twice.
	if ρ, delay := in.Queue(10, 2); true {
		ρ2, delay2 := in.Queue(20, 1)
		if ρ != ρ2 || delay != delay2 {
			t.Errorf("10 warps of two lines: %v, %v, 20 of one %v, %v", ρ, delay, ρ2, delay2)
		}
	}
	in.Contention = AllContention
	e := Evaluate(gpuMech{full: true}, in, 29) // CPI = 300/29 + delay = -0.7
	if raw := (gpuMech{full: true}).Estimate(in, 29); math.Abs(1/raw.WarpsPerCycle+0.7) > 0.05 {
		t.Errorf("29 warps: CPI %v, want -0.7", 1/raw.WarpsPerCycle)
	}
	if !strings.Contains(e.Invalid, "ρ = 1.03") {
		t.Errorf("29 warps: %+v", e)
	}
	if e := Evaluate(gpuMech{full: true}, in, 32); e.Invalid != "" || !strings.Contains(e.Note, "ρ = 1.14") {
		t.Errorf("32 warps: %+v", e)
	}
}

// TestMissDelay is the mean of ⌈j/MSHRs⌉ - 1 latencies over all requests j.
func TestMissDelay(t *testing.T) {
	in := synthetic(0)
	in.Memory.MSHRs = 32
	for requests := 1; requests <= 200; requests++ {
		sum := 0.0
		for j := 1; j <= requests; j++ {
			sum += math.Ceil(float64(j)/32) - 1
		}
		if got, want := in.missDelay(float64(requests)), 300*sum/float64(requests); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d requests: %v cycles, want %v", requests, got, want)
		}
	}
}

// TestContentionSwitch: off, the delays of misses and DRAM do not count; for
// uncoalesced accesses only their intervals have them.
func TestContentionSwitch(t *testing.T) {
	in := synthetic(16)
	in.MemIntervals[0].Loads, in.Memory.MSHRs = 2, 32
	const n = 20
	m := gpuMech{greedy: true}
	free := Evaluate(m, in, n)
	in.Contention = UncoalescedContention
	if e := Evaluate(m, in, n); e != free {
		t.Errorf("coalesced: %+v, without contention %+v", e, free)
	}
	in.MemIntervals[0].Uncoalesced = true
	_, queue := in.Queue(n, 2)
	want := 1/free.WarpsPerCycle + queue + 300*8/40. // 8 of 40 requests wait for the first 32
	if e := Evaluate(m, in, n); !near(1/e.WarpsPerCycle, want) {
		t.Errorf("uncoalesced: %v cycles per warp (%s), want %v", 1/e.WarpsPerCycle, e.Invalid, want)
	}
	in.MemIntervals[0].Uncoalesced = false
	in.Contention = AllContention
	if e := Evaluate(m, in, n); !near(1/e.WarpsPerCycle, want) {
		t.Errorf("all: %v cycles per warp (%s), want %v", 1/e.WarpsPerCycle, e.Invalid, want)
	}
	for _, c := range []ResourceContention{NoContention, UncoalescedContention, AllContention} {
		if got, err := ParseResourceContention(c.String()); err != nil || got != c {
			t.Errorf("%v: %v, %v", c, got, err)
		}
	}
	if _, err := ParseResourceContention("some"); err == nil {
		t.Error("no error")
	}
}

// TestGPUMechVolkov is what V16 7.5 and 7.6 print of GPUMech with the latencies of
// computations.
func TestGPUMechVolkov(t *testing.T) {
	fermi := Mix{CompCPI: 1, CompLatency: 18, MemCPI: 1 / 0.0599, MemLatency: 513, IssueLimit: 1}
	if e := Evaluate(gpuMech{full: true}, fermi.Input(0, 1), 48); !near(e.WarpsPerCycle, 48./513) {
		t.Errorf("Fermi, α = 0: %+v", e)
	}
	maxwell := Mix{CompCPI: 0.25, CompLatency: 6, MemCPI: 1 / 0.0814, MemLatency: 368, IssueLimit: 4, Schedulers: 4}
	if e := Evaluate(gpuMech{full: true}, maxwell.Input(1, 0), 64); math.Round(32*e.WarpsPerCycle) != 341 {
		t.Errorf("Maxwell, α = ∞: %v additions per cycle, want 341", 32*e.WarpsPerCycle)
	}
	// CPI for many warps = 1 - 1/alu_lat, 20% above the peak.
	if e := Evaluate(gpuMech{greedy: true, full: true}, maxwell.Input(1, 0),
		1e9); math.Abs(e.WarpsPerCycle/4-1.2) > 1e-6 {
		t.Errorf("Maxwell, greedy, α = ∞: %+v", e)
	}
}
