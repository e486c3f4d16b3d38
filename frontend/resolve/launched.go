package resolve

import (
	"fmt"
	"slices"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/launches"
	"gpupipe/frontend/syntax"
)

// What host code says of the kernels: the template arguments that it launches them with, and the launches.

// The largest grid and block that devices since Kepler take (CUDA C++ Programming Guide,
// technical specifications per compute capability).
var (
	mostGroups = [3]int64{1<<31 - 1, 65535, 65535}
	mostItems  = [3]int64{1024, 1024, 64}
)

const mostBlockItems = 1024

// launchedInstances requests the instances that the launches in host code name.
func (c *checker) launchedInstances() {
	if c.host == nil {
		return
	}
	c.launches = launches.Find(c.host, c.cfg.File, hostNames{c},
		launches.Run{CommandLine: c.cfg.CommandLine, ComputeUnits: c.cfg.Target.ComputeUnits})
	c.launchOf = make([]*function, len(c.launches))
	for i := range c.launches {
		u := &c.launches[i]
		plain := 0
		list := c.launchedFunctions(u)
		if f := c.launchedForTypes(u, list); f != nil {
			list = []*function{f}
		}
		for _, f := range list {
			if f.params == nil {
				if plain++; plain == 1 {
					c.launchOf[i] = f
				} else {
					c.launchOf[i] = nil // not certain
				}
				continue
			}
			if len(c.requests[f]) >= maxLaunched {
				continue
			}
			args, ok := c.launchArgs(f, u)
			if !ok {
				continue
			}
			before := len(c.requests[f])
			c.assume(f, args, fmt.Sprintf("the launch at %v computes them", u.Kernel.Pos))
			if n := len(c.requests[f]); n > before {
				c.launchOf[i] = c.requests[f][n-1]
			}
		}
	}
}

// launchedFunctions are the kernels that a launch may be of.
func (c *checker) launchedFunctions(u *launches.Launch) (list []*function) {
	hostNames{c}.at(u.At, func() bool {
		found := c.find(withoutArgs(u.Kernel), false, "function")
		if found == nil || found.sym.kind != symFunction {
			return false
		}
		for _, g := range found.sym.funcs {
			if g.isKernel && g.body != nil && (u.Args == nil || mayTake(functionOp(g.decl.Decl), len(u.Args))) {
				list = append(list, g)
			}
		}
		return true
	})
	return list
}

// launchedForTypes is the one of several kernels of a name that overload resolution chooses for the arguments of a
// launch; nil where the type of one of them is not understood.
func (c *checker) launchedForTypes(u *launches.Launch, list []*function) (best *function) {
	if len(list) < 2 || u.Args == nil {
		return nil
	}
	hostNames{c}.at(u.At, func() bool {
		args := make([]ast.Expr, len(u.Args))
		for i, x := range u.Args {
			if args[i] = c.hostArgument(x); args[i] == nil {
				return false
			}
		}
		var explicit templateArgs
		if last := u.Kernel.Last(); last.HasArgs {
			var ok bool
			if explicit, ok = c.templateArguments(last.Args); !ok {
				return false
			}
		}
		if best, _ = c.selectFunction(list, nil, args, explicit, u.Kernel.Pos); best != nil && best.tmpl != nil {
			best = best.tmpl
		}
		return best != nil
	})
	return best
}

// mayTake reports whether a function may be called with n arguments.
func mayTake(op *syntax.FuncOp, n int) bool {
	least, most := 0, len(op.Params)
	for _, p := range op.Params {
		switch {
		case len(op.Params) == 1 && p.IsVoid():
			most = 0
		case p.Decl.Pack:
			most = max(most, n)
		case !p.Default.IsSet():
			least++
		}
	}
	return least <= n && n <= most
}

// launchArgs are the template arguments that a launch gives and those that its arguments say; ok is false where the
// written ones are not understood or nothing is said.
func (c *checker) launchArgs(f *function, u *launches.Launch) (args templateArgs, ok bool) {
	ok, errs := hostNames{c}.errorsAt(u.At, func() bool {
		d := c.newDeduction(f.params)
		given, understood := c.writtenArgs(f, u)
		if !understood || d.explicit(given) != "" {
			return false
		}
		if u.Args != nil {
			c.deduceFrom(d, functionOp(f.decl.Decl).Params, u.Args)
		}
		args = d.args
		return slices.ContainsFunc(args, func(a templateArg) bool { return a.kind != argNone })
	})
	if len(errs) > 0 && c.misread[f] == nil {
		c.misread[f] = errs[0]
	}
	return args, ok && len(errs) == 0
}

// writtenArgs are the template arguments that a launch writes; one of them that is made of a parameter of a host
// template about which nothing is known is not said.
func (c *checker) writtenArgs(f *function, u *launches.Launch) (args templateArgs, ok bool) {
	written := u.Kernel.Last().Args
	for i := range written {
		if i < len(f.params.list) && f.params.list[i].Type && !f.params.list[i].Pack &&
			mentionsOpen(u.At.Locals, &written[i]) {
			args = append(args, templateArg{})
			continue
		}
		more, ok := c.templateArguments(written[i : i+1])
		if !ok {
			return nil, false
		}
		args = append(args, more...)
	}
	return args, true
}

// addLaunches gives the kernels the launches of the host code.
func (c *checker) addLaunches() {
	seen := map[string]bool{}
	for i := range c.launches {
		u := &c.launches[i]
		if u.Named {
			continue
		}
		for _, f := range c.launchedBy(u, c.launchOf[i]) {
			if f.fn == nil || !slices.Contains(c.unit.Kernels, f.fn) || len(u.Args) > len(f.fn.Params) {
				continue
			}
			made := hostLaunch(u, f.fn)
			if key := fmt.Sprint(f.fn.Name, made); !seen[key] {
				seen[key] = true
				f.fn.HostLaunches = append(f.fn.HostLaunches, made)
			}
		}
	}
}

// launchedBy is the kernel that a launch is of. A launch in a template of the host's about whose arguments nothing is
// known is one of all instances that it may be of; else none where that is not certain.
func (c *checker) launchedBy(u *launches.Launch, exact *function) (found []*function) {
	if exact != nil && slices.Contains(c.kernels, exact) {
		return []*function{exact}
	}
	open := false
	for _, f := range c.launchedFunctions(u) {
		if f.params == nil { // it may be of this one too
			return nil
		}
		for _, k := range c.kernels {
			if k.tmpl != f {
				continue
			}
			same, unknown := c.sameArguments(u, k)
			open = open || unknown
			if same {
				found = append(found, k)
			}
		}
	}
	if len(found) > 1 && !open {
		return nil
	}
	return found
}

// sameArguments reports whether an instance has the template arguments that a launch gives, the first of all; open says
// that some of them are made of a parameter of a host template that is not known.
func (c *checker) sameArguments(u *launches.Launch, k *function) (same, open bool) {
	written := u.Kernel.Last().Args
	for i := range written {
		if params := k.tmpl.params.list; i == len(params) {
			return false, false
		} else if params[i].Pack {
			break
		}
		var a templateArg
		ok := hostNames{c}.at(u.At, func() (ok bool) {
			if a, ok = c.templateArgument(&written[i]); ok {
				a, ok = c.argumentFor(k.tmpl.params.list[i], a, k.tmpl.params, k.args[:i], k.pos)
			}
			return ok
		})
		switch {
		case ok && c.sameArg(a, k.args[i]):
		case !ok && k.tmpl.params.list[i].Type && mentionsOpen(u.At.Locals, &written[i]):
			open = true
		default:
			return false, open
		}
	}
	return true, open
}

// mentionsOpen reports whether an argument mentions a parameter of a host template about which nothing is known.
func mentionsOpen(locals []launches.Local, a *syntax.TemplateArg) bool {
	return slices.ContainsFunc(locals, func(l launches.Local) bool {
		return l.Param && l.Arg == nil &&
			syntax.Mentions(a, l.Name)
	})
}

// hostLaunch is a launch for the kernel that it is of.
func hostLaunch(u *launches.Launch, f *ast.Function) ast.HostLaunch {
	h := ast.HostLaunch{Pos: u.Pos, DynamicLocal: -1, NoArguments: u.NoArguments, FirstOf: u.FirstOf}
	h.Groups = extentsOf(&h, u.Grid, mostGroups, 0, "groups")
	h.Local = extentsOf(&h, u.Block, mostItems, mostBlockItems, "work items")
	switch {
	case !u.Shared.Known():
		h.Unknown = append(h.Unknown, "the dynamic local memory: "+u.Shared.Why)
	case u.Shared.Scalar.Int >= 0:
		h.DynamicLocal = u.Shared.Scalar.Int
	}
	for i, v := range u.Values {
		if i >= len(f.Params) {
			break
		}
		if p := f.Params[i]; v.IsScalar() && p.Type.IsScalar() {
			if v = v.Convert(p.Type.Kind); v.Known() {
				h.Args = append(h.Args, ast.DirectiveArg{Name: p.Name, Value: v.Scalar})
			}
		}
	}
	return h
}

// extentsOf are those of a grid or block, zeros with the reason noted where they are not known or no
// device takes them. all bounds their product, 0 = not at all.
func extentsOf(h *ast.HostLaunch, v launches.Value, most [3]int64, all int64, what string) [3]int64 {
	if !v.Known() {
		h.Unknown = append(h.Unknown, fmt.Sprintf("the %s: %s", what, v.Why))
		return [3]int64{}
	}
	d := *v.Extents
	for i := range d {
		if d[i] < 1 || d[i] > most[i] {
			h.Unknown = append(h.Unknown, fmt.Sprintf("the %s: %dx%dx%d is not a launch that a device takes",
				what, d[0],
				d[1], d[2]))
			return [3]int64{}
		}
	}
	if n := d[0] * d[1] * d[2]; all > 0 && n > all {
		h.Unknown = append(h.Unknown, fmt.Sprintf("the %s: %d of a group are more than a device takes", what, n))
		return [3]int64{}
	}
	return d
}
