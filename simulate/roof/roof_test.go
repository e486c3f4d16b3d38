package roof_test

import (
	"math"
	"slices"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/simulate"
	"gpupipe/simulate/roof"
)

// device is a built-in GPU and what maps graphs to it.
func device(t *testing.T, name string) (*latencies.Device, *latencies.Mapper) {
	t.Helper()
	d, err := latencies.Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	mapper, err := latencies.NewMapper(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d, mapper
}

func simulated(t *testing.T, mapper *latencies.Mapper, g *idg.Graph) (*latencies.Mapping, *simulate.Result) {
	t.Helper()
	m, err := mapper.Map(g)
	if err != nil {
		t.Fatal(err)
	}
	r, err := simulate.Run(t.Context(), g, m, simulate.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return m, r
}

// TestOf has a group for each compute unit, which executes 100 products and sums and reads 32 words of local memory.
func TestOf(t *testing.T) {
	d, mapper := device(t, "rtx3090")
	b := idg.NewBuilder()
	a := idg.Access{Space: idg.SpaceLocal, Buffer: "tile", Width: 4}
	for lane := range int64(32) {
		a.Offsets = append(a.Offsets, 4*lane)
	}
	load := b.Instr(idg.Instr{Op: "ld.local", Type: "f32", Access: b.Access(a), Lanes: 32,
		Pos: idg.Pos{File: "k.cl", Line: 1}})
	fma := b.Instr(idg.Instr{Op: "fma.f32", Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: 2}})
	b.Begin(0)
	b.Add(load)
	for range 100 {
		b.Add(fma)
	}
	g, err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1},
		Groups: [3]int64{int64(d.ComputeUnits), 1, 1}, WarpSize: 32}})
	if err != nil {
		t.Fatal(err)
	}
	m, r := simulated(t, mapper, g)
	got := map[string]roof.Use{}
	for _, u := range roof.Of(g, mapper, m, r).Uses {
		got[u.Name] = u
	}
	units, clock := float64(d.ComputeUnits), float64(d.ClockHz)
	for name, want := range map[string]roof.Use{
		// 128 lanes and banks of 4 bytes: NVIDIA's 35.6 TFLOP/s, and 128 bytes per cycle.
		"FP32":      {Amount: units * 6400, Peak: units * clock * 256},
		"L1/shared": {Amount: units * 128, Peak: units * clock * 128},
	} {
		u := got[name]
		if u.Amount != want.Amount || math.Abs(u.Peak/want.Peak-1) > 1e-9 ||
			math.Abs(u.PerSecond*r.Seconds/u.Amount-1) > 1e-9 {
			t.Errorf("%s: %+v, want %+v", name, u, want)
		}
	}
	if len(got) != 2 {
		t.Errorf("%+v", got)
	}
	if r, err = simulate.Run(t.Context(), g, m, simulate.Config{Groups: 7}); err != nil ||
		len(roof.Of(g, mapper, m, r).Uses) > 0 {
		t.Errorf("a roof of other groups than the launch's: %v", err)
	}
}

// TestPrivate: what spilled registers move of device memory is counted beside the launch's traffic.
func TestPrivate(t *testing.T) {
	d, mapper := device(t, "gtx1060")
	b := idg.NewBuilder()
	a := idg.Access{Space: idg.SpacePrivate, Buffer: idg.SpillBuffer, Width: 4, Store: true}
	for lane := range int64(32) {
		a.Offsets = append(a.Offsets, 4*lane)
	}
	spill := b.Instr(idg.Instr{Op: "st.private", Type: "f32", Access: b.Access(a), Lanes: 32,
		Pos: idg.Pos{File: "k.cl", Line: 1}})
	a.Space, a.Buffer, a.Store = idg.SpaceGlobal, "x", false
	load := b.Instr(idg.Instr{Op: "ld.global", Type: "f32", Access: b.Access(a), Lanes: 32,
		Pos: idg.Pos{File: "k.cl", Line: 2}})
	b.Begin(0)
	b.Add(load)
	for range 100 {
		b.Add(spill)
	}
	units := int64(d.ComputeUnits)
	g, err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1},
		Groups: [3]int64{units, 1, 1}, WarpSize: 32}, Locality: []idg.Locality{{Instr: load, Sectors: 4, Cold: 4}},
		Footprint: &idg.Footprint{ReadBytes: 128, LaunchReadBytes: 128 * units}})
	if err != nil {
		t.Fatal(err)
	}
	m, r := simulated(t, mapper, g)
	got, want := roof.Of(g, mapper, m, r), 12800*float64(d.ComputeUnits)
	i := slices.IndexFunc(got.Uses, func(u roof.Use) bool { return u.Name == "DRAM" })
	if got.Private != want || i < 0 || got.Uses[i].Amount != want+float64(128*units) {
		t.Errorf("%v bytes of %v: %+v", got.Private, want, got.Uses)
	}
}
