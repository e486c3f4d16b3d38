package fidelity

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/idg/spill"
	"gpupipe/internal/target"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// spillsFile holds what the compilers said, so that the test needs none.
const spillsFile = "testdata/spills.txt"

const spillsHead = `# Bytes of private memory per work item and words that its instructions for spilled registers store and load, by nvcc
# ` + compilerRelease + ` (sm_80) and clang 14.
# Written by: go test ./internal/evidence/fidelity -run Spills -update
# kernel target bytes stored loaded
`

// spillUse is what a kernel spills, of one work item.
type spillUse struct{ bytes, stored, loaded int64 }

// targets are what a kernel is compiled for, and the devices that stand for them.
func (s *spillSource) targets() (list []amdTarget) {
	if s.nvidia {
		list = append(list, amdTarget{baseDevice, "a100"})
	}
	if s.amd {
		list = append(list, amdTargets...)
	}
	return list
}

// What holds where the compiler for AMD's GPUs spills in code without loops that spill: what is
// stored and loaded is this near to it in the middle of the kernels, as a fraction. ptxas's figures
// are shown and not bounded.
const (
	storedNearness = 0.10
	loadedNearness = 0.10
)

// TestSpills compares what spilled registers store and load with what the compilers' code
// does, which is recorded, and writes docs/evidence/tables.
func TestSpills(t *testing.T) {
	uses := spillUses(t)
	var table strings.Builder
	var stored, loaded []float64
	for _, s := range spillSources() {
		for _, target := range s.targets() {
			u, ok := uses[compiled{s.name, target.processor}]
			if !ok {
				t.Fatalf("%s has no figure for %s on %s: run this test with -update", spillsFile, s.name,
					target.processor)
			}
			e := estimateSpills(t, s.source, target)
			if u == (spillUse{}) && e == u {
				continue
			}
			fmt.Fprintf(&table, "| %s | %s | %d | %d | %d | %d |", s.name, target.processor, e.bytes, u.bytes,
				e.stored, e.loaded)
			if s.loop {
				table.WriteString("  |  |\n")
				continue
			}
			fmt.Fprintf(&table, " %d | %d |\n", u.stored, u.loaded)
			if target.processor != baseDevice && u.stored > 0 {
				stored = append(stored, math.Abs(difference(e.stored, u.stored)))
				loaded = append(loaded, math.Abs(difference(e.loaded, u.loaded)))
			}
		}
	}
	for _, c := range []struct {
		what    string
		off     []float64
		nearest float64
	}{{"stored", stored, storedNearness}, {"loaded", loaded, loadedNearness}} {
		slices.Sort(c.off)
		t.Logf("%s: %.2f in the middle, %.2f at most of %d", c.what, c.off[len(c.off)/2], c.off[len(c.off)-1],
			len(c.off))
		if c.off[len(c.off)/2] > c.nearest {
			t.Errorf("words %s are off by %.0f%% in the middle of the kernels for AMD's GPUs, want %.0f%%", c.what,
				100*c.off[len(c.off)/2], 100*c.nearest)
		}
	}
	writeSection(t, "spills", table.String())
}

// estimateSpills is what the graph of a source's kernel spills for a target.
func estimateSpills(t *testing.T, s source, made amdTarget) spillUse {
	t.Helper()
	d, err := latencies.Builtin(made.device)
	if err != nil {
		t.Fatal(err)
	}
	fn, k := kernelOf(t, s)
	opt := launchOf(fn, k).options(k)
	limit := target.RegisterCap
	if made.processor == baseDevice {
		opt.Compiler, opt.MachineCode, opt.Uniform = unroll.NVCC, true, target.InVectorRegisters
	} else {
		opt.WarpSize, opt.Uniform = d.WarpSize, target.InScalarRegisters
		limit = int(d.CompiledRegisters(fn.ClangGroup(s.dialect())))
	}
	res, err := unroll.Resolve(k, opt)
	if err != nil {
		t.Fatal(err)
	}
	g, _ := spill.Fit(res.Graph, opt.Uniform, limit)
	if err := g.Verify(); err != nil {
		t.Fatal(err)
	}
	u := spillUse{bytes: g.Resources.SpilledBytes}
	for id, n := range g.Programs()[0].Tally(len(g.Instrs())) {
		in := g.Instr(idg.InstrID(id + 1))
		switch a := g.Access(in.Access); {
		case a == nil || a.Buffer != idg.SpillBuffer:
		case a.Store:
			u.stored += n * int64(a.Width) / 4
		default:
			u.loaded += n * int64(a.Width) / 4
		}
	}
	return u
}

// spillUses are the recorded figures, made anew under -update.
func spillUses(t *testing.T) map[compiled]spillUse {
	t.Helper()
	if *update {
		err := cmp.Or(missingClang(), missingCompiler())
		if err == nil {
			uses := map[compiled]spillUse{}
			recordSpills(t, uses)
			return uses
		}
		t.Errorf("%s stays as it is: %v", spillsFile, err)
	}
	return recordedFigures(t, spillsFile, func(c *compiled, u *spillUse) []any {
		return []any{&c.kernel, &c.device, &u.bytes, &u.stored, &u.loaded}
	})
}

// recordSpills compiles all kernels and writes the file.
func recordSpills(t *testing.T, uses map[compiled]spillUse) {
	t.Helper()
	var lines []string
	for _, s := range spillSources() {
		for _, target := range s.targets() {
			compile := compileSpillsAMD
			if target.processor == baseDevice {
				compile = compileSpills
			}
			u, err := compile(s.source, target.processor)
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			uses[compiled{s.name, target.processor}] = u
			lines = append(lines, fmt.Sprintf("%s %s %d %d %d\n", s.name, target.processor, u.bytes,
				u.stored, u.loaded))
		}
	}
	slices.Sort(lines)
	if err := os.WriteFile(spillsFile, []byte(spillsHead+strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
}

var spillLine = regexp.MustCompile(`(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads`)

// compileSpills asks nvcc and ptxas.
func compileSpills(s source, device string) (u spillUse, err error) {
	dir, err := os.MkdirTemp("", "fidelity")
	if err != nil {
		return u, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "k.cu")
	if err := os.WriteFile(file, []byte(s.text), 0o600); err != nil {
		return u, err
	}
	log, err := output(exec.Command("nvcc", "-Xptxas", "-v", "-arch="+device, "-cubin", "-o", os.DevNull, file))
	if err != nil {
		return u, err
	}
	m := spillLine.FindStringSubmatch(log)
	if m == nil {
		return u, fmt.Errorf("ptxas does not say what is spilled:\n%s", log)
	}
	for i, into := range []*int64{&u.bytes, &u.stored, &u.loaded} {
		if *into, err = strconv.ParseInt(m[i+1], 10, 64); err != nil {
			return u, err
		}
	}
	u.stored, u.loaded = u.stored/4, u.loaded/4
	return u, nil
}

// amdScratch is an access of private memory: buffers are accessed by other instructions.
var amdScratch = regexp.MustCompile(`(?m)^\s+(?:buffer|scratch)_(store|load)_dword(?:x(\d))?\s`)

// compileSpillsAMD asks clang.
func compileSpillsAMD(s source, device string) (u spillUse, err error) {
	listing, err := compileAMD(s, device)
	if err != nil {
		return u, err
	}
	registers, err := parseAMD(listing, s.only[0])
	if err != nil {
		return u, err
	}
	u.bytes = int64(registers.scratch)
	for _, m := range amdScratch.FindAllStringSubmatch(listing, -1) {
		words := int64(1)
		if m[2] != "" {
			if words, err = strconv.ParseInt(m[2], 10, 64); err != nil {
				return u, err
			}
		}
		if m[1] == "store" {
			u.stored += words
		} else {
			u.loaded += words
		}
	}
	return u, nil
}
