package fidelity

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// recordedFile holds what the compiler said, so that the test needs none.
const recordedFile = "testdata/registers.txt"

// compilerRelease is the release of nvcc and ptxas that the figures are of, as
// Debian's package nvidia-cuda-toolkit installs it.
const compilerRelease = "V11.8.89"

const recordedHeader = "# Registers per work item and bytes spilled to memory, by ptxas " + compilerRelease + `.
# Written by: go test ./internal/evidence/fidelity -run Registers -update
# kernel device registers spilled
`

// use is what a kernel uses on a device.
type use struct {
	registers int
	spilled   int // bytes stored
}

// String writes spilled bytes beside the registers.
func (u use) String() string {
	if u.spilled == 0 {
		return strconv.Itoa(u.registers)
	}
	return fmt.Sprintf("%d + %d bytes", u.registers, u.spilled)
}

// compiled names a kernel compiled for a device.
type compiled struct{ kernel, device string }

// recordedLines are the lines of a file of figures without its comments.
func recordedLines(t *testing.T, file string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// recordedFigures are the figures of a file by what they are of, of which fields are the columns.
func recordedFigures[K comparable, V any](t *testing.T, file string, fields func(*K, *V) []any) map[K]V {
	t.Helper()
	out := map[K]V{}
	for _, line := range recordedLines(t, file) {
		var k K
		var v V
		if _, err := fmt.Sscan(line, fields(&k, &v)...); err != nil {
			t.Fatalf("%s: %q: %v", file, line, err)
		}
		out[k] = v
	}
	return out
}

// recorded reads the file.
func recorded(t *testing.T) map[compiled]use {
	t.Helper()
	return recordedFigures(t, recordedFile, func(c *compiled, u *use) []any {
		return []any{&c.kernel, &c.device, &u.registers, &u.spilled}
	})
}

// record writes the file.
func record(t *testing.T, uses map[compiled]use) {
	t.Helper()
	var b strings.Builder
	b.WriteString(recordedHeader)
	order := func(a, b compiled) int {
		return cmp.Or(cmp.Compare(a.kernel, b.kernel), cmp.Compare(a.device, b.device))
	}
	for _, c := range slices.SortedFunc(maps.Keys(uses), order) {
		fmt.Fprintf(&b, "%s %s %d %d\n", c.kernel, c.device, uses[c].registers, uses[c].spilled)
	}
	if err := os.WriteFile(recordedFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// missingCompiler says what the figures cannot be made without.
func missingCompiler() error {
	for _, tool := range []string{"nvcc", "ptxas"} {
		out, err := exec.Command(tool, "--version").Output()
		if err != nil {
			return fmt.Errorf("%s %s is not in the PATH (Debian: nvidia-cuda-toolkit, non-free): %w", tool,
				compilerRelease, err)
		}
		if !bytes.Contains(out, []byte(compilerRelease)) {
			return fmt.Errorf("the figures are those of %s %s, this is another: %s", tool, compilerRelease,
				bytes.TrimSpace(out))
		}
	}
	return nil
}

// baseDevice is the device that everything is compiled for.
const baseDevice = "sm_80"

// otherDevices are those that some of the kernels are compiled for in addition.
var otherDevices = []string{"sm_60", "sm_70", "sm_75", "sm_86", "sm_89", "sm_90"}

// compileRegisters asks the compiler what the kernel of a source uses on some
// devices: nvcc where it is CUDA, else ptxas with clang's PTX.
func compileRegisters(s source, devices []string) (map[compiled]use, error) {
	dir, err := os.MkdirTemp("", "fidelity")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	uses := map[compiled]use{}
	add := func(log string) {
		for c, u := range parseUses(log) {
			if c.kernel == s.only[0] {
				uses[compiled{s.name, c.device}] = u
			}
		}
	}
	file := filepath.Join(dir, "k.ptx")
	if s.cuda() {
		file = filepath.Join(dir, "k.cu")
		if err := os.WriteFile(file, []byte(s.text), 0o600); err != nil {
			return nil, err
		}
		args := []string{"-Xptxas", "-v", "-fatbin", "-o", os.DevNull, file}
		for _, d := range devices {
			args = append(args, "-gencode", "arch="+strings.Replace(d, "sm", "compute", 1)+",code="+d)
		}
		for _, d := range s.defines {
			args = append(args, "-D"+d)
		}
		log, err := output(exec.Command("nvcc", args...))
		if err != nil {
			return nil, err
		}
		add(log)
	} else {
		listing, err := compile(s, openCLHeader()+oneInstruction, "-mllvm", "-nvptx-prec-divf32=1")
		if err != nil {
			return nil, err
		}
		for _, d := range devices {
			if err := os.WriteFile(file, []byte(retarget(listing, d)), 0o600); err != nil {
				return nil, err
			}
			log, err := output(exec.Command("ptxas", "-v", "-arch="+d, "-o", os.DevNull, file))
			if err != nil {
				return nil, err
			}
			add(log)
		}
	}
	if len(uses) != len(devices) {
		return nil, fmt.Errorf("%s: the compiler has reported %d of %d devices", s.name, len(uses), len(devices))
	}
	return uses, nil
}

// oneInstruction defines the special functions of the built-in kernels as the
// instruction that approximates them, which is what the graph has for them: the
// registers of a library's function would be added to the kernel's.
const oneInstruction = `
#define ONE(name, instruction) float __attribute__((overloadable, const)) idgen_special_##name(float a) { return instruction(a); }
ONE(exp, __nvvm_ex2_approx_f)
ONE(log, __nvvm_lg2_approx_f)
ONE(native_cos, __nvvm_cos_approx_f)
ONE(native_rsqrt, __nvvm_rsqrt_approx_f)
ONE(rsqrt, __nvvm_rsqrt_approx_f)
ONE(sqrt, __nvvm_sqrt_approx_f)
`

var (
	ptxVersion = regexp.MustCompile(`(?m)^\.version .*$`)
	ptxTarget  = regexp.MustCompile(`(?m)^\.target .*$`)
)

// retarget makes PTX that clang wrote for its oldest device PTX for another.
func retarget(listing, device string) string {
	listing = ptxVersion.ReplaceAllString(listing, ".version 7.0")
	return ptxTarget.ReplaceAllString(listing, ".target "+device)
}

// output is what a command writes.
func output(cmd *exec.Cmd) (string, error) {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd.Args[0], err, out)
	}
	return string(out), nil
}

var (
	useEntry   = regexp.MustCompile(`Compiling entry function '(\w+)' for '(\w+)'`)
	useOf      = regexp.MustCompile(`Function properties for (\w+)`)
	useSpilled = regexp.MustCompile(`(\d+) bytes spill stores`)
	useUsed    = regexp.MustCompile(`Used (\d+) registers`)
	mangled    = regexp.MustCompile(`^_Z(\d+)`)
)

// parseUses reads what ptxas -v writes about the kernels of a listing, by the
// kernels' names in the source.
func parseUses(log string) map[compiled]use {
	uses := map[compiled]use{}
	var entry, function string
	var at compiled
	var u use
	for line := range strings.Lines(log) {
		if m := useEntry.FindStringSubmatch(line); m != nil {
			entry, at, u = m[1], compiled{demangle(m[1]), m[2]}, use{}
		} else if m := useOf.FindStringSubmatch(line); m != nil {
			function = m[1]
		} else if m := useSpilled.FindStringSubmatch(line); m != nil && function == entry {
			u.spilled, _ = strconv.Atoi(m[1])
		} else if m := useUsed.FindStringSubmatch(line); m != nil {
			u.registers, _ = strconv.Atoi(m[1])
			uses[at] = u
		}
	}
	return uses
}

// demangle returns the name of a function of CUDA as the source has it.
func demangle(name string) string {
	m := mangled.FindStringSubmatch(name)
	if m == nil {
		return name
	}
	n, err := strconv.Atoi(m[1])
	if rest := name[len(m[0]):]; err == nil && n <= len(rest) {
		return rest[:n]
	}
	return name
}

// compileAllRegisters asks the compiler about everything.
func compileAllRegisters(sources []source, devices func(source) []string) (map[compiled]use, error) {
	if err := missingCompiler(); err != nil {
		return nil, err
	}
	uses := map[compiled]use{}
	var errs []error
	for _, s := range sources {
		u, err := compileRegisters(s, devices(s))
		errs = append(errs, err)
		maps.Copy(uses, u)
	}
	return uses, errors.Join(errs...)
}
