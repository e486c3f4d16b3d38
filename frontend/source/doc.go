// Package source holds the files of a program and what becomes of their texts on the way to the parser,
// with the way back from each text to the user's.
//
// A file's text takes up to three forms. As written, it is cut into tokens (package tokens). Its
// templates and members of C++ are written out into another text (Text), pieces of it and words between
// them. This one is rewritten into C by edits (Edit), which Apply carries out. Every form is mapped to
// the one before it, so that a position in what the parser reads (OutPos) is one of the user's.
//
// # Invariants
//
// What is copied is mapped character by character; what is inserted stands where it was
// inserted for. Edits keep the number of lines of a text as written. Positions follow #line.
package source
