package fidelity

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/internal/evidence/sass"
	"gpupipe/lower"
)

// machineFile holds what the compiler's machine code executes, so that the test needs no
// compiler.
const machineFile = "testdata/machinecode.txt"

const machineHeader = "# Instructions that a warp executes in machine code for " + baseDevice + ", by nvcc " +
	compilerRelease + ` with -use_fast_math,
# those of functions as they say.
# Written by: go test ./internal/evidence/fidelity -run MachineCode -update
`

// machineCounts are the recorded counts by kernel, made anew under -update. A
// kernel whose control flow depends on data is not there.
func machineCounts(t *testing.T) map[string]pipeCounts {
	t.Helper()
	if *update {
		counts, err := compileAllPipes(t)
		if err == nil {
			recordPipes(t, counts)
			return counts
		}
		t.Errorf("%s stays as it is: %v", machineFile, err)
	}
	counts := map[string]pipeCounts{}
	for _, line := range recordedLines(t, machineFile) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != int(sass.Pipes) {
			t.Fatalf("%s: %q has %d columns, want %d", machineFile, line, len(fields), sass.Pipes)
		}
		var n pipeCounts
		for p := sass.Pipe(1); p < sass.Pipes; p++ {
			var err error
			if n[p], err = strconv.ParseInt(fields[p], 10, 64); err != nil {
				t.Fatalf("%s: %q: %v", machineFile, line, err)
			}
		}
		counts[fields[0]] = n
	}
	return counts
}

// recordPipes writes the file.
func recordPipes(t *testing.T, counts map[string]pipeCounts) {
	t.Helper()
	var b strings.Builder
	b.WriteString(machineHeader + "# kernel")
	for p := sass.Pipe(1); p < sass.Pipes; p++ {
		fmt.Fprintf(&b, "\t%v", p)
	}
	b.WriteByte('\n')
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		b.WriteString(name)
		n := counts[name]
		for _, c := range n[1:] {
			fmt.Fprintf(&b, "\t%d", c)
		}
		b.WriteByte('\n')
	}
	if err := os.WriteFile(machineFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// compileAllPipes asks the compiler about all kernels.
func compileAllPipes(t *testing.T) (map[string]pipeCounts, error) {
	if err := missingCompiler(); err != nil {
		return nil, err
	}
	counts := map[string]pipeCounts{}
	var errs []error
	sources := slices.Concat(rules(), leftOver(), nested(), converging(), runtimeLoops(), rolledLoops(), functions(),
		builtins(t))
	for _, k := range resultTiles() {
		sources = append(sources, k.source())
	}
	for _, s := range sources {
		if !s.cuda() && strings.Contains(s.text, "__constant") {
			t.Logf("left out: %s: CUDA has no arguments in constant memory", s.name)
			continue
		}
		listing, err := machineListing(s, baseDevice)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
			continue
		}
		fn, k := kernelOf(t, s)
		l := launchOf(fn, k).sass(fn)
		if s.numbers {
			l.Number = ordinary
		}
		n, err := executedPipes(listing, fn.Name, l)
		if err != nil {
			t.Logf("left out: %s: %v", s.name, err)
			continue
		}
		counts[s.name] = n
	}
	return counts, errors.Join(errs...)
}

// openCLAsCUDA lets nvcc compile the OpenCL of the built-in kernels: NVIDIA's compiler for
// OpenCL is the same behind its front end. Work-item functions are as wide as OpenCL's.
const openCLAsCUDA = `
#define __kernel extern "C" __global__
#define __global
#define __constant
#define __local __shared__
#define restrict __restrict__
#define CLK_LOCAL_MEM_FENCE
#define barrier(fence) __syncthreads()
#define clamp(x, a, b) min(max(x, a), b)
#define fma fmaf
#define fabs fabsf
#define native_cos __cosf
#define get_local_id(d) ((size_t)((d) ? (d) == 1 ? threadIdx.y : threadIdx.z : threadIdx.x))
#define get_group_id(d) ((size_t)((d) ? (d) == 1 ? blockIdx.y : blockIdx.z : blockIdx.x))
#define get_local_size(d) ((size_t)((d) ? (d) == 1 ? blockDim.y : blockDim.z : blockDim.x))
#define get_num_groups(d) ((size_t)((d) ? (d) == 1 ? gridDim.y : gridDim.z : gridDim.x))
#define get_global_id(d) ((size_t)((unsigned)get_group_id(d) * (unsigned)get_local_size(d) + (unsigned)get_local_id(d)))
#define get_global_size(d) (get_num_groups(d) * get_local_size(d))
`

// cudaSpelling is what macros cannot translate.
var cudaSpelling = strings.NewReplacer("(float4)(", "make_float4(", "#pragma unroll UNROLL", "#pragma unroll 8",
	"\nfloat normal_distribution(", "\n__device__ float normal_distribution(")

// accuracyFlags are nvcc's for what a source is compiled with.
var accuracyFlags = map[lower.Accuracy][]string{
	0:             {"-use_fast_math"},
	lower.Fast:    {"-use_fast_math"},
	lower.Relaxed: {"-prec-div=false", "-prec-sqrt=false"},
}

// machineListing compiles a source for a device and returns cuobjdump's listing.
func machineListing(s source, device string) (string, error) {
	dir, err := os.MkdirTemp("", "fidelity")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file, cubin := filepath.Join(dir, "k.cu"), filepath.Join(dir, "k.cubin")
	text := s.text
	if !s.cuda() {
		text = openCLAsCUDA + cudaSpelling.Replace(text)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return "", err
	}
	args := append(slices.Clone(accuracyFlags[s.accuracy]), "-arch="+device, "-cubin", "-o", cubin, file)
	for _, d := range s.defines {
		args = append(args, "-D"+d)
	}
	if _, err := output(exec.Command("nvcc", args...)); err != nil {
		return "", err
	}
	return output(exec.Command("cuobjdump", "-sass", cubin))
}

// executedPipes counts what warp 0 of the group in the middle executes of a listing.
func executedPipes(listing, kernel string, l sass.Launch) (n pipeCounts, err error) {
	k, err := sass.Parse(listing, kernel)
	if err != nil {
		return n, err
	}
	executed, err := k.Run(l)
	if err != nil {
		return n, err
	}
	for i, times := range executed {
		if p := k.Code[i].Pipe(); p != 0 {
			n[p] += times.Active
			n[sass.Off] += times.Issued - times.Active
		}
	}
	return n, nil
}

// sass is the launch for machine code: warp 0 of the group in the middle.
func (l launch) sass(fn *ast.Function) sass.Launch {
	s := sass.Launch{Local: l.local, Groups: l.groups, WarpSize: warpSize, Params: l.argumentWords(fn, true),
		Limit: 5_000_000}
	for i := range s.Group {
		s.Group[i] = l.groups[i] / 2
	}
	return s
}

// argumentWords are the words of the kernel's integer arguments that are known, by offset, and with buffers their
// addresses, which lie far from each other.
func (l launch) argumentWords(fn *ast.Function, buffers bool) map[int64]uint32 {
	words, offset := map[int64]uint32{}, int64(0)
	for i, p := range fn.Params {
		size, v, known := int64(8), int64(i+1)<<36, buffers
		if p.Type.IsScalar() || p.Type.Lanes() > 1 {
			size = p.Type.Size()
			v, known = l.args[p.Name]
			known = known && p.Type.IsInteger()
		}
		offset = (offset + size - 1) / size * size
		for w := int64(0); known && w < size; w += 4 {
			words[offset+w] = uint32(v >> (8 * w))
		}
		offset += size
	}
	return words
}
