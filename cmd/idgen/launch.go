package main

import (
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
)

// Codes of diagnostics about the launch. Those of values that nothing in the
// source supports begin with ASSUMED- and are errors under --strict.
const (
	codeLaunch         = "LAUNCH"
	codeAssumedLaunch  = "ASSUMED-LAUNCH" // of a run of the program without arguments
	codeAssumedLocal   = "ASSUMED-LOCAL"
	codeAssumedGroups  = "ASSUMED-GROUPS"
	codeAssumedDynamic = "ASSUMED-DYNAMIC-LOCAL"
)

// Group sizes and numbers of groups for launches about which nothing is known,
// by dimension. 256 work items suit every device; 4096 groups are several waves
// on large ones too: 31 groups for each of 132 compute units (H100) that holds
// eight of them.
var (
	assumedLocal  = [4][3]int64{1: {256, 1, 1}, 2: {16, 16, 1}, 3: {8, 8, 4}}
	assumedGroups = [4][3]int64{1: {4096, 1, 1}, 2: {64, 64, 1}, 3: {16, 16, 16}}
)

// assumedGroupItems is the size of assumed groups in work items.
const assumedGroupItems = 256

// maxGroupItems is the largest work group that is inferred: the limit of the devices
// since Fermi.
const maxGroupItems = 1024

// launch is the execution configuration of a kernel and where it is from.
type launch struct {
	local, groups [3]int64
	localFrom     string // "--local", "directive", "reqd_work_group_size", ...
	groupsFrom    string
	localKnown    bool // by the compiler too
	dynamicLocal  int64
	args          []ast.DirectiveArg // of the directive, else of the source's launch
	argsFrom      string             // where those are from that the directive does not give
	notes         diag.List          // what was inferred, assumed or rounded
}

// launcher infers the launch of one kernel.
type launcher struct {
	launch
	o  *options
	fn *ast.Function
	k  *lower.Kernel
	d  *ast.LaunchDirective // never nil
	// host is the launch of the source's that is taken, nil = none; its sizes may be zeros.
	host     *ast.HostLaunch
	hostFrom string
}

// chooseLaunch decides the launch of a kernel: flags, then the directive, then the launch of the
// source's host code, then what the source implies, then a guess.
func chooseLaunch(o *options, fn *ast.Function, k *lower.Kernel) (*launch, error) {
	l := &launcher{o: o, fn: fn, k: k, d: fn.Launch}
	if l.d == nil {
		l.d = &ast.LaunchDirective{Pos: fn.Pos}
	}
	l.localKnown = fn.WorkGroupSize != [3]int64{}
	for _, step := range []func() error{l.chooseHostLaunch, l.chooseLocal, l.checkLocal, l.chooseGroups, l.chooseDynamic, l.chooseArgs} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return &l.launch, nil
}

func (l *launcher) chooseLocal() error {
	switch {
	case len(l.o.local) > 0:
		l.local, l.localFrom = l.o.local.full(), "--local"
	case l.d.Local != nil:
		l.local, l.localFrom = sizes(l.d.Local).full(), "directive"
	case l.host != nil && l.host.Local[0] > 0:
		l.local, l.localFrom = l.host.Local, l.hostFrom
	case l.localKnown:
		l.local, l.localFrom = atLeastOne(l.fn.WorkGroupSize), "reqd_work_group_size"
	default:
		l.inferLocal()
	}
	return nil
}

// inferLocal takes the group size from local arrays, or assumes one: what __launch_bounds__ allows, as it
// is mostly written for the size that is launched, unless that is what any device allows.
func (l *launcher) inferLocal() {
	dims := dimensionsOf(l.k).items
	l.local, l.localFrom = assumedLocal[dims], "assumed"
	why := ""
	if n := l.fn.MaxWorkItems; n > 0 && (n < assumedGroupItems || dims == 1 && n < maxGroupItems) {
		l.local, l.localFrom = [3]int64{n, 1, 1}, "__launch_bounds__"
		why = ", the most that __launch_bounds__ allows"
	}
	extent := localExtents(l.k)
	if local, names, ok := extent.group(dims); ok {
		l.local, l.localFrom = local, "extents of "+names
		l.note(codeLaunch, "work groups of %v work items are inferred from the extents of local array %s", trimmed(l.local), names).
			WithNote("--local gives another size")
		return
	}
	l.note(codeAssumedLocal, "work groups of %v work items are assumed%s", trimmed(l.local), why).
		WithNote("give the size with --local, or in the source with // idgen: local=...")
}

// checkLocal compares the group size with what the source demands.
func (l *launcher) checkLocal() error {
	pos := l.fn.Pos
	if l.localFrom == "directive" {
		pos = l.d.Pos
	}
	if required := atLeastOne(l.fn.WorkGroupSize); l.localKnown && l.local != required {
		return diag.Errorf(pos, codeLaunch, "the work group is %v (%s), but the kernel requires %v (reqd_work_group_size)", trimmed(l.local), l.localFrom, trimmed(required))
	}
	items := l.local[0] * l.local[1] * l.local[2]
	if most := l.fn.MaxWorkItems; most > 0 && items > most {
		return diag.Errorf(pos, codeLaunch, "the work group has %d work items (%s), but the kernel allows %d (__launch_bounds__)", items, l.localFrom, most)
	}
	return nil
}

func (l *launcher) chooseGroups() error {
	switch {
	case len(l.o.groups) > 0:
		l.groups, l.groupsFrom = l.o.groups.full(), "--groups"
	case len(l.o.global) > 0:
		l.divide(l.o.global, l.fn.Pos, "--global")
		l.groupsFrom = "--global"
	case l.d.Global != nil:
		l.divide(l.d.Global, l.d.Pos, "global")
		l.groupsFrom = "directive"
		if l.d.Groups != nil && l.groups != sizes(l.d.Groups).full() {
			return diag.Errorf(l.d.Pos, codeLaunch, "global=%v and groups=%v contradict each other with work groups of %v", sizes(l.d.Global), sizes(l.d.Groups), trimmed(l.local))
		}
	case l.d.Groups != nil:
		l.groups, l.groupsFrom = sizes(l.d.Groups).full(), "directive"
	case l.host != nil && l.host.Groups[0] > 0:
		l.groups, l.groupsFrom = l.host.Groups, l.hostFrom
	default:
		l.groups, l.groupsFrom = assumedGroups[dimensionsOf(l.k).groups], "assumed"
		l.note(codeAssumedGroups, "a launch of %v groups is assumed", trimmed(l.groups)).
			WithNote("give the size with --global or --groups, or in the source with // idgen: global=...")
	}
	return nil
}

// divide sets the number of groups that make up a number of work items, rounded up:
// OpenCL 1.2 requires multiples (clEnqueueNDRangeKernel).
func (l *launcher) divide(global sizes, pos diag.Pos, name string) {
	rounded := false
	items := global.full()
	for d := range items {
		l.groups[d] = (items[d]-1)/l.local[d] + 1
		if n := l.groups[d] * l.local[d]; n != items[d] {
			items[d], rounded = n, true
		}
	}
	if rounded {
		l.notes.Add(diag.Warningf(pos, codeLaunch, "%s %v is not a multiple of the work group %v: rounded up to %v", name, global, trimmed(l.local), trimmed(items)))
	}
}

// chooseDynamic sets the size of local memory that the launch gives.
func (l *launcher) chooseDynamic() error {
	var dynamic *lower.Object
	for i := range l.k.Objects {
		if o := &l.k.Objects[i]; o.Space == idg.SpaceLocal && o.Dynamic {
			dynamic = o
		}
	}
	l.dynamicLocal = max(0, l.o.dynamicLocal)
	switch {
	case l.o.dynamicLocal >= 0:
		if dynamic == nil && l.o.dynamicLocal > 0 {
			l.notes.Add(diag.Warningf(l.fn.Pos, codeLaunch, "--dynamic-local %d: kernel %s has no local memory whose size the launch gives", l.o.dynamicLocal, l.fn.Name))
		}
	case l.d.DynamicLocal > 0:
		l.dynamicLocal = l.d.DynamicLocal
	case dynamic != nil && l.host != nil && l.host.DynamicLocal >= 0:
		l.dynamicLocal = l.host.DynamicLocal
	case dynamic != nil:
		l.notes.Add(diag.Notef(dynamic.Pos, codeAssumedDynamic, "the size of %s is not known; it is taken to be 0 bytes, so that it does not limit the occupancy", dynamic.Name).
			WithNote("give it with --dynamic-local"))
	}
	return nil
}

// chooseArgs collects the scalar arguments that the source gives.
func (l *launcher) chooseArgs() error {
	if l.host != nil {
		l.args, l.argsFrom = append(l.args, l.host.Args...), l.hostFrom
	}
	l.args = append(l.args, l.d.Args...) // the last one counts
	return nil
}

func (l *launcher) note(code, format string, args ...any) *diag.Error {
	e := diag.Notef(l.fn.Pos, code, format, args...)
	l.notes.Add(e)
	return e
}

// atLeastOne fills in the dimensions that are not given.
func atLeastOne(d [3]int64) [3]int64 {
	for i := range d {
		d[i] = max(1, d[i])
	}
	return d
}

// trimmed drops trailing dimensions of extent 1.
func trimmed(d [3]int64) sizes {
	n := 3
	for n > 1 && d[n-1] == 1 {
		n--
	}
	return d[:n]
}

func (l *launch) String() string {
	return (&idg.Launch{Local: l.local, Groups: l.groups}).Sizes()
}
