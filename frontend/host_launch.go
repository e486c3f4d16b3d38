package frontend

import (
	"fmt"
	"slices"

	"gpupipe/frontend/cxx"
	"gpupipe/frontend/host"
	"gpupipe/frontend/load"
)

// The largest grid and block that devices since Kepler take (CUDA C++ Programming Guide,
// technical specifications per compute capability).
var (
	mostGroups = [3]int64{1<<31 - 1, 65535, 65535}
	mostItems  = [3]int64{1024, 1024, 64}
)

const mostBlockItems = 1024

// addHostLaunches gives the kernels of a unit the launches of its host code.
func addHostLaunches(u *Unit, p *load.Parsed, cfg *Config) {
	if cfg.Dialect != CUDA || len(u.Kernels) == 0 || !p.LaunchesKernels() {
		return
	}
	h := load.ReadHost(cfg)
	if h == nil {
		return
	}
	seen := map[string]bool{}
	for _, launch := range host.Launches(h) {
		for _, f := range launchedBy(u, p.Program, &launch) {
			made := launchOf(&launch, f)
			if key := fmt.Sprint(f.Name, made); !seen[key] {
				seen[key] = true
				f.HostLaunches = append(f.HostLaunches, made)
			}
		}
	}
}

// launchedBy is the kernel, or the copy of a template, that a launch is of; none where that is not
// certain. A launch in a template of the host's is one of all copies that it may be of.
func launchedBy(u *Unit, all *cxx.Program, launch *host.Launch) (found []*Function) {
	consider := func(name string) {
		for _, f := range u.Kernels {
			if f.Name == name && len(launch.Args) <= len(f.Params) {
				found = append(found, f)
			}
		}
	}
	if len(launch.Template) == 0 {
		consider(launch.Kernel)
	}
	if t := all.Templates.Find(launch.Kernel); t != nil {
		for _, inst := range all.Templates.Requests[launch.Kernel] {
			if sameArguments(all, t, inst, launch.Template) {
				consider(all.Templates.Display(inst.Name))
			}
		}
	}
	open := slices.ContainsFunc(launch.Template, func(a host.Argument) bool { return a.Open })
	if len(found) > 1 && !open {
		return nil
	}
	return found
}

// sameArguments reports whether a copy of a template has the given arguments, the first of all.
func sameArguments(all *cxx.Program, t *cxx.Template, inst *cxx.Instance, given []host.Argument) bool {
	if len(given) > len(inst.Args) || len(given) > len(t.Params) {
		return false
	}
	for i, a := range given {
		if a.Open && t.Params[i].IsType {
			continue
		}
		spellings := []string{all.Canonical(t.Params[i], all.Substitute(a.Words, nil))}
		if v := a.Value; !t.Params[i].IsType && v.IsScalar() && v.Scalar.Type.IsInteger() {
			spellings = append(spellings, all.Canonical(t.Params[i], []string{cxx.IntegerText(v.Scalar.Int)}))
		}
		if !slices.Contains(spellings, inst.Args[i]) {
			return false
		}
	}
	return true
}

// launchOf is a launch for the kernel that it is of.
func launchOf(u *host.Launch, f *Function) HostLaunch {
	h := HostLaunch{Pos: u.Pos, DynamicLocal: -1, NoArguments: u.NoArguments}
	h.Groups = extentsOf(&h, u.Grid, mostGroups, 0, "groups")
	h.Local = extentsOf(&h, u.Block, mostItems, mostBlockItems, "work items")
	switch {
	case !u.Shared.Known():
		h.Unknown = append(h.Unknown, "the dynamic local memory: "+u.Shared.Why)
	case u.Shared.Scalar.Int >= 0:
		h.DynamicLocal = u.Shared.Scalar.Int
	}
	for i, v := range u.Args {
		if i >= len(f.Params) {
			break
		}
		if p := f.Params[i]; v.IsScalar() && p.Type.IsScalar() {
			if v = v.Convert(p.Type.Kind); v.Known() {
				h.Args = append(h.Args, DirectiveArg{Name: p.Name, Value: v.Scalar})
			}
		}
	}
	return h
}

// extentsOf are those of a grid or block, zeros with the reason noted where they are not known or no
// device takes them. all bounds their product, 0 = not at all.
func extentsOf(h *HostLaunch, v host.Value, most [3]int64, all int64, what string) [3]int64 {
	if !v.Known() {
		h.Unknown = append(h.Unknown, fmt.Sprintf("the %s: %s", what, v.Why))
		return [3]int64{}
	}
	d := *v.Extents
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
