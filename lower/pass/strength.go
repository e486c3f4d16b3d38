package pass

import "gpupipe/lower/ir"

// StrengthReduce is not written yet.
func StrengthReduce(f *ir.Func, c *Context) {}
