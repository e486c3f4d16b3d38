// Package ast is the typed syntax tree of a file of kernels: what package frontend makes of a source and what package
// lower reads.
//
// A Unit holds the kernels, the functions that they call and the objects of the file. Every expression has a type of
// package ctypes and a position in the user's text, every name is an Object or a Function, every implicit conversion is
// a Convert or a Decay, and pragmas stand at their loops. Expr and Stmt are closed: nodes embed Typed or Positioned.
//
// Out go a check of what this package promises (Unit.Verify), the tree as text for people and golden tests (Fprint),
// walks over it (WalkStmt, WalkExpr), and what an lvalue is a part of and where that lives (RootObject, SpaceOf).
// The rules of types and lvalues are C's (C11 6.3, 6.5) and OpenCL's (OpenCL C 1.2, 6.2 to 6.5).
package ast
