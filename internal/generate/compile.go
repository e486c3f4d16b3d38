package generate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/target"
	"gpupipe/lower"
	"gpupipe/lower/compile"
	"gpupipe/lower/ir"
	"gpupipe/lower/machine"
	"gpupipe/lower/pass"
	"gpupipe/unroll"
	"gpupipe/unroll/walk"
)

// defaultMachine is what code is compiled for without a device.
const defaultMachine = "sm_80"

// Compile compiles a kernel to machine code. Nothing of its launch is read.
func (p *Program) Compile(fn *ast.Function) (*machine.Code, error) {
	k, o, err := p.compiler(fn)
	if err != nil {
		return nil, err
	}
	return compile.Compile(k, o)
}

// IR compiles a kernel as far as a pass, "" for all of them.
func (p *Program) IR(fn *ast.Function, after string) (*ir.Func, error) {
	k, o, err := p.compiler(fn)
	if err != nil {
		return nil, err
	}
	return compile.IR(k, o, after)
}

// execute compiles a kernel and executes the code for its launch.
func (p *Program) execute(k *Kernel) (*idg.Graph, diag.List, error) {
	if err := k.Options.Check(k.Lowered); err != nil {
		return nil, nil, err
	}
	c, err := p.Compile(k.fn)
	if err != nil {
		return nil, nil, err
	}
	o, err := k.Options.WithDefaults()
	if err != nil {
		return nil, nil, err
	}
	strict := k.missing()
	g, notes, err := walk.Execute(k.Lowered, c, o)
	var list diag.List
	switch {
	case err == nil:
	case errors.As(err, &list) && onlyAssumptions(list):
		return nil, nil, append(strict, list...).Sorted()
	default:
		return nil, nil, k.WithAssumptions(err)
	}
	if len(strict) > 0 {
		return nil, nil, strict.Sorted()
	}
	notes = append(append(diag.List(nil), k.Launch.notes...), notes...)
	switch {
	case k.wanted.Unknown:
		g = g.WithRegisters(0, false)
	case k.wanted.Number > 0:
		g = g.WithRegisters(k.wanted.Number, false)
	}
	return g, notes.Sorted(), nil
}

// Execute compiles a kernel for a target and executes the code for a launch, as options have them both.
func Execute(k *lower.Kernel, fn *ast.Function, dialect ast.Dialect, options unroll.Options) (*idg.Graph, diag.List,
	error) {
	options, err := options.WithDefaults()
	if err != nil {
		return nil, nil, err
	}
	o, err := CompilerOptions(&options.Target, k, fn, dialect)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range k.Loops {
		for _, u := range slices.Backward(options.Unrolls) { // the first counts
			if u.At.Matches(l.Pos) {
				o.Unroll[int(l.ID)] = int(u.Factor)
			}
		}
	}
	c, err := compile.Compile(k, o)
	if err != nil {
		return nil, nil, err
	}
	return walk.Execute(k, c, options)
}

// compiler is the tree of a kernel and what its compiler is told.
func (p *Program) compiler(fn *ast.Function) (*lower.Kernel, *compile.Options, error) {
	k, err := lower.Lower(p.Unit, fn)
	if err != nil {
		return nil, nil, err
	}
	o, err := CompilerOptions(&p.Unit.Target, k, fn, p.Source.Dialect)
	if err != nil {
		return nil, nil, err
	}
	o.Machine.MaxRegisters = p.options.Registers.Number
	for _, l := range k.Loops {
		matches := func(u unroll.UnrollChoice) bool { return u.At.Matches(l.Pos) }
		if i := slices.IndexFunc(p.options.Unrolls, matches); i >= 0 { // the first counts
			o.Unroll[int(l.ID)] = int(p.options.Unrolls[i].Factor)
		}
	}
	return k, o, nil
}

// CompilerOptions is what a kernel and its target tell the compiler.
func CompilerOptions(t *target.Target, k *lower.Kernel, fn *ast.Function, dialect ast.Dialect) (*compile.Options,
	error) {
	m, err := machineFor(t)
	if err != nil {
		return nil, diag.Errorf(diag.Pos{}, diag.CodeUsage, "%v", err).WithNote("choose another device with --gpu")
	}
	profile, err := pass.LookupProfile(profileOf(t, m))
	if err != nil {
		return nil, diag.AsDefect(err)
	}
	o := &compile.Options{Target: m, Profile: profile, Level: 2, Unroll: map[int]int{}, Machine: machine.Options{
		Accuracy: k.Accuracy, MaxThreads: int(fn.MaxWorkItems), MinGroups: int(fn.MinResident),
		LocalBytes: profile.LocalBytes}}
	if w := fn.WorkGroupSize; o.Machine.MaxThreads == 0 && w[0] > 0 {
		o.Machine.MaxThreads = int(w[0] * max(w[1], 1) * max(w[2], 1))
	}
	if o.Machine.MaxThreads == 0 && m.ISA == "gcn" {
		o.Machine.MaxThreads = int(fn.ClangGroup(dialect))
	}
	if t.Level == target.O0 {
		o.Level = 0
	}
	return o, nil
}

// profileOf names the profile of a compiler.
func profileOf(t *target.Target, m *machine.Target) string {
	switch {
	case t.Compiler == target.NoCompiler, t.Level == target.O0:
		return "none"
	case t.Compiler == target.Clang && m.ISA == "gcn":
		return "clang-amdgcn-14"
	case t.Compiler == target.Clang:
		return "clang-nvptx-14"
	}
	return "nvcc-11.8"
}

// machineFor is the target of a device, or the source itself at -O0.
func machineFor(t *target.Target) (*machine.Target, error) {
	if t.Level == target.O0 {
		return machine.LookupTarget("source")
	}
	return machineOf(t.Capability)
}

// machineOf is the target for a device of a capability as its vendor names it: that of the name, or the
// latest of the same family before it.
func machineOf(capability string) (*machine.Target, error) {
	if capability == "" {
		return machine.LookupTarget(defaultMachine)
	}
	name := capability
	if major, minor, ok := strings.Cut(capability, "."); ok {
		name = "sm_" + major + minor
	}
	names := machine.TargetNames()
	if slices.Contains(names, name) {
		return machine.LookupTarget(name)
	}
	best, wanted := "", generation(name)
	for _, n := range names {
		if g := generation(n); family(n) == family(name) && g <= wanted && (best == "" || g > generation(best)) {
			best = n
		}
	}
	if best == "" {
		return nil, fmt.Errorf("the compiler has no target for %s", capability)
	}
	return machine.LookupTarget(best)
}

// family and generation take a target's name apart: sm_ and 90, gfx9 and 0xa; a generation is hexadecimal.
func family(name string) string {
	if strings.HasPrefix(name, "gfx") && len(name) > 5 {
		return name[:len(name)-2]
	}
	return strings.TrimRight(name, "0123456789")
}

func generation(name string) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(name, family(name)), 16, 64)
	if err != nil {
		return -1
	}
	return n
}
