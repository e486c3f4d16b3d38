package micro

import (
	"fmt"
	"math"

	"gpupipe/internal/measure"
	"gpupipe/internal/measure/driver"
)

// scalar is the C type of a microbenchmark's values.
type scalar string

// The types. Half precision parameters are passed as float.
const (
	f32  scalar = "float"
	f64  scalar = "double"
	f16  scalar = "half"
	s32  scalar = "int"
	word scalar = "uint"
	// in CUDA, where a register has two values: a compiler would make one instruction of two chains
	f16x2  scalar = "f16x2"
	bf16x2 scalar = "bf16x2"
)

// bytes of a value in the output.
func (s scalar) bytes() int {
	switch s {
	case f64:
		return 8
	case f16:
		return 2
	}
	return 4
}

// spec is the microbenchmark of a class with a number of chains.
type spec struct {
	typ       scalar
	a, b      float64 // the kernel's parameters, which its compiler does not know
	declare   string  // before the kernel
	setup     string  // before the loop; r0, r1, ... have their first values
	finish    string  // behind it
	start     string  // first value of chain C; "" is oddStart
	unroll    int     // instructions of all chains in the loop's body
	rolled    bool    // one step in the loop's body
	few       bool    // no output but that which is compared, and no counters: what else is written would count
	counted   int64   // instructions of the class in a step
	when      string  // condition under which a work item executes the loop; "" is always
	local     int     // bytes of local memory that it uses
	table     table   // what device memory holds
	tolerance float64 // relative error of the output; 0 is equality
	// step is one instruction of the chain in register x; y is the chain's other register, and both swap
	// after each step where the spec is paired.
	step   func(x, y string) string
	paired bool
	sums   bool // the first word of memory counts all steps of the launch
	// want is what a work item leaves in a chain.
	want func(at place, chain int) float64
}

// place is a work item of a launch, and how much it executed.
type place struct {
	item, lid, size, items int   // of the launch, of its group, the group's size, and all
	steps                  int64 // of each chain
	chains                 int
}

// unspecified is an output that depends on the order in which work items execute.
var unspecified = math.NaN()

// table is what device memory holds before a launch: element j is the byte offset of element
// (mul*j + add) mod n, so that reads follow each other. The zero value is not memory.
type table struct {
	elements  uint32 // a power of two
	size      int    // bytes of an element
	mul, add  uint32
	pattern   uint32 // of each word; 0 = that of mul and add
	zero      bool   // all is 0 before each launch, of so many words a work item and chain
	unaligned int    // bytes before the first element
}

func (t table) bytes() int64 { return int64(t.elements)*int64(t.size) + 64 }

// memory are the sizes of a device that tables depend on.
type memory struct {
	large    uint32 // bytes of a table that no cache holds; a power of two
	l2, l1   uint32 // bytes of tables that these caches hold; powers of two
	cpu      bool   // the device is a CPU
	maxItems int    // work items of the largest launch
}

// specOf returns the microbenchmark of a class.
func specOf(c measure.Class, chains int, d driver.Dialect, m memory, warp int) (*spec, error) {
	for _, make := range []func(measure.Class, driver.Dialect) *spec{arithmeticSpec, controlSpec, localSpec,
		tensorSpec, groupSpec} {
		if s := make(c, d); s != nil {
			return s.complete(chains, m.cpu), nil
		}
	}
	if s := globalSpec(c, d, m); s != nil {
		return s.complete(chains, m.cpu), nil
	}
	if c.Kind == measure.Placement {
		s := arithmeticSpec(measure.Class{Name: "fma.f32"}, d)
		s.everyNthWarp(c.Param, warp)
		return s.complete(chains, m.cpu), nil
	}
	return nil, fmt.Errorf("no microbenchmark is written for %s", c.Name)
}

// straight are the instructions of a loop's body: enough that its loop instructions do not count, and few enough
// for the instruction caches. A CPU's compiler vectorises the body of a group, which takes long: it gets few.
const (
	straight    = 256
	straightCPU = 8
)

// complete fills in what most have in common.
func (s *spec) complete(chains int, cpu bool) *spec {
	if s.unroll == 0 {
		s.unroll = straight
	}
	if cpu {
		s.unroll = min(s.unroll, straightCPU)
	}
	s.unroll = max(2, s.unroll/chains/2*2) // even, for registers in turn
	if s.rolled {
		s.unroll = 1
	}
	if s.counted == 0 {
		s.counted = 1
	}
	return s
}

// oddStart is the first value of most chains: small odd numbers that differ between lanes and chains.
const oddStart = "(T)(2 * (int)(gid & 7u) + 1 + 2 * C)"

func oddValue(at place, chain int) float64 { return float64(2*(at.item&7) + 1 + 2*chain) }

// otherStart is the first value of a chain's other register.
const otherStart = "(T)(2 * (int)(gid & 3u) + 3)"

func otherValue(at place) float64 { return float64(2*(at.item&3) + 3) }
