package main

import (
	"fmt"

	"gpupipe/cmd/internal/console"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/unroll"
)

// registers is what --registers says; the zero value is an estimate.
type registers struct {
	number  int  // 0 = not given
	unknown bool // registers limit nothing
}

// maxRegisters is the most that a work item of any device has: CDNA 2's (LLVM, User
// Guide for AMDGPU Backend).
const maxRegisters = 512

// parseRegisters reads a number, "estimate" or "none".
func parseRegisters(text string) (registers, error) {
	switch text {
	case "estimate":
		return registers{}, nil
	case "none":
		return registers{unknown: true}, nil
	}
	n, err := console.ParseBetween(1, maxRegisters)(text)
	if err != nil {
		return registers{}, fmt.Errorf("%w, estimate, or none", err)
	}
	return registers{number: n}, nil
}

// deviceRegisters are the 32-bit registers of a compute unit that a launch bound
// shares out: those of every NVIDIA device from compute capability 3.0 on (CUDA C++
// Programming Guide, Technical Specifications).
const deviceRegisters = 65536

// registerLimit is how many registers a work item has at most in compiled code, and
// what leaves it those.
func (l *lowered) registerLimit() (limit int, why string) {
	if d := l.device; d != nil && l.options.Compiler == unroll.Clang {
		return int(d.CompiledRegisters(l.largest)), fmt.Sprintf("a work item can have in groups of up to %d", l.largest)
	}
	limit, why = idg.RegisterCap, "a work item can have"
	if items := l.launch.bound; items > 0 && deviceRegisters/items < int64(limit) {
		limit, why = int(deviceRegisters/items), "__launch_bounds__ leaves"
	}
	return limit, why
}

// withRegisters gives a graph the registers that the user wants: a number, or an
// estimate, which the device's limit caps and what the compiler knows of the size of groups.
// What does not fit is spilled, and said.
func (l *lowered) withRegisters(g *idg.Graph, want registers) (*idg.Graph, *diag.Error) {
	switch {
	case want.unknown:
		return g, nil
	case want.number > 0:
		return g.WithRegisters(want.number, false), nil
	}
	limit, why := l.registerLimit()
	g, n := g.WithEstimate(l.options.Uniform, limit)
	switch {
	case n == 0:
		return g, diag.Notef(l.kernel.Pos, "REGISTERS", "the kernel is too long for an estimate of its registers, which limit no occupancy then").WithNote("give their number with --registers")
	case n > limit:
		return g, diag.Notef(l.kernel.Pos, "REGISTERS", "the kernel needs about %d registers of the %d that %s; the others are spilled to private memory, which is not in the graph", n, limit, why)
	}
	return g, nil
}
