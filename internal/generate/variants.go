package generate

import (
	"cmp"
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/unroll"
)

// Variants are graphs of a kernel with what decides its time otherwise, where only the compiler can tell what that is:
// with twice the iterations where their number is assumed, without what both sides of a branch are executed for,
// without the launch bounds that are met by spilling, and without the double precision of literals. One that is too
// large is left out.
func Variants(s *Source, options *Options, g *idg.Graph) (list []*idg.Graph) {
	o := *options
	o.Args = slices.Clone(o.Args)
	for _, a := range g.Launch.Args {
		if given, err := ParseArgument(a.Name + "=" + a.Value); a.Assumed && err == nil {
			o.Args = append(o.Args, given) // it stays what it was
		}
	}
	add := func(what string, v *idg.Graph) {
		if v != nil {
			v.Variant = what
			list = append(list, v)
		}
	}
	if slices.ContainsFunc(g.Notes, func(n idg.Note) bool { return n.Code == "ASSUMED-TRIPS" }) {
		longer := o
		longer.AssumeTrips = 2 * cmp.Or(o.AssumeTrips, unroll.DefaultAssumedTrips)
		add(idg.TwiceTheTrips, variant(s, &longer, g.Kernel, func(*ast.Function) {}))
	}
	if at := assumedBranches(g); at != nil {
		without := o
		without.Branches = append(at, o.Branches...)
		add(idg.BranchesNotTaken, variant(s, &without, g.Kernel, func(*ast.Function) {}))
	}
	if g.Resources.Unbounded > 0 {
		add(idg.Unbounded, variant(s, &o, g.Kernel, func(fn *ast.Function) { fn.MinResident = 0 }))
	}
	if g.AccidentalDoubles() {
		single := o
		single.SinglePrecision = true
		add(idg.SinglePrecision, variant(s, &single, g.Kernel, func(*ast.Function) {}))
	}
	return list
}

// assumedBranches chooses against the branches of which both sides are executed.
func assumedBranches(g *idg.Graph) (list []unroll.BranchChoice) {
	for _, n := range g.Notes {
		if n.Code == "ASSUMED-BRANCH" && strings.Contains(n.Advice, "--branch") && strings.Contains(n.Text, "both") {
			list = append(list, unroll.BranchChoice{Side: unroll.SkipBranch,
				At: unroll.Location{File: n.Pos.File, Line: n.Pos.Line, Column: n.Pos.Column}})
		}
	}
	return list
}

// variant is the graph of a kernel that is changed, nil if there is none.
func variant(s *Source, o *Options, kernel string, change func(*ast.Function)) *idg.Graph {
	p, err := Parse(s, o)
	if err != nil {
		return nil
	}
	fn := p.Unit.Kernel(kernel)
	if fn == nil {
		return nil
	}
	change(fn)
	k, err := p.Prepare(fn)
	if err != nil {
		return nil
	}
	g, _, err := k.ResolveLast()
	if err != nil {
		return nil
	}
	return g
}
