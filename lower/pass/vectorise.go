package pass

import "gpupipe/lower/ir"

// Vectorise is not written yet.
func Vectorise(f *ir.Func, c *Context) {}
