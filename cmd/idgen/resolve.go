package main

import (
	"errors"
	"slices"

	"gpupipe/cmd/internal/console"
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/target"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// lowered is a kernel with its launch and everything that resolving it needs.
type lowered struct {
	kernel  *lower.Kernel
	launch  *launch
	options unroll.Options
	wanted  registers
	limit   target.Limit // of registers
}

// prepare lowers a kernel and decides its launch.
func prepare(o *options, h hardware, s *source, u *ast.Unit, fn *ast.Function) (*lowered, error) {
	u.TensorCores, u.FastMath = h.tensorCores, o.fastMath
	k, err := lower.Lower(u, fn)
	if err != nil {
		return nil, err
	}
	if err := k.Verify(); err != nil {
		return nil, console.AsDefect(err)
	}
	l, err := chooseLaunch(o, fn, k)
	if err != nil {
		return nil, err
	}
	values, err := argumentValues(o, l.args, k)
	if err != nil {
		return nil, err
	}
	contents, err := bufferContents(o, k)
	if err != nil {
		return nil, err
	}
	if e := target.CheckLaunchBounds(h.device, h.compiler, fn); e != nil {
		l.notes.Add(e)
	}
	if e := target.CheckStaticLocal(k, s.dialect, h.compiler); e != nil {
		l.notes.Add(e)
	}
	limit := target.LimitOf(h.device, h.compiler, fn, s.dialect, l.local[0]*l.local[1]*l.local[2]).Grow(k.GrownRegisters)
	return &lowered{kernel: k, launch: l, wanted: o.registers, limit: limit, options: unroll.Options{
		Source: s.graphSource(), GPU: h.name, Level: o.level, Compiler: h.compiler,
		Local: l.local, Groups: l.groups, WarpSize: h.warpSize, Uniform: h.uniform, LocalKnown: l.localKnown, DynamicLocal: l.dynamicLocal,
		Args: values, Contents: contents, Trips: o.trips, AssumeTrips: o.assumeTrips, Unrolls: o.unrolls, Branches: o.branches, Barrier: h.barrier, MachineCode: h.machineCode, Pairs: h.pairs, Packed: h.packed, Measured: h.measured, SyncCopies: h.syncCopies,
		Notes: l.notes, Warps: o.warps.choice, WarpList: o.warps.list, Strict: o.strict, MaxInstructions: o.maxInstructions, Kinds: o.groupKinds(), Locality: o.locality, SectorBytes: h.sector,
	}}, nil
}

// resolve makes the graph and the diagnostics that go with it. Under --strict
// everything assumed is one error.
func (l *lowered) resolve() (*idg.Graph, diag.List, error) {
	strict := l.missing()
	r, err := unroll.Resolve(l.kernel, l.options)
	if err != nil {
		var list diag.List
		if errors.As(err, &list) && console.StatusOf(err) == console.Incomplete {
			strict = append(strict, list...)
			return nil, nil, sorted(strict)
		}
		return nil, nil, l.withAssumptions(err)
	}
	if len(strict) > 0 {
		return nil, nil, sorted(strict)
	}
	notes := append(append(diag.List(nil), l.launch.notes...), r.Warnings...)
	g, note := l.withRegisters(r.Graph, l.wanted)
	if note != nil {
		notes.Add(note)
	}
	return g, sorted(notes), nil
}

// withAssumptions adds to the error of a kernel that executes too much what was assumed of its
// launch, on which that may depend.
func (l *lowered) withAssumptions(err error) error {
	var e *diag.Error
	if !errors.As(err, &e) || e.Code != "TOO-LARGE" {
		return err
	}
	more := *e
	more.Notes = slices.Clone(e.Notes)
	for _, n := range l.launch.notes {
		if console.IsAssumption(n) && len(n.Notes) > 0 {
			_ = more.WithNote("%s: %s", n.Message, n.Notes[0])
		}
	}
	return &more
}

// missing are the launch's assumptions as errors, if they are errors.
func (l *lowered) missing() diag.List {
	var list diag.List
	for _, e := range l.launch.notes {
		if l.options.Strict && console.IsAssumption(e) {
			strict := *e
			strict.Severity = diag.SeverityError
			list.Add(&strict)
		}
	}
	return list
}

// sorted is a list by position, as an error; nil if it is empty.
func sorted(l diag.List) diag.List {
	l.Sort()
	return l
}
