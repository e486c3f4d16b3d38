package fidelity

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/tools"
)

// amdPragmaFile holds the factors by which the compiler unrolled loops with a pragma.
const amdPragmaFile = "testdata/amdgpu_pragma.txt"

const amdPragmaHead = `# Iterations of a loop with #pragma unroll that one of the compiled loop does, by clang 14 for gfx90a; 0: unrolled fully.
# Written by: go test ./internal/evidence/fidelity -run AMDPragmas -update
# body rows columns trips factor
`

// pragmaLoop is a kernel with a loop of constant trip count with a pragma, around loops over a tile of sums with a
// pragma, so that it can be too large. Its body is of a kind: one word of local memory, with one or two
// subscripts, times one of constant memory for each sum of a filter, with a loop over the filter's columns around; rows
// times columns of two tiles of local memory; or words of global memory.
type pragmaLoop struct {
	body          string
	rows, columns int // of the tile
	trips         int // of the outermost loop
}

// pragmaBodies are the parts of the kernels in which they differ: the declaration of local memory, what is in the
// outermost loop before the loops over the tile, and what is in those.
var pragmaBodies = map[string]struct{ array, before, body string }{
	"filter": {"m[8192]", filterLoop, "s[r][c] += m[(t / 16 + r * 8 + i) * 64 + t % 16 + c * 16 + j] * w[i " +
		"* 15 + j];"},
	"filter-2": {"m[128][64]", filterLoop, "s[r][c] += m[t / 16 + r * 8 + i][t % 16 + c * 16 + j] * w[i * 15 + j];"},
	"product":  {"m[8192]", "", "s[r][c] += m[i * 64 + t / 16 * ROWS + r] * m[4096 + i * 64 + t % 16 + c * 16];"},
	"global":   {"m[8192]", "", "s[r][c] += b[(i * ROWS + r) * n + c * 128 + t];"},
	"chain":    {"m[8192]", "", "s[r][c] = s[r][c] * w[0] + w[1];"},
}

const filterLoop = "#pragma unroll\n        for (int j = 0; j < 15; j++)"

// pragmaLine is the line of the loop.
const pragmaLine = 11

// source is the kernel in OpenCL.
func (p pragmaLoop) source() source {
	b := pragmaBodies[p.body]
	text := fmt.Sprintf(`// idgen: local=128 groups=4 arg.n=1000
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void k(__global float *a, __global const float *b, __constant float *w, const int n)
{
    __local float %s;
    const int t = get_local_id(0);
    for (int i = t; i < 8192; i += 128)
        ((__local float *)m)[i] = b[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s[ROWS][COLUMNS] = {0};
    #pragma unroll
    for (int i = 0; i < %d; i++) {
        %s
            #pragma unroll
            for (int r = 0; r < ROWS; r++)
                #pragma unroll
                for (int c = 0; c < COLUMNS; c++)
                    %s
    }
    #pragma unroll
    for (int r = 0; r < ROWS; r++)
        #pragma unroll
        for (int c = 0; c < COLUMNS; c++)
            a[(r * COLUMNS + c) * 128 + t] = s[r][c];
}
`, b.array, p.trips, b.before, b.body)
	return source{
		name: fmt.Sprintf("%s %dx%d %d", p.body, p.rows, p.columns, p.trips), file: "k.cl", text: text,
		only:    []string{"k"},
		defines: []string{fmt.Sprintf("ROWS=%d", p.rows), fmt.Sprintf("COLUMNS=%d", p.columns)},
	}
}

// pragmaLoops are the loops that are compiled.
func pragmaLoops() (list []pragmaLoop) {
	for _, body := range []string{"filter", "filter-2"} {
		for _, tile := range [][2]int{{2, 2}, {3, 4}, {4, 4}, {4, 6}} {
			for _, trips := range []int{12, 15, 32} {
				list = append(list, pragmaLoop{body, tile[0], tile[1], trips})
			}
		}
	}
	for _, body := range []string{"product", "global", "chain"} {
		for _, tile := range [][2]int{{4, 4}, {8, 8}, {12, 16}} {
			for _, trips := range []int{15, 32, 67, 128, 512} {
				list = append(list, pragmaLoop{body, tile[0], tile[1], trips})
			}
		}
	}
	return list
}

// TestAMDPragmas compares the unrolling of loops with a pragma with what LLVM's compiler for
// AMD's GPUs did, which is recorded.
func TestAMDPragmas(t *testing.T) {
	tools.Heavy(t)
	known := recordedPragmas(t)
	for _, p := range pragmaLoops() {
		want, ok := known[p]
		if !ok {
			t.Fatalf("%s has no figure for %v: run this test with -update", amdPragmaFile, p)
		}
		overRows := func(l idg.Loop) bool { return l.Depth == 1 && l.Trips == int64(p.trips) && l.Pragma != "" }
		if got := factorOf(t, p.source(), overRows); got != want {
			t.Errorf("%s: unrolled by %d, clang: %d", p.source().name, got, want)
		}
	}
}

// recordedPragmas are the recorded factors, made anew under -update.
func recordedPragmas(t *testing.T) map[pragmaLoop]int64 {
	t.Helper()
	if *update {
		if err := missingClang(); err != nil {
			t.Errorf("%s stays as it is: %v", amdPragmaFile, err)
		} else {
			recordPragmas(t)
		}
	}
	return recordedFigures(t, amdPragmaFile, func(p *pragmaLoop, factor *int64) []any {
		return []any{&p.body, &p.rows, &p.columns, &p.trips, factor}
	})
}

// recordPragmas compiles all loops and writes the file.
func recordPragmas(t *testing.T) {
	t.Helper()
	var b strings.Builder
	b.WriteString(amdPragmaHead)
	for _, p := range pragmaLoops() {
		// The unroller says what it does; code for it would take minutes.
		remarks, err := compileAMD(p.source(), amdTargets[0].processor, "-emit-llvm", "-Rpass=loop-unroll")
		if err != nil {
			t.Fatal(err)
		}
		factor := remarkedFactor(remarks, pragmaLine)
		fmt.Fprintf(&b, "%s %d %d %d %d\n", p.body, p.rows, p.columns, p.trips, factor)
	}
	if err := os.WriteFile(amdPragmaFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// remarkedFactor is what clang says about the loop in a line: the iterations of it that one of the compiled loop does,
// 0 if it is unrolled fully, 1 if it says nothing.
func remarkedFactor(remarks string, line int) int {
	m := regexp.MustCompile(fmt.Sprintf(
		`(?m)^<stdin>:%d:\d+: remark: (completely unrolled|unrolled loop by a factor of (\d+))`, line)).
		FindAllStringSubmatch(remarks, -1)
	if m == nil {
		return 1
	}
	factor, _ := strconv.Atoi(m[len(m)-1][2])
	return factor
}
