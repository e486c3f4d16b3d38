package frontend

import (
	"fmt"
	"slices"
)

// HostLaunch is a launch of a kernel in the host code of its file, as far as constants decide
// it: literals, macros, constants, variables that are computed from these, and functions of the
// file of such arguments. What comes from the command line, files or the device is not known.
type HostLaunch struct {
	Pos          Pos      // to the line
	Groups       [3]int64 // the grid, in work groups; zeros = not known
	Local        [3]int64 // the block, in work items; zeros = not known
	DynamicLocal int64    // bytes; -1 = not known
	Args         []DirectiveArg
	// Unknown says of the groups, of the work items and of the dynamic local memory, in this
	// order, why they are not known, if so.
	Unknown []string
}

// Known reports whether the launch's sizes are known.
func (h *HostLaunch) Known() bool { return h.Groups[0] > 0 && h.Local[0] > 0 }

// The largest grid and block that devices since Kepler take (CUDA C++ Programming Guide,
// technical specifications per compute capability).
var (
	mostGroups = [3]int64{1<<31 - 1, 65535, 65535}
	mostItems  = [3]int64{1024, 1024, 64}
)

const mostBlockItems = 1024

// hostLaunch is a launch as the interpretation comes by it.
type hostLaunch struct {
	pos                 Pos
	kernel              string
	template            []hostArgument
	grid, block, shared hostValue
	args                []hostValue // nil: not given by values
}

// chevrons takes the launch down whose <<< is token k.
func (r *hostRun) chevrons(k int) {
	end := k + 1
	for ; end < len(r.toks) && !r.is(end, ">>>"); end++ {
		if c := r.shape.closing(end); c > end {
			end = c
		} else if r.is(end, ";") {
			return
		}
	}
	open := end + 1
	if r.quiet || !r.is(open, "(") || r.shape.closing(open) < 0 {
		return
	}
	u := hostLaunch{pos: r.pos(k)}
	if !r.kernelName(&u, k) {
		return
	}
	r.configure(&u, r.argumentTokens(k+1, end), 0, 1, 2)
	u.args = r.arguments(open)
	r.note(u)
}

// note takes a launch down, unless the interpretation was broken off while its values were computed.
func (r *hostRun) note(u hostLaunch) {
	if r.spend(0) {
		r.launches = append(r.launches, u)
	}
}

// kernelName reads the kernel's name and template arguments in front of token end.
func (r *hostRun) kernelName(u *hostLaunch, end int) bool {
	name := r.prev(end)
	if r.is(name, ">") || r.is(name, ">>") {
		depth, lt := 0, name
		for ; lt > 0 && name-lt < 400; lt = r.prev(lt) {
			switch r.at(lt) {
			case ">", ">>":
				depth += len(r.at(lt))
			case "<":
				depth--
			case ";", "{", "}":
				return false
			}
			if depth == 0 {
				break
			}
		}
		u.template = r.templateList(lt+1, name)
		name = r.prev(lt)
	}
	u.kernel = r.at(name)
	return r.kindOf(name) == tokIdent
}

// launchCall takes the launch down that a function of the runtime makes, its name at token k.
func (r *hostRun) launchCall(k int) {
	open := k + 1
	closing := r.shape.closing(open)
	if r.quiet || closing < 0 {
		return
	}
	first := open + 1
	for again := true; again; { // casts, & and HIP_KERNEL_NAME in front of the name
		again = false
		if c := r.shape.closing(first); r.is(first, "(") && c > 0 && !r.is(c+1, ",") {
			first, again = c+1, true
		} else if r.is(first, "(") || r.is(first, "&") || r.is(first, "HIP_KERNEL_NAME") {
			first, again = first+1, true
		}
	}
	end, _ := r.typeName(first)
	u := hostLaunch{pos: r.pos(k)}
	if end <= first || !r.kernelName(&u, end) {
		return
	}
	for r.is(end, ")") {
		end++
	}
	if !r.is(end, ",") || end >= closing {
		return
	}
	parts := r.argumentTokens(end+1, closing)
	if r.is(k, "hipLaunchKernelGGL") {
		r.configure(&u, parts, 0, 1, 2)
		u.args = []hostValue{}
		for _, part := range parts[min(4, len(parts)):] {
			u.args = append(u.args, r.eval(part[0], part[1]))
		}
	} else {
		r.configure(&u, parts, 0, 1, 3)
	}
	r.note(u)
}

// configure evaluates the grid, the block and the shared memory of a launch, the parts of these
// numbers.
func (r *hostRun) configure(u *hostLaunch, parts [][2]int, grid, block, shared int) {
	value := func(n int) hostValue {
		if n >= len(parts) {
			return unknownf("it is not given")
		}
		return r.eval(parts[n][0], parts[n][1])
	}
	u.grid, u.block = value(grid).asDim3(), value(block).asDim3()
	u.shared = scalarValue(intValue(ULong, 0))
	if shared < len(parts) {
		u.shared = value(shared).as(hostType{kind: ULong})
	}
}

// addHostLaunches gives the kernels of a unit the launches of its host code.
func (u *Unit) addHostLaunches(cfg *Config) {
	l := u.loaded
	u.loaded = nil
	if cfg.Dialect != CUDA || len(u.Kernels) == 0 || !l.launchesSomething() {
		return
	}
	h := readHost(cfg)
	if h == nil {
		return
	}
	seen := map[string]bool{}
	for _, launch := range runHost(h) {
		for _, f := range u.launchedBy(l, &launch) {
			made := launch.of(f)
			if key := fmt.Sprint(f.Name, made); !seen[key] {
				seen[key] = true
				f.HostLaunches = append(f.HostLaunches, made)
			}
		}
	}
}

// launchedBy is the kernel, or the copy of a template, that a launch is of; none where that is not
// certain. A launch in a template of the host's is one of all copies that it may be of.
func (u *Unit) launchedBy(l *loader, launch *hostLaunch) (found []*Function) {
	consider := func(name string) {
		for _, f := range u.Kernels {
			if f.Name == name && len(launch.args) <= len(f.Params) {
				found = append(found, f)
			}
		}
	}
	if len(launch.template) == 0 {
		consider(launch.kernel)
	}
	if t := l.templates.find(launch.kernel); t != nil {
		for _, inst := range l.templates.requests[launch.kernel] {
			if l.sameArguments(t, inst, launch.template) {
				consider(inst.String())
			}
		}
	}
	open := slices.ContainsFunc(launch.template, func(a hostArgument) bool { return a.open })
	if len(found) > 1 && !open {
		return nil
	}
	return found
}

// sameArguments reports whether a copy of a template has the given arguments, the first of all.
func (l *loader) sameArguments(t *template, inst *instance, given []hostArgument) bool {
	if len(given) > len(inst.args) || len(given) > len(t.params) {
		return false
	}
	for i, a := range given {
		if a.open && t.params[i].isType {
			continue
		}
		spellings := []string{l.canonical(t.params[i], a.words)}
		if v := a.value; !t.params[i].isType && v.isScalar() && v.scalar.Type.IsInteger() {
			spellings = append(spellings, l.canonical(t.params[i], []string{integerText(v.scalar.Int)}))
		}
		if !slices.Contains(spellings, inst.args[i]) {
			return false
		}
	}
	return true
}

// of is the launch for the kernel that it is of.
func (u *hostLaunch) of(f *Function) HostLaunch {
	h := HostLaunch{Pos: u.pos, DynamicLocal: -1}
	h.Groups = h.extents(u.grid, mostGroups, 0, "groups")
	h.Local = h.extents(u.block, mostItems, mostBlockItems, "work items")
	switch {
	case !u.shared.known():
		h.Unknown = append(h.Unknown, "the dynamic local memory: "+u.shared.why)
	case u.shared.scalar.Int >= 0:
		h.DynamicLocal = u.shared.scalar.Int
	}
	for i, v := range u.args {
		if i >= len(f.Params) {
			break
		}
		if p := f.Params[i]; v.isScalar() && p.Type.IsScalar() {
			if v = v.as(hostType{kind: p.Type.Kind}); v.known() {
				h.Args = append(h.Args, DirectiveArg{Name: p.Name, Value: v.scalar})
			}
		}
	}
	return h
}

// extents are those of a grid or block, zeros with the reason noted where they are not known or no
// device takes them. all bounds their product, 0 = not at all.
func (h *HostLaunch) extents(v hostValue, most [3]int64, all int64, what string) [3]int64 {
	if !v.known() {
		h.Unknown = append(h.Unknown, fmt.Sprintf("the %s: %s", what, v.why))
		return [3]int64{}
	}
	d := *v.dim3
	for i := range d {
		if d[i] < 1 || d[i] > most[i] {
			h.Unknown = append(h.Unknown, fmt.Sprintf("the %s: %dx%dx%d is no launch that a device takes", what, d[0], d[1], d[2]))
			return [3]int64{}
		}
	}
	if n := d[0] * d[1] * d[2]; all > 0 && n > all {
		h.Unknown = append(h.Unknown, fmt.Sprintf("the %s: %d of a group are more than a device takes", what, n))
		return [3]int64{}
	}
	return d
}
