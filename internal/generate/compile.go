package generate

import (
	"cmp"
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
	"gpupipe/lower/profile"
	"gpupipe/lower/translate"
	"gpupipe/unroll"
	"gpupipe/unroll/walk"
)

// Compile compiles a kernel to machine code. Nothing of its launch is read.
func (p *Program) Compile(fn *ast.Function) (*machine.Code, error) {
	return p.compile(fn, p.options.Unrolls, nil)
}

// compile compiles a kernel with factors of loops, and some without their pragmas; chosen is compile.Options.Selected.
func (p *Program) compile(fn *ast.Function, unrolls []unroll.UnrollChoice, chosen func(*machine.Code) error,
	plain ...unroll.Location) (*machine.Code, error) {
	k, o, err := p.lowered(fn, unrolls)
	if err != nil {
		return nil, err
	}
	o.Selected = chosen
	if len(plain) > 0 { // which the options do not tell
		withoutPragmas(k, plain)
		return compile.Compile(k, o)
	}
	return p.codes.of(fn, o, func() (*machine.Code, error) { return compile.Compile(k, o) })
}

// IR compiles a kernel as far as a pass, "" for all of them.
func (p *Program) IR(fn *ast.Function, after string) (*ir.Func, error) {
	k, o, err := p.lowered(fn, p.options.Unrolls)
	if err != nil {
		return nil, err
	}
	return compile.IR(k, o, after)
}

// execute compiles a kernel and executes the code for its launch.
func (k *Kernel) execute(compile func() (*machine.Code, error)) (*idg.Graph, diag.List, error) {
	if err := k.Options.Check(k.Lowered); err != nil {
		return nil, nil, err
	}
	c, err := compile()
	if err != nil {
		return nil, nil, err
	}
	o, err := k.Options.WithDefaults()
	if err != nil {
		return nil, nil, err
	}
	strict := k.missing()
	if note := k.program.foreign(c, o.Level); note != nil {
		o.Notes = append(slices.Clone(o.Notes), note)
		k.Launch.notes.Add(note)
	}
	o.Steps = &k.steps
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
	limit := k.limit
	if k.wanted.Number > 0 {
		limit.why = "--registers gives"
	}
	if note := checkSpills(c, g, limit); note != nil {
		notes.Add(note)
	}
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
	unrolled(o, k, options.Unrolls)
	c, err := compile.Compile(k, o)
	if err != nil {
		return nil, nil, err
	}
	return walk.Execute(k, c, options)
}

// foreign is a note on code that stands in for that of a device, nil where it is its own. At -O0 nothing is compiled.
func (p *Program) foreign(c *machine.Code, level target.Level) *diag.Error {
	d := p.options.Device
	if d == nil || level == target.O0 || !standsIn(c.Target, d.Capability) {
		return nil
	}
	return diag.Notef(diag.Pos{}, "TARGET", "the compiler has no target for %s (%s): the code is that of %s, the "+
		"earliest one", d.Title, d.Capability, c.Target.Name)
}

// lowered is the tree of a kernel and what its compiler is told.
func (p *Program) lowered(fn *ast.Function, unrolls []unroll.UnrollChoice) (*lower.Kernel, *compile.Options, error) {
	k, err := translate.Kernel(p.Unit, fn)
	if err != nil {
		return nil, nil, err
	}
	o, err := p.compiler(k, fn, unrolls)
	return k, o, err
}

// compiler is what the compiler of a kernel is told.
func (p *Program) compiler(k *lower.Kernel, fn *ast.Function, unrolls []unroll.UnrollChoice) (*compile.Options,
	error) {
	o, err := CompilerOptions(&p.Unit.Target, k, fn, p.Source.Dialect)
	if err != nil {
		return nil, err
	}
	o.Known = p.options.Known
	o.Machine.MaxRegisters = p.options.Registers.Number
	if d := p.options.Device; d != nil && o.Machine.MaxRegisters == 0 && d.Limits.RegistersPerItem > 0 {
		o.Machine.MaxRegisters = int(d.Limits.RegistersPerItem)
	}
	unrolled(o, k, unrolls)
	return o, nil
}

// unrolled gives the compiler the factors of a kernel's loops.
func unrolled(o *compile.Options, k *lower.Kernel, unrolls []unroll.UnrollChoice) {
	for _, l := range k.Loops {
		matches := func(u unroll.UnrollChoice) bool { return u.At.Matches(l.Pos) }
		if i := slices.IndexFunc(unrolls, matches); i >= 0 { // the first counts
			o.Unroll[int(l.ID)] = int(unrolls[i].Factor)
		}
	}
}

// CompilerOptions is what a kernel and its target tell the compiler.
func CompilerOptions(t *target.Target, k *lower.Kernel, fn *ast.Function, dialect ast.Dialect) (*compile.Options,
	error) {
	m, err := machineFor(t)
	if err != nil {
		return nil, diag.Errorf(diag.Pos{}, diag.CodeUsage, "%v", err).WithNote("choose another device with --gpu")
	}
	rules, err := profile.Lookup(profileOf(t, m))
	if err != nil {
		return nil, diag.AsDefect(err)
	}
	o := &compile.Options{Target: m, Profile: rules, Level: 2, Unroll: map[int]int{}, Machine: machine.Options{
		Accuracy: k.Accuracy, MaxThreads: int(fn.MaxWorkItems), MinGroups: int(fn.MinResident),
		Grown:      k.GrownRegisters,
		LocalBytes: rules.LocalBytes, VIADD: rules.VIADD && hasVIADD(m), Library: rules.Library,
		Hoist: rules.Hoist}}
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
		return "clang-amdgcn-" + cmp.Or(t.Version, "14")
	case t.Compiler == target.Clang:
		return "clang-nvptx-" + cmp.Or(t.Version, "14")
	case t.Version != "":
		return "nvcc-" + t.Version
	}
	if g := generation(m.Name); g >= 0x90 && vendor(m.Name) == "sm_" {
		return "nvcc-13"
	}
	return "nvcc-11.8"
}

// hasVIADD reports whether a target has an addition for the pipe of multiply-adds.
func hasVIADD(m *machine.Target) bool { return vendor(m.Name) == "sm_" && generation(m.Name) >= 0x90 }

// machineFor is the target of a device, or the source itself at -O0.
func machineFor(t *target.Target) (*machine.Target, error) {
	if t.Level == target.O0 {
		return machine.LookupTarget("source")
	}
	return machineOf(t.Capability)
}

// machineOf is the target for a device of a capability as its vendor names it: that of the name, or the
// latest of the same vendor before it; before the first one that is known, that one.
func machineOf(capability string) (*machine.Target, error) {
	name := targetName(capability)
	wanted, best := generation(name), ""
	for _, n := range machine.TargetNames() {
		if n == name {
			return machine.LookupTarget(n)
		}
		g := generation(n)
		if vendor(n) != vendor(name) || g < 0 {
			continue
		}
		if b := generation(best); best == "" || g <= wanted && g > b || b > wanted && g < b {
			best = n
		}
	}
	if best == "" {
		return nil, fmt.Errorf("the compiler has no target for %s", capability)
	}
	return machine.LookupTarget(best)
}

// standsIn reports whether a target is later than what a device has the capability for.
func standsIn(t *machine.Target, capability string) bool {
	return generation(t.Name) > generation(targetName(capability))
}

// targetName is what compilers call a capability.
func targetName(capability string) string {
	name := cmp.Or(capability, target.DefaultCapability)
	if major, minor, ok := strings.Cut(name, "."); ok {
		name = "sm_" + major + minor
	}
	return name
}

// vendor and generation take a target's name apart: sm_ and 90, gfx and 0x90a; a generation is hexadecimal.
func vendor(name string) string { return strings.TrimRight(name, "0123456789abcdef") }

func generation(name string) int64 {
	n, err := strconv.ParseInt(strings.TrimPrefix(name, vendor(name)), 16, 64)
	if err != nil {
		return -1
	}
	return n
}
