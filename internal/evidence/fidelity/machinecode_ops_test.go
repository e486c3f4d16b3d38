package fidelity

import (
	"slices"
	"strings"

	"gpupipe/idg/isa"
	"gpupipe/internal/evidence/sass"
)

// machineOps is how many machine instructions of each pipe stand for an op of a graph, as
// package latencies composes what a device has no entry for.
func machineOps(op string) pipeCounts {
	of := func(p sass.Pipe, n int64) (c pipeCounts) {
		c[p] = n
		return c
	}
	parts := strings.Split(op, ".")
	verb, typ := parts[0], parts[len(parts)-1]
	switch k := string(isa.Parse(op).Class()); {
	case strings.HasSuffix(k, ".global"), strings.HasSuffix(k, ".private"):
		return of(sass.Global, 1)
	case strings.HasSuffix(k, ".local"):
		return of(sass.Local, 1)
	case strings.HasSuffix(k, ".constant"):
		return of(sass.Constant, 1)
	case k == "barrier":
		return of(sass.Barrier, 1)
	case verb == "div" && typ == "f32":
		c := of(sass.Special, 1)
		c[sass.Float] = 1
		return c
	case k == "special", slices.Contains([]string{"floor", "ceil", "trunc", "rint"}, verb):
		return of(sass.Special, 1)
	case verb == "off":
		return of(sass.Off, 1)
	case verb == "branch", verb == "converge":
		return of(sass.Branch, 1)
	case verb == "cvt" && (floating(parts[1]) || floating(typ)):
		return of(sass.Special, 1)
	case verb == "setp" || verb == "mov" || verb == "select" || !floating(typ):
	case typ == "f64":
		return of(sass.Double, 1)
	case typ == "f16":
		return of(sass.Half, 1)
	default:
		return of(sass.Float, 1)
	}
	if !slices.Contains([]string{"s64", "u64", "b64", "ptr", "f64"}, typ) {
		return of(sass.Integer, 1)
	}
	if verb == "mul" || verb == "mad" {
		return of(sass.Integer, 4)
	}
	return of(sass.Integer, 2)
}

// floating reports whether a type is a floating one.
func floating(typ string) bool { return strings.HasPrefix(typ, "f") && len(typ) <= 3 }
