package translate_test

import (
	"bytes"
	"fmt"

	"gpupipe/internal/test/interp"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower"
	"gpupipe/lower/build"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
	"gpupipe/lower/translate"
)

// What package lower makes is executed as the SSA that is built of it, and as what the passes leave of that, which has
// to give the same. Without contraction, which rounds differently.
func init() {
	translate.SetExecute(func(k *lower.Kernel, buffers map[string][]byte, scalars, index map[string]uint64) error {
		before := clone(buffers)
		if err := run(build.Build(k), buffers, scalars, index); err != nil {
			return err
		}
		factors := [][]int{{0, 2}, {0, 3}, {0, 8}}[len(k.Regs)%3]
		if len(k.Loops) > 4 { // whose copies are many where they are nested
			factors = factors[:1]
		}
		for _, factor := range factors {
			c := &profile.Context{Profile: uncontracted(), Unroll: map[int]int{}}
			for i := range k.Loops {
				if factor > 0 {
					c.Unroll[i+1] = factor
				}
			}
			f := build.Build(k)
			built := f.String()
			if err := pass.Run(f, c, "", irverify.After); err != nil {
				return fmt.Errorf("loops by %d: %w\n%v", factor, err, f)
			}
			after := clone(before)
			if err := run(f, after, scalars, index); err != nil {
				return fmt.Errorf("loops by %d: %s\n%w", factor, built, err)
			}
			for name, b := range buffers {
				if !bytes.Equal(b, after[name]) {
					return fmt.Errorf("loops by %d: the passes change %s from\n%x to\n%x\n%s\n%s", factor, name, b,
						after[name], built, f)
				}
			}
		}
		return nil
	})
}

// uncontracted is the profile of the compiler with most passes.
func uncontracted() *profile.Profile {
	p, err := profile.Lookup("nvcc-11.8")
	if err != nil {
		panic(err)
	}
	q := *p
	q.Contract = ""
	return &q
}

func clone(buffers map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	for name, b := range buffers {
		out[name] = bytes.Clone(b)
	}
	return out
}

// run executes a kernel once.
func run(f *ir.Func, buffers map[string][]byte, scalars, index map[string]uint64) error {
	if err := irverify.Verify(f); err != nil {
		return fmt.Errorf("%w\n%v", err, f)
	}
	if err := interp.Run(f, buffers, scalars, index); err != nil {
		return fmt.Errorf("%w\n%v", err, f)
	}
	return nil
}
