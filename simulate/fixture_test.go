package simulate

import (
	"context"
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
)

// fixture builds graphs by hand, together with a device that knows their
// instructions. By default one compute unit without any limit.
type fixture struct {
	t       testing.TB
	builder *idg.Builder
	mapping latencies.Mapping
	warps   uint32 // of a group
	pairs   int    // classes with a second charge
}

// newFixture returns a fixture for groups of so many warps.
func newFixture(t testing.TB, warps int, subsystems ...string) *fixture {
	f := &fixture{t: t, builder: idg.NewBuilder(), warps: uint32(warps)}
	d := &latencies.Device{Name: "fixture", ComputeUnits: 1, ClockHz: 1e9, WarpSize: 32, Partitions: 1}
	for _, name := range subsystems {
		d.Subsystems = append(d.Subsystems, latencies.Subsystem{Name: name})
	}
	f.mapping = latencies.Mapping{Device: d, Subsystems: subsystems}
	return f
}

func cycles(t testing.TB, s string) latencies.Cycles {
	t.Helper()
	c, err := latencies.ParseCycles(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// class makes an instruction class on line n of k.cl, n from 1.
func (f *fixture) class(op, subsystem, cpi, latency string) idg.InstrID {
	f.t.Helper()
	for s, name := range f.mapping.Subsystems {
		if name == subsystem {
			f.mapping.Entries = append(f.mapping.Entries, latencies.Entry{
				Subsystem: latencies.SubsystemID(s), Timing: latencies.Timing{CPI: cycles(f.t, cpi),
					Latency: cycles(f.t, latency)},
			})
			return f.builder.Instr(idg.Instr{Op: op, Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: len(f.mapping.Entries),
				Column: 5}})
		}
	}
	f.t.Fatalf("no subsystem %q", subsystem)
	return 0
}

// begin starts the program of all warps.
func (f *fixture) begin() {
	all := make([]uint32, f.warps)
	for i := range all {
		all[i] = uint32(i)
	}
	f.builder.Begin(all...)
}

// chain adds instructions that each depend on the one before.
func (f *fixture) chain(classes ...idg.InstrID) {
	f.begin()
	for i, c := range classes {
		if i == 0 {
			f.builder.Add(c)
			continue
		}
		f.builder.Add(c, data(idg.Executed(i-1)))
	}
}

func data(v idg.Executed) idg.Edge    { return idg.Edge{From: v, Kind: idg.Data} }
func control(v idg.Executed) idg.Edge { return idg.Edge{From: v, Kind: idg.Control} }
func order(v idg.Executed) idg.Edge   { return idg.Edge{From: v, Kind: idg.Order} }

// graph ends the building; groups is the size of the launch.
func (f *fixture) graph(groups int64) *idg.Graph {
	f.t.Helper()
	g, err := f.builder.Build(idg.Header{
		Source: idg.Source{File: "k.cl", Dialect: "opencl"}, Kernel: "k", Level: "O2", Compiler: "none",
		Launch: idg.Launch{Local: [3]int64{32 * int64(f.warps), 1, 1}, Groups: [3]int64{groups, 1, 1}, WarpSize: 32},
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return g
}

// run simulates and verifies.
func (f *fixture) run(g *idg.Graph, cfg Config) *Result {
	f.t.Helper()
	r, err := Run(context.Background(), g, &f.mapping, cfg)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := r.Verify(); err != nil {
		f.t.Fatal(err)
	}
	return r
}

// sibling returns a fixture for another kind of group on the same device.
func (f *fixture) sibling() *fixture {
	return &fixture{
		t: f.t, builder: idg.NewBuilder(), warps: f.warps,
		mapping: latencies.Mapping{Device: f.mapping.Device, Subsystems: f.mapping.Subsystems},
	}
}

// runKinds simulates a launch of several kinds of groups and verifies.
func (f *fixture) runKinds(kinds []GroupKind, cfg Config) *Result {
	f.t.Helper()
	r, err := RunKinds(context.Background(), kinds, cfg)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := r.Verify(); err != nil {
		f.t.Fatal(err)
	}
	return r
}

// repeat returns n copies of the classes, one after the other.
func repeat(n int, classes ...idg.InstrID) []idg.InstrID {
	var all []idg.InstrID
	for range n {
		all = append(all, classes...)
	}
	return all
}
