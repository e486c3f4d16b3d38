// Package source makes the tokens of a program: it consumes what is to be read (Config), with the headers of libraries
// and the macros of the compilers, and produces what the preprocessor leaves, for the device's compiler or the host's,
// and a digest of it.
package source
