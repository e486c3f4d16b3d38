// Package frontend parses OpenCL C, CUDA C++ and HIP kernels into a typed syntax tree.
//
// It consumes the text of one source file with its command-line macros and includes (Config), and produces a Unit: the
// kernels with their helper functions, every name resolved, every implicit conversion explicit, constants folded,
// address spaces on every pointer, unroll pragmas on their loops and positions in the user's own text. It runs no
// compiler and reads no file but through Config.FS.
//
// # Representations
//
// There are four, each made of the one before:
//
//   - Text: the user's, or what a program holds in its strings (package embedded), and the headers of libraries and the
//     macros of the compilers (package prelude).
//   - Tokens (packages source and preprocess): directives executed and macros expanded, each token with its place
//     and its macro.
//   - Syntax (package syntax): a tree of declarations that resolves no names; bodies are parsed when they are needed.
//   - Typed tree (package ast), made by package resolve, which looks names up, instantiates templates, chooses
//     functions and computes constants; of the tree of the host's code package launches finds how it launches kernels.
//
// Of the typed tree package constant computes constant expressions, and inlineptx makes what inline assembly says.
// Packages ctypes (types and their arithmetic), builtins (the functions of the languages) and tensor (fragments of
// matrices) know none of these.
//
// # Invariants
//
// Unit.Verify checks them: every expression has a valid type; the operands of an operator, the sides of an assignment
// and a call's arguments have been converted to the types that the operation works in; arrays decay only inside Decay;
// assignments and address-of are applied to lvalues.
//
// Errors stay with the kernel that they make unusable, syntax errors included: the other kernels of a file can be used,
// and Unit.Broken says what is wrong with the rest. Something wrong at file scope concerns the kernels that use it.
package frontend
