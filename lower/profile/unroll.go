package profile

// UnrollRule is a compiler's rule for loops: computeUnrollCount of LLVM's LoopUnrollPass.cpp with the target's
// preferences.
type UnrollRule struct {
	Full    int64 `yaml:"full"`    // size below which a loop is unrolled whole; 0: no loop is without a pragma
	Partial int64 `yaml:"partial"` // size up to which copies are made where not all fit
	Private int64 `yaml:"private"` // instead of Full in loops that select elements of private arrays; 0: Full
	// PrivateUpper: such a loop is unrolled by an upper bound of its count, which leaves its exits.
	PrivateUpper bool `yaml:"private_upper"`
	// Analysed is how many iterations are followed to find what becomes constant; Boost by how much, in percent,
	// Full may grow for that.
	Analysed int64 `yaml:"analysed"`
	// AnalysedInner is that of loops without loops within, 0: Analysed. (LLVM's AMDGPU asks for an address in a block
	// of less than 32 instructions as well, amdgpu-unroll-max-block-to-analyze; copies of loops within are such
	// blocks.)
	AnalysedInner int64 `yaml:"analysed_inner"`
	Boost         int64 `yaml:"boost"`
	// Runtime is how many copies a loop gets whose number of iterations is computed when it begins, 0: none;
	// RuntimeBody the size of a body up to which it does, 0: any.
	Runtime     int64 `yaml:"runtime"`
	RuntimeBody int64 `yaml:"runtime_body"`
	// Count is the cost up to which that number is computed, 0: any (SCEVCheapExpansionBudget).
	Count int64 `yaml:"count"`
	// Upper is an upper bound of the iterations up to which such a loop stays as it is; PragmaUpper the one up to
	// which a pragma gets that many copies.
	Upper       int64 `yaml:"upper"`
	PragmaUpper int64 `yaml:"pragma_upper"`
	PragmaFull  int64 `yaml:"pragma_full"` // instead of Full and Partial for a pragma without a number; 0: any size
	// PragmaRuntime: a pragma without a number asks for copies of a loop of which the count is computed, even if
	// the rule makes none.
	PragmaRuntime bool `yaml:"pragma_runtime"`
	Powers        bool `yaml:"powers"`     // only powers of two are factors
	Innermost     bool `yaml:"innermost"`  // only loops without loops within get factors
	Convergent    bool `yaml:"convergent"` // no iterations may be left over of a loop with a barrier
	Latch         bool `yaml:"latch"`      // only the last exit's number of iterations counts, or that of the only one
	// RuntimeLast: the first of two runs leaves alone, unless a pragma asks, loops of which the number of iterations
	// is computed, and loops with loops within.
	RuntimeLast bool `yaml:"runtime_last"`
	// WholeFirst: the first of two runs makes no copies of loops that stay, unless a pragma asks, else the second.
	WholeFirst  bool `yaml:"whole_first"`
	NestedRest  bool `yaml:"nested_rest"` // what is left over of an inner loop is straight code
	IgnoresWord bool `yaml:"ignores_nounroll"`

	Costs UnrollCosts `yaml:"costs"`
}

// UnrollCosts are the sizes of operations as a compiler's unroller counts them (CodeMetrics, by the target's
// getUserCost). What has no entry has the size 1.
type UnrollCosts struct {
	BackEdge        int64 `yaml:"back_edge"` // of what a loop has once however many copies there are (BEInsns)
	Branch          int64 `yaml:"branch"`
	Extend          int64 `yaml:"extend"`   // a 32-bit index to the width of an address, by its sign
	ExtendZero      int64 `yaml:"extend_0"` // the same by zeros
	Product         int64 `yaml:"product"`  // of 32-bit integers
	WideProduct     int64 `yaml:"product_64"`
	WideInteger     int64 `yaml:"integer_64"` // an addition or a bitwise operation
	Double          int64 `yaml:"double"`     // an operation on doubles
	IntegerQuotient int64 `yaml:"integer_quotient"`
	FloatQuotient   int64 `yaml:"float_quotient"`
	FloatExtreme    int64 `yaml:"float_extreme"` // fmin, fmax
	Extreme         int64 `yaml:"extreme"`       // min and max of integers: a comparison and a select
	Absolute        int64 `yaml:"absolute"`      // of an integer
	// Those of computing the number of iterations in front of a loop: the difference of bound and start, its
	// shift by a step that is a power of two, a bound that is a minimum.
	CountDifference int64 `yaml:"count_difference"`
	CountShift      int64 `yaml:"count_shift"`
	CountExtreme    int64 `yaml:"count_extreme"`
	// Near are the address spaces of which an index has 32 bits: it is not extended.
	Near []string `yaml:"near"`
	// Fuses: a product that only feeds a sum is free.
	Fuses bool `yaml:"fuses"`
	// Calls are functions of mathematics, by name without the suffix f: what they are when they have been inlined.
	Calls map[string]int64 `yaml:"calls"`
	// Arrays are those of them that select elements of a private array.
	Arrays []string `yaml:"arrays"`
}

// LateRule is how the stage behind PTX unrolls innermost loops once more. Sizes are in instructions of an
// iteration without its counter, test and branch.
type LateRule struct {
	// Plain is the size up to which a loop that counts down to zero gets Copies; each of up to Locals loads of local
	// memory adds Local to it, and each further one takes one away; with loads of global memory it is Global at
	// least, and such a load counts GlobalLoad.
	Plain      int64 `yaml:"plain"`
	Local      int64 `yaml:"local"`
	Locals     int64 `yaml:"locals"`
	Global     int64 `yaml:"global"`
	GlobalLoad int64 `yaml:"global_load"`
	Store      int64 `yaml:"store"`
	Atomic     int64 `yaml:"atomic"`
	Barrier    int64 `yaml:"barrier"`
	Copies     int64 `yaml:"copies"`
	// Calls are the sizes of functions of mathematics that are straight code; loops with others stay.
	Calls map[string]int64 `yaml:"calls"`
	// Whole is, by number of iterations, the size of all up to which a constant number becomes straight code:
	// pairs of which the first is the largest number of iterations that the second is for.
	Whole [][2]int64 `yaml:"whole"`
	// Nested is that of loops in other loops which load local memory but not global: by number of iterations, then by
	// loads of an iteration. It grows with their square root.
	Nested NestedRule `yaml:"nested"`
	// Partial is the size of the copies, and of what is left over, where not all become straight code, and Body the
	// one of an iteration up to which that is done.
	Partial int64 `yaml:"partial"`
	Body    int64 `yaml:"body"`
}

// NestedRule is a table of sizes. Without loads, any number of iterations up to Plain in size becomes straight code.
type NestedRule struct {
	Plain int64     `yaml:"plain"`
	Loads []int64   `yaml:"loads"` // of an iteration: of the columns
	Whole [][]int64 `yaml:"whole"` // rows: the number of iterations, the size for each number of loads
}

// Most is the size of all iterations up to which n of them become straight code. Between columns and rows it is
// interpolated.
func (r *NestedRule) Most(n, loads int64) int64 {
	if loads == 0 || len(r.Whole) == 0 {
		return r.Plain
	}
	row := func(i int) int64 {
		w := r.Whole[i][1:]
		for k := range r.Loads {
			if loads <= r.Loads[k] || k == len(r.Loads)-1 {
				if k == 0 || loads >= r.Loads[k] {
					return w[k]
				}
				return between(loads, r.Loads[k-1], r.Loads[k], w[k-1], w[k])
			}
		}
		return 0
	}
	last := len(r.Whole) - 1
	for i := range r.Whole {
		if n <= r.Whole[i][0] && i > 0 {
			return between(n, r.Whole[i-1][0], r.Whole[i][0], row(i-1), row(i))
		} else if n <= r.Whole[i][0] {
			return row(i)
		}
	}
	return row(last)
}

// between is a number on the line through (x0, y0) and (x1, y1).
func between(x, x0, x1, y0, y1 int64) int64 { return y0 + (y1-y0)*(x-x0)/(x1-x0) }
