package generate

import (
	"slices"

	"gpupipe/idg"
	"gpupipe/lower"
	"gpupipe/lower/machine"
	"gpupipe/unroll"
	"gpupipe/unroll/walk"
)

// Unrolled is the kernel with the loops at a place unrolled by a factor.
func (k *Kernel) Unrolled(at unroll.Location, factor int64) *Kernel {
	other := *k
	other.Options.Unrolls = append([]unroll.UnrollChoice{{At: at, Factor: factor}}, k.Options.Unrolls...)
	return &other
}

// WithoutPragma is the kernel with the loops at a place as they would be without their pragma.
func (k *Kernel) WithoutPragma(at unroll.Location) *Kernel {
	other := *k
	other.plain = append(slices.Clone(k.plain), at)
	return &other
}

// Code is the kernel's machine code.
func (k *Kernel) Code() (*machine.Code, error) {
	c, err := k.program.compile(k.fn, k.Options.Unrolls, k.chosen(), k.plain...)
	if ask := k.chosen(); err == nil && ask != nil {
		err = ask(c)
	}
	return c, err
}

// chosen asks Options.Chosen about instructions; nil: nobody asks.
func (k *Kernel) chosen() func(*machine.Code) error {
	ask := k.program.options.Chosen
	if ask == nil {
		return nil
	}
	o := &k.Options
	h := idg.Header{Launch: idg.Launch{Local: o.Local, Groups: o.Groups, WarpSize: o.WarpSize},
		Resources: idg.Resources{LocalBytes: walk.LocalBytes(k.Lowered, o)}}
	return func(c *machine.Code) error { return ask(c, &h) }
}

// withoutPragmas takes the pragmas of loops at some places away.
func withoutPragmas(k *lower.Kernel, at []unroll.Location) {
	for _, l := range k.Loops {
		if slices.ContainsFunc(at, func(x unroll.Location) bool { return x.Matches(l.Pos) }) {
			l.Pragma = nil
		}
	}
}
