package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// amdHeader defines OpenCL's work-item functions and barriers as AMD's device library does, and special functions
// as the instruction that approximates them, which is what --fast has for them.
const amdHeader = `
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define AMD_ID(d, f) ((size_t)((d) == 0 ? __builtin_amdgcn_##f##_x() : (d) == 1 ? __builtin_amdgcn_##f##_y() : \
    __builtin_amdgcn_##f##_z()))
#define get_local_id(d) AMD_ID(d, workitem_id)
#define get_group_id(d) AMD_ID(d, workgroup_id)
#define get_local_size(d) AMD_ID(d, workgroup_size)
#define get_global_size(d) AMD_ID(d, grid_size)
#define get_global_id(d) (get_group_id(d) * get_local_size(d) + get_local_id(d))
#define get_num_groups(d) (get_global_size(d) / get_local_size(d))
#define AMD_FENCE(order) __builtin_amdgcn_fence(order, "workgroup")
#define barrier(flags) do { AMD_FENCE(__ATOMIC_RELEASE); __builtin_amdgcn_s_barrier(); AMD_FENCE(__ATOMIC_ACQUIRE); \
    } while (0)
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
#define atomic_inc(p) __atomic_fetch_add(p, 1u, __ATOMIC_RELAXED)
#define atomic_add(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
`

// amdFlags are clang's.
var amdFlags = []string{"-O3", "-ffp-contract=fast", "-cl-std=CL1.2"}

// assembly compiles to AMD's machine code, as text: what its metadata say and the code.
func (j *job) assembly(arch string) (map[string]Truth, error) {
	dir, err := os.MkdirTemp("", "compiler")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	text, err := readSource(j.file)
	if err != nil {
		return nil, err
	}
	file, header, to := filepath.Join(dir, "k.cl"), filepath.Join(dir, "header.h"), filepath.Join(dir, "k.s")
	for name, text := range map[string][]byte{file: text, header: []byte(amdHeader)} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return nil, err
		}
	}
	args := append(append([]string{"-w", "-S", "-o", to, "-nogpulib", "-include", header}, amdFlags...), "-x", "cl",
		"-Xclang", "-finclude-default-header", "-target", "amdgcn-amd-amdhsa", "-mcpu="+arch)
	for _, m := range j.macros {
		args = append(args, "-D"+m)
	}
	if _, err := output(exec.Command("clang", append(args, file)...)); err != nil {
		return nil, fmt.Errorf("%s %v: %w", j.file, j.macros, err)
	}
	listing, err := os.ReadFile(to)
	if err != nil {
		return nil, err
	}
	return parseAssembly(string(listing), arch), nil
}

var (
	amdBegin  = regexp.MustCompile(`^(\w+):\s*; @`)
	amdLabel  = regexp.MustCompile(`^(\.L?BB\w+):`)
	amdLine   = regexp.MustCompile(`^\s+([a-z]\w+)\s*([^;]*)(;.*)?$`)
	amdTarget = regexp.MustCompile(`\.L?BB\w+`)
	amdFact   = regexp.MustCompile(`^; (\w+): (\d+)`)
	amdMeta   = regexp.MustCompile(`^\s+(?:- )?\.(\w+):\s+'?([\w.]+)'?$`)
	// An access of private memory at an offset that the compiler knows: not of an array's subscript.
	amdScratch = regexp.MustCompile(`^(?:buffer|scratch)_(store|load)_dword(?:x(\d))?$`)
)

// parseAssembly reads clang's listing, by the kernels' names.
func parseAssembly(listing, arch string) map[string]Truth {
	out := map[string]Truth{}
	var f *flow
	name, meta := "", map[string]string{}
	labels, jumps := map[string]int{}, map[int]string{}
	var u Truth
	spilled := false
	for line := range strings.Lines(listing) {
		line = strings.TrimRight(line, "\n")
		if m := amdBegin.FindStringSubmatch(line); m != nil {
			name, f, u, spilled = m[1], &flow{}, Truth{Arch: arch}, false
			labels, jumps = map[string]int{}, map[int]string{}
			continue
		}
		if m := amdMeta.FindStringSubmatch(line); m != nil {
			amdMetadata(out, meta, m[1], m[2])
		}
		if f == nil {
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(line), ".section") {
			f.link(labels, jumps)
			if !spilled { // what is there is of arrays
				u.SpillStores, u.SpillLoads = 0, 0
			}
			u.describe(f)
			out[name], f = u, nil
			continue
		}
		if m := amdLabel.FindStringSubmatch(line); m != nil {
			labels[m[1]] = len(f.ops)
		} else if m := amdLine.FindStringSubmatch(line); m != nil {
			spilled = spilled || strings.Contains(m[3], "Folded Spill")
			if w := amdScratch.FindStringSubmatch(m[1]); w != nil && strings.Contains(m[2], ", off,") {
				words := int64(1)
				if w[2] != "" {
					words, _ = strconv.ParseInt(w[2], 10, 64)
				}
				if w[1] == "store" {
					u.SpillStores += 4 * words
				} else {
					u.SpillLoads += 4 * words
				}
			}
			o := op{name: m[1], operands: m[2], ends: m[1] == "s_branch" || m[1] == "s_endpgm" || m[1] == "s_setpc_b64"}
			if strings.HasPrefix(m[1], "s_branch") || strings.HasPrefix(m[1], "s_cbranch") {
				jumps[len(f.ops)] = amdTarget.FindString(m[2])
			}
			f.ops = append(f.ops, o)
		}
	}
	// The comments of functions follow their code; the last ones of a name count.
	name = ""
	for line := range strings.Lines(listing) {
		if m := amdBegin.FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		m := amdFact.FindStringSubmatch(line)
		u, ok := out[name]
		if m == nil || !ok {
			continue
		}
		n, _ := strconv.ParseInt(m[2], 10, 64)
		switch m[1] {
		case "NumVgprs", "TotalNumVgprs":
			u.Registers = n
		case "NumSgprs":
			u.Scalars = n
		case "ScratchSize":
			u.Stack = n
		}
		out[name] = u
	}
	return out
}

// amdMetadata takes a line of the kernels' metadata: those of a kernel begin anew with its arguments, and its name
// stands among them.
func amdMetadata(out map[string]Truth, meta map[string]string, key, value string) {
	meta[key] = value
	if key != "wavefront_size" { // the last one of a kernel
		return
	}
	if u, ok := out[meta["symbol"][:max(0, len(meta["symbol"])-len(".kd"))]]; ok {
		u.Shared, _ = strconv.ParseInt(meta["group_segment_fixed_size"], 10, 64)
		out[meta["symbol"][:len(meta["symbol"])-len(".kd")]] = u
	}
	clear(meta)
}

// link gives branches their targets.
func (f *flow) link(labels map[string]int, jumps map[int]string) {
	for i := range f.ops {
		if t, ok := labels[jumps[i]]; ok {
			f.ops[i].targets = []int{t}
		}
	}
}
