// Package inlineptx translates inline PTX: asm("template").
//
// In comes the text of a template, which is taken apart into instructions with their operands, guards and suffixes, the
// registers that it declares and its labels (Parse); with its operands, typed, out go the statements of the typed tree
// that do the same (Translate). What is known of an instruction is one row of a table: its name, how its operands are
// read, and the operation (table.go); those of several results or effects have a function. Any other instruction is an
// error that names it.
//
// The functions of the tree that stand for matrix instructions have names that lead back to them (ProductOf,
// GroupShapeOf). Listings of compilers are another thing (internal/evidence/kernels).
//
// Source: PTX ISA, Syntax, Instruction Set; Inline PTX Assembly in CUDA.
package inlineptx
