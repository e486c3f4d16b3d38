package pass

import "gpupipe/lower/ir"

// Simplify is not written yet.
func Simplify(f *ir.Func, c *Context) {}
