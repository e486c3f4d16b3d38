package pass_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"gpupipe/internal/test/irtest"
	"gpupipe/internal/test/irverify"
	"gpupipe/internal/test/randomc"
	"gpupipe/internal/test/tools"
	"gpupipe/lower/ir"
	"gpupipe/lower/pass"
	"gpupipe/lower/profile"
)

// firstSeed finds more: go test ./lower/pass -run Random -seed 1000.
var firstSeed = flag.Uint64("seed", 0, "the first of the random kernels")

// seeds is with how many inputs a random kernel is executed.
const seeds = 3

// compilers are those whose profiles random kernels are compiled with.
var compilers = []string{"", "", "nvcc-13", "clang-nvptx-14", "clang-amdgcn-14"}

// TestRandom: no pass changes what random kernels leave in memory.
func TestRandom(t *testing.T) {
	executed := 0
	for seed := range tools.Cases(1000, 60) {
		executed += randomKernel(t, *firstSeed+uint64(seed))
	}
	t.Logf("%d executions", executed)
}

// randomKernel runs the passes over the kernel of a seed, in the order of the list or a random one, with loops as
// the compiler would have them or unrolled. A kernel that fails is made smaller for the message. It returns for
// how many inputs the kernel is executed.
func randomKernel(t *testing.T, seed uint64) int {
	rng := rand.New(rand.NewPCG(seed, 3))
	f := irtest.Build(t, irtest.Config("k.cl", randomc.New(seed).Text))[0]
	list := pass.List
	if seed%4 == 3 {
		list = nil
		for range 8 {
			list = append(list, pass.List[rng.IntN(len(pass.List))])
		}
	}
	compiler := *profileNamed(compilers[seed%uint64(len(compilers))])
	if seed%2 == 1 { // what large loops are for
		compiler.Strength.Forms = min(compiler.Strength.Forms, 2)
	}
	c := &profile.Context{Profile: &compiler}
	if factor := []int{0, 2, 3, 5}[rng.IntN(4)]; factor > 0 {
		c.Unroll = map[int]int{}
		for i := range 100 {
			c.Unroll[i+1] = factor
		}
	}
	expected := irtest.Expect(f, seeds)
	if name, err := firstChange(f, expected, list, c); err != nil {
		t.Errorf("seed %d: %s: %v", seed, name, err)
	}
	return expected.Executed
}

// firstChange runs passes over a kernel up to the first that changes what it does. The error has the smallest
// kernel with which that pass does.
func firstChange(f *ir.Func, expected *irtest.Expected, list []pass.Pass, c *profile.Context) (name string, err error) {
	for _, p := range list {
		before := f.String()
		if wrong(f, expected, p, c) == nil {
			continue
		}
		small, err := irtest.Parse(before)
		if err != nil {
			return p.Name, err
		}
		small = irtest.Reduce(small, func(f *ir.Func) bool { return wrong(f, irtest.Expect(f, seeds), p, c) != nil })
		before = small.String()
		err = wrong(small, irtest.Expect(small, seeds), p, c)
		return p.Name, fmt.Errorf("%w\n%s\nafter:\n%v", err, before, small)
	}
	return "", nil
}

// wrong runs a pass over a kernel and says how that changes what it does.
func wrong(f *ir.Func, expected *irtest.Expected, p pass.Pass, c *profile.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	p.Run(f, c)
	if err := irverify.Verify(f); err != nil {
		return err
	}
	return expected.Check(f)
}
