package main

import (
	"testing"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// TestDeviceOptions: AMD's kernels are clang's, whose barriers wait for accesses,
// and have none of the loads that nvcc merges.
func TestDeviceOptions(t *testing.T) {
	for gpu, want := range map[string]unroll.Options{
		"a100":   {WarpSize: 32, Compiler: unroll.NVCC, MachineCode: true, Barrier: unroll.WaitIssue, Uniform: idg.InVectorRegisters},
		"mi250x": {WarpSize: 64, Compiler: unroll.Clang, Barrier: unroll.WaitComplete, Uniform: idg.InScalarRegisters},
		"w7800":  {WarpSize: 32, Compiler: unroll.Clang, Barrier: unroll.WaitComplete, Uniform: idg.InScalarRegisters},
	} {
		d, err := latencies.Builtin(gpu)
		if err != nil {
			t.Fatal(err)
		}
		got, err := deviceOptions(d)
		if err != nil {
			t.Fatal(err)
		}
		if got.WarpSize != want.WarpSize || got.Compiler != want.Compiler || got.MachineCode != want.MachineCode || got.Barrier != want.Barrier || got.Uniform != want.Uniform {
			t.Errorf("%s: warps of %d, %v, machine code %v, barriers wait for %v, uniform values in %v registers", gpu, got.WarpSize, got.Compiler, got.MachineCode, got.Barrier, got.Uniform)
		}
	}
}
