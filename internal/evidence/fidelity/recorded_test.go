package fidelity

import (
	"bytes"
	"fmt"
	"gpupipe/internal/evidence/sass"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/generate"
	"gpupipe/lower"
	"gpupipe/lower/translate"
	"gpupipe/unroll"
)

// compilerRelease is the release of nvcc and ptxas that the figures are of, as
// Debian's package nvidia-cuda-toolkit installs it.
const compilerRelease = "V11.8.89"

// baseDevice is the device that code of NVIDIA's is compiled for.
const baseDevice = "sm_80"

// kernelOf lowers the kernel of a source that is compared.
func kernelOf(t *testing.T, s source) (*ast.Function, *lower.Kernel) {
	t.Helper()
	u, err := s.parse()
	if err != nil {
		t.Fatal(err)
	}
	u.Target.FastMath = s.accuracy == 0 || s.accuracy == lower.Fast
	i := slices.IndexFunc(u.Kernels, func(f *ast.Function) bool { return f.Name == s.only[0] })
	if i < 0 {
		t.Fatalf("%s has no kernel %s", s.file, s.only[0])
	}
	k, err := translate.Kernel(u, u.Kernels[i])
	if err != nil {
		t.Fatal(err)
	}
	if s.accuracy != 0 {
		k.Accuracy = s.accuracy // flags of CUDA's ask for what is OpenCL's default
	}
	return u.Kernels[i], k
}

// machineCodeGraph is a kernel's graph of nvcc's machine code.
func machineCodeGraph(t *testing.T, s source) *idg.Graph {
	t.Helper()
	fn, k := kernelOf(t, s)
	opt := launchOf(fn, k).options(k)
	opt.Compiler, opt.Capability = unroll.NVCC, "8.0"
	g, _, err := generate.Execute(k, fn, s.dialect(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

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

// accuracyFlags are nvcc's for what a source is compiled with.
var accuracyFlags = map[lower.Accuracy][]string{
	0:             {"-use_fast_math"},
	lower.Fast:    {"-use_fast_math"},
	lower.Relaxed: {"-prec-div=false", "-prec-sqrt=false"},
}

// machineListing compiles a CUDA source for a device and returns cuobjdump's listing.
func machineListing(s source, device string) (string, error) {
	dir, err := os.MkdirTemp("", "fidelity")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	file, cubin := filepath.Join(dir, "k.cu"), filepath.Join(dir, "k.cubin")
	if err := os.WriteFile(file, []byte(s.text), 0o600); err != nil {
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

// sass is the launch for machine code: warp 0 of the group in the middle.
func (l launch) sass(fn *ast.Function) sass.Launch {
	s := sass.Launch{Local: l.local, Groups: l.groups, WarpSize: warpSize, Params: l.argumentWords(fn, true),
		Limit: 5_000_000}
	for i := range s.Group {
		s.Group[i] = l.groups[i] / 2
	}
	return s
}

// output is what a command writes.
func output(cmd *exec.Cmd) (string, error) {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd.Args[0], err, out)
	}
	return string(out), nil
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
