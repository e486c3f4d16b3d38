package pass_test

import (
	"testing"

	"gpupipe/frontend"
	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/irverify"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
)

// TestCorpusExecutes: no pass changes what the kernels of the corpus leave in memory.
func TestCorpusExecutes(t *testing.T) {
	kernels, executed := 0, 0
	irtest.Corpus(t, func(t *testing.T, c frontend.Config) {
		unrolled := irtest.Build(t, c)
		for i, f := range irtest.Build(t, c) {
			kernels++
			n, err := unchanged(f, &profile.Context{Profile: profileNamed("")}, 2)
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
			other := &profile.Context{Profile: profileNamed(compilers[kernels%len(compilers)]), Unroll: map[int]int{}}
			for loop := range 100 {
				other.Unroll[loop+1] = 3
			}
			if _, err := unchanged(unrolled[i], other, 2); err != nil {
				t.Errorf("%s, loops by 3, %s: %v", f.Name, other.Profile.Name, err)
			}
			if n > 0 {
				executed++
			} else {
				t.Logf("%s is not executed", f.Name)
			}
		}
	})
	t.Logf("%d of %d kernels are executed", executed, kernels)
}

// unchanged runs all passes over a kernel, verifies the code after each and executes it with the inputs of some
// seeds; executed is for how many the kernel ends without an error of its own.
func unchanged(f *ir.Func, c *profile.Context, seeds int) (executed int, err error) {
	expected, last := irtest.Expect(f, seeds), ""
	return expected.Executed, pass.Run(f, c, "", func(_ string, f *ir.Func) (err error) {
		if err := irverify.Verify(f); err != nil {
			return err
		}
		text := f.String()
		if text == last {
			return nil
		}
		last = text
		return expected.Check(f)
	})
}
