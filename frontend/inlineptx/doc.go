// Package inlineptx reads the text of inline PTX: asm("template").
//
// In comes the text of a template; out go its instructions with their operands, guards and suffixes, the registers that
// it declares and its labels (Parse), and what the suffixes mean: types, state spaces, the width of accesses, and the
// matrix instructions of warps (Product) and warp groups (GroupShape). The functions of the tree that stand for matrix
// instructions have names that lead back to them (ProductOf, GroupShapeOf). What an instruction does, in statements of
// C, is typing's (asm.go of package frontend); listings of compilers are another thing (internal/evidence/kernels).
//
// Source: PTX ISA, Syntax, Instruction Set; Inline PTX Assembly in CUDA.
package inlineptx
