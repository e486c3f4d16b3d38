package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// nvccRelease is the release whose figures are recorded: Debian's package nvidia-cuda-toolkit.
const nvccRelease = "V11.8.89"

// nvccFlags are those of the suite on the H100, too.
var nvccFlags = []string{"-O3", "-std=c++17", "-w"}

// findNVCC says what is missing.
func findNVCC() error {
	out, err := exec.Command("nvcc", "--version").Output()
	if err != nil {
		return fmt.Errorf("nvcc %s is not in the PATH (Debian: nvidia-cuda-toolkit, non-free): %w", nvccRelease, err)
	}
	if !strings.Contains(string(out), nvccRelease) {
		return fmt.Errorf("the figures are those of nvcc %s, this is another: %s", nvccRelease, out)
	}
	return nil
}

// openCLAsCUDA lets nvcc compile OpenCL: NVIDIA's compiler for OpenCL is the same behind its front end.
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
#define mad(a, b, c) ((a) * (b) + (c))
#define fabs fabsf
#define native_cos __cosf
#define native_rsqrt rsqrtf
#define as_int __float_as_int
#define as_float __int_as_float
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

// job is one call of a compiler: kernels of one file with the same macros.
type job struct {
	file    string // in testdata
	macros  []string
	flags   []string
	sources []Source
}

// jobs puts together what one call compiles.
func jobs(list []Source) (out []job) {
	at := map[string]int{}
	for _, s := range list {
		key := s.File + "\x00" + strings.Join(s.Macros, "\x00")
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, job{file: s.File, macros: s.Macros})
		}
		out[i].sources = append(out[i].sources, s)
	}
	return out
}

// prepare writes a job's source and says what its file is.
func (j *job) prepare(dir string) (file string, args []string, err error) {
	file = filepath.Join("testdata", j.file)
	if strings.HasSuffix(j.file, ".cl") || strings.HasPrefix(j.file, "kernels/") {
		text, err := readSource(j.file)
		if err != nil {
			return "", nil, err
		}
		file = filepath.Join(dir, "k.cu")
		if strings.HasSuffix(j.file, ".cl") {
			text = []byte(openCLAsCUDA + cudaSpelling.Replace(string(text)))
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return "", nil, err
		}
	}
	for _, m := range j.macros {
		args = append(args, "-D"+m)
	}
	return file, append(args, j.flags...), nil
}

// machineCode compiles to machine code: what ptxas says and the code, by plain names.
func (j *job) machineCode(arch string) (map[string]Truth, map[string]*flow, error) {
	dir, err := os.MkdirTemp("", "compiler")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	file, more, err := j.prepare(dir)
	if err != nil {
		return nil, nil, err
	}
	cubin := filepath.Join(dir, "k.cubin")
	args := append(append([]string{}, nvccFlags...), "-arch="+arch, "-cubin", "-Xptxas", "-v", "-o", cubin)
	log, err := output(exec.Command("nvcc", append(append(args, more...), file)...))
	if err != nil {
		return nil, nil, fmt.Errorf("%s %v: %w", j.file, j.macros, err)
	}
	listing, err := output(exec.Command("cuobjdump", "-sass", cubin))
	if err != nil {
		return nil, nil, err
	}
	said, code := parseUses(log, arch), map[string]*flow{}
	for symbol, f := range parseSASS(listing) {
		name := plainName(symbol)
		code[name] = f
		if u, ok := said[name]; ok {
			u.describe(f)
			said[name] = u
		}
	}
	return said, code, nil
}

// ptx compiles to PTX, by plain names.
func (j *job) ptx(arch string) (map[string]*flow, error) {
	dir, err := os.MkdirTemp("", "compiler")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file, more, err := j.prepare(dir)
	if err != nil {
		return nil, err
	}
	to := filepath.Join(dir, "k.ptx")
	args := append(append([]string{}, nvccFlags...), "-arch="+arch, "-ptx", "-o", to)
	if _, err := output(exec.Command("nvcc", append(append(args, more...), file)...)); err != nil {
		return nil, fmt.Errorf("%s %v: %w", j.file, j.macros, err)
	}
	text, err := os.ReadFile(to)
	if err != nil {
		return nil, err
	}
	out := map[string]*flow{}
	for symbol, f := range parsePTX(string(text)) {
		out[plainName(symbol)] = f
	}
	return out, nil
}

var (
	useEntry  = regexp.MustCompile(`Compiling entry function '(\w+)' for`)
	useOf     = regexp.MustCompile(`Function properties for (\w+)`)
	useSpills = regexp.MustCompile(`(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads`)
	useUsed   = regexp.MustCompile(`Used (\d+) registers`)
	useShared = regexp.MustCompile(`(\d+) bytes smem`)
)

// parseUses reads what ptxas -v writes, by plain names.
func parseUses(log, arch string) map[string]Truth {
	uses := map[string]Truth{}
	entry, function := "", ""
	var u Truth
	for line := range strings.Lines(log) {
		number := func(text string) int64 { n, _ := strconv.ParseInt(text, 10, 64); return n }
		if m := useEntry.FindStringSubmatch(line); m != nil {
			entry, u = m[1], Truth{Arch: arch, Scalars: -1}
		} else if m := useOf.FindStringSubmatch(line); m != nil {
			function = m[1]
		} else if m := useSpills.FindStringSubmatch(line); m != nil && function == entry {
			u.Stack, u.SpillStores, u.SpillLoads = number(m[1]), number(m[2]), number(m[3])
		} else if m := useUsed.FindStringSubmatch(line); m != nil {
			u.Registers, u.Shared = number(m[1]), 0
			if s := useShared.FindStringSubmatch(line); s != nil {
				u.Shared = number(s[1])
			}
			uses[plainName(entry)] = u
		}
	}
	return uses
}

// output is what a command writes.
func output(cmd *exec.Cmd) (string, error) {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd.Args[0], err, out)
	}
	return string(out), nil
}

// compilers run at once: they are heavy, and a machine has other things to do.
const compilersAtOnce = 2

// compileAll compiles a list for some architectures and returns the figures in its order. What a compiler refuses
// is an error beside the figures of the others.
func compileAll(list []Source, archs []string, compile func(*job, string) (map[string]Truth, error)) ([]Truth, error) {
	found := map[string]Truth{}
	var errs []error
	var lock sync.Mutex
	var wait sync.WaitGroup
	room := make(chan bool, compilersAtOnce)
	for _, j := range jobs(list) {
		for _, arch := range archs {
			room <- true
			wait.Go(func() {
				defer func() { <-room }()
				said, err := compile(&j, arch)
				lock.Lock()
				defer lock.Unlock()
				errs = append(errs, err)
				for _, s := range j.sources {
					u, ok := said[s.Symbol()]
					if !ok {
						errs = append(errs, fmt.Errorf("%s: no kernel %s in %s", s.Name, s.Symbol(), s.File))
						continue
					}
					u.Name = s.Name
					found[s.Name+" "+arch] = u
				}
			})
		}
	}
	wait.Wait()
	var out []Truth
	for _, s := range list {
		for _, arch := range archs {
			if u, ok := found[s.Name+" "+arch]; ok {
				out = append(out, u)
			}
		}
	}
	return out, errors.Join(errs...)
}
