package pass

import "gpupipe/lower/ir"

// Promote is not written yet.
func Promote(f *ir.Func, c *Context) {}
