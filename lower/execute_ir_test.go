package lower_test

import (
	"bytes"
	"fmt"
	"maps"

	"gpupipe/lower"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
	"gpupipe/lower/ir/interp"
	"gpupipe/lower/pass"
)

// What package lower makes is executed as the SSA that is built of it, and as what the passes over loops make of
// that, with the loops as they are and unrolled.
func init() {
	lower.SetExecute(func(k *lower.Kernel, buffers map[string][]byte, scalars, index map[string]uint64) error {
		f := build.Build(k)
		if err := f.Verify(); err != nil {
			return fmt.Errorf("%w\n%v", err, f)
		}
		before := map[string][]byte{}
		for name, b := range buffers {
			before[name] = bytes.Clone(b)
		}
		if err := interp.Run(f, buffers, scalars, index); err != nil {
			return fmt.Errorf("%w\n%v", err, f)
		}
		same := func(f *ir.Func) error {
			if err := f.Verify(); err != nil {
				return err
			}
			after := map[string][]byte{}
			for name, b := range before {
				after[name] = bytes.Clone(b)
			}
			err := interp.Run(f, after, scalars, index)
			if err == nil && !maps.EqualFunc(buffers, after, bytes.Equal) {
				err = fmt.Errorf("other memory")
			}
			return err
		}
		for _, factor := range []int{0, 2, 3, 8} {
			f := build.Build(k)
			c := &pass.Context{Profile: &pass.Profile{}, Unroll: map[int]int{}}
			for i := range k.Loops {
				if factor > 0 {
					c.Unroll[i+1] = factor
				}
			}
			for _, p := range loopPasses {
				p.Run(f, c)
				if err := same(f); err != nil {
					return fmt.Errorf("loops by %d, after %s: %w\nof\n%v", factor, p.Name, err, f)
				}
			}
		}
		return nil
	})
}

// loopPasses are those over loops, one behind the other.
var loopPasses = []pass.Pass{{Name: "rotate", Run: pass.Rotate}, {Name: "unroll", Run: pass.Unroll},
	{Name: "unroll again", Run: pass.Unroll}, {Name: "address", Run: pass.Addresses},
	{Name: "strength", Run: pass.StrengthReduce}}
