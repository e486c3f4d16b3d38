package resolve

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/builtins"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
	"gpupipe/idg"
)

// matrix executes ldmatrix, stmatrix, mma and wgmma.
func (a *asmStatement) matrix(in *inlineptx.Instruction) bool {
	switch in.Words[0] {
	case "ldmatrix":
		return a.matrixLoad(in)
	case "stmatrix":
		return a.matrixStore(in)
	case "mma":
		return a.matrixProduct(in)
	case "wgmma":
		return a.groupMatrix(in)
	}
	return false
}

func (a *asmStatement) matrixLoad(in *inlineptx.Instruction) bool {
	if len(in.Operands) != 2 || in.Last(0) != "b16" || !in.Has("m8n8") {
		return false
	}
	dsts := inlineptx.Elements(in.Operands[0])
	n := len(dsts)
	if n != 1 && n != 2 && n != 4 {
		return false
	}
	p := a.address(in, in.Operands[1], ctypes.Scalar(ctypes.UChar), idg.SpaceLocal)
	t := ctypes.Scalar(ctypes.UInt)
	if n > 1 {
		t = ctypes.CUDAVectorOf(ctypes.UInt, int64(n))
	}
	a.setAll(in, dsts, builtin(builtins.Tensor, inlineptx.MatrixLoad, t, a.pos, p))
	return true
}

// matrixStore executes stmatrix.
func (a *asmStatement) matrixStore(in *inlineptx.Instruction) bool {
	if len(in.Operands) != 2 || in.Last(0) != "b16" || !in.Has("m8n8") {
		return false
	}
	srcs := inlineptx.Elements(in.Operands[1])
	if n := len(srcs); n != 1 && n != 2 && n != 4 {
		return false
	}
	args := append([]ast.Expr{a.address(in, in.Operands[0], ctypes.Scalar(ctypes.UChar), idg.SpaceLocal)},
		a.values(in, srcs, ctypes.Scalar(ctypes.UInt))...)
	a.do(builtin(builtins.Tensor, inlineptx.MatrixStore, ctypes.Scalar(ctypes.Void), a.pos, args...))
	return true
}

// matrixProduct executes mma.sync.aligned.shape.row.col.d.a.b.c.
func (a *asmStatement) matrixProduct(in *inlineptx.Instruction) bool {
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
		parts[i] = inlineptx.Elements(o)
	}
	p := in.Product(sum.Kind, factor)
	if p == nil || len(parts[0]) != p.C || len(parts[1]) != p.A || len(parts[2]) != p.B || len(parts[3]) != p.C {
		return false
	}
	a.product(in, p, parts)
	return true
}

// product computes the sum: words of factors, of which two halves of a sum are one too.
func (a *asmStatement) product(in *inlineptx.Instruction, p *inlineptx.Product, parts [4][]string) {
	word, elem := ctypes.Scalar(ctypes.UInt), ctypes.Scalar(p.Sum)
	if p.Sum == ctypes.Double || p.Factor == "tf32" {
		word = elem
	}
	if p.Sum == ctypes.Half {
		elem = ctypes.Scalar(ctypes.UInt)
	}
	args := append(a.values(in, parts[1], word), a.values(in, parts[2], word)...)
	args = append(args, a.values(in, parts[3], elem)...)
	a.setAll(in, parts[0], builtin(builtins.Tensor, p.Function(), ctypes.CUDAVectorOf(elem.Kind, int64(p.C)), a.pos,
		args...))
}
