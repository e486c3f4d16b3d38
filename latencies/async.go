package latencies

// asyncCopiesSince is the first compute capability whose GPUs have an instruction for copies from
// global to local memory (CUDA C++ Programming Guide, Asynchronous Data Copies). For others
// compilers make a load and a store.
const asyncCopiesSince = 8

// bypassingBytes is the width of asynchronous copies that bypass L1 (PTX ISA, cp.async: .cg, which
// is for 16 bytes alone; LDGSTS.BYPASS in nvcc's machine code).
const bypassingBytes = 16

// AsyncCopies reports whether the device has asynchronous copies from global to local memory.
func (d *Device) AsyncCopies() bool {
	return d.ComputeMajor() >= asyncCopiesSince
}
