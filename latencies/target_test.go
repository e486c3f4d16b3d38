package latencies

import (
	"reflect"
	"testing"

	"gpupipe/internal/target"
)

// TestTarget: graphs for NVIDIA's GPUs from compute capability 7.0 on have machine code's
// instructions, as far back as its last stage is known, and so have those for AMD's from gfx9
// on, whose kernels are clang's, whose barriers wait for accesses and whose memory moves lines. GPUs copy
// asynchronously from compute capability 8.0 on.
func TestTarget(t *testing.T) {
	for gpu, want := range map[string]target.Target{
		"gtx1060": {Capability: "6.1", WarpSize: 32, TensorCores: target.NoTensorCores, SyncCopies: true,
			Compiler: target.NVCC, Barrier: target.WaitIssue, SectorBytes: 32, Uniform: target.InVectorRegisters},
		"v100": {Capability: "7.0", WarpSize: 32, TensorCores: target.Volta, SyncCopies: true, Compiler: target.NVCC,
			Barrier: target.WaitIssue, SectorBytes: 32, Uniform: target.InVectorRegisters, MachineCode: true},
		"rtx2070": {Capability: "7.5", WarpSize: 32, TensorCores: target.Turing, SyncCopies: true,
			Compiler: target.NVCC, Barrier: target.WaitIssue, SectorBytes: 32, Uniform: target.InVectorRegisters,
			MachineCode: true},
		"a100": {Capability: "8.0", WarpSize: 32, TensorCores: target.Ampere, Compiler: target.NVCC,
			Barrier: target.WaitIssue, SectorBytes: 32, Uniform: target.InVectorRegisters, MachineCode: true},
		"h100": {Capability: "9.0", WarpSize: 32, TensorCores: target.Hopper, Compiler: target.NVCC,
			Barrier: target.WaitIssue, SectorBytes: 32, Uniform: target.InVectorRegisters, MachineCode: true},
		"r9380": {Capability: "gfx802", WarpSize: 64, TensorCores: target.NoTensorCores, SyncCopies: true,
			Compiler: target.Clang, Barrier: target.WaitComplete, SectorBytes: 64, Uniform: target.InScalarRegisters},
		"mi250x": {Capability: "gfx90a", WarpSize: 64, TensorCores: target.NoTensorCores, SyncCopies: true,
			Compiler: target.Clang, Barrier: target.WaitComplete, SectorBytes: 64, Uniform: target.InScalarRegisters,
			MachineCode: true, Packed: true},
		"w6600": {Capability: "gfx1032", WarpSize: 32, TensorCores: target.NoTensorCores, SyncCopies: true,
			Compiler: target.Clang, Barrier: target.WaitComplete, SectorBytes: 128, Uniform: target.InScalarRegisters,
			MachineCode: true},
		"w7800": {Capability: "gfx1100", WarpSize: 32, TensorCores: target.NoTensorCores, SyncCopies: true,
			Compiler: target.Clang, Barrier: target.WaitComplete, SectorBytes: 128, Uniform: target.InScalarRegisters,
			MachineCode: true, Pairs: true},
	} {
		got := builtin(t, gpu).Target()
		if got.Measured == nil {
			t.Errorf("%s measures nothing", gpu)
		}
		if got.Measured = nil; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v; want %+v", gpu, got, want)
		}
	}
}
