package fidelity

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpupipe/internal/target"
	"gpupipe/internal/tools"
	"gpupipe/lower"
	"gpupipe/unroll"
	"gpupipe/unroll/factor"
	"gpupipe/unroll/structure"
)

// clangUnrollFile holds by how much the compiler unrolled the loops of generated nests.
const clangUnrollFile = "testdata/clang_unroll.txt"

const clangUnrollHead = `# Iterations of a loop that one of the compiled loop does, by clang 14; 0: unrolled fully; 1: rolled.
# Written by: go test ./internal/evidence/fidelity -run ClangUnrolling -update
# nest line nvptx64-O2 nvptx64-O3 gfx90a-O2 gfx90a-O3 gfx1030-O2 gfx1030-O3
`

// clangTargets are what the nests are compiled for.
var clangTargets = []struct {
	level unroll.Level
	amd   bool
	flags []string
}{
	{unroll.O2, false, []string{"-O2", "-target", "nvptx64--nvidiacl"}},
	{unroll.O3, false, []string{"-O3", "-target", "nvptx64--nvidiacl"}},
	{unroll.O2, true, []string{"-O2", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a"}},
	{unroll.O3, true, []string{"-O3", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a"}},
	{unroll.O2, true, []string{"-O2", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx1030"}},
	{unroll.O3, true, []string{"-O3", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx1030"}},
}

// sameFactors is the percentage of loops that must have clang's factor.
const sameFactors = 90

// nestLoop is a loop of a generated nest.
type nestLoop struct{ nest, line int }

// TestClangUnrolling compares the factors of generated nests with clang's, which are recorded.
func TestClangUnrolling(t *testing.T) {
	tools.Heavy(t)
	known := recordedUnrolling(t)
	for i, target := range clangTargets {
		var same, loops [2]int
		for number := range generatedNests {
			g := newGeneratedNest(number)
			held := number % 2
			got := nestFactors(t, g, target.level, target.amd)
			for j, line := range g.lines {
				want, ok := known[nestLoop{number, line}]
				if !ok {
					t.Fatalf("%s has no figure for line %d of nest %d: run this test with -update", clangUnrollFile,
						line, number)
				}
				if g.trips[j] == 1 {
					continue // no loop is left of it
				}
				loops[held]++
				if got[j] == want[i] {
					same[held]++
				}
			}
		}
		t.Logf("%v: %d of %d, held out: %d of %d", target.flags, same[0], loops[0], same[1], loops[1])
		for held := range same {
			if same[held]*100 < loops[held]*sameFactors {
				t.Errorf("%v: %d of %d loops have clang's factor, want %d%%", target.flags, same[held], loops[held],
					sameFactors)
			}
		}
	}
}

// nestFactors is how the loops of a nest are unrolled.
func nestFactors(t *testing.T, g generatedNest, level unroll.Level, amd bool) []int {
	t.Helper()
	_, k := kernelOf(t, g.source())
	factors := make([]int, len(g.lines))
	lower.Walk(k.Body, func(st lower.Stmt) {
		l, ok := st.(*lower.Loop)
		if !ok {
			return
		}
		if i := slices.Index(g.lines, l.Pos.Line); i >= 0 {
			var counter lower.Reg
			if l.Induction != nil {
				counter = l.Induction.Var
			}
			code := target.Target{Compiler: target.Clang, Level: level}
			if amd {
				code.Uniform = target.InScalarRegisters
			}
			u := factor.New(k, structure.Of(k), nestValues{counter}, factor.Settings{
				Target: code,
				Chosen: func(lower.Pos) (int64, bool) { return 0, false },
			})
			trips := factor.Trips{Count: g.trips[i], Constant: g.trips[i] >= 0, Counted: l.Induction != nil}
			if c := u.Choose(l, trips, nil); !c.Full {
				factors[i] = int(c.Factor)
			}
		}
	})
	return factors
}

// nestValues is what the compiler knows of registers where a loop begins: its counter is 0.
type nestValues struct{ counter lower.Reg }

func (v nestValues) Constant(r lower.Reg) (uint64, bool) { return 0, r == v.counter }

func (nestValues) Addend(lower.Reg) int64  { return 0 }
func (nestValues) OfLaunch(lower.Reg) bool { return true }

// recordedUnrolling are the recorded factors, made anew under -update.
func recordedUnrolling(t *testing.T) map[nestLoop][6]int {
	t.Helper()
	if *update {
		if err := missingClang(); err != nil {
			t.Errorf("%s stays as it is: %v", clangUnrollFile, err)
		} else {
			recordUnrolling(t)
		}
	}
	return recordedFigures(t, clangUnrollFile, func(l *nestLoop, f *[6]int) []any {
		return []any{&l.nest, &l.line, &f[0], &f[1], &f[2], &f[3], &f[4], &f[5]}
	})
}

// recordUnrolling compiles all nests for all targets and writes the file.
func recordUnrolling(t *testing.T) {
	t.Helper()
	factors := map[nestLoop][6]int{}
	for i, target := range clangTargets {
		const most = 100 // nests in a file
		for first := 0; first < generatedNests; first += most {
			var text strings.Builder
			before := map[int]int{} // lines before a nest
			for number := first; number < min(first+most, generatedNests); number++ {
				g := newGeneratedNest(number)
				before[number] = strings.Count(text.String(), "\n")
				text.WriteString(g.text + "\n")
			}
			remarks := unrollRemarks(t, text.String(), target.amd, target.flags)
			for number := first; number < min(first+most, generatedNests); number++ {
				g := newGeneratedNest(number)
				for _, line := range g.lines {
					at := nestLoop{number, line}
					f := factors[at]
					f[i] = unrolledBy(remarks, before[number]+line)
					factors[at] = f
				}
			}
		}
	}
	var b strings.Builder
	b.WriteString(clangUnrollHead)
	for number := range generatedNests {
		for _, line := range newGeneratedNest(number).lines {
			fmt.Fprintf(&b, "%d %d", number, line)
			for _, f := range factors[nestLoop{number, line}] {
				fmt.Fprint(&b, " ", f)
			}
			b.WriteByte('\n')
		}
	}
	if err := os.WriteFile(clangUnrollFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// unrollRemarks is what clang's unroller says about a file.
func unrollRemarks(t *testing.T, text string, amd bool, flags []string) string {
	t.Helper()
	args := []string{"-S", "-emit-llvm", "-o", os.DevNull, "-w", "-gline-tables-only", "-Rpass=loop-unroll",
		"-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header"}
	header := ""
	if amd {
		header, args = amdHeader, append(args, "-nogpulib")
	} else {
		args = append(args, "-Xclang", "-mlink-builtin-bitcode", "-Xclang", libclc)
	}
	first := filepath.Join(t.TempDir(), "header.h")
	if err := os.WriteFile(first, []byte(header), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("clang", append(append(args, flags...), "-include", first, "-")...)
	cmd.Stdin = strings.NewReader(text)
	out, err := output(cmd)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// unrolledBy is what clang says about the loop in a line, which it may have copied before with a
// loop around: the first thing.
func unrolledBy(remarks string, line int) int {
	m := regexp.MustCompile(fmt.Sprintf(
		`(?m)^<stdin>:%d:\d+: remark: (completely unrolled|unrolled loop by a factor of (\d+))`, line)).
		FindStringSubmatch(remarks)
	if m == nil {
		return 1
	}
	factor, _ := strconv.Atoi(m[2])
	return factor
}
