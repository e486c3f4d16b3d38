package generate

import (
	"gpupipe/unroll/walk"
)

// Decide finds out what becomes of the kernel's loops and branches.
func (k *Kernel) Decide() (walk.Survey, error) {
	o, err := k.Options.WithDefaults()
	if err == nil {
		err = k.Options.Check(k.Lowered)
	}
	if err != nil {
		return walk.Survey{}, err
	}
	c, err := k.program.compile(k.fn, k.Options.Unrolls, nil)
	if err != nil {
		return walk.Survey{}, err
	}
	return walk.Decide(k.Lowered, c, o)
}
