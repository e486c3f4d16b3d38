package inlineptx

import (
	"strconv"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
)

// matrices are the operands that ldmatrix or stmatrix moves, nil of other forms of these.
func matrices(in *Instruction, operand int) []string {
	if len(in.Operands) != 2 || in.Last(0) != "b16" || !in.Has("m8n8") {
		return nil
	}
	list := Elements(in.Operands[operand])
	if n := len(list); n != 1 && n != 2 && n != 4 {
		return nil
	}
	return list
}

func (s *statement) matrixLoad(in *Instruction) bool {
	dsts := matrices(in, 0)
	if dsts == nil {
		return false
	}
	p := s.address(in, in.Operands[1], ctypes.Scalar(ctypes.UChar), idg.SpaceLocal)
	t := ctypes.Scalar(ctypes.UInt)
	if len(dsts) > 1 {
		t = ctypes.CUDAVectorOf(ctypes.UInt, int64(len(dsts)))
	}
	s.setAll(in, dsts, s.call(builtins.Tensor, MatrixLoad, t, p))
	return true
}

func (s *statement) matrixStore(in *Instruction) bool {
	srcs := matrices(in, 1)
	if srcs == nil {
		return false
	}
	args := append([]ast.Expr{s.address(in, in.Operands[0], ctypes.Scalar(ctypes.UChar), idg.SpaceLocal)},
		s.values(in, srcs, ctypes.Scalar(ctypes.UInt))...)
	s.do(s.call(builtins.Tensor, MatrixStore, ctypes.Scalar(ctypes.Void), args...))
	return true
}

// matrixProduct executes mma.sync.aligned.shape.row.col.d.a.b.c: of words of factors, of which two halves of a sum
// are one too.
func (s *statement) matrixProduct(in *Instruction) bool {
	if len(in.Operands) != 4 || len(in.Words) < 4 || in.Has("sp") {
		return false
	}
	sum := in.Type(3)
	factor := in.Last(2)
	if bits := strings.TrimLeft(factor, "us"); bits == "8" {
		factor = "8"
	}
	if sum == nil || in.Last(3) != in.Last(0) {
		return false
	}
	var parts [4][]string
	for i, o := range in.Operands {
		parts[i] = Elements(o)
	}
	p := in.Product(sum.Kind, factor)
	if p == nil || len(parts[0]) != p.C || len(parts[1]) != p.A || len(parts[2]) != p.B || len(parts[3]) != p.C {
		return false
	}
	word, elem := ctypes.Scalar(ctypes.UInt), ctypes.Scalar(p.Sum)
	if p.Sum == ctypes.Double || p.Factor == "tf32" {
		word = elem
	}
	if p.Sum == ctypes.Half {
		elem = ctypes.Scalar(ctypes.UInt)
	}
	args := append(s.values(in, parts[1], word), s.values(in, parts[2], word)...)
	args = append(args, s.values(in, parts[3], elem)...)
	s.setAll(in, parts[0], s.call(builtins.Tensor, p.Function(), ctypes.CUDAVectorOf(elem.Kind, int64(p.C)), args...))
	return true
}

// groupProduct executes wgmma.mma_async.sync.aligned.m64nNkK.d.a.b {d}, a, b, scale-d, ... : four warps multiply 64
// rows, of registers or of local memory, with a matrix in local memory (PTX ISA, Asynchronous Warpgroup Level Matrix
// Instructions).
func (s *statement) groupProduct(in *Instruction) bool {
	n, depth := in.GroupShape()
	sum := in.Type(2)
	if n == 0 || !in.Has("mma_async") || in.Has("sp") || sum == nil || depth != GroupDepth(in.Last(1)) ||
		len(in.Operands) < 4 {
		return false
	}
	elem := sum
	if sum.Kind == ctypes.Half {
		elem = ctypes.Scalar(ctypes.UInt)
	}
	dst := Elements(in.Operands[0])
	if len(dst) != n/2*int(sum.Size())/int(elem.Size()) {
		return false
	}
	rows := Elements(in.Operands[1])
	word := ctypes.Scalar(ctypes.UInt)
	if len(rows) == 1 {
		word = ctypes.Scalar(ctypes.ULong)
	} else if len(rows) != 4 {
		return false
	}
	args := []ast.Expr{}
	scale, known := s.raw(in, in.Operands[3]).(*ast.Literal)
	if !known || !scale.Type().IsInteger() || scale.Value.Int != 0 { // else the sum begins with this product
		args = s.values(in, dst, elem)
	}
	args = append(append(args, s.values(in, rows, word)...), s.value(in, in.Operands[2], ctypes.Scalar(ctypes.ULong)))
	name := GroupProduct + strconv.Itoa(n) + "_" + in.Last(1) + "_" + in.Last(2)
	s.setAll(in, dst, s.call(builtins.Tensor, name, ctypes.CUDAVectorOf(elem.Kind, int64(len(dst))), args...))
	return true
}
