package lower_test

import (
	"fmt"

	"gpupipe/lower"
	"gpupipe/lower/build"
	"gpupipe/lower/ir/interp"
)

// What package lower makes is executed as the SSA that is built of it.
func init() {
	lower.SetExecute(func(k *lower.Kernel, buffers map[string][]byte, scalars, index map[string]uint64) error {
		f := build.Build(k)
		if err := f.Verify(); err != nil {
			return fmt.Errorf("%w\n%v", err, f)
		}
		if err := interp.Run(f, buffers, scalars, index); err != nil {
			return fmt.Errorf("%w\n%v", err, f)
		}
		return nil
	})
}
