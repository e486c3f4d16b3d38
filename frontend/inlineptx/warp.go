package inlineptx

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
)

// ballot is the mask of the work items of the warp whose condition holds.
func (s *statement) ballot(cond ast.Expr) ast.Expr {
	return s.call(builtins.SubGroup, "sub_group_ballot", ctypes.Scalar(ctypes.UInt),
		s.convert(cond, ctypes.Scalar(ctypes.Int), false))
}

// shuffles are the modes of shfl.
var shuffles = map[string]string{"idx": "sub_group_shuffle", "up": "sub_group_shuffle_up",
	"down": "sub_group_shuffle_down", "bfly": "sub_group_shuffle_xor"}

// shuffle executes shfl.mode.b32 d|p, a, b, c, where c says how wide the parts of the warp are.
func (s *statement) shuffle(in *Instruction) bool {
	mode := in.Words[min(1, len(in.Words)-1)]
	if mode == "sync" && len(in.Words) > 2 {
		mode = in.Words[2]
	}
	name := shuffles[mode]
	if name == "" || len(in.Operands) < 4 {
		return false
	}
	word := ctypes.Scalar(ctypes.UInt)
	c, ok := s.value(in, in.Operands[3], word).(*ast.Literal)
	if whole := int64(warpLanes - 1); !ok || c.Value.Int>>8 != 0 ||
		c.Value.Int != whole && name != "sub_group_shuffle_up" {
		name += "_part"
	}
	x := s.raw(in, in.Operands[1])
	if x.Type().Size() != word.Size() || x.Type().Kind == ctypes.Vector {
		x = s.castTo(x, word)
	}
	lane := s.value(in, in.Operands[2], word)
	s.set(in, firstOf(in.Operands[0]), s.call(builtins.SubGroup, name, x.Type(), x, lane))
	return true
}

// firstOf is the first of "d|p".
func firstOf(operand string) string {
	d, _, _ := strings.Cut(operand, "|")
	return strings.TrimSpace(d)
}

// elect executes elect.sync d|p, mask: the first lane of the mask, and whether it is this one.
func (s *statement) elect(in *Instruction) bool {
	if len(in.Operands) != 2 || !strings.Contains(in.Operands[0], "|") {
		return false
	}
	_, p, _ := strings.Cut(in.Operands[0], "|")
	t := ctypes.Scalar(ctypes.Int)
	first := s.binary(ctypes.Sub, s.call(builtins.Math, "ffs", t, s.value(in, in.Operands[1], t)),
		s.number(ctypes.Int, 1))
	if d := firstOf(in.Operands[0]); d != "_" {
		s.set(in, d, first)
	}
	s.set(in, strings.TrimSpace(p), s.binary(ctypes.Eq, s.castTo(s.raw(in, "%laneid"), t), first))
	return true
}

// match executes match.any and match.all, as a ballot of something unknown.
func (s *statement) match(in *Instruction) bool {
	t := in.Type(0)
	if len(in.Operands) < 2 || t == nil {
		return false
	}
	x := s.value(in, in.Operands[1], t)
	s.set(in, firstOf(in.Operands[0]), s.ballot(s.binary(ctypes.Ne, x, x)))
	return true
}
