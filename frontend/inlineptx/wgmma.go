package inlineptx

import (
	"strconv"
	"strings"

	"gpupipe/frontend/ctypes"
)

// Matrix instructions of warp groups (PTX ISA, Asynchronous Warpgroup Level Matrix Instructions).

// GroupProduct is what the names of the functions of class Tensor begin with that wgmma.mma_async calls, of the
// registers that are added to, and of a, which is a descriptor of local memory or four words, and the descriptor of b.
const GroupProduct = "wgmma_"

// GroupShape is a matrix instruction of a warp group: 64 rows, N columns.
type GroupShape struct {
	Columns int    // N: 8 to 256
	Depth   int    // numbers of a row of a: 32 bytes of them
	Factor  string // PTX's type of a: "bf16"
	Sum     ctypes.Kind
}

// maxColumns is the widest product of a warp group.
const maxColumns = 256

// groupDepths are the numbers in 32 bytes by PTX's types of factors.
var groupDepths = map[string]int{"f16": 16, "bf16": 16, "tf32": 8, "e4m3": 32, "e5m2": 32, "s8": 32, "u8": 32}

// GroupDepth is how many numbers of PTX's type of factors are a row of a, 0 of a type that wgmma does not take.
func GroupDepth(factor string) int { return groupDepths[factor] }

// GroupShapeOf takes the name of a function apart, nil if it is not a product of a warp group.
func GroupShapeOf(function string) *GroupShape {
	words := strings.Split(strings.TrimPrefix(function, GroupProduct), "_")
	if !strings.HasPrefix(function, GroupProduct) || len(words) != 3 {
		return nil
	}
	n, err := strconv.Atoi(words[0])
	sum := types[words[2]]
	if err != nil || sum == nil {
		return nil
	}
	return &GroupShape{Columns: n, Depth: groupDepths[words[1]], Factor: words[1], Sum: sum.Kind}
}

// GroupShape finds N and K of m64nNkK among an instruction's suffixes, 0 if there are none.
func (in *Instruction) GroupShape() (n, k int) {
	for _, w := range in.Words {
		rest, ok := strings.CutPrefix(w, "m64n")
		columns, depth, both := strings.Cut(rest, "k")
		if !ok || !both {
			continue
		}
		n, _ = strconv.Atoi(columns)
		k, _ = strconv.Atoi(depth)
		if n < 8 || n > maxColumns || n%8 != 0 {
			return 0, 0
		}
		return n, k
	}
	return 0, 0
}
