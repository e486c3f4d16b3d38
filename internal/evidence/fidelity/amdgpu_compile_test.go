package fidelity

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// amdHeader defines OpenCL's work-item functions and barriers as AMD's device library
// does, and the special functions of the built-in kernels as the instruction that
// approximates them, which is what the graph has for them.
const amdHeader = `
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define AMD_ID(d, f) ((size_t)((d) == 0 ? __builtin_amdgcn_##f##_x() : (d) == 1 ? __builtin_amdgcn_##f##_y() : __builtin_amdgcn_##f##_z()))
#define get_local_id(d) AMD_ID(d, workitem_id)
#define get_group_id(d) AMD_ID(d, workgroup_id)
#define get_local_size(d) AMD_ID(d, workgroup_size)
#define get_global_size(d) AMD_ID(d, grid_size)
#define get_global_id(d) (get_group_id(d) * get_local_size(d) + get_local_id(d))
#define get_num_groups(d) (get_global_size(d) / get_local_size(d))
#define barrier(flags) do { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); } while (0)
static inline float amd_exp(float a) { float r; __asm("v_exp_f32 %0, %1" : "=v"(r) : "v"(a)); return r; }
static inline float amd_log(float a) { float r; __asm("v_log_f32 %0, %1" : "=v"(r) : "v"(a)); return r; }
#define exp amd_exp
#define log amd_log
#define native_cos __builtin_amdgcn_cosf
#define native_rsqrt __builtin_amdgcn_rsqf
#define rsqrt __builtin_amdgcn_rsqf
#define sqrt __builtin_amdgcn_sqrtf
#define fabs __builtin_fabsf
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define clamp(a, low, high) min(max(a, low), high)
`

// hipHeader declares what CUDA kernels use of HIP's own headers.
const hipHeader = `
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(n) __attribute__((amdgpu_flat_work_group_size(1, n)))
struct index3 { unsigned x, y, z; };
#define INDEX3(r) (index3{__builtin_amdgcn_##r##_x(), __builtin_amdgcn_##r##_y(), __builtin_amdgcn_##r##_z()})
#define threadIdx INDEX3(workitem_id)
#define blockIdx INDEX3(workgroup_id)
#define blockDim INDEX3(workgroup_size)
#define __syncthreads() do { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); } while (0)
__device__ static inline float fabsf(float x) { return __builtin_fabsf(x); }
`

// compileAMD returns the assembly of a source for an AMD device, or what more arguments ask for.
func compileAMD(s source, device string, more ...string) (string, error) {
	dir, err := os.MkdirTemp("", "fidelity")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	first := filepath.Join(dir, "header.h")
	args := []string{"-S", "-o", "-", "-w", "-O3", "-ffp-contract=fast", "-nogpulib", "-include", first}
	header := amdHeader
	if s.cuda() {
		header = hipHeader
		args = append(args, "-x", "hip", "-nogpuinc", "--cuda-device-only", "--offload-arch="+device)
	} else {
		args = append(args, "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-target",
			"amdgcn-amd-amdhsa", "-mcpu="+device)
	}
	if err := os.WriteFile(first, []byte(header), 0o600); err != nil {
		return "", err
	}
	for _, d := range s.defines {
		args = append(args, "-D"+d)
	}
	cmd := exec.Command("clang", append(append(args, more...), "-")...)
	cmd.Stdin = strings.NewReader(s.text)
	return output(cmd)
}
