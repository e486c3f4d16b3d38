package fidelity

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"gpupipe/internal/generate"
	"gpupipe/unroll"
)

// amdPairsFile holds how many multiply-adds the compiler paired.
const amdPairsFile = "testdata/amdgpu_pairs.txt"

const amdPairsHead = `# Multiply-adds of an iteration that are issued two at a time, and those that are not, by clang 19 for gfx1100.
# Written by: go test ./internal/evidence/fidelity -run Pairs -update
# factors rows columns steps paired single
`

// tileLoop is a kernel with a rolled loop that adds products of rows and columns to sums,
// for some steps in each iteration.
type tileLoop struct {
	factors              string // where those of the rows are: "local" memory, or "uniform" constants
	rows, columns, steps int
}

func (l tileLoop) source() source {
	row := "m[j * 64 + t / 16 * 8 + %[1]d + s * 16]"
	if l.factors == "uniform" {
		row = "w[j * 64 + %[1]d + s * 16]"
	}
	row = fmt.Sprintf(strings.ReplaceAll(row, "%[1]d", "%s"), "r")
	text := fmt.Sprintf(`// idgen: local=128 groups=4 arg.n=1000
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void k(__global float *restrict a, __global const float *restrict b, __constant float *w, const int n)
{
    __local float m[8192];
    const int t = get_local_id(0);
    for (int i = t; i < 8192; i += 128)
        m[i] = b[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum[%[1]d][%[2]d];
    #pragma unroll
    for (int r = 0; r < %[1]d; r++)
        #pragma unroll
        for (int c = 0; c < %[2]d; c++)
            sum[r][c] = 0;
    #pragma unroll 1
    for (int j = 0; j < n; j++) {
        #pragma unroll
        for (int s = 0; s < %[3]d; s++)
            #pragma unroll
            for (int r = 0; r < %[1]d; r++)
                #pragma unroll
                for (int c = 0; c < %[2]d; c++)
                    sum[r][c] += %[4]s * m[4096 + j * 64 + t %% 16 * 8 + c + s * 16];
    }
    #pragma unroll
    for (int r = 0; r < %[1]d; r++)
        #pragma unroll
        for (int c = 0; c < %[2]d; c++)
            a[t * 256 + r * %[2]d + c] = sum[r][c];
}
`, l.rows, l.columns, l.steps, row)
	return source{name: fmt.Sprint(l), file: "k.cl", text: text, only: []string{"k"}}
}

// tileLoops are the loops that are compiled.
func tileLoops() (list []tileLoop) {
	for _, factors := range []string{"local", "uniform"} {
		for _, rows := range []int{1, 2, 3, 4, 6, 8} {
			for _, columns := range []int{1, 2, 4, 8} {
				for _, steps := range []int{1, 2, 4} {
					list = append(list, tileLoop{factors, rows, columns, steps})
				}
			}
		}
	}
	return list
}

// pairing is how the multiply-adds of an iteration are issued.
type pairing struct{ paired, single int }

// mostApart is how many of a loop's multiply-adds the compiler leaves single where the graph
// has them paired, because it chose registers of the same banks. One more than the graph has
// may be paired with an integer operation.
const mostApart = 13

// TestPairs compares the multiply-adds that are issued two at a time with what LLVM's
// compiler for RDNA 3 did, which is recorded.
func TestPairs(t *testing.T) {
	compiled, all := compiledPairs(t), [2]int{}
	for _, l := range tileLoops() {
		want, ok := compiled[l]
		if !ok {
			t.Fatalf("%s has no figure for %v: run this test with -update", amdPairsFile, l)
		}
		got := multiplyAddsOf(t, l, "fma.dual.f32", func(o *unroll.Options) { o.WarpSize, o.Capability = 32, "gfx1100" })
		if got.paired+got.single != want.paired+want.single {
			t.Errorf("%v: %d multiply-adds, clang: %d", l, got.paired+got.single, want.paired+want.single)
		}
		if apart := got.paired - want.paired; apart < -1 || apart > mostApart {
			t.Errorf("%v: %d are paired, clang: %d", l, got.paired, want.paired)
		}
		all[0] += got.paired
		all[1] += want.paired
	}
	t.Logf("%d multiply-adds are paired, clang: %d", all[0], all[1])
	if all[1] < all[0]*94/100 {
		t.Errorf("%d multiply-adds are paired in all, clang: %d", all[0], all[1])
	}
}

// multiplyAddsOf are the multiply-adds of an iteration in the graph that the options, of which
// set sets some, make: instructions of an op with two of them, and with one.
func multiplyAddsOf(t *testing.T, l tileLoop, two string, set func(*unroll.Options)) (out pairing) {
	t.Helper()
	fn, k := kernelOf(t, l.source())
	opt := launchOf(fn, k).options(k)
	opt.Compiler = unroll.Clang
	set(&opt)
	g, _, err := generate.Execute(k, fn, l.source().dialect(), opt)
	if err != nil {
		t.Fatal(err)
	}
	const iterations = 1000 // arg.n
	executed := map[string]int64{}
	for _, op := range g.ProgramMix(g.Programs()[0]).Ops {
		executed[op.Op] = op.Count
	}
	return pairing{int(executed[two] / iterations), int(executed["fma.f32"] / iterations)}
}

// compiledPairs are the recorded figures, made anew under -update.
func compiledPairs(t *testing.T) map[tileLoop]pairing {
	t.Helper()
	if *update {
		if _, err := exec.LookPath("clang-19"); err != nil {
			t.Errorf("%s stays as it is: %v", amdPairsFile, err)
		} else {
			recordPairs(t)
		}
	}
	return recordedFigures(t, amdPairsFile, func(l *tileLoop, p *pairing) []any {
		return []any{&l.factors, &l.rows, &l.columns, &l.steps, &p.paired, &p.single}
	})
}

// recordPairs compiles all loops and writes the file.
func recordPairs(t *testing.T) {
	t.Helper()
	var b strings.Builder
	b.WriteString(amdPairsHead)
	for _, l := range tileLoops() {
		cmd := exec.Command("clang-19", "-S", "-o", "-", "-w", "-O3", "-ffp-contract=fast", "-nogpulib", "-x", "cl",
			"-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-target", "amdgcn-amd-amdhsa",
			"-mcpu=gfx1100", "-")
		cmd.Stdin = strings.NewReader(amdHeader + l.source().text)
		listing, err := output(cmd)
		if err != nil {
			t.Fatal(err)
		}
		p := countPairs(listing)
		fmt.Fprintf(&b, "%s %d %d %d %d %d\n", l.factors, l.rows, l.columns, l.steps, p.paired, p.single)
	}
	if err := os.WriteFile(amdPairsFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

var (
	dualMultiplyAdd   = regexp.MustCompile(`\bv_dual_fma(c|mk|ak)_f32`)
	singleMultiplyAdd = regexp.MustCompile(`\bv_fma(c|mk|ak)?_f32`)
)

// countPairs counts the multiply-adds of an assembly, all of which are in the loop.
func countPairs(listing string) pairing {
	return pairing{len(dualMultiplyAdd.FindAllString(listing, -1)), len(singleMultiplyAdd.FindAllString(listing, -1))}
}
