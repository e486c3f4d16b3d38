package frontend

import (
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
)

// Matrix instructions of warp groups (PTX ISA, Asynchronous Warpgroup Level Matrix Instructions): four
// warps multiply 64 rows, of registers or of local memory, with a matrix in local memory.

// GroupProduct is what the names of the functions of class Tensor begin with that wgmma.mma_async calls, of the
// registers that are added to, and of a, which is a descriptor of local memory or four words, and the descriptor of b.
const GroupProduct = "wgmma_"

// GroupShape is a matrix instruction of a warp group: 64 rows, N columns.
type GroupShape struct {
	Columns int    // N: 8 to 256
	Depth   int    // numbers of a row of a: 32 bytes of them
	Factor  string // PTX's type of a: "bf16"
	Sum     Kind
}

// maxColumns is the widest product of a warp group.
const maxColumns = 256

// groupDepths are the numbers in 32 bytes by PTX's types of factors.
var groupDepths = map[string]int{"f16": 16, "bf16": 16, "tf32": 8, "e4m3": 32, "e5m2": 32, "s8": 32, "u8": 32}

// GroupShapeOf takes the name of a function apart, nil if it is no product of a warp group.
func GroupShapeOf(function string) *GroupShape {
	words := strings.Split(strings.TrimPrefix(function, GroupProduct), "_")
	if !strings.HasPrefix(function, GroupProduct) || len(words) != 3 {
		return nil
	}
	n, err := strconv.Atoi(words[0])
	sum := ptxTypes[words[2]]
	if err != nil || sum == nil {
		return nil
	}
	return &GroupShape{Columns: n, Depth: groupDepths[words[1]], Factor: words[1], Sum: sum.Kind}
}

// groupMatrix executes wgmma.
func (a *asmStatement) groupMatrix(in *ptxInstruction) bool {
	void := Scalar(Void)
	switch {
	case in.has("fence") && len(in.operands) == 0:
		a.do(a.asyncOf(asyncGroupFence, void, a.pos))
	case in.has("commit_group") && len(in.operands) == 0:
		a.do(a.asyncOf(asyncGroupCommit, void, a.pos))
	case in.has("wait_group") && len(in.operands) == 1:
		a.do(a.asyncOf(asyncGroupPrior, void, a.pos, a.value(in, in.operands[0], Scalar(UInt))))
	case in.has("mma_async") && !in.has("sp"):
		return a.groupProduct(in)
	default:
		return false
	}
	return true
}

// groupProduct executes wgmma.mma_async.sync.aligned.m64nNkK.d.a.b {d}, a, b, scale-d, ... .
func (a *asmStatement) groupProduct(in *ptxInstruction) bool {
	n, depth := groupShape(in)
	sum := ptxTypes[in.last(2)]
	if n == 0 || sum == nil || depth != groupDepths[in.last(1)] || len(in.operands) < 4 {
		return false
	}
	elem := sum
	if sum.Kind == Half {
		elem = Scalar(UInt)
	}
	dst := elementsOf(in.operands[0])
	if len(dst) != n/2*int(sum.Size())/int(elem.Size()) {
		return false
	}
	rows := elementsOf(in.operands[1])
	word := Scalar(UInt)
	if len(rows) == 1 {
		word = Scalar(ULong)
	} else if len(rows) != 4 {
		return false
	}
	args := []Expr{}
	if !a.isZero(in, in.operands[3]) { // else the sum begins with this product
		args = a.values(in, dst, elem)
	}
	args = append(append(args, a.values(in, rows, word)...), a.value(in, in.operands[2], Scalar(ULong)))
	if isInvalid(args...) {
		a.failed = true
		return true
	}
	name := GroupProduct + strconv.Itoa(n) + "_" + in.last(1) + "_" + in.last(2)
	a.setAll(in, dst, &BuiltinCall{Typed: ast.Of(ctypes.CUDAVectorOf(elem.Kind, int64(len(dst))), a.pos), Builtin: &Builtin{Name: name, Class: Tensor}, Args: args})
	return true
}

// isZero reports whether an operand is the constant 0 or false.
func (a *asmStatement) isZero(in *ptxInstruction, text string) bool {
	lit, ok := a.raw(in, text).(*Literal)
	return ok && lit.Type().IsInteger() && lit.Value.Int == 0
}

// groupShape finds N and K of m64nNkK among an instruction's suffixes, 0 if there are none.
func groupShape(in *ptxInstruction) (n, k int) {
	for _, w := range in.words {
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
