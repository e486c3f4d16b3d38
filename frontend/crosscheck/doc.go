// Package crosscheck reads OpenCL C a second time, with modernc.org/cc, and compares what both readings found.
//
// It consumes what package frontend has made of a file: the preprocessed tokens, their tree and the typed unit.
// cc.Parse gets the same tokens as C, behind typedefs of the language's type names (feed.go). Both trees are written in
// one form, an outline (outline.go): declarations and statements on lines, types from the name outwards,
// expressions in parentheses. Two outlines that differ are two readings (compare.go). The values of constants - array
// sizes, enumerators, case labels - and of #if are computed by cc's type checker and preprocessor and compared, too
// (values.go).
//
// # Invariants
//
// cc gets only what the frontend's own parser has read whole, which bounds its size and nesting; macros, includes and
// pragmas never reach it. What cc cannot read is Result.Unreadable and no difference.
package crosscheck
