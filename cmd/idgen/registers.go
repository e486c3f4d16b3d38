package main

import (
	"fmt"

	"gpupipe/cmd/internal/console"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/internal/target"
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
		return registers{}, fmt.Errorf("%w: write a number from 1 to %d, estimate or none", err, maxRegisters)
	}
	return registers{number: n}, nil
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
	return target.Registers(g, l.kernel.Pos, l.options.Uniform, l.limit)
}
