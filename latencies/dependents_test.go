package latencies

import (
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/idg/isa"
)

// V16 4.7 on the GTX 980: additions get the result of a special function after 9 cycles
// where others wait for 13, and that of local memory after 22 where others wait for 24.
func TestLatencyByDependent(t *testing.T) {
	for _, c := range []struct {
		name    string
		op      string
		waiting []string // ops of which each waits for the first
		rules   []string
		want    string
		assumed bool
	}{
		{"itself", "native_rsqrt.f32", []string{"native_rsqrt.f32"}, nil, "13", false},
		{"an addition", "native_rsqrt.f32", []string{"add.f32"}, nil, "9", false},
		{"both", "native_rsqrt.f32", []string{"add.f32", "native_rsqrt.f32"}, nil, "13", true},
		{"nothing", "native_rsqrt.f32", nil, nil, "13", false},
		{"additions", "ld.local", []string{"add.f32", "mul.f32"}, nil, "22", false},
		{"a store", "ld.local", []string{"st.local"}, nil, "24", false},
		{"an addition, two-way conflict", "ld.local 8", []string{"add.f32"}, nil, "23", false},
		{"a rule", "native_rsqrt.f32", []string{"add.f32"}, []string{"special:latency=20"}, "20", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := idg.NewBuilder()
			b.Begin(0)
			line := 0
			add := func(name string, edges ...idg.Edge) idg.Executed {
				line++
				in := idg.Instr{Op: name, Lanes: 32, Pos: idg.Pos{File: "k.cl", Line: line}}
				if op, apart, _ := strings.Cut(name, " "); isa.Parse(op).Memory() {
					bytes := int64(4)
					if apart != "" {
						bytes = 8
					}
					in.Op, in.Type, in.Access = op, "f32", b.Access(*lanesApart(idg.SpaceLocal, bytes))
				}
				return b.Add(b.Instr(in), edges...)
			}
			first := add(c.op)
			for _, w := range c.waiting {
				add(w, idg.Edge{From: first, Kind: idg.Data})
			}
			add("add.f32", idg.Edge{From: first, Kind: idg.Order}) // does not wait for the result
			g,
				err := b.Build(idg.Header{Kernel: "k", Launch: idg.Launch{Local: [3]int64{32, 1, 1},
				Groups: [3]int64{1, 1, 1}, WarpSize: 32}})
			if err != nil {
				t.Fatal(err)
			}
			e := mapped(t, builtin(t, "gtx980"), g, c.rules...).Entry(1)
			if e.Timing.Latency != cyc(t, c.want) || (e.Assumed != "") != c.assumed {
				t.Errorf("latency %v, want %s; assumed: %q", e.Timing.Latency, c.want, e.Assumed)
			}
		})
	}
}
