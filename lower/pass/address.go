package pass

import "gpupipe/lower/ir"

// Addresses is not written yet.
func Addresses(f *ir.Func, c *Context) {}
