package generate

import (
	"errors"
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/lower/compile"
	"gpupipe/lower/machine"
	"gpupipe/lower/translate"
	"gpupipe/unroll"
)

// Kernel is a kernel with its launch and everything that resolving it needs.
type Kernel struct {
	Lowered *lower.Kernel
	Launch  *Launch
	Options unroll.Options
	wanted  Registers
	limit   Limit // of registers
	program *Program
	fn      *ast.Function
	plain   []unroll.Location // loops whose pragmas do not count
	steps   int64             // that its graph took
}

// Prepare lowers a kernel and decides its launch.
func (p *Program) Prepare(fn *ast.Function) (*Kernel, error) {
	o, u, s := p.options, p.Unit, p.Source
	k, err := translate.Kernel(u, fn)
	if err != nil {
		return nil, err
	}
	l, err := chooseLaunch(o, fn, k)
	if err != nil {
		return nil, err
	}
	values, err := argumentValues(o, l.Args, k)
	if err != nil {
		return nil, err
	}
	contents, err := bufferContents(o, k)
	if err != nil {
		return nil, err
	}
	if e := CheckLaunchBounds(o.Device, u.Target.Compiler, fn); e != nil {
		l.notes.Add(e)
	}
	if e := CheckStaticLocal(k, s.Dialect, u.Target.Compiler); e != nil {
		l.notes.Add(e)
	}
	limit := LimitOf(o.Device, u.Target.Compiler, fn, s.Dialect, l.Local[0]*l.Local[1]*l.Local[2]).
		Grow(k.GrownRegisters)
	prepared := &Kernel{program: p, fn: fn, Lowered: k, Launch: l, wanted: o.Registers, limit: limit,
		Options: unroll.Options{
			Source: s.graphSource(), Target: u.Target,
			Local: l.Local, Groups: l.Groups, DynamicLocal: l.dynamicLocal,
			Inferred: strings.HasPrefix(l.LocalFrom, fromExtents),
			Args:     values, Contents: contents, Trips: o.Trips, AssumeTrips: o.AssumeTrips, Unrolls: o.Unrolls,
			Branches: o.Branches,
			Notes:    l.notes, Warps: o.Warps.Choice, WarpList: o.Warps.List, Strict: o.Strict,
			MaxInstructions: o.MaxInstructions,
			Kinds:           o.groupKinds(), Locality: o.Locality, Ended: o.Ended, Before: o.Before,
		}}
	prepared.assumeArguments()
	return prepared, nil
}

// Resolve makes the graph and the diagnostics that go with it. Under --strict
// everything assumed is one error.
func (k *Kernel) Resolve() (*idg.Graph, diag.List, error) {
	g, notes, err := k.execute(k.Code)
	if e, ok := errors.AsType[*diag.Error](err); ok && e.Code == "TOO-LARGE" {
		if other, ok := k.withoutAssumed(); ok {
			g, notes, err = other.execute(other.Code)
			k.steps = other.steps
		}
	}
	return g, notes, err
}

// ResolveLast is Resolve for a kernel, and its program, of which nothing is asked afterwards but Launch, Options and an
// outline of what is lowered: the trees are dropped on the way, which of a long kernel take as much memory as all
// the rest.
func (k *Kernel) ResolveLast() (*idg.Graph, diag.List, error) {
	if _, again := k.withoutAssumed(); again || len(k.plain) > 0 {
		return k.Resolve()
	}
	tree, fn, p, unit := k.Lowered, *k.fn, *k.program, *k.program.Unit
	fn.Body, unit.Kernels, unit.Globals, unit.Broken = nil, nil, nil, nil
	p.Unit = &unit
	k.Lowered, k.fn, k.program = tree.Outline(), &fn, &p
	return k.execute(func() (*machine.Code, error) {
		o, err := k.program.compiler(tree, k.fn, k.Options.Unrolls)
		if err != nil {
			return nil, err
		}
		last := tree
		tree = nil
		return compile.Compile(last, o)
	})
}

// Unrecorded are the diagnostics but for notes that a graph records, too.
func Unrecorded(g *idg.Graph, list diag.List) diag.List {
	return slices.DeleteFunc(list, func(e *diag.Error) bool {
		return e.Severity == diag.SeverityNote &&
			slices.ContainsFunc(g.Notes, func(n idg.Note) bool { return n.Code == e.Code && n.Text == e.Message })
	})
}

// WithAssumptions adds to the error of a kernel that executes too much what was assumed of its
// launch, on which that may depend.
func (k *Kernel) WithAssumptions(err error) error {
	var e *diag.Error
	if !errors.As(err, &e) || e.Code != "TOO-LARGE" {
		return err
	}
	more := *e
	more.Notes = slices.Clone(e.Notes)
	for _, n := range k.Launch.notes {
		if diag.IsAssumption(n) && len(n.Notes) > 0 {
			_ = more.WithNote("%s: %s", n.Message, n.Notes[0])
		}
	}
	return &more
}

// missing are the launch's assumptions as errors, if they are errors.
func (k *Kernel) missing() diag.List {
	var list diag.List
	for _, e := range k.Launch.notes {
		if k.Options.Strict && diag.IsAssumption(e) {
			strict := *e
			strict.Severity = diag.SeverityError
			list.Add(&strict)
		}
	}
	return list
}

// onlyAssumptions reports whether all errors of a list are assumptions.
func onlyAssumptions(list diag.List) bool {
	return !slices.ContainsFunc(list, func(e *diag.Error) bool {
		return e.Severity == diag.SeverityError && !diag.IsAssumption(e)
	})
}
