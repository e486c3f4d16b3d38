package pass

import "gpupipe/lower/ir"

// IfConvert is not written yet.
func IfConvert(f *ir.Func, c *Context) {}
