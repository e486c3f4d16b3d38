package prelude

import "gpupipe/internal/capability"

// HIP is CUDA C with other names for some things, compiled by clang for AMD's GPUs and
// by nvcc for NVIDIA's. What its header adds to the device language is in hip.h; the
// rest of it is the host's.

// HIPHeader is the header that HIP programs include first.
const HIPHeader = "hip/hip_runtime.h"

// hipRuntime is what stands for the header where it is not found: the macros of the
// compiler of a GPU, by which programs tell where they run, and names of HIP and
// of clang for AMD's GPUs. Where the GPU is no NVIDIA GPU, it is AMD's.
func hipRuntime(gpu string) string {
	if _, _, nvidia := capability.Compute(gpu); nvidia {
		return "#define KL_NVIDIA\n" + text("hip.h")
	}
	return text("hip.h")
}
