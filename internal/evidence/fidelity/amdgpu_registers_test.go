package fidelity

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg/registers"
	"gpupipe/internal/target"
	"gpupipe/internal/tools"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// amdFile holds what the compiler said, so that the test needs none.
const amdFile = "testdata/amdgpu.txt"

const amdHead = `# Registers of a lane and of a wavefront, bytes of private memory per work item, and wavefronts per SIMD, by clang 14.
# Written by: go test ./internal/evidence/fidelity -run AMDRegisters -update
# kernel target vector scalar scratch occupancy
`

// amdTarget is what is compiled for and the device that stands for it.
type amdTarget struct{ processor, device string }

var amdTargets = []amdTarget{{"gfx90a", "mi250x"}, {"gfx1030", "rx6900xt"}}

// What holds on AMD devices for every kernel: the estimate lets at least as many
// wavefronts reside as the compiler's registers do, and at most so many more, as a
// fraction. Where the compiler spills, its registers and the words of its private memory are
// together what it needed, and the estimate is this near to it.
const (
	amdWavesNearness = 0.25
	amdSpillNearness = 0.30
)

// TestAMDRegisters compares the estimated registers with those that LLVM's compiler
// for AMD's GPUs used, and the wavefronts that reside with them, which are recorded, and
// writes docs/evidence/tables.
func TestAMDRegisters(t *testing.T) {
	tools.Heavy(t)
	sources := append(builtins(t), amdSources()...)
	uses := amdUses(t, sources)
	var table strings.Builder
	for _, s := range sources {
		fmt.Fprintf(&table, "| %s |", s.name)
		for _, target := range amdTargets {
			u, ok := uses[compiled{s.name, target.processor}]
			if !ok {
				t.Fatalf("%s has no figure for %s on %s: run this test with -update", amdFile, s.name, target.processor)
			}
			d, err := latencies.Builtin(target.device)
			if err != nil {
				t.Fatal(err)
			}
			e := estimateAMD(t, s, d)
			e.check(t, s.name, u)
			checkAMDOccupancy(t, s.name, d, target, u)
			fmt.Fprintf(&table, " %d | %v | %d | %d |", e.needed, u, e.waves(e.used()), e.waves(int64(u.vector)))
		}
		table.WriteByte('\n')
	}
	writeSection(t, "registers_amd", table.String())
}

// amdEstimate is how many registers a kernel is estimated to need on a device.
type amdEstimate struct {
	device *latencies.Device
	needed int
	limit  int64 // that the compiler gives a work item at most
}

// estimateAMD estimates the registers of a source's kernel.
func estimateAMD(t *testing.T, s source, d *latencies.Device) amdEstimate {
	t.Helper()
	fn, k := kernelOf(t, s)
	opt := launchOf(fn, k).options(k)
	opt.WarpSize, opt.Uniform = d.WarpSize, target.InScalarRegisters
	res, err := unroll.Resolve(k, opt)
	if err != nil {
		t.Fatal(err)
	}
	return amdEstimate{d, registers.Estimate(res.Graph, opt.Uniform), d.CompiledRegisters(fn.ClangGroup(s.dialect()))}
}

// used is the estimate without what is spilled.
func (e amdEstimate) used() int64 { return min(int64(e.needed), e.limit) }

// waves is how many wavefronts a SIMD holds at once with so many registers.
func (e amdEstimate) waves(registers int64) int64 { return amdWaves(e.device, registers) }

func amdWaves(d *latencies.Device, registers int64) int64 {
	return min(d.GroupsByRegisters(1, registers), d.Limits.Warps) / int64(d.Partitions)
}

// check compares an estimate with what the compiler used.
func (e amdEstimate) check(t *testing.T, name string, u amdUse) {
	t.Helper()
	got, want := e.waves(e.used()), e.waves(int64(u.vector))
	if e.needed == 0 || got < want || float64(want) < float64(got)*(1-amdWavesNearness) {
		t.Errorf("%s on %s: estimated %d registers, with which %d wavefronts reside on a SIMD; the compiler used %v: "+
			"%d wavefronts", name, e.device.Name, e.needed, got, u, want)
	}
	if u.scratch > 0 {
		if d := difference(int64(e.needed), int64(u.needed())); math.Abs(d) > amdSpillNearness {
			t.Errorf("%s on %s: estimated %d registers, the compiler used %v: %+.0f%%, want within %g%%", name,
				e.device.Name, e.needed, u, 100*d, 100*amdSpillNearness)
		}
	}
}

// checkAMDOccupancy compares the wavefronts that reside by a device's limits with those that
// the compiler writes, which counts scalar registers too.
func checkAMDOccupancy(t *testing.T, name string, d *latencies.Device, target amdTarget, u amdUse) {
	t.Helper()
	want := amdWaves(d, int64(u.vector))
	if target.processor == "gfx90a" { // 800 scalar registers of a SIMD, handed out in units of 16
		want = min(want, 800/int64((u.scalar+15)/16*16))
	}
	if int64(u.occupancy) != want {
		t.Errorf("%s on %s: %d wavefronts on a SIMD with %v, the compiler says %d", name, d.Name, want, u, u.occupancy)
	}
}

// amdUses are the recorded figures, made anew under -update.
func amdUses(t *testing.T, sources []source) map[compiled]amdUse {
	t.Helper()
	if !*update {
		return recordedAMD(t)
	}
	if err := missingClang(); err != nil {
		t.Errorf("%s stays as it is: %v", amdFile, err)
		return recordedAMD(t)
	}
	uses := map[compiled]amdUse{}
	for _, s := range sources {
		for _, target := range amdTargets {
			listing, err := compileAMD(s, target.processor)
			if err != nil {
				t.Fatal(err)
			}
			u, err := parseAMD(listing, s.only[0])
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			uses[compiled{s.name, target.processor}] = u
		}
	}
	recordAMD(t, uses)
	return uses
}

// recordedAMD reads the file.
func recordedAMD(t *testing.T) map[compiled]amdUse {
	t.Helper()
	return recordedFigures(t, amdFile, func(c *compiled, u *amdUse) []any {
		return []any{&c.kernel, &c.device, &u.vector, &u.scalar, &u.scratch, &u.occupancy}
	})
}

// recordAMD writes the file.
func recordAMD(t *testing.T, uses map[compiled]amdUse) {
	t.Helper()
	var lines []string
	for c, u := range uses {
		lines = append(lines, fmt.Sprintf("%s %s %d %d %d %d\n", c.kernel, c.device, u.vector, u.scalar, u.scratch,
			u.occupancy))
	}
	slices.SortFunc(lines, func(a, b string) int { return cmp.Compare(a, b) })
	if err := os.WriteFile(amdFile, []byte(amdHead+strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
}
