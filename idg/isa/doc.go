// Package isa is the table of instructions: one row per operation, which every other package asks.
//
// It consumes the text of an op, as graphs, device files and --set rules write it
// ("fma.f32", "ld.global.async"), and produces an [Op]: the operation ([Verb]), its marks,
// types and address space, and what follows from them: the class in instruction mixes, the
// registers of the result and of an operand, who executes it, and what it is composed of where
// a device has no entry for it. No other package takes the text apart.
//
// A new operation is a row of the table (rows.go) and, if it belongs to none of them, a class.
package isa
