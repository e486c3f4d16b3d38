// Package resolve makes the typed tree of a program: it consumes the syntax trees of package syntax and produces a unit
// of package ast, in which every name is an object or a function and every conversion is explicit.
//
// Names are entities (entity.go), looked up in scopes as the language has them (scope.go, lookup.go, find.go).
// Declarations are entered first and read when something needs them (declare.go); classes (class.go, member.go),
// functions (function.go) and their bodies (body.go) likewise, so that host code is never read. Templates are
// instantiated by reading their tree again in a scope that binds their parameters (template.go); deduce.go deduces
// arguments, order.go orders templates, conversion.go, userconv.go and overload.go choose among functions. eval.go
// computes constants on the typed tree.
//
// Classes are structs whose bases are members, references are pointers, member functions take their object's address,
// constructors return the object, and lambdas are objects of a class with operator().
//
// An error stays with the kernel that it makes unusable (Unit.Broken). What lies outside of the subset is an error that
// names the construct; a failed substitution is none, and removes its candidate.
package resolve
