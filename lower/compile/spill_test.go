package compile_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
)

// TestSpillProduct: 128 sums of 32 values by 4 live in 128 registers beside the four and one of the 32; what has none is
// spilled, and its zeros are stored as they are.
func TestSpillProduct(t *testing.T) {
	const source = `extern "C" __global__ void __launch_bounds__(512) k(const float *a, const float *b, float *c, int n)
{
	float s[32][4] = {};
	int t = threadIdx.x;
	for (int k = 0; k < n; ++k) {
		float x[32], y[4];
		for (int m = 0; m < 32; ++m) x[m] = a[k * 1024 + m * 32 + t];
		for (int m = 0; m < 4; ++m) y[m] = b[k * 128 + m * 32 + t];
		for (int m = 0; m < 32; ++m)
			for (int l = 0; l < 4; ++l) s[m][l] += x[m] * y[l];
	}
	for (int m = 0; m < 32; ++m)
		for (int l = 0; l < 4; ++l) c[(m * 4 + l) * 1024 + t] = s[m][l];
}`
	o := options(t)
	o.Machine.MaxThreads = 512
	code, err := compile.Compile(tree(t, frontend.Config{File: "k.cu", Text: source, Dialect: ast.CUDA}, ""), o)
	if err != nil {
		t.Fatal(err)
	}
	r := code.Resources
	// sums, values, address of two words; the stack pointer and what ptxas counts beside
	const live, words = 128 + 4 + 1 + 2, 128 - 2 - 1
	if r.Registers != 128 || r.SpillBytes < 4*(live-words) || r.SpillBytes > 8*(live-words) {
		t.Errorf("%d registers, %d bytes are spilled, want 128, %d at least", r.Registers, r.SpillBytes, 4*(live-words))
	}
	var b strings.Builder
	if err := machine.Format(&b, code); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "], RZ "); n < int(r.SpillBytes/4) {
		t.Errorf("%d zeros are stored, %d bytes spilled\n%.3000s", n, r.SpillBytes, b.String())
	}
}

// TestSpilled: kernels that have not enough registers store and load about as many words as ptxas 11.8 has it (-v).
func TestSpilled(t *testing.T) {
	text := ""
	for _, file := range []string{"fresh.cu", "spills.cu", "kinds.cu"} {
		part, err := os.ReadFile("../../internal/evidence/compiler/testdata/fresh/" + file)
		if err != nil {
			t.Fatal(err)
		}
		text += strings.Replace(string(part), "#define BOUND __launch_bounds__(256, GROUPS)", "", 1)
	}
	parsed := map[int]*ast.Unit{} // by groups
	for _, c := range []struct {
		kernel, target string
		groups         int // of 256 threads
		stores, loads  int // bytes
	}{
		{"tile8", "sm_80", 4, 1276, 1276}, // sums of which the next ones begin where the last ones end
		{"tile8", "sm_90", 4, 1280, 1280},
		{"tabled", "sm_90", 6, 88, 88},     // pairs whose words are written one by one
		{"inverse4", "sm_80", 8, 352, 448}, // what is loaded and spilled again is stored again
		{"inverse4", "sm_90", 8, 444, 476},
		{"runge", "sm_80", 6, 548, 548},
		{"blake", "sm_80", 8, 104, 152},  // what is read first stays
		{"cmul4", "sm_80", 8, 572, 684},  // words of pairs one by one
		{"sorted", "sm_80", 6, 220, 220}, // computed as deep as what is in registers allows
		{"sorted", "sm_90", 6, 208, 208},
		{"around", "sm_90", 6, 108, 108}, // what two loops leave alone, so that their loads come together
		{"around", "sm_90", 8, 192, 192},
	} {
		o := optionsFor(t, c.target, "nvcc-11.8")
		o.Machine.MaxThreads, o.Machine.MinGroups = 256, c.groups
		if parsed[c.groups] == nil {
			parsed[c.groups] = unit(t, frontend.Config{File: "k.cu", Text: text, Dialect: ast.CUDA,
				Defines: []string{"THREADS=256", fmt.Sprintf("GROUPS=%d", c.groups)}})
		}
		code, err := compile.Compile(treeOf(t, parsed[c.groups], c.kernel), o)
		if err != nil {
			t.Fatal(err)
		}
		stores, loads := spilled(code.Body)
		if got, want := float64(stores+loads), float64(c.stores+c.loads); got > 1.5*want || got < want/1.5 {
			t.Errorf("%s for %d groups on %s: %d bytes are stored, %d loaded; want about %d, %d", c.kernel, c.groups,
				c.target, stores, loads, c.stores, c.loads)
		}
	}
}

// TestSpilledAMD: as many values as registers, and more, which a loop computes and others read around it. clang 14 has
// those that are in memory around the loop in registers in it, in place of others.
func TestSpilledAMD(t *testing.T) {
	const source = `#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__attribute__((reqd_work_group_size(1024, 1, 1)))
__kernel void k(__global const F *in, __global F *out, int rounds)
{
	F v[N];
	int i = get_global_id(0);
	for (int k = 0; k < N; ++k) v[k] = in[i + k * 1024];
	for (int r = 0; r < rounds; ++r)
		for (int k = 0; k < N; ++k) v[k] = v[k] * v[(k + 1) % N] + v[(k + 5) % N];
	for (int k = 0; k < N; ++k) out[i + k * 1024] = v[k];
}`
	for _, c := range []struct {
		target, kind  string
		n             int
		stores, loads int // bytes
	}{
		{"gfx1030", "float", 120, 0, 0},
		{"gfx1030", "float", 128, 36, 48},
		{"gfx1030", "double", 64, 24, 32},
		{"gfx1030", "double", 80, 896, 896},
		{"gfx1030", "double", 96, 1400, 1424},
		{"gfx90a", "double", 80, 640, 656},
		{"gfx90a", "double", 96, 1144, 1160},
	} {
		o := optionsFor(t, c.target, "clang-amdgcn-14")
		o.Machine.MaxThreads = 1024
		code, err := compile.Compile(tree(t, frontend.Config{File: "k.cl", Text: source, Dialect: ast.OpenCL,
			Defines: []string{"F=" + c.kind, fmt.Sprintf("N=%d", c.n)}}, ""), o)
		if err != nil {
			t.Fatal(err)
		}
		stores, loads := spilled(code.Body)
		if got, want := float64(stores+loads), float64(c.stores+c.loads); got > 1.5*want || got < want/1.5 {
			t.Errorf("%d of %s on %s: %d bytes are stored, %d loaded; want about %d, %d", c.n, c.kind, c.target, stores,
				loads, c.stores, c.loads)
		}
		if strings.Contains(code.String(), "dispatch") {
			t.Errorf("%d of %s on %s: the size of a group is loaded", c.n, c.kind, c.target)
		}
	}
}

// spilled is how many bytes of spilled registers instructions store and load.
func spilled(b *machine.Block) (stores, loads int) {
	b.Each(func(n machine.Node) {
		if in, ok := n.(*machine.Instr); ok && in.Spill && in.Mem != nil {
			if in.Mem.Store {
				stores += int(in.Mem.Bytes)
			} else {
				loads += int(in.Mem.Bytes)
			}
		}
	})
	return stores, loads
}
