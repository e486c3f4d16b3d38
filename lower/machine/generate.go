package machine

import "gpupipe/lower/ir"

// Generate makes machine code of optimised IR: it selects instructions, schedules them, allocates registers
// and spills, and counts the resources.
func Generate(f *ir.Func, t *Target, o *Options) (*Code, error) {
	c, err := Select(f, t, o)
	if err != nil {
		return nil, err
	}
	Schedule(c, o)
	if err := Allocate(c, o); err != nil {
		return nil, err
	}
	return c, nil
}
