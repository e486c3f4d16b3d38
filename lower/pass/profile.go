package pass

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
	// IndexRanges: work-item functions are known to be as small as launches are limited to.
	IndexRanges bool
	// LocalBytes is the most memory of groups that the compiler takes a compute unit to have; 0: what it has.
	LocalBytes   int64
	VIADD, Hoist bool // as of machine.Options
	MachineSink  bool // the code is sunk once more behind the selection of instructions
}
