// Package tidy finishes what package isel has selected: it brings the moves that are left of SSA into registers or
// makes instructions of them, joins instructions that are one, and gives control flow the shape and the instructions
// that compilers lay out. It consumes and leaves machine code with virtual registers in program order.
package tidy

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
	Node    = machine.Node
	Operand = machine.Operand
	Options = machine.Options
	Reg     = machine.Reg
	RegInfo = machine.RegInfo
	Region  = machine.Region
)

const (
	Vector           = machine.Vector
	Uniform          = machine.Uniform
	Predicate        = machine.Predicate
	UniformPredicate = machine.UniformPredicate
	InReg            = machine.InReg
	Immediate        = machine.Immediate
	Bank             = machine.Bank
)
