package pass

import "gpupipe/lower/ir"

// Unroll is not written yet.
func Unroll(f *ir.Func, c *Context) {}
