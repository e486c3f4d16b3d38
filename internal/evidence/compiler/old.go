package main

import (
	"io/fs"
	"path"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/idg/spill"
	"gpupipe/internal/generate"
	"gpupipe/kernels"
	"gpupipe/latencies"
	"gpupipe/unroll"
)

// deviceOf are devices of the architectures.
var deviceOf = map[string]string{"sm_70": "v100", "sm_80": "a100", "sm_90": "h100sxm", "ptx": "a100",
	"gfx90a":  "mi250x",
	"gfx1030": "rx6900xt", "gfx1100": "rx7900xtx"}

// executor is the tool that executes a launch and optimises what ran: idgen as it was before it had a compiler.
type executor struct{}

var _ Compiler = executor{}

// Compile resolves the source's launch.
func (executor) Compile(s *Source, t Target) (*Result, error) {
	p, err := program(s, t)
	if err != nil {
		return nil, err
	}
	fn, err := p.Choose(s.Kernel)
	if err != nil {
		return nil, err
	}
	k, err := p.Prepare(fn)
	if err != nil {
		return nil, err
	}
	g, _, err := k.Resolve()
	if err != nil {
		return nil, err
	}
	return resultOf(g), nil
}

// program parses a source for a target.
func program(s *Source, t Target) (*generate.Program, error) {
	d, err := latencies.Builtin(deviceOf[t.Arch])
	if err != nil {
		return nil, err
	}
	o := generate.Options{DynamicLocal: -1, Device: d, MaxInstructions: 1 << 22, ManyKernels: true}
	o.Warps.Choice = unroll.EveryWarp
	if strings.HasPrefix(t.Profile, "clang") {
		o.Compiler = unroll.Clang
	}
	if strings.HasPrefix(s.File, "kernels/") {
		o.FS = kernels.FS()
	} else if o.FS, err = fs.Sub(testdata, path.Join("testdata", path.Dir(s.File))); err != nil {
		return nil, err
	}
	o.IncludeDirs = []string{"."}
	if s.Template != "" {
		o.Templates = []string{s.Template}
	}
	for _, z := range []struct {
		text string
		into *generate.Sizes
	}{{s.Local, &o.Local}, {s.Groups, &o.Groups}} {
		if z.text == "" {
			continue
		}
		if *z.into, err = generate.ParseSizes(z.text); err != nil {
			return nil, err
		}
	}
	for _, a := range s.Args {
		value, err := generate.ParseArgument(a)
		if err != nil {
			return nil, err
		}
		o.Args = append(o.Args, value)
	}
	if s.Dynamic > 0 {
		o.DynamicLocal = s.Dynamic
	}
	dialect := ast.OpenCL
	if s.CUDA() {
		dialect = ast.CUDA
	}
	source, err := generate.NewSource(path.Base(s.File), []byte(s.Text()), dialect, s.Macros)
	if err != nil {
		return nil, err
	}
	return generate.Parse(source, &o)
}

// resultOf reads a graph.
func resultOf(g *idg.Graph) *Result {
	r := &Result{Registers: int64(g.Resources.Registers), Scalars: -1, SpillBytes: g.Resources.SpilledBytes,
		Shared: g.Resources.LocalBytes, Executed: &Counts{}, Static: &Counts{}}
	for _, k := range g.GroupKinds() {
		for i, n := range k.Graph.GroupTally() {
			r.Executed[graphClass(k.Graph.Instr(idg.InstrID(i+1)))] += n * k.Groups
		}
	}
	// The first warp's program says every instruction of a folded loop once; copies that differ stand as often as
	// they are.
	p := g.Programs()[0]
	p.Stretches(func(first, end idg.StaticID, _ int64) {
		for s := first; s < end; s++ {
			in := g.Instr(p.StaticInstr(s))
			r.Static[graphClass(in)]++
			if a := g.Access(in.Access); a != nil && a.Buffer == idg.SpillBuffer {
				if a.Store {
					r.SpillStores += int64(a.Width)
				} else {
					r.SpillLoads += int64(a.Width)
				}
			}
		}
	})
	if t := spill.TrafficOf(g); t.Loads == 0 && t.Stores == 0 {
		r.SpillStores, r.SpillLoads = 0, 0
	}
	for i := range g.Loops {
		l := &g.Loops[i]
		d := LoopDecision{Line: l.Pos.Line, Copies: l.Factor, Why: l.Reason}
		if l.Full {
			d.Copies = 0
		}
		r.Loops = append(r.Loops, d)
	}
	return r
}

// graphClass is the class of an instruction of a graph.
func graphClass(in *idg.Instr) Class {
	switch c := isa.Parse(in.Op).Class(); c {
	case isa.FP16:
		return Half
	case isa.FP32:
		return Float
	case isa.FP64:
		return Double
	case isa.Special, isa.Conversion:
		return Special
	case isa.BarrierClass, isa.FenceClass:
		return Barrier
	case isa.LoopClass, isa.BranchClass, isa.ConvergeClass:
		return Branch
	case isa.ShuffleClass, isa.VoteClass:
		return Exchange
	case isa.Tensor:
		return Tensor
	case isa.OffClass:
		return 0
	default:
		if m, ok := graphMemory[string(c)]; ok {
			return m
		}
		if strings.HasPrefix(string(c), "atomic") || strings.HasPrefix(string(c), "red") {
			return Atomic
		}
		return Integer
	}
}

var graphMemory = map[string]Class{"ld.global": LoadGlobal, "st.global": StoreGlobal, "ld.local": LoadShared,
	"st.local": StoreShared, "ld.private": LoadPrivate, "st.private": StorePrivate, "ld.constant": Constant}
