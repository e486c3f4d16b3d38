package kernels_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gpupipe/internal/test/tools"
)

// openCLHeader gives a kernel the work-item functions as special registers and
// barriers as instructions, as a vendor's OpenCL library does once linked.
const openCLHeader = `
#define get_group_id(d) ((d) == 0 ? __nvvm_read_ptx_sreg_ctaid_x() : __nvvm_read_ptx_sreg_ctaid_y())
#define get_local_id(d) ((d) == 0 ? __nvvm_read_ptx_sreg_tid_x() : __nvvm_read_ptx_sreg_tid_y())
#define get_local_size(d) ((d) == 0 ? __nvvm_read_ptx_sreg_ntid_x() : __nvvm_read_ptx_sreg_ntid_y())
#define get_global_id(d) (get_group_id(d) * get_local_size(d) + get_local_id(d))
#define barrier(fence) __syncthreads()
`

// cudaHeader declares what the kernels use of CUDA's own headers.
const cudaHeader = `
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
struct index3 { unsigned x, y, z; };
#define INDEX3(r) (index3{(unsigned)__nvvm_read_ptx_sreg_##r##_x(), \
                          (unsigned)__nvvm_read_ptx_sreg_##r##_y(), \
                          (unsigned)__nvvm_read_ptx_sreg_##r##_z()})
#define threadIdx INDEX3(tid)
#define blockIdx INDEX3(ctaid)
#define blockDim INDEX3(ntid)
#define gridDim INDEX3(nctaid)
__device__ static inline float fabsf(float x) { return __builtin_fabsf(x); }
__device__ static inline float sqrtf(float x) { return __builtin_sqrtf(x); }
extern "C" __device__ float expf(float);
extern "C" __device__ float logf(float);
`

// clangPath returns the path of clang and skips the test where there is none.
func clangPath(t *testing.T) string {
	t.Helper()
	tools.Heavy(t)
	return tools.Path(t, "clang", "clang")
}

// clangMajor returns clang's major version, such as "14".
func clangMajor(t *testing.T) string {
	t.Helper()
	out, err := exec.Command(clangPath(t), "-dumpversion").Output()
	if err != nil {
		t.Fatalf("clang -dumpversion: %v", err)
	}
	major, _, _ := strings.Cut(strings.TrimSpace(string(out)), ".")
	return major
}

// compilePTX compiles a kernel file's text to PTX with clang and returns it. The
// language follows from the file's extension. withBuiltins turns OpenCL's
// work-item functions into instructions; without it the text is compiled
// against clang's own OpenCL header only, and calls to them remain.
func compilePTX(t *testing.T, file, text string, withBuiltins bool, flags ...string) string {
	t.Helper()
	clang := clangPath(t)
	dir := t.TempDir()
	source := filepath.Join(dir, file)
	header := filepath.Join(dir, "header.h")
	args := []string{"-S", "-o", "-", "-Wall", "-Wextra", "-Werror"}
	headerText := openCLHeader
	switch filepath.Ext(file) {
	case ".cl":
		args = append(args, "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header",
			"-target", "nvptx64-nvidia-nvcl")
	case ".cu":
		headerText = cudaHeader
		args = append(args, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only",
			"--cuda-gpu-arch=sm_35", "-Wno-unknown-cuda-version")
	default:
		t.Fatalf("%s: neither .cl nor .cu", file)
	}
	if withBuiltins || filepath.Ext(file) == ".cu" {
		args = append(args, "-include", header)
	}
	args = append(args, flags...)
	for name, content := range map[string]string{source: text, header: headerText} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(clang, append(args, source)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("clang %s %v: %v\n%s", file, flags, err, stderr.String())
	}
	return string(out)
}
