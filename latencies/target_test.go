package latencies

import (
	"testing"

	"gpupipe/internal/target"
)

// TestTarget: kernels of AMD's GPUs are clang's, their barriers wait for accesses and their memory moves lines. GPUs copy
// asynchronously from compute capability 8.0 on.
func TestTarget(t *testing.T) {
	for gpu, want := range map[string]target.Target{
		"gtx1060": {ComputeUnits: 10, Capability: "6.1", WarpSize: 32, TensorCores: target.NoTensorCores, SyncCopies: true,
			Compiler: target.NVCC, Barrier: target.WaitIssue, SectorBytes: 32},
		"v100": {ComputeUnits: 80, Capability: "7.0", WarpSize: 32, TensorCores: target.Volta, SyncCopies: true,
			Compiler: target.NVCC, Barrier: target.WaitIssue, SectorBytes: 32},
		"rtx2070": {ComputeUnits: 36, Capability: "7.5", WarpSize: 32, TensorCores: target.Turing, SyncCopies: true,
			Compiler: target.NVCC, Barrier: target.WaitIssue, SectorBytes: 32},
		"a100": {ComputeUnits: 108, Capability: "8.0", WarpSize: 32, TensorCores: target.Ampere, Compiler: target.NVCC,
			Barrier: target.WaitIssue, SectorBytes: 32},
		"h100": {ComputeUnits: 114, Capability: "9.0", WarpSize: 32, TensorCores: target.Hopper, Compiler: target.NVCC,
			Barrier: target.WaitIssue, SectorBytes: 32},
		"r9380": {ComputeUnits: 28, Capability: "gfx802", WarpSize: 64, TensorCores: target.NoTensorCores, SyncCopies: true,
			Compiler: target.Clang, Barrier: target.WaitComplete, SectorBytes: 64},
		"mi250x": {ComputeUnits: 110, Capability: "gfx90a", WarpSize: 64, TensorCores: target.NoTensorCores, SyncCopies: true,
			Compiler: target.Clang, Barrier: target.WaitComplete, SectorBytes: 64},
		"w6600": {ComputeUnits: 28, Capability: "gfx1032", WarpSize: 32, TensorCores: target.NoTensorCores, SyncCopies: true,
			Compiler: target.Clang, Barrier: target.WaitComplete, SectorBytes: 128},
		"w7800": {ComputeUnits: 70, Capability: "gfx1100", WarpSize: 32, TensorCores: target.NoTensorCores, SyncCopies: true,
			Compiler: target.Clang, Barrier: target.WaitComplete, SectorBytes: 128},
	} {
		got := builtin(t, gpu).Target()
		if got != want {
			t.Errorf("%s: %+v; want %+v", gpu, got, want)
		}
	}
}
