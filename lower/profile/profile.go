// Package profile says how compilers differ: their thresholds and which passes they have, as rows of
// profiles/profiles.yaml, each figure with its source. Packages below pass read it; none asks which compiler it is.
package profile

// Profile is what differs between compilers: thresholds, and which passes they have. It is read from
// profiles/*.yaml, each figure with its source.
type Profile struct {
	Name     string // "nvcc-11.8", "nvcc-13", "clang-nvptx-14", "clang-amdgcn-14", "none"
	Contract Contraction
	// ContractWhole: a product that more than sums need is not contracted.
	ContractWhole bool
	Speculate     Speculation
	// ShuffleWrites: operations among the lanes of a warp may write what they share.
	ShuffleWrites bool
	Wide          []Width
	Address       AddressRule
	Unroll        UnrollRule
	Strength      StrengthRule
	Late          LateRule
	Indexed       IndexedRule
	// MergeStores: a store to private memory and a conditional one that overwrites it are one.
	MergeStores bool
	// CountBits: loops that clear bits one after another are counts of bits.
	CountBits bool
	// IndexRanges: work-item functions are known to be as small as launches are limited to.
	IndexRanges bool
	// LocalBytes is the most memory of groups that the compiler takes a compute unit to have; 0: what it has.
	LocalBytes   int64
	VIADD, Hoist bool   // as of machine.Options
	Library      string // as of machine.Options
	SinkCopies   bool   // what unrolled loops compute for one side of a branch is computed there
	MachineSink  bool   // the code is sunk once more behind the selection of instructions
}

// Context is what a pass may read besides the kernel.
type Context struct {
	Profile *Profile
	// Unroll overrides the factor of loops by LoopID of the source (Instr.Source); 1: rolled.
	Unroll map[int]int
	// Source: nothing is optimised, and the code is what the source says (-O0): the passes are those of Source.
	Source bool
	// Virtual: the code is for a virtual machine (PTX): the stage behind it has not run.
	Virtual bool
}
