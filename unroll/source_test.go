package unroll_test

import (
	"strconv"
	"strings"
	"testing"

	"gpupipe/frontend"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/target"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// lowerSource parses a source text (CUDA if its name ends in .cu) and lowers its
// kernels, verified.
func lowerSource(t testing.TB, file, text string, defines ...string) []*lower.Kernel {
	t.Helper()
	dialect := ast.OpenCL
	if strings.HasSuffix(file, ".cu") {
		dialect = ast.CUDA
	}
	u, err := frontend.Parse(frontend.Config{File: file, Text: text, Dialect: dialect, Defines: defines})
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, text)
	}
	kernels := make([]*lower.Kernel, len(u.Kernels))
	for i, fn := range u.Kernels {
		k, err := lower.Lower(u, fn)
		if err != nil {
			t.Fatalf("lower: %v\n%s", err, text)
		}
		if err := k.Verify(); err != nil {
			t.Fatalf("lowered kernel: %v\n%s", err, k)
		}
		kernels[i] = k
	}
	return kernels
}

// lowerKernel lowers the only kernel of an OpenCL source text.
func lowerKernel(t testing.TB, text string) *lower.Kernel {
	t.Helper()
	return lowerSource(t, "k.cl", text)[0]
}

// resolve resolves a kernel and verifies the graph.
func resolve(t testing.TB, k *lower.Kernel, opt unroll.Options) *unroll.Result {
	t.Helper()
	res, err := unroll.Resolve(k, opt)
	if err != nil {
		t.Fatalf("resolve: %v", err)
	}
	if err := res.Graph.Verify(); err != nil {
		t.Fatalf("graph: %v", err)
	}
	return res
}

// resolveText resolves the only kernel of an OpenCL source text with the options
// that parseOptions reads.
func resolveText(t testing.TB, text, options string) *unroll.Result {
	t.Helper()
	return resolve(t, lowerKernel(t, text), parseOptions(t, options))
}

// parseOptions reads options written as on the command line: "-O0 --local 8x8
// --arg n=5 --trip 4=8 --branch 3=taken --unroll 2=4". Without --local a group has
// 32 work items.
func parseOptions(t testing.TB, line string) unroll.Options {
	t.Helper()
	fail := func(err error) {
		if err != nil {
			t.Fatalf("options %q: %v", line, err)
		}
	}
	number := func(s string) int64 {
		n, err := strconv.ParseInt(s, 0, 64)
		fail(err)
		return n
	}
	extents := func(s string) (d [3]int64) {
		for i, x := range strings.Split(s, "x") {
			d[i] = number(x)
		}
		return d
	}
	at := func(s string) (unroll.Location, string) {
		place, value, _ := strings.Cut(s, "=")
		loc, err := unroll.ParseLocation(place)
		fail(err)
		return loc, value
	}
	opt := unroll.Options{Local: [3]int64{32}, Args: map[string]unroll.ArgValue{}}
	words := strings.Fields(line)
	for i := 0; i < len(words); i++ {
		flag, value := words[i], ""
		switch flag {
		case "-O0":
			opt.Level = unroll.O0
			continue
		case "-O2":
			opt.Level = unroll.O2
			continue
		case "-O3":
			opt.Level = unroll.O3
			continue
		case "--strict":
			opt.Strict = true
			continue
		case "--sync-copies":
			opt.SyncCopies = true
			continue
		case "--local-known":
			opt.LocalKnown = true
			continue
		}
		i++
		if i == len(words) {
			t.Fatalf("options %q: %s without a value", line, flag)
		}
		value = words[i]
		var err error
		switch flag {
		case "--compiler":
			opt.Compiler, err = target.ParseCompiler(value)
		case "--local":
			opt.Local = extents(value)
		case "--groups":
			opt.Groups = extents(value)
		case "--warp-size":
			opt.WarpSize = int(number(value))
		case "--warps":
			opt.Warps = map[string]unroll.WarpChoice{"all": unroll.EveryWarp, "first": unroll.FirstWarp}[value]
		case "--group-kinds":
			opt.Kinds = map[string]unroll.KindChoice{"middle": unroll.MiddleGroup, "edges": unroll.EdgeGroups,
				"sampled": unroll.SampledGroups, "auto": unroll.SampledIfUneven}[value]
		case "--locality":
			opt.Locality, err = unroll.ParseLocality(value)
		case "--barrier":
			opt.Barrier = map[string]unroll.BarrierWait{"issue": unroll.WaitIssue,
				"complete": unroll.WaitComplete}[value]
		case "--assume-trip":
			opt.AssumeTrips = number(value)
		case "--arg":
			name, v, _ := strings.Cut(value, "=")
			if n, err := strconv.ParseInt(v, 0, 64); err == nil {
				opt.Args[name] = unroll.ArgValue{Int: n}
			} else {
				f, err := strconv.ParseFloat(v, 64)
				fail(err)
				opt.Args[name] = unroll.ArgValue{Float: f, IsFloat: true}
			}
		case "--trip":
			loc, v := at(value)
			opt.Trips = append(opt.Trips, unroll.TripChoice{At: loc, Trips: number(v)})
		case "--unroll":
			loc, v := at(value)
			opt.Unrolls = append(opt.Unrolls, unroll.UnrollChoice{At: loc, Factor: number(v)})
		case "--branch":
			loc, v := at(value)
			side, err := unroll.ParseBranchSide(v)
			fail(err)
			opt.Branches = append(opt.Branches, unroll.BranchChoice{At: loc, Side: side})
		default:
			t.Fatalf("options %q: unknown %s", line, flag)
		}
		fail(err)
	}
	return opt
}

// ops counts the instructions of the program of warp 0 by op.
func ops(g *idg.Graph) map[string]int {
	n := map[string]int{}
	p := flat(g.Programs()[0])
	for v := range p.Len() {
		n[g.Instr(p.Instr(idg.NodeID(v))).Op]++
	}
	return n
}

// flat expands a program of a test.
func flat(p *idg.Program) *idg.Flat {
	f, err := p.Expanded(idg.MaxExpanded)
	if err != nil {
		panic(err)
	}
	return f
}

// opOf returns the op of node v of a program.
func opOf(g *idg.Graph, p *idg.Flat, v idg.NodeID) string { return g.Instr(p.Instr(v)).Op }
