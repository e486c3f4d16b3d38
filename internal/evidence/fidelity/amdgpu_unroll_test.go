package fidelity

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/target"
	"gpupipe/unroll"
)

// amdUnrollFile holds the factors by which the compiler unrolled loops.
const amdUnrollFile = "testdata/amdgpu_unroll.txt"

const amdUnrollHead = `# Iterations of a loop that one of the compiled loop does, by clang 14 for gfx90a; 0: unrolled fully.
# Written by: go test ./internal/evidence/fidelity -run AMDUnrolling -update
# body size trips factor
`

// plainLoop is a kernel with a loop without a pragma: a body of a kind and size, and a
// trip count, which is an argument if it is 0.
type plainLoop struct {
	body  string // "fma", "global" or "local"
	size  int    // multiply-adds, or loads that are added up
	trips int
}

// source is the kernel in OpenCL.
func (p plainLoop) source() source {
	bound, terms := fmt.Sprint(p.trips), make([]string, p.size)
	if p.trips == 0 {
		bound = "n"
	}
	for i := range terms {
		switch p.body {
		case "fma":
			terms[i] = fmt.Sprintf("s = s * %s;", [2]string{"x + y", "y + x"}[i%2])
		case "global":
			terms[i] = fmt.Sprintf("b[j * 64 + t + %d]", i*1000)
		case "local":
			terms[i] = fmt.Sprintf("m[j + t + %d]", i*100)
		}
	}
	body := strings.Join(terms, " ")
	if p.body != "fma" {
		body = "s += " + strings.Join(terms, " + ") + ";"
	}
	text := fmt.Sprintf(`// idgen: local=128 groups=4 arg.n=1000
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void k(__global float *a, __global const float *b, const float x, const float y, const int n)
{
    __local float m[8192];
    const int t = get_local_id(0);
    m[t] = b[t];
    m[t + 128] = b[t + 128];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int j = 0; j < %s; j++) {
        %s
    }
    a[get_global_id(0)] = s;
}
`, bound, body)
	return source{name: fmt.Sprintf("%s %d %d", p.body, p.size, p.trips), file: "k.cl", text: text, only: []string{"k"}}
}

// plainLoops are the loops that are compiled.
func plainLoops() (list []plainLoop) {
	for _, b := range []struct {
		body  string
		sizes []int
		trips []int
	}{
		{"fma", []int{4, 6, 8, 9, 10, 11, 12, 14, 16, 20, 24}, []int{0, 8, 16, 24, 32, 33, 40, 48, 64, 96}},
		{"global", []int{1, 2, 3, 4, 5, 6, 8, 10, 12}, []int{0, 8, 10, 12, 16, 24, 32, 40, 48, 64, 96}},
		{"local", []int{1, 2, 3, 4, 6, 8, 12}, []int{0, 8, 16, 24, 32, 40, 48, 64, 96, 128}},
	} {
		for _, size := range b.sizes {
			for _, trips := range b.trips {
				list = append(list, plainLoop{b.body, size, trips})
			}
		}
	}
	return list
}

// TestAMDUnrolling compares the unrolling of loops without a pragma with what LLVM's
// compiler for AMD's GPUs did, which is recorded.
func TestAMDUnrolling(t *testing.T) {
	factors := amdFactors(t)
	for _, p := range plainLoops() {
		want, ok := factors[p]
		if !ok {
			t.Fatalf("%s has no figure for %v: run this test with -update", amdUnrollFile, p)
		}
		if got := factorOf(t, p.source(), func(idg.Loop) bool { return true }); got != want {
			t.Errorf("%s: unrolled by %d, clang: %d", p.source().name, got, want)
		}
	}
}

// factorOf is the factor that the resolver chooses for AMD's GPUs for the first loop that is meant; 0: fully.
func factorOf(t *testing.T, s source, meant func(idg.Loop) bool) int64 {
	t.Helper()
	fn, k := kernelOf(t, s)
	opt := launchOf(fn, k).options(k)
	opt.WarpSize, opt.Uniform, opt.Warps = 64, target.InScalarRegisters, unroll.FirstWarp
	res, err := unroll.Resolve(k, opt)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(res.Graph.Loops, meant)
	if i < 0 {
		t.Fatalf("%s: no such loop", s.name)
	}
	if l := res.Graph.Loops[i]; l.Factor < l.Trips {
		return l.Factor
	}
	return 0
}

// amdFactors are the recorded factors, made anew under -update.
func amdFactors(t *testing.T) map[plainLoop]int64 {
	t.Helper()
	if *update {
		if err := missingClang(); err != nil {
			t.Errorf("%s stays as it is: %v", amdUnrollFile, err)
		} else {
			recordFactors(t)
		}
	}
	return recordedFigures(t, amdUnrollFile, func(p *plainLoop, factor *int64) []any {
		return []any{&p.body, &p.size, &p.trips, factor}
	})
}

// recordFactors compiles all loops and writes the file.
func recordFactors(t *testing.T) {
	t.Helper()
	var b strings.Builder
	b.WriteString(amdUnrollHead)
	for _, p := range plainLoops() {
		listing, err := compileAMD(p.source(), amdTargets[0].processor)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %d %d %d\n", p.body, p.size, p.trips, compiledFactor(listing, p))
	}
	if err := os.WriteFile(amdUnrollFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

var (
	amdBlock = regexp.MustCompile(`(?m)^\.L?BB\d+_\d+:`)
	amdJump  = regexp.MustCompile(`s_cbranch_\w+ (\.L?BB\d+_\d+)\b`)
	amdFloat = regexp.MustCompile(`\bv_(pk_)?(add|fma|fmac|mac|mad)_f32`)
)

// compiledFactor counts the copies of the body in the block of an assembly that jumps to
// its own beginning; 0: there is none.
func compiledFactor(listing string, p plainLoop) int {
	blocks := amdBlock.FindAllStringIndex(listing, -1)
	for i, at := range blocks {
		end := len(listing)
		if i+1 < len(blocks) {
			end = blocks[i+1][0]
		}
		block := listing[at[1]:end]
		m := amdJump.FindStringSubmatchIndex(block)
		if m == nil || block[m[2]:m[3]]+":" != listing[at[0]:at[1]] {
			continue
		}
		n := 0
		for _, f := range amdFloat.FindAllStringSubmatch(block[:m[0]], -1) {
			if n++; f[1] != "" {
				n++
			}
		}
		return n / p.size
	}
	return 0
}
