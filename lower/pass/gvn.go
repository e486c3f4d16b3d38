package pass

import "gpupipe/lower/ir"

// GVN is not written yet.
func GVN(f *ir.Func, c *Context) {}
