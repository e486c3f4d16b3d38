package machine

import "gpupipe/lower/ir"

// Select makes instructions of IR, with virtual registers, in program order.
func Select(f *ir.Func, t *Target, o *Options) (*Code, error) { panic("not written yet") }
