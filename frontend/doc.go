// Package frontend parses OpenCL C 1.2 and CUDA C kernels into a typed syntax
// tree.
//
// It consumes the text of one source file with its command-line macros and
// includes (Config), and produces a Unit: the kernels with their helper
// functions, every name resolved, every implicit conversion explicit, constants
// folded, address spaces on every pointer, unroll pragmas on their loops and
// positions in the user's own text. The tree is package ast's. Macros that tell programs the GPU follow
// Config.Architecture. It runs no compiler and reads no file but
// through Config.FS.
//
// # Phases
//
//   - Strings (package embedded): the source that a program holds in strings is taken out of them.
//   - Tokens (package tokens): texts are cut into tokens, with their brackets.
//   - Writing out (package cxx; CUDA only): templates become copies with concrete arguments, whose constants
//     package constexpr computes, member functions and operators plain functions, and templates of these
//     copies in turn; package source leads back to the user's text. Arguments that only typing can deduce
//     (infer_template.go) cost another round of parsing (frontend.go). Of libraries, package prelude has
//     the headers; what is wrong inside of these stands where they are used (check_library.go).
//   - Rewriting (package load): pragmas and what is C++
//     in CUDA become C on the same lines; package encoding describes how.
//   - Parsing (package load): modernc.org/cc/v4 preprocesses and parses;
//     its type checker knows neither vectors nor address spaces and is not used.
//   - Declarations (decl*.go): declarators, structs, functions, attributes and
//     launch directives.
//   - Typing (infer*.go, builtin*.go): expressions by C's rules and those of
//     OpenCL's vectors, and calls of the functions of both languages, which package builtins
//     lists; fragments of matrices (infer_tensor.go, package tensor) and asynchronous copies (infer_async.go) are structs of the prelude.
//   - Inline PTX (asm*.go): package inlineptx takes its text apart, which becomes statements that do the same in C; lambdas (infer_lambda.go) and
//     functions that are given some (infer_callable.go): their
//     bodies at their calls.
//   - Constants (const_expr.go): package ctypes folds them exactly as C computes, in each type.
//   - Statements (check*.go), and which kernels are usable.
//   - Launches (host_launch.go; CUDA only): host code, which all of the above leaves out, is
//     preprocessed by itself (package load); package host finds in it how it launches the kernels.
//
// # Invariants
//
// Unit.Verify checks them: every expression has a valid type; the operands of
// an operator, the sides of an assignment and a call's arguments have been
// converted to the types that the operation works in; arrays decay only inside
// Decay; assignments and address-of are applied to lvalues.
//
// Errors stay with the kernel that they make unusable, syntax errors included
// (package load): the other kernels of a file can be used, and Unit.Broken says what
// is wrong with the rest. Something wrong at file scope concerns the kernels that
// use it.
//
// The constructs are those of the paper's kernels and of common benchmark
// suites; pipes, function pointers, recursion, gotos that go back, variable-length
// arrays and, of C++, lambdas that are kept or that host code gives to kernels, virtual functions
// and templates with several parameter packs are errors that say what to do instead.
package frontend
