package pass

import "gpupipe/lower/ir"

// LICM is not written yet.
func LICM(f *ir.Func, c *Context) {}
