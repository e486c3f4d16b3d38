package main

import (
	"fmt"

	"gpupipe/cmd/internal/console"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// registers is what --registers says.
type registers struct {
	number   int  // 0 = not given
	estimate bool // from the graph
}

// parseRegisters reads a number or "estimate".
func parseRegisters(text string) (registers, error) {
	if text == "estimate" {
		return registers{estimate: true}, nil
	}
	n, err := console.ParseBetween(1, idg.RegisterCap)(text)
	if err != nil {
		return registers{}, fmt.Errorf("%w, or estimate", err)
	}
	return registers{number: n}, nil
}

// deviceRegisters are the 32-bit registers of a compute unit that a launch bound
// shares out: those of every NVIDIA device from compute capability 3.0 on (CUDA C++
// Programming Guide, Technical Specifications).
const deviceRegisters = 65536

// withRegisters gives a graph the registers that the user wants: a number, or an
// estimate, which __launch_bounds__ and the device's limit cap. What does not
// fit is spilled, and said.
func (l *lowered) withRegisters(g *idg.Graph, want registers) (*idg.Graph, *diag.Error) {
	if !want.estimate {
		if want.number == 0 {
			return g, nil
		}
		return g.WithRegisters(want.number, false), nil
	}
	n := g.EstimateRegisters()
	if n == 0 {
		return g, diag.Notef(l.kernel.Pos, "REGISTERS", "the kernel is too long for an estimate of its registers").WithNote("give their number with --registers")
	}
	limit, why := idg.RegisterCap, "a work item can have"
	if items := l.launch.bound; items > 0 && deviceRegisters/items < int64(limit) {
		limit, why = int(deviceRegisters/items), "__launch_bounds__ leaves"
	}
	if n <= limit {
		return g.WithRegisters(n, true), nil
	}
	return g.WithRegisters(limit, true), diag.Notef(l.kernel.Pos, "REGISTERS", "the kernel needs about %d registers of the %d that %s; the others are spilled to private memory, which is not in the graph", n, limit, why)
}
