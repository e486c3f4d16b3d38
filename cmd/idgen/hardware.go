package main

import (
	"gpupipe/cmd/internal/console"
	"gpupipe/cmd/internal/gpu"
	"gpupipe/frontend"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/latencies"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// hardware is what a graph takes from a device: that of --gpu, where no flag says
// otherwise. Zero values are the resolver's defaults.
type hardware struct {
	warpSize int
	compiler unroll.Compiler
	barrier  unroll.BarrierWait
	uniform  idg.UniformValues
	device   *latencies.Device // of --gpu; nil = none
}

func chooseHardware(o *options) (hardware, error) {
	h := hardware{warpSize: o.warpSize, compiler: o.compiler, barrier: o.barrier, uniform: idg.InVectorRegisters}
	if o.gpu == "" {
		return h, nil
	}
	d, err := gpu.Find(o.gpu)
	if err != nil {
		return h, err
	}
	h.device = d
	if d.UniformValues == idg.InScalarRegisters.String() {
		h.uniform = idg.InScalarRegisters
	}
	if h.warpSize == 0 {
		h.warpSize = d.WarpSize
	}
	if h.compiler == 0 && d.Compiler != "" {
		if h.compiler, err = unroll.ParseCompiler(d.Compiler); err != nil {
			return h, console.AsDefect(err)
		}
	}
	// At -O0 the graph is the article's drawing, whatever the device.
	if h.barrier == 0 && o.level != unroll.O0 && d.BarrierWaitsFor != "" {
		if h.barrier, err = unroll.ParseBarrierWait(d.BarrierWaitsFor); err != nil {
			return h, console.AsDefect(err)
		}
	}
	if o.machineCode && h.compiler != 0 && h.compiler != unroll.NVCC {
		return h, console.Usagef("--machine-code is of NVIDIA GPUs; kernels of %s are compiled by %v", d.Title, h.compiler)
	}
	return h, nil
}

// maxStaticLocal is what nvcc allows a kernel's arrays in local memory to have, for all
// GPUs (CUDA C++ Programming Guide, Table 15, compute capability 7.x and 8.x: more must be dynamic).
const maxStaticLocal = 48 << 10

// checkLocal warns of a kernel that nvcc does not compile.
func (h hardware) checkLocal(l *launch, dialect frontend.Dialect, k *lower.Kernel) {
	if n := staticLocalBytes(k); dialect == frontend.CUDA && (h.compiler == 0 || h.compiler == unroll.NVCC) && n > maxStaticLocal {
		l.notes.Add(diag.Warningf(k.Pos, codeLaunch, "%d bytes of __shared__ arrays: nvcc compiles at most %d", n, maxStaticLocal).
			WithNote("declare what is larger as extern __shared__ and give its size with --dynamic-local"))
	}
}
