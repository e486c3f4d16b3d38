package generate

import (
	"cmp"

	"gpupipe/internal/target"
)

// target is what the code is for: what was asked for, else what the device decides.
func (o *Options) target() target.Target {
	asked := o.Target
	if o.Device == nil {
		return asked
	}
	d := o.Device.Target()
	t := d
	t.GPU, t.Level, t.FastMath = asked.GPU, asked.Level, asked.FastMath
	t.WarpSize, t.Compiler = cmp.Or(asked.WarpSize, d.WarpSize), cmp.Or(asked.Compiler, d.Compiler)
	t.Version = asked.Version
	// At -O0 the graph is the article's drawing, whatever the device.
	article := t.Level == target.O0
	if asked.Barrier != 0 || article {
		t.Barrier = asked.Barrier
	}
	return t
}
