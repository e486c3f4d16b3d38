// Package isel selects instructions: it consumes the optimised IR of a kernel (package ir) and produces machine
// code with virtual registers in program order (package machine), for which package machine makes a schedule
// and finds registers. What an operation becomes on a target is a table, data/*.yaml, and what tables do not
// say well - operands that an instruction takes into itself - code for each set of instructions (sass*.go).
package isel

import "gpupipe/lower/machine"

// What machine code is made of.
type (
	Block   = machine.Block
	Class   = machine.Class
	Code    = machine.Code
	Guard   = machine.Guard
	If      = machine.If
	Instr   = machine.Instr
	Jump    = machine.Jump
	Loop    = machine.Loop
	Mem     = machine.Mem
	Node    = machine.Node
	Operand = machine.Operand
	Options = machine.Options
	Reg     = machine.Reg
	RegInfo = machine.RegInfo
	Region  = machine.Region
	Target  = machine.Target
)

const (
	Vector           = machine.Vector
	Uniform          = machine.Uniform
	Predicate        = machine.Predicate
	UniformPredicate = machine.UniformPredicate
	InReg            = machine.InReg
	Immediate        = machine.Immediate
	Bank             = machine.Bank
	Special          = machine.Special
)
