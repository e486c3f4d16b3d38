// Package constexpr computes integer constants of C++ that are written as words: arguments of
// templates, conditions of #if and of if constexpr, with calls of constexpr functions.
//
// It consumes the words of an expression (package tokens), what names stand for (Names) and the
// functions' words (NewFunction), and produces a value (Eval) where the words are a constant; and the
// one spelling of a type that arguments of templates are compared by (TypeText).
//
// # Invariants
//
// A value is what C computes, or there is none: what C leaves undefined, what is not understood and what
// takes too many steps is no constant. In functions values are those of an int: one that goes beyond, or
// below zero where something is unsigned, is not a constant here. Any words end.
//
// # Why not the interpreter of host code
//
// Package host interprets C++, too, but answers another question. It reads a whole file after
// preprocessing and follows every run of the program at once: both sides of a condition, loops once with
// what they change unknown, as sizes of launches may depend on what is read from files. Here the text has
// not been preprocessed yet, as these constants decide what is written out of it; and one run is executed
// exactly: the logarithm of 256 is a loop of which every turn counts, and a value that may be unknown is of
// no use. What both need, the operators and how tightly they bind, is package ctypes'.
package constexpr
