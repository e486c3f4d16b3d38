package generate

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
	fromExtents        = "extents of "    // the array follows
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

// Launch is the execution configuration of a kernel and where it is from.
type Launch struct {
	Local, Groups [3]int64
	LocalFrom     string // "--local", "directive", "reqd_work_group_size", ...
	GroupsFrom    string
	localKnown    bool // by the compiler too
	dynamicLocal  int64
	Args          []ast.DirectiveArg // of the directive, else of the source's launch
	ArgsFrom      string             // where those are from that the directive does not give
	notes         diag.List          // what was inferred, assumed or rounded
}

// launcher infers the launch of one kernel.
type launcher struct {
	Launch
	o  *Options
	fn *ast.Function
	k  *lower.Kernel
	d  *ast.LaunchDirective // never nil
	// host is the launch of the source's that is taken, nil = none; its sizes may be zeros.
	host     *ast.HostLaunch
	hostFrom string
}

// chooseLaunch decides the launch of a kernel: flags, then the directive, then the launch of the
// source's host code, then what the source implies, then a guess.
func chooseLaunch(o *Options, fn *ast.Function, k *lower.Kernel) (*Launch, error) {
	l := &launcher{o: o, fn: fn, k: k, d: fn.Launch}
	if l.d == nil {
		l.d = &ast.LaunchDirective{Pos: fn.Pos}
	}
	l.localKnown = fn.WorkGroupSize != [3]int64{}
	for _, step := range []func() error{l.chooseHostLaunch, l.chooseLocal, l.checkLocal, l.chooseGroups,
		l.chooseDynamic, l.chooseArgs} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	chosen := l.Launch // without the trees
	return &chosen, nil
}

func (l *launcher) chooseLocal() error {
	switch {
	case len(l.o.Local) > 0:
		l.Local, l.LocalFrom = l.o.Local.full(), "--local"
	case l.d.Local != nil:
		l.Local, l.LocalFrom = Sizes(l.d.Local).full(), "directive"
	case l.host != nil && l.host.Local[0] > 0:
		l.Local, l.LocalFrom = l.host.Local, l.hostFrom
	case l.localKnown:
		l.Local, l.LocalFrom = AtLeastOne(l.fn.WorkGroupSize), "reqd_work_group_size"
	default:
		l.inferLocal()
	}
	return nil
}

// inferLocal takes the group size from local arrays, or assumes one: what __launch_bounds__ allows, as it
// is mostly written for the size that is launched, unless that is what any device allows.
func (l *launcher) inferLocal() {
	dims := dimensionsOf(l.k).items
	l.Local, l.LocalFrom = assumedLocal[dims], "assumed"
	why := ""
	if n := l.fn.MaxWorkItems; n > 0 && (n < assumedGroupItems || dims == 1 && n < maxGroupItems) {
		l.Local, l.LocalFrom = [3]int64{n, 1, 1}, "__launch_bounds__"
		why = ", the most that __launch_bounds__ allows"
	}
	extent := localExtents(l.k)
	if local, names, ok := extent.group(dims); ok {
		l.Local, l.LocalFrom = local, fromExtents+names
		l.note(codeLaunch, "work groups of %v work items are inferred from the extents of local array %s",
			Trimmed(l.Local), names).
			WithNote("--local gives another size")
		return
	}
	l.note(codeAssumedLocal, "work groups of %v work items are assumed%s", Trimmed(l.Local), why).
		WithNote("give the size with --local, or in the source with // idgen: local=...")
}

// checkLocal compares the group size with what the source demands.
func (l *launcher) checkLocal() error {
	pos := l.fn.Pos
	if l.LocalFrom == "directive" {
		pos = l.d.Pos
	}
	if required := AtLeastOne(l.fn.WorkGroupSize); l.localKnown && l.Local != required {
		return diag.Errorf(pos, codeLaunch,
			"the work group is %v (%s), but the kernel requires %v (reqd_work_group_size)", Trimmed(l.Local),
			l.LocalFrom, Trimmed(required))
	}
	items := l.Local[0] * l.Local[1] * l.Local[2]
	if most := l.fn.MaxWorkItems; most > 0 && items > most {
		return diag.Errorf(pos, codeLaunch,
			"the work group has %d work items (%s), but the kernel allows %d (__launch_bounds__)", items,
			l.LocalFrom, most)
	}
	return nil
}

func (l *launcher) chooseGroups() error {
	switch {
	case len(l.o.Groups) > 0:
		l.Groups, l.GroupsFrom = l.o.Groups.full(), "--groups"
	case len(l.o.Global) > 0:
		l.divide(l.o.Global, l.fn.Pos, "--global")
		l.GroupsFrom = "--global"
	case l.d.Global != nil:
		l.divide(l.d.Global, l.d.Pos, "global")
		l.GroupsFrom = "directive"
		if l.d.Groups != nil && l.Groups != Sizes(l.d.Groups).full() {
			return diag.Errorf(l.d.Pos, codeLaunch,
				"global=%v and groups=%v contradict each other with work groups of %v", Sizes(l.d.Global),
				Sizes(l.d.Groups), Trimmed(l.Local))
		}
	case l.d.Groups != nil:
		l.Groups, l.GroupsFrom = Sizes(l.d.Groups).full(), "directive"
	case l.host != nil && l.host.Groups[0] > 0:
		l.Groups, l.GroupsFrom = l.host.Groups, l.hostFrom
	default:
		l.Groups, l.GroupsFrom = assumedGroups[dimensionsOf(l.k).groups], "assumed"
		l.note(codeAssumedGroups, "a launch of %v groups is assumed", Trimmed(l.Groups)).
			WithNote("give the size with --global or --groups, or in the source with // idgen: global=...")
	}
	return nil
}

// divide sets the number of groups that make up a number of work items, rounded up:
// OpenCL 1.2 requires multiples (clEnqueueNDRangeKernel).
func (l *launcher) divide(global Sizes, pos diag.Pos, name string) {
	rounded := false
	items := global.full()
	for d := range items {
		l.Groups[d] = (items[d]-1)/l.Local[d] + 1
		if n := l.Groups[d] * l.Local[d]; n != items[d] {
			items[d], rounded = n, true
		}
	}
	if rounded {
		l.notes.Add(diag.Warningf(pos, codeLaunch, "%s %v is not a multiple of the work group %v: rounded up to %v",
			name, global, Trimmed(l.Local), Trimmed(items)))
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
	l.dynamicLocal = max(0, l.o.DynamicLocal)
	switch {
	case l.o.DynamicLocal >= 0:
		if dynamic == nil && l.o.DynamicLocal > 0 {
			l.notes.Add(diag.Warningf(l.fn.Pos, codeLaunch,
				"--dynamic-local %d: kernel %s has no local memory whose size the launch gives", l.o.DynamicLocal,
				l.fn.Name))
		}
	case l.d.DynamicLocal > 0:
		l.dynamicLocal = l.d.DynamicLocal
	case dynamic != nil && l.host != nil && l.host.DynamicLocal >= 0:
		l.dynamicLocal = l.host.DynamicLocal
	case dynamic != nil:
		l.notes.Add(diag.Notef(dynamic.Pos, codeAssumedDynamic,
			"the size of %s is not known; it is taken to be 0 bytes, so that it does not limit the occupancy",
			dynamic.Name).
			WithNote("give it with --dynamic-local"))
	}
	return nil
}

// chooseArgs collects the scalar arguments that the source gives.
func (l *launcher) chooseArgs() error {
	if l.host != nil {
		l.Args, l.ArgsFrom = append(l.Args, l.host.Args...), l.hostFrom
	}
	l.Args = append(l.Args, l.d.Args...) // the last one counts
	return nil
}

func (l *launcher) note(code, format string, args ...any) *diag.Error {
	e := diag.Notef(l.fn.Pos, code, format, args...)
	l.notes.Add(e)
	return e
}

func (l *Launch) String() string {
	return (&idg.Launch{Local: l.Local, Groups: l.Groups}).Sizes()
}
