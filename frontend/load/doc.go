// Package load makes the parser's tree of a file: from the user's text, with what it includes, to C that
// modernc.org/cc/v4 preprocesses and parses.
//
// In comes a Config; out goes a Parsed: the tree, untyped and in the encodings of package encoding, with the functions that
// cannot be parsed left out of it, launch directives tied to their kernels, unroll pragmas found at their labels, and the way
// back from each node to the user's text (Parsed.Pos). ReadHost gives the host code of the same file, preprocessed, in
// tokens. Whether the tree means anything is not asked here: package frontend types it.
//
// # Phases
//
//   - Files (include.go): each is cut into tokens (package tokens), its templates and members are written out (package cxx)
//     and it is rewritten, before the preprocessor asks for it; includes and the files' own pragmas lead it from one
//     to the other.
//   - Rewriting (rewrite.go lists the passes, in order): what cc cannot read becomes C on the same lines.
//   - Preprocessing and parsing (parse.go), within bounds (limits.go): what a syntax error lies in is left out and
//     the rest parsed again (recover.go), unknown types of OpenCL are stood in for (missing.go).
//   - What was added is taken out of the tree again: directives (directive.go), default arguments
//     (rewrite_cuda_default.go). Which kernels conditions leave out can be asked (conditional.go).
//
// # Invariants
//
// Every error has a position in the user's text. Whatever the text is, parsing ends. Nothing but Config.FS is read.
//
// Sources: C11, 5.1.1.2 and 6.10; OpenCL C 1.2, 6.10 and 6.11; CUDA C++ Programming Guide.
package load
