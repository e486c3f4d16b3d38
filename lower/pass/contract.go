package pass

import "gpupipe/lower/ir"

// Contract is not written yet.
func Contract(f *ir.Func, c *Context) {}
