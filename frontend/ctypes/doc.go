// Package ctypes is C's arithmetic as device code and its host code have it: types with their
// sizes and layouts, constants, and the operators and conversions that compute with them.
//
// It consumes nothing but the spelling of literals and the kinds of types, and produces types
// and values that never change. Of both languages the types are those of a 64-bit machine: long
// has 64 bits. A constant is folded exactly as C computes, in its own type.
package ctypes
