package fidelity

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gpupipe/frontend/ast"
	"gpupipe/idg/isa"
	"gpupipe/internal/evidence/amdgcn"
	"gpupipe/internal/target"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// amdMixFile holds what the compiler's machine code executes, so that the test needs none.
const amdMixFile = "testdata/amdgpu_mix.txt"

const amdMixHead = `# Instructions that a wavefront executes, by unit, in what clang 14 compiles.
# Written by: go test ./internal/evidence/fidelity -run AMDMix -update
# target vector packed scalar scalar-memory vector-memory local branch barrier wait kernel
`

// unitCounts are instructions of a wavefront by unit.
type unitCounts [amdgcn.Units]int64

// Limits of the differences of the vector units' instructions, as fractions of the compiled
// code's, over the kernels that execute at least longEnough of them, and divide
// nothing: quotients of floating numbers are compiled here as exact as C has them.
const (
	amdMixMedian = 0.05
	amdMixNinety = 0.35
)

// TestAMDMix compares what the units of AMD's compute units execute in the graphs with LLVM's
// machine code, of which the counts are recorded.
func TestAMDMix(t *testing.T) {
	sources := append(builtins(t), amdMixSources()...)
	recorded := amdUnitCounts(t, sources)
	var table strings.Builder
	off := map[string][]float64{}
	for _, s := range sources {
		var ours, theirs [2]unitCounts
		known := true
		for i, target := range amdTargets {
			n, ok := recorded[compiled{s.name, target.processor}]
			known = known && ok
			d, err := latencies.Builtin(target.device)
			if err != nil {
				t.Fatal(err)
			}
			ours[i], theirs[i] = graphUnits(t, s, d), n
			if ok && ours[i][amdgcn.Barrier] != n[amdgcn.Barrier] {
				t.Errorf("%s on %s: %d barriers, clang: %d", s.name, target.processor, ours[i][amdgcn.Barrier],
					n[amdgcn.Barrier])
			}
			if vector := n[amdgcn.Vector] + n[amdgcn.Packed]; ok && vector >= longEnough && !dividesFloats(s) {
				off[target.processor] = append(off[target.processor],
					math.Abs(difference(ours[i][amdgcn.Vector]+ours[i][amdgcn.Packed], vector)))
			}
		}
		if known {
			amdMixRow(&table, s.name, ours, theirs)
		}
	}
	writeSection(t, "mix_amd", table.String())
	for _, target := range amdTargets {
		list := off[target.processor]
		slices.Sort(list)
		if len(list) < 25 {
			t.Fatalf("%s: %d kernels", target.processor, len(list))
		}
		median, ninety := list[len(list)/2], list[len(list)*9/10]
		t.Logf("%s: the vector instructions of %d kernels are off by %.1f%% in the median, %.1f%% at the 90th "+
			"percentile", target.processor, len(list), 100*median, 100*ninety)
		if median > amdMixMedian || ninety > amdMixNinety {
			t.Errorf("%s: the vector instructions of %d kernels are off by %.1f%% in the median, %.1f%% at the 90th "+
				"percentile, want at most %g%% and %g%%",
				target.processor, len(list), 100*median, 100*ninety, 100*amdMixMedian, 100*amdMixNinety)
		}
	}
}

// dividesFloats reports whether a built-in kernel divides floating numbers.
func dividesFloats(s source) bool {
	return strings.HasPrefix(s.name, "div-") || s.name == "black-scholes"
}

// amdMixRow writes a kernel's counts, ours first where they differ: the vector units' of both
// targets, and the others' of the second.
func amdMixRow(b *strings.Builder, name string, ours, theirs [2]unitCounts) {
	fmt.Fprintf(b, "| %s |", name)
	pair := func(x, y int64) {
		if x == y {
			fmt.Fprintf(b, " %d |", x)
		} else {
			fmt.Fprintf(b, " %d / %d |", x, y)
		}
	}
	pair(ours[0][amdgcn.Vector]+ours[0][amdgcn.Packed], theirs[0][amdgcn.Vector]+theirs[0][amdgcn.Packed])
	pair(ours[0][amdgcn.Packed], theirs[0][amdgcn.Packed])
	for _, u := range []amdgcn.Unit{amdgcn.Vector, amdgcn.Scalar, amdgcn.ScalarMemory, amdgcn.VectorMemory,
		amdgcn.LocalMemory, amdgcn.Branch} {
		pair(ours[1][u], theirs[1][u])
	}
	b.WriteByte('\n')
}

// executedUnits counts what wavefront 0 of the group in the middle executes of an assembly.
func executedUnits(listing string, fn *ast.Function, l launch, waveSize int) (n unitCounts, err error) {
	k, err := amdgcn.Parse(listing, fn.Name)
	if err != nil {
		return n, err
	}
	s := amdgcn.Launch{Local: l.local, Groups: l.groups, WaveSize: waveSize, Args: l.argumentWords(fn, false),
		Limit: 5_000_000}
	for i := range s.Group {
		s.Group[i] = l.groups[i] / 2
	}
	executed, err := k.Run(s)
	if err != nil {
		return n, err
	}
	for i, times := range executed {
		n[k.Code[i].Unit()] += times
	}
	return n, nil
}

// graphUnits counts what warp 0 of the graph for a device executes.
func graphUnits(t *testing.T, s source, d *latencies.Device) (n unitCounts) {
	t.Helper()
	fn, k := kernelOf(t, s)
	opt := launchOf(fn, k).options(k)
	opt.WarpSize, opt.Uniform, opt.MachineCode, opt.Compiler = d.WarpSize, target.InScalarRegisters, true, unroll.Clang
	opt.Packed = d.Target().Packed
	res, err := unroll.Resolve(k, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range res.Graph.ProgramMix(res.Graph.ProgramOf(0)).Ops {
		for u, m := range amdUnits(op.Op, d) {
			n[u] += m * op.Count
		}
	}
	return n
}

// amdUnits is how many instructions of each unit stand for an op of a graph, as package
// latencies composes what a device has no entry for.
func amdUnits(op string, d *latencies.Device) (n unitCounts) {
	parts := strings.Split(op, ".")
	verb, typ := parts[0], parts[len(parts)-1]
	uniform := slices.Contains(parts, "uniform")
	unit := amdgcn.Vector
	if uniform {
		unit = amdgcn.Scalar
	}
	switch k := string(isa.Parse(op).Class()); {
	case strings.HasSuffix(k, ".constant"), strings.HasSuffix(k, ".global") && uniform:
		n[amdgcn.ScalarMemory] = 1
	case strings.HasSuffix(k, ".global"), strings.HasSuffix(k, ".private"):
		n[amdgcn.VectorMemory] = 1
	case strings.HasSuffix(k, ".local"):
		n[amdgcn.LocalMemory] = 1
	case k == "barrier":
		n[amdgcn.Barrier] = 1
	case slices.Contains(parts, "packed"):
		n[amdgcn.Packed] = 1
	case op == "loop.vector":
		n[amdgcn.Vector], n[amdgcn.Scalar], n[amdgcn.Branch] = 2, 2, 1
	case verb == "loop":
		n[amdgcn.Scalar], n[amdgcn.Branch] = 2, 1
	case verb == "branch":
		n[amdgcn.Branch] = 1
	case verb == "mul" && parts[1] == "wide", verb == "mad" && typ != "f32" && typ != "f64":
		n[unit] = 2
	case op == "add.base.s64" && d.WarpSize == 64:
		n[unit] = 3
	case verb == "add" && (typ == "s64" || typ == "u64"):
		n[unit] = 2
	default:
		n[unit] = 1
	}
	return n
}
