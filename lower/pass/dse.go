package pass

import "gpupipe/lower/ir"

// DeadStores is not written yet.
func DeadStores(f *ir.Func, c *Context) {}
