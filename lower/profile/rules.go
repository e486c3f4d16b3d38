package profile

// Contraction says when a product that is added may be rounded once (C's FP_CONTRACT).
type Contraction string

// The rules. The zero value is never.
const (
	ContractFast       Contraction = "fast"       // anywhere: nvcc -fmad=true, clang -ffp-contract=fast
	ContractExpression Contraction = "expression" // within an expression: clang -ffp-contract=on
)

// Speculation says which branches become selects: how much code may be executed whatever their condition is.
type Speculation struct {
	// Operations is how many of them one side may have where the other one is empty, Values how many may be
	// chosen.
	Operations int `yaml:"operations"`
	Values     int `yaml:"values"`
	// Any is how many operations one side may have whatever the number of values.
	Any int `yaml:"any"`
	// Each is the operations of each of two sides, Sum those of both; 0: no limit.
	Each int `yaml:"each"`
	Sum  int `yaml:"sum"`
	// Late is Each where the sides ended in the same operations, which follow the branch late; 0: Each.
	Late int `yaml:"late"`
}

// OneSide reports whether a side of some operations is executed in any case, and values chosen.
func (s *Speculation) OneSide(operations, values int) bool {
	return operations <= s.Operations && values <= s.Values || s.Any > 0 && operations <= s.Any
}

// BothSides reports whether two sides are executed in any case, and values chosen.
func (s *Speculation) BothSides(a, b, values int) bool {
	return max(a, b) <= s.Each && values <= s.Values && (s.Sum == 0 || a+b <= s.Sum)
}

// AddressRule is what a compiler takes for granted when it splits subscripts.
type AddressRule struct {
	// Ranges: an unsigned sum that cannot wrap, as far as ranges of its operands tell, is split as well.
	Ranges bool `yaml:"ranges"`
	// Wraps: a sum that is extended by its sign is split even if it was computed in an unsigned type.
	Wraps bool `yaml:"wraps"`
	// Joins: a pointer that is moved by a subscript and has another one is moved by their sum, in 64 bits
	Joins bool `yaml:"joins"`
	// Straight: the compiler has straight-line strength reduction.
	Straight bool      `yaml:"straight"`
	Chain    ChainRule `yaml:"chain"`
	// Near are the address spaces of which addresses have 32 bits.
	Near []string `yaml:"near"`
}

// ChainRule says when a compiler computes addresses from one another.
type ChainRule struct {
	// Accesses are how many a kernel must have, Length how many addresses in a row at equal distances; 0: none.
	Accesses int `yaml:"accesses"`
	Length   int `yaml:"length"`
}

// StrengthRule says which addresses of a loop a compiler computes by increments.
type StrengthRule struct {
	Addresses bool `yaml:"addresses"` // at all
	// Most is how many different addresses a loop may have (MaxIVUsers of LLVM's IVUsers.cpp).
	Most int `yaml:"most"`
	// Multiples: where a loop has been unrolled for a count that is computed, or where an access is conditional, the
	// compiler does not know of a multiple of the counter that it does not wrap around, so that its extension to an
	// address's width stays in the loop.
	Multiples bool `yaml:"multiples"`
	// Forgets: once a loop within another one has been reduced, loops behind it in the queue have their indices
	// extended in the loop.
	Forgets bool `yaml:"forgets"`
	// Forms are how many forms of a loop's addresses are compared at most (ComplexityLimit of LLVM's
	// LoopStrengthReduce.cpp); 0: all.
	Forms int `yaml:"forms"`
}

// IndexedRule says when private arrays with computed subscripts are registers that comparisons choose among. Costs are
// in comparisons with a register's choice; code is weighed by how often it is executed.
type IndexedRule struct {
	// Static and Dynamic are what an access at a constant, or at a computed, place costs in memory: each, and each
	// word.
	Static  [2]float64 `yaml:"static"`
	Dynamic [2]float64 `yaml:"dynamic"`
	// Straight and Looped are in favour of registers once, as often as the innermost loop with an access is executed.
	Straight float64 `yaml:"straight"`
	Looped   float64 `yaml:"looped"`
	// Often is how often the body of a loop is taken to be executed.
	Often float64 `yaml:"often"`
	// Most is how many comparisons there may be, Growth how many instructions of them for one of the kernel, of which
	// an access to memory counts as Memory.
	Most   int64   `yaml:"most"`
	Growth float64 `yaml:"growth"`
	Memory float64 `yaml:"memory"`
}

// Width says how many bytes the accesses of one address space may have that adjacent ones become.
type Width struct {
	Space       string // "global", "local", "private", "constant"
	Load, Store int64  // bytes; 0: none are merged
	// Aligned is the alignment in bytes that is enough for any load and any store; 0: their own
	Aligned struct{ Load, Store int64 }
	// Elements: objects are aligned as their elements are, where others are placed by the compiler
	Elements bool
	Three    bool // three words are a width, too
	// Part: three of four neighbours are read as four
	Part bool
	// Pairs: accesses stay what they are, but that the first of two knows its alignment: what selects instructions
	// pairs those of registers of the warp (nvcc 11.8 and 13: ULDC.64 of neighbours in __constant__ memory).
	Pairs bool
}
