package generate

import (
	"gpupipe/frontend/tensor"
	"gpupipe/idg/isa"
	"gpupipe/internal/diag"
	"gpupipe/internal/target"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// hardware is what a graph takes from the device where no option says otherwise. Zero values are the resolver's defaults.
type hardware struct {
	warpSize    int
	compiler    unroll.Compiler
	barrier     unroll.BarrierWait
	machineCode bool
	pairs       bool                 // of instructions, with machineCode
	packed      bool                 // numbers of single precision, with machineCode
	measured    func(op string) bool // by the device itself
	syncCopies  bool
	tensorCores tensor.Cores
	// architecture is what macros such as __CUDA_ARCH__ follow; empty = the language's own.
	architecture string
	sector       int64 // bytes that memory moves at least
	uniform      isa.UniformValues
	device       *latencies.Device // nil = none
	name         string            // of device in the graph; empty = none
}

func chooseHardware(o *Options) (hardware, error) {
	h := hardware{warpSize: o.WarpSize, compiler: o.Compiler, barrier: o.Barrier, machineCode: o.MachineCode, uniform: isa.InVectorRegisters}
	d := o.Device
	if d == nil {
		return h, nil
	}
	h.name = o.DeviceName
	code, err := target.Of(d)
	if err != nil {
		return h, diag.AsDefect(err)
	}
	h.sector, h.uniform, h.pairs, h.packed, h.measured, h.device = code.SectorBytes, code.Uniform, code.Pairs, code.Packed, d.Measures, d
	h.syncCopies, h.tensorCores, h.architecture = code.SyncCopies, code.TensorCores, code.Architecture
	if h.warpSize == 0 {
		h.warpSize = code.WarpSize
	}
	if h.compiler == 0 {
		h.compiler = code.Compiler
	}
	if h.machineCode && h.compiler == unroll.Clang && !(code.Compiler == unroll.Clang && code.MachineCode) {
		return h, diag.Errorf(diag.Pos{}, diag.CodeUsage, "--machine-code is not known of what %v compiles for %s", h.compiler, d.Title)
	}
	// At -O0 the graph is the article's drawing, whatever the device.
	if o.Level == unroll.O0 {
		return h, nil
	}
	if h.barrier == 0 {
		h.barrier = code.Barrier
	}
	if !o.MachineCodeSaid && h.compiler == code.Compiler {
		h.machineCode = code.MachineCode
	}
	return h, nil
}
