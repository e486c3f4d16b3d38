package main

import (
	"os"
	"path/filepath"

	"gpupipe/idg"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// deviceOptions are what graphs for a device have in common: its warps and barriers,
// and the code of its compiler, nvcc's with the loads that its last stage merges.
func deviceOptions(d *latencies.Device) (unroll.Options, error) {
	opt := unroll.Options{WarpSize: d.WarpSize, Warps: unroll.EveryWarp, Compiler: unroll.NVCC, Uniform: idg.InVectorRegisters}
	var err error
	if d.Compiler != "" {
		if opt.Compiler, err = unroll.ParseCompiler(d.Compiler); err != nil {
			return opt, err
		}
	}
	opt.MachineCode = opt.Compiler == unroll.NVCC
	if d.UniformValues == idg.InScalarRegisters.String() {
		opt.Uniform = idg.InScalarRegisters
	}
	if d.BarrierWaitsFor != "" {
		opt.Barrier, err = unroll.ParseBarrierWait(d.BarrierWaitsFor)
	}
	return opt, err
}

// findDevice returns the device of --gpu: a built-in one, or that of a file whose
// name ends in .yaml or .yml.
func findDevice(o *options) (*latencies.Device, error) {
	switch filepath.Ext(o.gpu) {
	case ".yaml", ".yml":
		data, err := os.ReadFile(o.gpu)
		if err != nil {
			return nil, err
		}
		return latencies.ParseDevice(o.gpu, data)
	}
	return latencies.Builtin(o.gpu)
}
