package unroll_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/tools"
	"gpupipe/unroll"
)

// TestSameInLanes: of an access at an address that is not known it is known whether all lanes
// touch the same bytes.
func TestSameInLanes(t *testing.T) {
	const head = "kernel void k(global const int *restrict list, global const float *restrict x, global float " +
		"*restrict y, local int *l, int n, int m) { int i = get_local_id(0); float v = 0; "
	for _, c := range []struct {
		name, body string
		same       bool // of what is read of x
	}{
		{"a list that the group walks", "for (int j = 0; j < 8; j++) v += x[list[j]];", true},
		{"computed of it", "int at = list[5]; v = x[3 * at / 7 + min(at, n)];", true},
		{"a list of lists", "v = x[list[list[n]]];", true},
		{"local memory", "l[i] = list[i]; barrier(1); for (int j = 0; j < 8; j++) v += x[l[j]];", true},
		{"an argument", "v = x[n * m + 5];", true},
		{"a float", "v = x[(int)(n * 0.5f)];", true},
		{"beside the work item's id", "v = x[list[5] + i];", false},
		{"times the work item's id", "v = x[n * i];", false},
		{"the work item's element", "v = x[list[i]];", false},
		{"the work item's element of local memory", "l[i] = list[i]; barrier(1); v = x[l[31 - i]];", false},
		{"private memory", "int p[32]; for (int j = 0; j < 32; j++) p[j] = list[i + j]; v = x[p[n]];", false},
		{"one of two by the work item", "int at = list[3]; if (i < 5) at = list[4]; v = x[at];", false},
		{"selected by the work item", "int at = i < 5 ? n : m; v = x[at];", false},
		{"what one lane computes and others use", "int at = 0; if (i == 3) at = i * n; v = x[at];", false},
		{"an atomic", "v = x[atomic_add(l, n)];", false},
	} {
		r := resolveText(t, head+c.body+" y[i] = v; }", "")
		found := false
		for _, a := range r.Graph.Accesses() {
			if a.Buffer != "x" {
				continue
			}
			found = true
			if a.Known() || a.Same != c.same {
				t.Errorf("%s: an access of x is %s; the same in all lanes: want %t", c.name, a.Describe(), c.same)
			}
		}
		if !found {
			t.Errorf("%s: no access of x", c.name)
		}
	}
}

// TestSameWhenKnown holds random kernels without values of their arguments to the same kernels
// with some: what was said to be the same in all lanes is.
func TestSameWhenKnown(t *testing.T) {
	checked := 0
	for seed := range uint64(tools.Cases(200, 15)) {
		k := lowerKernel(t, generateKernel(seed))
		opt := parseOptions(t, "--local 64")
		same := map[string]bool{}
		unknown, err := unroll.Resolve(k, opt)
		if err != nil || slices.ContainsFunc(unknown.Warnings, func(e *diag.Error) bool {
			// some may, when arguments are known
			return strings.Contains(e.Message, "no work item is taken to leave here")
		}) {
			continue
		}
		eachAccess(unknown.Graph, func(at string, a *idg.Access) {
			before, seen := same[at]
			same[at] = !a.Known() && a.Same && (before || !seen)
		})
		for _, p := range k.Params {
			if p.Type.IsInteger() {
				opt.Args[p.Name] = unroll.ArgValue{Int: int64(seed % 23)}
			}
		}
		known, err := unroll.Resolve(k, opt)
		if err != nil {
			continue
		}
		eachAccess(known.Graph, func(at string, a *idg.Access) {
			if !same[at] || !a.Known() {
				return
			}
			checked++
			if slices.Min(a.Offsets) != slices.Max(a.Offsets) {
				t.Errorf("seed %d: %s was said to be the same in all lanes and is %s\n%s", seed, at, a.Describe(),
					generateKernel(seed))
			}
		})
	}
	if checked < tools.Cases(25, 3) {
		t.Errorf("only %d accesses were compared", checked)
	}
}

// eachAccess calls f for the instruction classes of a graph that access memory, with what tells
// their place in the source.
func eachAccess(g *idg.Graph, f func(at string, a *idg.Access)) {
	for _, in := range g.Instrs() {
		if in.Access != 0 {
			a := g.Access(in.Access)
			f(fmt.Sprintf("%s of %s at %d:%d", in.Op, a.Buffer, in.Pos.Line, in.Pos.Column), a)
		}
	}
}
