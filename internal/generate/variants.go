package generate

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/unroll"
)

// Variants are graphs of a kernel with what decides its time otherwise, where only the compiler can tell what that is:
// with twice the iterations where their number is assumed, without what both sides of a branch are executed for, and
// with each change of its source or flags that edits lists, and all of them. One that is too large is left out, and all
// are of a graph that took more than mostVaried steps.
func (k *Kernel) Variants(options *Options, g *idg.Graph) (list []*idg.Graph) {
	if k.steps > mostVaried {
		return nil
	}
	s, o := k.program.Source, *options
	o.Args = slices.Clone(o.Args)
	for _, a := range g.Launch.Args {
		if given, err := ParseArgument(a.Name + "=" + a.Value); a.Assumed && err == nil {
			o.Args = append(o.Args, given) // it stays what it was
		}
	}
	var names []string
	var makers []func() *idg.Graph
	add := func(name string, make func() *idg.Graph) { names, makers = append(names, name), append(makers, make) }
	same := func(*ast.Function) bool { return true }
	if slices.ContainsFunc(g.Notes, func(n idg.Note) bool { return n.Code == "ASSUMED-TRIPS" }) {
		longer := o
		longer.AssumeTrips = 2 * cmp.Or(o.AssumeTrips, unroll.DefaultAssumedTrips)
		add(idg.TwiceTheTrips, func() *idg.Graph { return variant(s, &longer, g.Kernel, same) })
	}
	if at := assumedBranches(g); at != nil {
		without := o
		without.Branches = append(at, o.Branches...)
		add(idg.BranchesNotTaken, func() *idg.Graph { return variant(s, &without, g.Kernel, same) })
	}
	for _, e := range editsOf(s, &o, g) {
		add(e.name, func() *idg.Graph { return e.of(s, o, g) })
	}
	made := make([]*idg.Graph, len(makers))
	var group sync.WaitGroup
	for i, make := range makers {
		group.Go(func() { made[i] = make() })
	}
	group.Wait()
	for i, v := range made {
		if v != nil {
			v.Variant = names[i]
			list = append(list, v)
		}
	}
	return list
}

// mostVaried bounds the steps of a graph that has variants, each of which takes as long: a step takes about 1 us, and a
// graph with four of them shall take below 5 s.
const mostVaried = 1_000_000

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

// variant is the graph of a kernel that is changed, nil if there is none or nothing to change.
func variant(s *Source, o *Options, kernel string, change func(*ast.Function) bool) *idg.Graph {
	p, err := Parse(s, o)
	if err != nil {
		return nil
	}
	fn := p.Unit.Kernel(kernel)
	if fn == nil || !change(fn) {
		return nil
	}
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
