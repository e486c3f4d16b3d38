// Package tokens cuts source text into preprocessing tokens, before anything is preprocessed.
//
// It consumes the text of a file of C or C++ (Lex) and produces a List: the logical text, whose
// continuation lines are joined, its tokens, directives and newlines included, and the way back to
// the offsets of the text as written (Splices). Of a List, ShapeOf finds the brackets and what
// they open; AngleWords and its like read parts of it as words, which are taken from place to place.
//
// # Invariants
//
// Any text is cut: what is wrong in it is left to later stages, which know whether an #if leaves it
// out. Only a comment without an end, and what exceeds the bounds that later stages rely on
// (limits.go), is an error. Tokens are in order and do not overlap; white space and comments are
// what lies between them.
package tokens
