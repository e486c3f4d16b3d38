package fit

import (
	"bytes"
	"errors"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gpupipe/internal/chart"
	"gpupipe/internal/measure"
	"gpupipe/latencies"
)

// properties are those of a device of which samples are made by a formula.
var properties = measure.Properties{
	Name: "Some GPU", Vendor: "V", Driver: "1", API: "OpenCL 3.0", Capability: "6.1", ComputeUnits: 10, ClockMHz: 1000,
	WarpSize: 32, MaxWarps: 64, MaxGroups: 32,
	MaxGroupSize: 1024, LocalBytes: 49152, Registers: 65536,
}

// made are samples of a class whose launches take n·u cycles, with noise.
func made(t testing.TB, name string, noise float64, u func(warps, chains, groupWarps int) float64) []measure.Sample {
	t.Helper()
	class, ok := measure.Lookup(name)
	if !ok {
		t.Fatalf("there is no class %s", name)
	}
	random := rand.New(rand.NewPCG(1, uint64(len(name))))
	var list []measure.Sample
	for _, k := range class.Chains {
		for w := 1; w <= 64; w += 1 + w/3 {
			groups := []int{1}
			if class.Kind == measure.Barrier {
				groups = []int{1, w}
			}
			for _, group := range groups {
				for r := range 5 {
					list = append(list, measure.Sample{
						Class: name, Chains: k, GroupSize: 32 * group, Groups: w / group, WarpsPerUnit: w,
						Instructions: 1 << 20, Repetition: r,
						Seconds: u(w, k, group) * (1 << 20) / 1e9 * (1 + noise*random.NormFloat64()), ClockBefore: 1000,
						ClockAfter: 1000,
					})
				}
			}
		}
	}
	return list
}

// hull is the boat hull of P19 Eq. 1.
func hull(cpi, latency float64) func(int, int, int) float64 {
	return func(warps, chains, _ int) float64 { return max(latency/float64(chains), cpi*float64(warps)) }
}

func fitted(t testing.TB, samples []measure.Sample) *Result {
	t.Helper()
	return Fit(properties, samples)
}

func near(got, want float64) bool { return math.Abs(got/want-1) < 0.02 }

// TestFitFormula: numbers, ridge, counts and refusals of samples that a formula made.
func TestFitFormula(t *testing.T) {
	samples := made(t, "add.f32", 0.03, hull(0.25, 6))
	samples = append(samples, made(t, "cos.approx.f32", 0.03, hull(1, 15))...)
	samples = append(samples, made(t, "div.f32", 0.6, hull(1, 20))...)
	samples = append(samples, made(t, "shl.s32", 0.03, hull(1e-4, 30))...)
	samples = append(samples, made(t, "shr.s32", 0.03, hull(8, 5))...)
	samples = append(samples, made(t, "barrier", 0.03, func(w, _,
		g int) float64 {
		return max(70+2*float64(g-1), 2*float64(w))
	})...)
	samples[0].Marked = "wrong"
	samples[1].ClockAfter = 900
	samples[2].Seconds *= 3
	samples = append(samples, measure.Sample{Class: "add.f16", Marked: "the device has no half precision"})
	r := fitted(t, samples)
	add := r.class("add.f32")
	if add == nil || !near(add.CPI.Value, 0.25) || !near(add.Latency.Value, 6) || !near(add.Hull.Ridge(), 24) {
		t.Fatalf("add.f32 is %+v", add)
	}
	if n := add.Counts; n.Marked != 1 || n.Moved != 1 || n.Outliers < 1 {
		t.Errorf("add.f32: %+v", n)
	}
	if c := r.class("shl.s32"); c == nil || !c.CPI.Bound || c.CPI.Value < 1e-4 || c.Latency.Bound {
		t.Errorf("shl.s32, whose λ no occupancy shows, is %+v", c)
	}
	if c := r.class("shr.s32"); c == nil || c.CPI.Bound || !c.Latency.Bound || !near(c.Latency.Value, 8) {
		t.Errorf("shr.s32, whose Λ is less than λ, is %+v", c)
	}
	if c := r.class("barrier"); c == nil || !near(c.CPI.Value, 2) || !near(c.Latency.Value, 70) {
		t.Errorf("barrier is %+v", c)
	}
	if m := r.Machine; m != (Machine{Partitions: 1}) {
		t.Errorf("the machine is %+v", m)
	}
	text, err := r.YAML("some-gpu", "2026-11-26")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `note: "at least so much: no mix`) {
		t.Errorf("the issue limit, of which samples without a mix are a bound, is written as the limit:\n%s", text)
	}
	d, err := latencies.ParseDevice("some-gpu.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if o, ok := d.Origin("instructions.div.f32.cpi"); !ok || o.Interval <= 0.05 {
		t.Errorf("div.f32, whose samples scatter, is written with an interval of %v", o.Interval)
	}
	var report bytes.Buffer
	if err := r.Report(&report); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"add.f16: the device has no half precision", "shl.s32: cpi: at most",
		"shr.s32: latency: at most", "sub-cores: 1"} {
		if !strings.Contains(report.String(), want) {
			t.Errorf("the report does not say %q:\n%s", want, report.String())
		}
	}
	checkPlot(t, r)
}

func checkPlot(t *testing.T, r *Result) {
	t.Helper()
	var drawing bytes.Buffer
	if err := r.Plot(&drawing, "add.f32", chart.PNG); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(&drawing); err != nil {
		t.Error(err)
	}
	drawing.Reset()
	err := r.Plot(&drawing, "barrier", chart.SVG)
	if err != nil || !strings.Contains(drawing.String(), "groups of 3 warps") {
		t.Errorf("the plot of the barrier has no curve for each size of group (%v)", err)
	}
	if err := r.Plot(&drawing, "add.f16", chart.PNG); err == nil {
		t.Error("a class without samples is drawn")
	}
}

// TestMisfit: λ and Λ of a curve that misses the samples by more than noise are not taken for exact.
func TestMisfit(t *testing.T) {
	r := fitted(t, made(t, "add.f32", 0.03, func(w, k, _ int) float64 {
		return math.Hypot(20/float64(k), 1.5*float64(w)) // without an edge
	}))
	c := r.Classes[0]
	if c.Residual > 0.15 || c.Refused == "" && math.Abs(c.CPI.Value/1.5-1) > c.CPI.Error {
		t.Errorf("add.f32 is %+v", c)
	}
}

// TestNoise: the noise of few repetitions is not less than that of many.
func TestNoise(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{3, 4, 5, 15} {
		var all []observation
		for w := range 400 {
			for range n {
				all = append(all, observation{configuration{warps: w}, 0, 100 * math.Exp(0.05*random.NormFloat64())})
			}
		}
		if _, noise := medians(all); math.Abs(noise/0.05-1) > 0.08 {
			t.Errorf("the noise of %d repetitions is %g, want 0.05", n, noise)
		}
	}
}

// TestSeparate: what is executed with an instruction is taken off its numbers, and hides λ where it takes as long.
func TestSeparate(t *testing.T) {
	samples := made(t, "add.s32", 0.03, hull(0.5, 6))
	samples = append(samples, made(t, "atomic.add.local.own", 0.03, hull(1, 36))...)
	samples = append(samples, made(t, "atomic.add.global.own", 0.03, hull(12, 300))...)
	r := fitted(t, samples)
	if c := r.class("atomic.add.local.own"); c == nil || !c.CPI.Bound || !near(c.CPI.Value, 1) ||
		!near(c.Latency.Value, 24) {
		t.Errorf("the local atomic, beside two additions, is %+v", c)
	}
	if c := r.class("atomic.add.global.own"); c == nil || c.CPI.Bound || !near(c.CPI.Value, 12) ||
		!near(c.Latency.Value, 288) || !strings.Contains(c.Note, "and.s32") {
		t.Errorf("the global atomic is %+v", c)
	}
}

// TestReplacement: what replaces groups, and launches that do nothing, are in the device file; but not a time
// that the noise hides.
func TestReplacement(t *testing.T) {
	for _, c := range []struct {
		noise, want float64
	}{{0.003, 200}, {0.1, 0}} {
		random := rand.New(rand.NewPCG(1, 2))
		samples := made(t, "add.f32", 0.01, hull(0.25, 6))
		for _, waves := range []int{0, 1, 2, 4, 8} {
			s := measure.Sample{Class: "replacement", Chains: 1, GroupSize: 128, Groups: 16 * waves, WarpsPerUnit: 64,
				Instructions: 512}
			cycles := 1000*float64(waves) + 200*float64(waves-1)
			if waves == 0 {
				s.Class, s.Groups, s.Instructions, cycles = "launch", 1, 0, 0
			}
			for s.Repetition = range 15 {
				s.Seconds = 3e-6 + cycles/1e9*(1+c.noise*random.NormFloat64())
				samples = append(samples, s)
			}
		}
		text, err := fitted(t, samples).YAML("x", "")
		if err != nil {
			t.Fatal(err)
		}
		d, err := latencies.ParseDevice("x.yaml", text)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.GroupReplacement.Float(); math.Abs(got-c.want) > 0.05*c.want || d.LaunchNs.Float() != 3000 {
			t.Errorf("with noise of %g: group replacement %g, want %g; launch %v ns", c.noise, got, c.want, d.LaunchNs)
		}
	}
}

// TestSameBytes: two fits of the same samples are the same.
func TestSameBytes(t *testing.T) {
	samples := made(t, "mul.f32", 0.05, hull(0.25, 6))
	var files [2][]byte
	for i := range files {
		var err error
		if files[i], err = fitted(t, samples).YAML("x", ""); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two fits of the same samples differ")
	}
}

// TestNothingToWrite: without samples of a class, and a built-in device of the vendor, there is no file.
func TestNothingToWrite(t *testing.T) {
	r := fitted(t, made(t, "launch", 0.01, hull(0.25, 6)))
	if _, err := r.YAML("x", ""); !errors.Is(err, ErrNothing) {
		t.Errorf("the error is %v", err)
	}
}

// TestMix: each of the three structures of A 4.2 is told from the others.
func TestMix(t *testing.T) {
	busy := map[Structure]func(β float64) float64{
		Single:   func(β float64) float64 { return β*1 + 4 },
		Separate: func(β float64) float64 { return max(β*1, 4) },
		Limited:  func(β float64) float64 { return max(β*1, 4, (β+1)/0.9) },
	}
	for want, of := range busy {
		samples := append(made(t, "add.f32", 0.02, hull(1, 6)), made(t, "cos.approx.f32", 0.02, hull(4, 15))...)
		for _, name := range []string{"mix.beta1", "mix.beta2", "mix.beta4", "mix.beta8", "mix.beta16"} {
			class, _ := measure.Lookup(name)
			β := float64(class.Param)
			samples = append(samples, made(t, name, 0.02, func(w, _,
				_ int) float64 {
				return max(float64(w)*of(β), 6*β+15) / (β + 1)
			})...)
		}
		r := fitted(t, samples)
		if r.Mix == nil || r.Mix.Structure != want {
			t.Errorf("%v is taken for %+v", want, r.Mix)
		} else if want == Limited && !near(r.Mix.Limit, 0.9) {
			t.Errorf("the issue limit of 0.9 is %v", r.Mix.Limit)
		}
	}
}

// TestTogether: instructions of several units that together take more time than each unit are limited by their issue.
func TestTogether(t *testing.T) {
	for _, c := range []struct {
		each  float64 // cycles of each instruction
		bound bool
	}{{1.0 / 4, false}, {2.0 / 9, true}, {3.0 / 9, true}} {
		samples := append(made(t, "fma.f32", 0.01, hull(0.25, 4)), made(t, "shl.s32", 0.01, hull(0.5, 4))...)
		samples = append(samples, made(t, "exp2.approx.f32", 0.01, hull(2, 17))...)
		samples = append(samples, made(t, "issue.units", 0.01, hull(c.each, 0))...)
		if n := fitted(t, samples).IssueLimit; n.Bound != c.bound || !c.bound && !near(n.Value, 4) {
			t.Errorf("%g cycles for each instruction: the issue limit is %+v", c.each, n)
		}
	}
}

// TestBandwidth: what device memory reads, writes and copies.
func TestBandwidth(t *testing.T) {
	samples := made(t, "ld.global.bytes16", 0.01, hull(20, 600))
	samples = append(samples, made(t, "st.global.bytes16", 0.01, hull(22, 22))...)
	samples = append(samples, made(t, "copy.global.bytes16", 0.01, hull(23, 0))...)
	samples = append(samples, made(t, "add.f32", 0.01, hull(0.25, 4))...)
	r := fitted(t, samples)
	const bytes = 16 * 32 * 10
	if !near(r.Read.Value, bytes/20) || !near(r.Written.Value, bytes/22.) || !near(r.Copied.Value, bytes/23.) {
		t.Errorf("read %+v, written %+v, copied %+v", r.Read, r.Written, r.Copied)
	}
	text, err := r.YAML("x", "")
	if err != nil {
		t.Fatal(err)
	}
	d, err := latencies.ParseDevice("x.yaml", text)
	if err != nil || !near(d.Memory.CopyCost.Float(), 1.15) {
		t.Errorf("copies cost %v (%v)", d.Memory.CopyCost, err)
	}
}

// TestPriority: where some warps go first, curves have steps.
func TestPriority(t *testing.T) {
	m := Machine{Partitions: 2, Priority: true}
	h := Hull{CPI: 1, Latency: 8, Partitioned: true}
	// A sub-core's λ is 2: four warps keep it busy.
	for _, c := range []struct {
		warps, chains int
		want          float64
	}{{1, 1, 8}, {8, 1, 8}, {9, 1, 16}, {16, 1, 16}, {18, 1, 24}, {1, 4, 2}, {4, 4, 4}, {5, 2, 8}} {
		if got := h.Time(&m, configuration{warps: c.warps, chains: c.chains, every: 1}, 0); got != c.want {
			t.Errorf("%d warps with %d chains: %v, want %v", c.warps, c.chains, got, c.want)
		}
	}
	if got := h.Time(&m, configuration{warps: 8, chains: 1, every: 2}, 0); got != 16 {
		t.Errorf("8 warps on one sub-core: %v, want 16", got)
	}
}
