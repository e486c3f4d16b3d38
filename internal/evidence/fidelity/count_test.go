package fidelity

import (
	"math"
	"slices"
	"strings"

	"gpupipe/idg"
	"gpupipe/idg/isa"
	"gpupipe/internal/evidence/ptx"
)

// class is a kind of instruction that is compared.
type class uint8

const (
	globalAccess class = iota
	localAccess
	barrier
	arithmetic
	special
	classes
)

func (c class) String() string {
	return [...]string{"global accesses", "local accesses", "barriers", "floating multiply and add",
		"special functions"}[c]
}

// counts are warp instructions by class.
type counts [classes]int64

// arithmeticOps are the names of the arithmetic class, in PTX and in the graph.
var arithmeticOps = []string{"fma", "mad", "mul", "add", "sub"}

// floating reports whether a PTX or graph type is a floating one.
func floating(typ string) bool { return strings.HasPrefix(typ, "f") && len(typ) <= 3 }

// ptxClass tells the class of an instruction; ok is false for all others.
func ptxClass(in *ptx.Instruction) (c class, ok bool) {
	parts := in.Parts()
	typ := parts[len(parts)-1]
	switch parts[0] {
	case "ld", "st", "atom", "red":
		switch {
		case slices.Contains(parts, "global"):
			return globalAccess, true
		case slices.Contains(parts, "shared"):
			return localAccess, true
		}
	case "bar":
		return barrier, true
	case "div", "rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh":
		return special, floating(typ)
	case "call":
		return special, strings.Contains(in.Callee(), specialPrefix)
	}
	return arithmetic, slices.Contains(arithmeticOps, parts[0]) && floating(typ)
}

// ptxCounts counts a kernel whose blocks are executed so often.
func ptxCounts(k *ptx.Kernel, executed []int64) (n counts) {
	for b, times := range executed {
		for i := range k.Blocks[b].Code {
			if c, ok := ptxClass(&k.Blocks[b].Code[i]); ok {
				n[c] += times
			}
		}
	}
	return n
}

// graphCounts counts what warp 0 of a graph executes.
func graphCounts(g *idg.Graph) (n counts) {
	for _, op := range g.ProgramMix(g.ProgramOf(0)).Ops {
		if c, ok := graphClass(op.Op); ok {
			n[c] += op.Count
		}
	}
	return n
}

func graphClass(op string) (c class, ok bool) {
	name, rest, _ := strings.Cut(op, ".")
	switch k := string(isa.Parse(op).Class()); {
	case strings.HasSuffix(k, ".global"):
		return globalAccess, true
	case strings.HasSuffix(k, ".local"):
		return localAccess, true
	case k == "barrier":
		return barrier, true
	case k == "special":
		return special, true
	}
	return arithmetic, slices.Contains(arithmeticOps, name) && floating(rest)
}

// difference is by how much a count is off, as a fraction of the compiled
// code's.
func difference(ours, theirs int64) float64 {
	if ours == theirs {
		return 0
	}
	if theirs == 0 {
		return math.Inf(1)
	}
	return float64(ours-theirs) / float64(theirs)
}
