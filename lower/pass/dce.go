package pass

import "gpupipe/lower/ir"

// DCE is not written yet.
func DCE(f *ir.Func, c *Context) {}
