package generate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/unroll"
)

// HostLaunch says which launch of the source's host code is taken. The zero
// value is the first one whose sizes are known.
type HostLaunch struct {
	None bool            // no launch
	At   unroll.Location // Line 0 = not given
}

// matches reports whether a launch is the one that was asked for.
func (c HostLaunch) matches(p diag.Pos) bool {
	return c.At.Line == p.Line && (c.At.File == "" || c.At.File == p.File || strings.HasSuffix(p.File, "/"+c.At.File))
}

// chooseHostLaunch takes a launch of the source's host code, unless flags or the directive give
// sizes: those of another launch would not go with them. Where a flag gives the number of groups
// alone, the rest of a launch is taken.
func (l *launcher) chooseHostLaunch() error {
	asked := l.o.HostLaunch.At.Line > 0
	said := l.d.Local != nil || l.d.Global != nil || l.d.Groups != nil
	if l.o.HostLaunch.None || len(l.o.Local) > 0 || said && !asked {
		return nil
	}
	if asked {
		l.d = &ast.LaunchDirective{Pos: l.d.Pos, DynamicLocal: l.d.DynamicLocal, Args: l.d.Args}
	}
	var list []*ast.HostLaunch
	for i := range l.fn.HostLaunches {
		if h := &l.fn.HostLaunches[i]; !asked || l.o.HostLaunch.matches(h.Pos) {
			list = append(list, h)
		}
	}
	if len(list) == 0 {
		if !asked {
			return nil
		}
		e := diag.Errorf(l.fn.Pos, codeLaunch, "--launch %v: there is no launch of kernel %s",
			l.o.HostLaunch.At, l.fn.Name)
		if len(l.fn.HostLaunches) > 0 {
			return e.WithNote("its launches: %s", l.linesOf(pointers(l.fn.HostLaunches)))
		}
		return e.WithNote("the source has none that host code makes by <<< >>>")
	}
	best := list[0]
	for _, h := range list {
		if known(h) > known(best) {
			best = h
		}
	}
	if l.o.givesGroups() {
		best = withoutGroups(best)
	}
	l.takeHostLaunch(best)
	return nil
}

// givesGroups reports whether flags say how many groups there are.
func (o *Options) givesGroups() bool { return len(o.Global) > 0 || len(o.Groups) > 0 }

// withoutGroups is a launch about whose number of groups nothing is said.
func withoutGroups(h *ast.HostLaunch) *ast.HostLaunch {
	rest := *h
	rest.Groups = [3]int64{}
	rest.Unknown = slices.DeleteFunc(slices.Clone(h.Unknown), func(why string) bool {
		return strings.HasPrefix(why, "the groups: ")
	})
	return &rest
}

// known is how much is known of a launch: both sizes before one of them, and groups of
// a known size before a number of them.
func known(h *ast.HostLaunch) int {
	n := 0
	if h.Local[0] > 0 {
		n += 2
	}
	if h.Groups[0] > 0 {
		n++
	}
	return n
}

func pointers(list []ast.HostLaunch) (out []*ast.HostLaunch) {
	for i := range list {
		out = append(out, &list[i])
	}
	return out
}

// linesOf names the lines of launches: "line 8", "b.cu:9" or "lines 8 and b.cu:9".
func (l *launcher) linesOf(list []*ast.HostLaunch) string {
	var lines []string
	for _, h := range list {
		s := strconv.Itoa(h.Pos.Line)
		if h.Pos.File != l.fn.Pos.File {
			s = h.Pos.File + ":" + s
		}
		if !slices.Contains(lines, s) {
			lines = append(lines, s)
		}
	}
	if len(lines) == 1 && strings.Contains(lines[0], ":") {
		return lines[0]
	}
	if len(lines) == 1 {
		return "line " + lines[0]
	}
	return "lines " + strings.Join(lines[:len(lines)-1], ", ") + " and " + lines[len(lines)-1]
}

// takeHostLaunch makes a launch of the source's the kernel's, and says what of it is not known.
func (l *launcher) takeHostLaunch(h *ast.HostLaunch) {
	where := l.linesOf([]*ast.HostLaunch{h})
	if why := l.contradiction(h); why != "" {
		h = &ast.HostLaunch{Pos: h.Pos, DynamicLocal: -1, Unknown: append([]string{why}, h.Unknown...)}
	}
	l.host, l.hostFrom = h, "launch in "+where
	var taken []string
	if h.Groups[0] > 0 {
		taken = append(taken, fmt.Sprintf("%v groups", Trimmed(h.Groups)))
	}
	if h.Local[0] > 0 {
		taken = append(taken, fmt.Sprintf("groups of %v work items", Trimmed(h.Local)))
	}
	if h.Known() {
		taken = []string{(&idg.Launch{Local: h.Local, Groups: h.Groups}).Sizes()}
	}
	if h.DynamicLocal > 0 && l.o.DynamicLocal < 0 && l.d.DynamicLocal == 0 {
		taken = append(taken, fmt.Sprintf("%d bytes of dynamic local memory", h.DynamicLocal))
	}
	for _, a := range h.Args {
		if !l.givesArgument(a.Name) {
			taken = append(taken, a.Name+"="+ValueText(a.Value))
		}
	}
	code := codeLaunch
	if h.NoArguments && len(taken) > 0 {
		code, where = codeAssumedLaunch, where+", as of a run without arguments,"
	}
	if h.FirstOf != "" && len(taken) > 0 {
		code, where = codeAssumedLaunch, where+", in the first iteration of the loop of "+h.FirstOf+","
	}
	var e *diag.Error
	switch {
	case len(taken) > 0 && len(h.Unknown) > 0:
		e = diag.Notef(h.Pos, code, "of the launch in %s is taken: %s; not known: %s", where, strings.Join(taken, ", "),
			strings.Join(h.Unknown, "; "))
	case len(taken) > 0 && l.o.givesGroups():
		e = diag.Notef(h.Pos, code, "of the launch in %s is taken: %s", where, strings.Join(taken, ", "))
	case len(taken) > 0:
		e = diag.Notef(h.Pos, code, "the launch in %s is taken: %s", where, strings.Join(taken, ", "))
	default:
		e = diag.Notef(h.Pos, codeLaunch, "the launch in %s is not taken; not known: %s", where,
			strings.Join(h.Unknown, "; "))
	}
	if lacking := l.lackingArguments(h); len(taken) > 0 && len(lacking) > 0 {
		e.WithNote("not known of its arguments: %s; give --arg %s=VALUE", strings.Join(lacking, ", "), lacking[0])
	}
	l.notes.Add(l.withOthers(e, h, len(taken) > 0))
}

// lackingArguments are the whole numbers among the kernel's arguments that a launch leaves
// open, and nobody else gives: they are what trip counts and subscripts depend on.
func (l *launcher) lackingArguments(h *ast.HostLaunch) []string {
	var names []string
	for _, p := range l.k.Params {
		given := slices.ContainsFunc(h.Args, func(a ast.DirectiveArg) bool { return a.Name == p.Name })
		if p.Type.IsInteger() && !given && !l.givesArgument(p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// withOthers adds to a note which other launches there are.
func (l *launcher) withOthers(e *diag.Error, h *ast.HostLaunch, taken bool) *diag.Error {
	var others []*ast.HostLaunch
	for i := range l.fn.HostLaunches {
		if other := &l.fn.HostLaunches[i]; other.Pos != h.Pos {
			others = append(others, other)
		}
	}
	switch {
	case len(others) > 0:
		return e.WithNote("there are others in %s: --launch LINE takes one of them, --launch none takes none",
			l.linesOf(others))
	case !taken:
		return e.WithNote("--local and --groups give the sizes")
	}
	return e.WithNote("--local and --groups give other sizes, --arg other arguments; --launch none takes nothing of it")
}

// givesArgument reports whether a flag or the directive gives a scalar argument.
func (l *launcher) givesArgument(name string) bool {
	return slices.ContainsFunc(l.o.Args, func(a Argument) bool { return a.Name == name }) ||
		slices.ContainsFunc(l.d.Args, func(a ast.DirectiveArg) bool { return a.Name == name })
}

// contradiction says why a launch cannot be the kernel's, if so.
func (l *launcher) contradiction(h *ast.HostLaunch) string {
	if h.Local[0] == 0 {
		return ""
	}
	if required := AtLeastOne(l.fn.WorkGroupSize); l.localKnown && h.Local != required {
		return fmt.Sprintf("the work items: the kernel requires groups of %v, not of %v", Trimmed(required),
			Trimmed(h.Local))
	}
	if n := h.Local[0] * h.Local[1] * h.Local[2]; l.fn.MaxWorkItems > 0 && n > l.fn.MaxWorkItems {
		return fmt.Sprintf("the work items: the kernel allows groups of %d (__launch_bounds__), not of %d",
			l.fn.MaxWorkItems, n)
	}
	return ""
}
