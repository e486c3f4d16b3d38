package resolve

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
)

// ptxShuffles are the modes of shfl.
var ptxShuffles = map[string]string{"idx": "sub_group_shuffle", "up": "sub_group_shuffle_up",
	"down": "sub_group_shuffle_down", "bfly": "sub_group_shuffle_xor"}

// warp executes what the work items of a warp or group do together.
func (a *asmStatement) warp(in *inlineptx.Instruction) bool {
	switch in.Words[0] {
	case "bar", "barrier":
		return a.barrier(in)
	case "mapa":
		if len(in.Operands) != 3 {
			return false
		}
		a.set(in, in.Operands[0], a.clusterCall("map", []ast.Expr{a.raw(in, in.Operands[1])}, a.pos))
		return true
	case "membar", "fence":
		a.fence()
		return true
	case "shfl":
		return a.shuffles(in)
	case "vote":
		return a.votes(in)
	case "activemask":
		if len(in.Operands) != 1 {
			return false
		}
		a.set(in, in.Operands[0], a.ballot(number(ctypes.Int, 1, a.pos), a.pos))
		return true
	case "elect": // the first lane of the mask
		d, p, ok := strings.Cut(in.Operands[0], "|")
		if !ok || len(in.Operands) != 2 {
			return false
		}
		first := a.binary(ctypes.Sub, builtin(builtins.Math, "ffs", ctypes.Scalar(ctypes.Int), a.pos,
			a.value(in, in.Operands[1], ctypes.Scalar(ctypes.Int))), number(ctypes.Int, 1, a.pos), a.pos)
		if d = strings.TrimSpace(d); d != "_" {
			a.set(in, d, first)
		}
		a.set(in, strings.TrimSpace(p), a.binary(ctypes.Eq, a.castTo(a.raw(in, "%laneid"), first.Type()), first, a.pos))
		return true
	case "createpolicy": // a word that loads and stores take along
		a.set(in, in.Operands[0], number(ctypes.ULong, 0, a.pos))
		return true
	case "match":
		t := in.Type(0)
		if len(in.Operands) < 2 || t == nil {
			return false
		}
		x := a.value(in, in.Operands[1], t)
		a.set(in, firstOf(in.Operands[0]), a.ballot(a.binary(ctypes.Ne, x, x, a.pos), a.pos))
		return true
	case "redux":
		if t := in.Type(0); t != nil && len(in.Operands) == 3 {
			a.set(in, in.Operands[0], shuffled("sub_group_reduce_"+in.Last(1), a.pos, a.value(in, in.Operands[1], t)))
			return true
		}
	case "nanosleep", "trap", "brkpt", "griddepcontrol":
		return true // nothing that a model of time can tell
	case "setmaxnreg":
		if len(in.Operands) != 1 {
			return false
		}
		if n, ok := a.value(in, in.Operands[0], ctypes.Scalar(ctypes.UInt)).(*ast.Literal); ok && in.Has("inc") {
			a.do(a.asyncOf(asyncGrow, ctypes.Scalar(ctypes.Void), a.pos, n))
		}
		return true
	}
	return false
}

// firstOf is the first of "d|p".
func firstOf(operand string) string {
	d, _, _ := strings.Cut(operand, "|")
	return strings.TrimSpace(d)
}

func (a *asmStatement) fence() {
	a.do(a.resolve("__threadfence", a.builtins.Find("__threadfence"), nil, a.pos))
}

// barrier executes bar.sync of the whole group or a part of it, bar.warp.sync and barrier.cluster.
func (a *asmStatement) barrier(in *inlineptx.Instruction) bool {
	switch {
	case in.Has("warp"):
		a.fence()
	case in.Has("cluster") && in.Has("arrive"): // what waits is the other half
	case in.Has("cluster") && in.Has("wait"):
		a.do(a.clusterCall("sync", nil, a.pos))
	case in.Has("sync") && len(in.Operands) <= 1:
		a.do(a.resolve("__syncthreads", a.builtins.Find("__syncthreads"), nil, a.pos))
	case in.Has("sync", "arrive") && len(in.Operands) == 2:
		a.do(a.partSync(a.pos))
	default: // one that counts
		return false
	}
	return true
}

// shuffles executes shfl.mode.b32 d|p, a, b, c, where c says how wide the parts of the warp are.
func (a *asmStatement) shuffles(in *inlineptx.Instruction) bool {
	i := 1
	if in.Has("sync") {
		i = 2
	}
	if len(in.Words) <= i || ptxShuffles[in.Words[i]] == "" || len(in.Operands) < 4 {
		return false
	}
	canonical := ptxShuffles[in.Words[i]]
	word := ctypes.Scalar(ctypes.UInt)
	c, ok := a.value(in, in.Operands[3], word).(*ast.Literal)
	if whole := int64(warpLanes - 1); !ok || c.Value.Int>>8 != 0 ||
		c.Value.Int != whole && canonical != "sub_group_shuffle_up" {
		canonical += "_part"
	}
	x := a.raw(in, in.Operands[1])
	if x.Type().Size() != word.Size() || x.Type().Kind == ctypes.Vector {
		x = a.castTo(x, word)
	}
	lane := a.value(in, in.Operands[2], word)
	a.set(in, firstOf(in.Operands[0]), shuffled(canonical, a.pos, x, lane))
	return true
}

// votes executes vote.mode.
func (a *asmStatement) votes(in *inlineptx.Instruction) bool {
	if len(in.Operands) < 2 {
		return false
	}
	p := a.value(in, in.Operands[1], ctypes.Scalar(ctypes.Bool))
	switch {
	case in.Has("ballot"):
		a.set(in, in.Operands[0], a.ballot(p, a.pos))
	case in.Has("all", "any"):
		mode := "all"
		if in.Has("any") {
			mode = "any"
		}
		a.set(in, in.Operands[0], a.convertTruth(a.vote("sub_group_"+mode, p, a.pos)))
	default:
		return false
	}
	return true
}
