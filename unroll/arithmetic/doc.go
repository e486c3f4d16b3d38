// Package arithmetic evaluates the IR's operations on what one lane of a warp holds, as a GPU
// does.
//
// In: an operation of package lower, a type and lane values. Out: the result's lane value, and
// whether it is defined (a quotient by zero is not, nor is a function that is not known). The
// functions of integers are a table (integer.go).
//
// Lane values are 64-bit patterns: integers are sign- or zero-extended by their type, floating
// numbers are the IEEE bits of their own width (half precision is kept as float32 bits rounded to
// half), conditions are 0 or 1. Integers wrap around, and saturate where the source says so;
// floating numbers that become integers always saturate.
// TestIntegerArithmetic compares every operation on integers with Go's own typed arithmetic
// (package oracle), TestIntegerFunctions every function with its definition in unbounded
// integers, TestFloatArithmetic the operations on floating numbers with Go's.
package arithmetic
