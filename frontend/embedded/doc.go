// Package embedded finds the source of kernels that a program holds in strings, as programs of OpenCL mostly do.
//
// It consumes the text of a file and gives a text of the same length and lines, in which everything is blank but what
// is in those strings: positions in it are positions in the file.
//
// Strings are C's "..." (pieces that stand one behind the other are one string), raw strings of C++, R"(...)", the
// long ones of Python, and the arguments of macros that make a string of them, STRINGIFY(...).
//
// # Invariants
//
// A file with kernels outside of strings is source itself, and not changed. So is one whose strings have none, unless a
// raw string begins it: parts of a source that are put together have no kernels each.
package embedded
