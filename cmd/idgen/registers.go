package main

import (
	"fmt"

	"gpupipe/cmd/internal/console"
	"gpupipe/internal/generate"
)

// maxRegisters is the most that a work item of any device has: CDNA 2's (LLVM, User
// Guide for AMDGPU Backend).
const maxRegisters = 512

// parseRegisters reads a number, "estimate" or "none".
func parseRegisters(text string) (generate.Registers, error) {
	switch text {
	case "estimate":
		return generate.Registers{}, nil
	case "none":
		return generate.Registers{Unknown: true}, nil
	}
	n, err := console.ParseBetween(1, maxRegisters)(text)
	if err != nil {
		return generate.Registers{}, fmt.Errorf("%w: write a number from 1 to %d, estimate or none", err, maxRegisters)
	}
	return generate.Registers{Number: n}, nil
}
