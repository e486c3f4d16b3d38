package resolve

import (
	"slices"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/diag"
)

// CUDA's warp functions (CUDA C++ Programming Guide, Warp Shuffle Functions,
// Warp Vote Functions, Warp Reduce Functions), as OpenCL's sub-group functions.

// warpShuffles are the functions by name, without __ and _sync.
var warpShuffles = map[string]string{
	"shfl": "sub_group_shuffle", "shfl_up": "sub_group_shuffle_up", "shfl_down": "sub_group_shuffle_down",
	"shfl_xor": "sub_group_shuffle_xor",
}

// warpCall types a warp function; false means that the name is none. The mask of
// the _sync forms says who takes part; it makes no difference to the
// instruction, and neither does the width of a shuffle.
func (c *checker) warpCall(name string, args []ast.Expr, pos diag.Pos) (ast.Expr, bool) {
	body, ok := strings.CutPrefix(name, "__")
	if !ok {
		return nil, false
	}
	if op, counts := strings.CutPrefix(body, "syncthreads_"); counts && (op == "count" || op == "and" || op == "or") {
		if !c.takes(name, 1, args, pos) {
			return invalidAt(pos), true
		}
		barrier := c.resolve("__syncthreads", c.builtins.Find("__syncthreads"), nil, pos)
		var answer ast.Expr
		switch op {
		case "or":
			answer = c.vote("sub_group_any", args[0], pos)
		case "and":
			answer = c.vote("sub_group_all", args[0], pos)
		default: // of the warp: that of the others is not known
			count := builtin(builtins.Math, "popcount", ctypes.Scalar(ctypes.UInt), pos, c.ballot(args[0], pos))
			answer = c.convert(count, ctypes.Scalar(ctypes.Int), name)
		}
		if isInvalid(answer) {
			return answer, true
		}
		return &ast.Comma{Typed: ast.Of(answer.Type(), pos), X: barrier, Y: answer}, true
	}
	body, sync := strings.CutSuffix(body, "_sync")
	if body == "activemask" {
		return c.ballot(number(ctypes.Int, 1, pos), pos), true
	}
	reduce, isReduce := strings.CutPrefix(body, "reduce_")
	isReduce = isReduce && sync && slices.Contains([]string{"add", "min", "max", "and", "or", "xor"}, reduce)
	known := warpShuffles[body] != "" || isReduce || slices.Contains([]string{"ballot", "any", "all"}, body) ||
		sync && (body == "match_any" || body == "match_all")
	if !known {
		return nil, false
	}
	if sync && len(args) > 0 {
		args = args[1:]
	}
	switch {
	case isInvalid(args...):
		return invalidAt(pos), true
	case warpShuffles[body] != "":
		canonical := warpShuffles[body]
		if len(args) > 2 {
			canonical = c.narrow(canonical, args[2])
		}
		return c.shuffle(name, canonical, args[:min(len(args), 2)], pos), true
	case len(args) == 0:
		return c.fail(pos, "%s: an argument is missing", name), true
	case isReduce:
		return shuffled("sub_group_reduce_"+reduce, pos, args[0]), true
	case body == "any" || body == "all":
		return c.vote("sub_group_"+body, args[0], pos), true
	case body == "ballot":
		return c.ballot(args[0], pos), true
	}
	return c.ballot(c.binary(ctypes.Ne, args[0], args[0], pos), pos), true // match
}

// warpLanes is the width of a warp that shuffles name by default.
const warpLanes = 32

// narrow is the name of a shuffle inside parts of the warp, whose results the
// resolver does not compute.
func (c *checker) narrow(canonical string, width ast.Expr) string {
	if lit, ok := c.rvalue(width).(*ast.Literal); ok && lit.Value.Int == warpLanes || isWarpSize(width) {
		return canonical
	}
	return canonical + "_part"
}

func isWarpSize(e ast.Expr) bool {
	call, ok := e.(*ast.BuiltinCall)
	return ok && call.Builtin.Name == "get_sub_group_size"
}

// shuffle types a shuffle of a value from another work item of the warp.
func (c *checker) shuffle(name, canonical string, args []ast.Expr, pos diag.Pos) ast.Expr {
	if !c.takes(name, 2, args[:min(len(args), 2)], pos) {
		return invalidAt(pos)
	}
	lane := c.convert(args[1], ctypes.Scalar(ctypes.UInt), name)
	x := c.rvalue(args[0])
	if x.Type().Kind == ctypes.Bool || x.Type().IsInteger() && x.Type().Size() < 4 {
		x = c.promote(x)
	}
	if !isInvalid(x) && !x.Type().IsArith() {
		return c.fail(pos, "%s: a number is needed, this is %v", name, x.Type())
	}
	return shuffled(canonical, pos, x, lane)
}

func shuffled(canonical string, pos diag.Pos, args ...ast.Expr) ast.Expr {
	return builtin(builtins.SubGroup, canonical, args[0].Type(), pos, args...)
}

// vote types any and all, which give 0 or 1.
func (c *checker) vote(canonical string, cond ast.Expr, pos diag.Pos) ast.Expr {
	cond = c.condition(cond, canonical)
	return builtin(builtins.SubGroup, canonical, ctypes.Scalar(ctypes.Int), pos,
		c.convert(cond, ctypes.Scalar(ctypes.Int), canonical))
}

// ballot types the mask of the work items whose condition holds.
func (c *checker) ballot(cond ast.Expr, pos diag.Pos) ast.Expr {
	cond = c.condition(cond, "a ballot")
	return builtin(builtins.SubGroup, "sub_group_ballot", ctypes.Scalar(ctypes.UInt), pos,
		c.convert(cond, ctypes.Scalar(ctypes.Int), "a ballot"))
}
