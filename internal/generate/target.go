package generate

import (
	"cmp"

	"gpupipe/internal/diag"
	"gpupipe/internal/target"
)

// target is what the code is for: what was asked for, else what the device decides.
func (o *Options) target() (target.Target, error) {
	asked := o.Target
	if o.Device == nil {
		return asked, nil
	}
	d := o.Device.Target()
	t := d
	t.GPU, t.Level, t.FastMath = asked.GPU, asked.Level, asked.FastMath
	t.WarpSize, t.Compiler = cmp.Or(asked.WarpSize, d.WarpSize), cmp.Or(asked.Compiler, d.Compiler)
	if o.Old && asked.MachineCode && t.Compiler == target.Clang && !(d.Compiler == target.Clang && d.MachineCode) {
		return t, diag.Errorf(diag.Pos{}, diag.CodeUsage, "--machine-code is not known of what %v compiles for %s",
			t.Compiler, o.Device.Title)
	}
	// At -O0 the graph is the article's drawing, whatever the device.
	article := t.Level == target.O0
	if asked.Barrier != 0 || article {
		t.Barrier = asked.Barrier
	}
	if o.MachineCodeSaid || article || t.Compiler != d.Compiler {
		t.MachineCode = asked.MachineCode
	}
	return t, nil
}
