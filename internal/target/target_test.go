package target

import (
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// TestOf: graphs for NVIDIA's GPUs from compute capability 7.0 on have machine code's
// instructions, as far back as its last stage is known; AMD's kernels are clang's, whose
// barriers wait for accesses.
func TestOf(t *testing.T) {
	for gpu, want := range map[string]Code{
		"gtx1060": {WarpSize: 32, Barrier: unroll.WaitIssue},
		"v100":    {WarpSize: 32, Barrier: unroll.WaitIssue, MachineCode: true},
		"rtx2070": {WarpSize: 32, Barrier: unroll.WaitIssue, MachineCode: true},
		"a100":    {WarpSize: 32, Barrier: unroll.WaitIssue, MachineCode: true},
		"h100":    {WarpSize: 32, Barrier: unroll.WaitIssue, MachineCode: true},
		"mi250x":  {WarpSize: 64, Compiler: unroll.Clang, Barrier: unroll.WaitComplete},
		"w7800":   {WarpSize: 32, Compiler: unroll.Clang, Barrier: unroll.WaitComplete},
	} {
		d, err := latencies.Builtin(gpu)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Of(d); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", gpu, got, err, want)
		}
	}
}

// TestUnknownNames: a device that names what does not exist is refused.
func TestUnknownNames(t *testing.T) {
	for _, d := range []latencies.Device{{Compiler: "tcc"}, {BarrierWaitsFor: "Godot"}} {
		if _, err := Of(&d); err == nil {
			t.Errorf("%+v is taken", d)
		}
	}
}

func TestRegisterLimit(t *testing.T) {
	for _, c := range []struct {
		items   int64
		limit   int
		bounded bool
	}{{0, idg.RegisterCap, false}, {128, idg.RegisterCap, false}, {512, 128, true}, {1024, 64, true}} {
		if limit, bounded := RegisterLimit(c.items); limit != c.limit || bounded != c.bounded {
			t.Errorf("__launch_bounds__(%d): %d, %t", c.items, limit, bounded)
		}
	}
}
