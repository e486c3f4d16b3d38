package inlineptx

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
	"gpupipe/internal/diag"
)

// Extended precision (PTX ISA, Extended-Precision Integer Arithmetic Instructions): add, sub and mad with cc leave a
// carry, which addc, subc and madc take.

// Carry is what the last instruction with cc of a function leaves: the high words of the operands of its sum or
// difference, and of the result. What the carry is follows from their highest bits.
type Carry struct {
	words    [3]*ast.Object
	borrowed bool
}

// Decls declare the words, in front of all statements of the function.
func (c *Carry) Decls(pos diag.Pos) (list []ast.Stmt) {
	for i := range c.words {
		if c.words[i] != nil {
			list = append(list, &ast.Decl{Positioned: ast.At(pos), Obj: c.words[i],
				Init: ast.LiteralOf(ctypes.IntValue(ctypes.UInt, 0), pos)})
		}
	}
	return list
}

// extended executes an instruction that leaves or takes a carry; false of others.
func (s *statement) extended(in *Instruction) bool {
	verb, takes := strings.CutSuffix(in.Words[0], "c")
	leaves := in.Has("cc")
	t, terms := in.Type(0), in.Operands[min(1, len(in.Operands)):]
	if !takes && !leaves || t == nil || !wholeWords(t) || len(terms) < 2 {
		return false
	}
	x, y := s.value(in, terms[0], t), s.value(in, terms[1], t)
	if verb == "mad" {
		if len(terms) != 3 {
			return false
		}
		if in.Has("hi") {
			x = s.call(builtins.Math, "mul_hi", t, x, y)
		} else {
			x = s.binary(ctypes.Mul, x, y)
		}
		y = s.value(in, terms[2], t)
	}
	x, y = s.register("x", t, x), s.register("y", t, y)
	op, fn, c := ctypes.Add, "add_carry", s.carry
	if verb == "sub" {
		op, fn = ctypes.Sub, "sub_borrow"
	}
	d := s.register("sum", t, s.binary(op, x, y))
	if takes {
		if c.words[0] == nil || c.borrowed != (op == ctypes.Sub) {
			s.reject(in.Op + " without an instruction before it in this function that leaves its carry is")
			return true
		}
		before := []ast.Expr{ast.RefTo(c.words[0], s.pos), ast.RefTo(c.words[1], s.pos), ast.RefTo(c.words[2], s.pos)}
		var words []ast.Expr
		for i := range int(t.Size() / 4) {
			a, b := s.word(x, i), s.word(y, i)
			w := s.register("word", word, s.call(builtins.Math, fn, word, append([]ast.Expr{a, b}, before...)...))
			words, before = append(words, w), []ast.Expr{a, b, w}
		}
		e := words[0]
		if len(words) == 2 {
			e = &ast.VectorLit{Typed: ast.Of(twoWords, s.pos), Elems: words}
		}
		d = s.register("sum", t, s.castTo(e, t))
	}
	if leaves {
		for i, e := range []ast.Expr{x, y, d} {
			if c.words[i] == nil {
				c.words[i] = &ast.Object{Name: "carry", Type: word, Space: idg.SpacePrivate, Pos: s.pos}
			}
			s.do(&ast.Assign{Typed: ast.Of(word, s.pos), X: ast.RefTo(c.words[i], s.pos),
				Y: s.word(e, int(t.Size()/4)-1)})
		}
		c.borrowed = op == ctypes.Sub
	}
	s.set(in, in.Operands[0], d)
	return true
}

var word, twoWords = ctypes.Scalar(ctypes.UInt), ctypes.CUDAVectorOf(ctypes.UInt, 2)

// word is word i of a number of one or two.
func (s *statement) word(e ast.Expr, i int) ast.Expr {
	if e.Type().Size() == 4 {
		return s.castTo(e, word)
	}
	return &ast.Swizzle{Typed: ast.Of(word, s.pos), X: s.castTo(e, twoWords), Lanes: []int{i}}
}
