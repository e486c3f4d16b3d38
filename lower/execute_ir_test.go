package lower_test

import (
	"bytes"
	"fmt"
	"slices"

	"gpupipe/lower"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
	"gpupipe/lower/ir/interp"
	"gpupipe/lower/pass"
)

// What package lower makes is executed as the SSA that is built of it, and as what the passes leave of that, which has
// to give the same. Without contraction, which rounds differently.
func init() {
	lower.SetExecute(func(k *lower.Kernel, buffers map[string][]byte, scalars, index map[string]uint64) error {
		optimised := map[string][]byte{}
		for name, b := range buffers {
			optimised[name] = slices.Clone(b)
		}
		f := build.Build(k)
		if err := run(f, buffers, scalars, index); err != nil {
			return err
		}
		f = build.Build(k)
		before := f.String()
		verify := func(_ string, f *ir.Func) error { return f.Verify() }
		if err := pass.Run(f, &pass.Context{Profile: &pass.Profile{}}, "", verify); err != nil {
			return fmt.Errorf("%w\n%v", err, f)
		}
		if err := run(f, optimised, scalars, index); err != nil {
			return fmt.Errorf("%s\n%w", before, err)
		}
		for name, b := range buffers {
			if !bytes.Equal(b, optimised[name]) {
				return fmt.Errorf("the passes change %s from\n%x to\n%x\n%s\n%s", name, b, optimised[name], before, f)
			}
		}
		return nil
	})
}

// run executes a kernel once.
func run(f *ir.Func, buffers map[string][]byte, scalars, index map[string]uint64) error {
	if err := f.Verify(); err != nil {
		return fmt.Errorf("%w\n%v", err, f)
	}
	if err := interp.Run(f, buffers, scalars, index); err != nil {
		return fmt.Errorf("%w\n%v", err, f)
	}
	return nil
}
