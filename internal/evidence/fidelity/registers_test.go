package fidelity

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gpupipe/idg/registers"
	"gpupipe/internal/target"
	"gpupipe/internal/tools"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// TestRegisters compares the estimated registers with those that a compiler
// used, which are recorded, and writes docs/evidence/tables.
func TestRegisters(t *testing.T) {
	var long []writtenOut
	for _, w := range writtenOuts() {
		if tools.Full() || w.everyDevice() {
			long = append(long, w)
		}
	}
	uses := uses(t)
	t.Run("builtin", func(t *testing.T) { checkBuiltin(t, uses) })
	t.Run("written out", func(t *testing.T) { checkWrittenOut(t, uses, long) })
	if tools.Full() {
		t.Run("filters", func(t *testing.T) { checkFilters(t, uses) })
	}
}

// uses are the recorded figures, made anew under -update.
func uses(t *testing.T) map[compiled]use {
	t.Helper()
	if !*update {
		return recorded(t)
	}
	devices := map[string][]string{}
	sources := builtins(t)
	for _, w := range writtenOuts() {
		for _, w.conditional = range []bool{false, true} {
			s := w.source()
			sources = append(sources, s)
			if w.everyDevice() {
				devices[s.name] = otherDevices
			}
		}
	}
	for _, f := range filters() {
		sources = append(sources, f.source())
	}
	uses, err := compileAllRegisters(sources, func(s source) []string {
		return append([]string{baseDevice}, devices[s.name]...)
	})
	if err != nil {
		t.Errorf("%s stays as it is: %v", recordedFile, err)
		return recorded(t)
	}
	record(t, uses)
	return uses
}

// estimate is how many registers the graph of a source's kernel is estimated to
// need. CUDA is resolved with the habits of nvcc, OpenCL with those of clang,
// which compiled it.
func estimate(t *testing.T, s source) int {
	t.Helper()
	u, err := s.parse()
	if err != nil {
		t.Fatal(err)
	}
	for _, fn := range u.Kernels {
		if fn.Name != s.only[0] {
			continue
		}
		k, err := lower.Lower(u, fn)
		if err != nil {
			t.Fatal(err)
		}
		opt := launchOf(fn, k).options(k)
		if s.cuda() {
			opt.Compiler, opt.MachineCode = unroll.NVCC, true
		}
		res, err := unroll.Resolve(k, opt)
		if err != nil {
			t.Fatal(err)
		}
		return registers.Estimate(res.Graph, target.InVectorRegisters)
	}
	t.Fatalf("%s has no kernel %s", s.file, s.only[0])
	return 0
}

// checkBuiltin fails where a built-in kernel's estimate is above what the
// compiler used: the occupancy would be limited where the kernel's is not.
func checkBuiltin(t *testing.T, uses map[compiled]use) {
	var table strings.Builder
	for _, s := range builtins(t) {
		needed, u := estimate(t, s), lookUp(t, uses, s.name, baseDevice)
		if needed > u.registers || needed == 0 {
			t.Errorf("%s: estimated %d registers, the compiler used %v", s.name, needed, u)
		}
		fmt.Fprintf(&table, "| %s | %d | %v |\n", s.name, needed, u)
	}
	writeSection(t, "registers_builtin", table.String())
}

// Bounds of what holds for code that is written out: where the compiler needs more than freeRegisters, the estimate is
// this near to it, as a fraction; elsewhere the estimate is not above freeRegisters either.
const (
	freeRegisters = 64
	nearness      = 0.25
)

// checkWrittenOut compares kernels around the length where the compiler cuts.
func checkWrittenOut(t *testing.T, uses map[compiled]use, list []writtenOut) {
	var table, devices strings.Builder
	for _, w := range list {
		var needed [2]int
		var used [2]use
		for i, conditional := range []bool{false, true} {
			w.conditional = conditional
			needed[i], used[i] = estimate(t, w.source()), lookUp(t, uses, w.name(), baseDevice)
			if !w.everyDevice() {
				continue
			}
			fmt.Fprintf(&devices, "| %d | %s | %d | %v |", w.steps, w.stores(),
				min(needed[i], target.RegisterCap), used[i])
			for _, d := range otherDevices {
				fmt.Fprintf(&devices, " %v |", lookUp(t, uses, w.name(), d))
			}
			devices.WriteByte('\n')
		}
		fmt.Fprintf(&table, "| %d | %d | %d | %d |", w.sums, w.stride, w.steps, w.instructions())
		for _, i := range []int{1, 0} {
			checkNear(t, w.name(), needed[i], used[i])
			fmt.Fprintf(&table, " %d | %v | %s |", needed[i], used[i], off(needed[i], used[i]))
		}
		table.WriteByte('\n')
	}
	if !tools.Full() {
		return // only a few rows
	}
	writeSection(t, "registers_written_out", table.String())
	writeSection(t, "registers_devices", devices.String())
}

// checkFilters compares kernels around the conditions under which the compiler does not
// cut.
func checkFilters(t *testing.T, uses map[compiled]use) {
	var table strings.Builder
	for _, f := range filters() {
		needed, u := estimate(t, f.source()), lookUp(t, uses, f.name(), baseDevice)
		if !f.off {
			checkNear(t, f.name(), needed, u)
		}
		fmt.Fprintf(&table, "| %s | %dx%d | %d | %d | %v | %s |\n", f.sums(), f.width, f.height, f.guards, needed, u,
			off(needed, u))
	}
	writeSection(t, "registers_filters", table.String())
}

// checkNear fails where an estimate is outside the bounds.
func checkNear(t *testing.T, name string, needed int, u use) {
	t.Helper()
	if u.registers <= freeRegisters {
		if needed > freeRegisters {
			t.Errorf("%s: estimated %d registers, the compiler used %v", name, needed, u)
		}
	} else if d := capped(needed, u); math.Abs(d) > nearness {
		t.Errorf("%s: estimated %d registers, the compiler used %v: %+.0f%%, want within %g%%", name, needed, u, 100*d,
			100*nearness)
	}
}

// capped is by how much an estimate is off, as a fraction, with what a work item
// can have as the most.
func capped(needed int, u use) float64 {
	return difference(int64(min(needed, target.RegisterCap)), int64(u.registers))
}

// off writes that where the compiler used many registers: where it used few, it
// had no reason to save any.
func off(needed int, u use) string {
	if u.registers <= freeRegisters {
		return ""
	}
	return fmt.Sprintf("%+.0f%%", 100*capped(needed, u))
}

// lookUp returns a recorded figure.
func lookUp(t *testing.T, uses map[compiled]use, kernel, device string) use {
	t.Helper()
	u, ok := uses[compiled{kernel, device}]
	if !ok {
		t.Fatalf("%s has no figure for %s on %s: run this test with -update", recordedFile, kernel, device)
	}
	return u
}
