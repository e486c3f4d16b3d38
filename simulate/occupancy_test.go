package simulate

import (
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// maxwell is the limits of a compute unit of compute capability 5.x (CUDA
// programming guide, table of technical specifications).
var maxwell = latencies.Limits{
	Warps: 64, Groups: 32, WorkItems: 2048, GroupWorkItems: 1024,
	Registers: 65536, RegistersPerItem: 255, RegisterUnit: 256, WarpUnit: 4,
	LocalBytes: 96 << 10, LocalUnit: 256, LocalBytesPerGroup: 48 << 10,
}

// launch is a graph of one instruction with the resources of a launch.
func launch(t *testing.T, items, groups, local int64, registers int) (*fixture, *idg.Graph) {
	f := newFixture(t, int(items+31)/32, "alu")
	f.mapping.Device.Limits = maxwell
	f.chain(f.class("add.f32", "alu", "1", "4"))
	g, err := f.builder.Build(idg.Header{
		Source: idg.Source{File: "k.cl", Dialect: "opencl"}, Kernel: "k", Level: "O2", Compiler: "none",
		Launch:    idg.Launch{Local: [3]int64{items, 1, 1}, Groups: [3]int64{groups, 1, 1}, WarpSize: 32},
		Resources: idg.Resources{LocalBytes: local, Registers: registers},
	})
	if err != nil {
		t.Fatal(err)
	}
	return f, g
}

// TestOccupancy is golden 5: M = min over resources of floor(available /
// required), and which resource that is; ties go to the one named first.
func TestOccupancy(t *testing.T) {
	for _, c := range []struct {
		items, groups, local int64
		registers            int
		cfg                  Config
		want                 int64
		limit                string
	}{
		{256, 1000, 0, 0, Config{}, 8, "warps"},
		{32, 1000, 0, 0, Config{}, 32, "groups"},
		{64, 1000, 512, 0, Config{}, 32, "warps"},                        // mmul 8x8
		{64, 1000, 4096, 0, Config{}, 24, "local memory"},                // 96 KiB / 4 KiB
		{64, 1000, 4097, 0, Config{}, 22, "local memory"},                // 4352 bytes allocated
		{64, 1000, 48 << 10, 0, Config{}, 2, "local memory"},             //
		{256, 1000, 0, 32, Config{}, 8, "warps"},                         // 64 warps of 1024 registers
		{256, 1000, 0, 33, Config{}, 6, "registers"},                     // 1280 a warp: 51, of which 48 usable
		{256, 1000, 0, 32, Config{Registers: 64}, 4, "registers"},        // given for the graph's
		{1024, 1000, 0, 64, Config{}, 1, "registers"},                    // 2048 a warp: 32 warps
		{1000, 1000, 0, 0, Config{}, 2, "warps"},                         // 32 warps each, the last one partly idle
		{256, 5, 0, 0, Config{}, 5, "launch"},                            //
		{256, 8, 0, 0, Config{}, 8, "warps"},                             // tie with the launch
		{256, 1000, 0, 0, Config{Concurrent: 3}, 3, "--concurrent"},      //
		{256, 1000, 0, 0, Config{Concurrent: 20}, 20, "--concurrent"},    // what if
		{256, 2, 0, 0, Config{Concurrent: 20}, 2, "launch"},              //
		{256, 1000, 0, 0, Config{Groups: 4}, 4, "launch"},                //
		{256, 1000, 32768, 40, Config{Concurrent: 0}, 3, "local memory"}, //
		{256, 1000, 16384, 40, Config{Concurrent: 0}, 6, "local memory"}, // 6 of registers too
		{256, 1000, 12288, 41, Config{Concurrent: 0}, 5, "registers"},    // 1536 a warp: 42, of which 40
	} {
		f, g := launch(t, c.items, c.groups, c.local, c.registers)
		r := f.run(g, c.cfg)
		if r.ConcurrentGroups != c.want || r.OccupancyLimit != c.limit {
			t.Errorf("%d work items, %d groups, %d bytes, %d registers, %+v: %d groups by %s, want %d by %s",
				c.items, c.groups, c.local, c.registers, c.cfg, r.ConcurrentGroups, r.OccupancyLimit, c.want, c.limit)
		}
		if r.OccupancyWarps != c.want*r.WarpsPerGroup {
			t.Errorf("%d warps in %d groups of %d", r.OccupancyWarps, c.want, r.WarpsPerGroup)
		}
		if beyond := c.cfg.Concurrent == 20 && c.want == 20; beyond != (len(r.Notes) > 0) {
			t.Errorf("%+v: notes %q", c.cfg, r.Notes)
		}
	}
}

// TestEstimatedRegisters: what does not fit of an estimate is spilled, of a given
// number an error (TestDoesNotFit).
func TestEstimatedRegisters(t *testing.T) {
	for _, c := range []struct {
		items     int64
		estimate  int
		given     int
		registers int64
		groups    int64
	}{
		{256, 33, 0, 33, 6},
		{64, 300, 0, 255, 4}, // 8192 a warp: 8 warps
		{1024, 200, 0, 64, 1},
		{1024, 200, 32, 32, 2},
	} {
		f, g := launch(t, c.items, 1000, 0, 0)
		r := f.run(g.WithRegisters(c.estimate, true), Config{Registers: c.given})
		spilled := int64(0)
		if c.given == 0 {
			spilled = int64(c.estimate) - c.registers
		}
		if o := r.Occupancy; o.Registers != c.registers || o.Groups != c.groups ||
			o.RegistersEstimated != (c.given == 0) || o.RegistersSpilled != spilled {
			t.Errorf("%+v: %d registers (estimated: %v), %d spilled, %d groups", c, o.Registers, o.RegistersEstimated,
				o.RegistersSpilled, o.Groups)
		}
	}
}

// TestDoesNotFit: a launch of which not one group fits is an error.
func TestDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		items, local int64
		registers    int
		limits       func(*latencies.Limits)
	}{
		{1025, 0, 0, nil},
		{64, 48<<10 + 1, 0, nil},
		{64, 0, 256, nil},
		{1024, 0, 65, nil}, // 2304 a warp: 28 warps
		{1024, 0, 0, func(l *latencies.Limits) { l.Warps = 31 }},
		{1024, 0, 0, func(l *latencies.Limits) { l.WorkItems = 1023 }},
	} {
		f, g := launch(t, c.items, 10, c.local, c.registers)
		if c.limits != nil {
			c.limits(&f.mapping.Device.Limits)
		}
		wantError(t, f, g, Config{}, "OCCUPANCY")
	}
}
