// Package syntax parses preprocessed programs into a tree: C99, OpenCL C 1.2 to 3.0, CUDA C++17 and HIP.
//
// It consumes the tokens of package preprocess and produces a File (tree.go): all declarations in the order of the
// source, each node with its place in the user's text. It resolves no names and knows no types; package resolve does.
// The parser is written by hand, by recursive descent, one file for each kind of construct.
//
// What may be a type or an expression is decided with a table of names that the parser keeps while it reads (scope.go):
// what is a type, a value, a namespace or a template, in the scopes of the language. Names that no declaration
// introduces are types where only a type can stand; Options.IsType knows those of the language. Template arguments that
// may be both are kept as both.
//
// Bodies of functions are kept as tokens until Body.Parse is called, when all members of a class are known. What does
// not parse loses only its own declaration, a BadDecl, or its body (Body.Err).
//
// # Invariants
//
// Whatever the tokens are, parsing ends: nesting is limited (deepest), and what is read on trial holds a type, a name
// or a list of template arguments, whose nesting on trial is limited, too. Errors are diag.Errors of code SYNTAX or,
// for constructs that are refused by name, UNSUPPORTED.
package syntax
