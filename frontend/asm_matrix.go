package frontend

import (
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/tensor"
	"gpupipe/idg"
)

// MatrixLoad, MatrixStore and MatrixProduct are what the names of the functions of class Tensor begin with that
// inline PTX calls: ldmatrix, of a pointer to local memory, whose result are a work item's words of the
// matrices; and mma, of the registers of a, of b and of what is added, whose result are those of the sum.
const (
	MatrixLoad    = "ldmatrix"
	MatrixStore   = "stmatrix" // of a pointer and a work item's words
	MatrixProduct = "mma_"     // with the shape and the types behind it (ProductOf)
)

// Product is a matrix instruction: of one warp, by the tensor cores.
type Product struct {
	Name    string // the machine's: "16816"
	Sum     Kind   // of the elements of the sum
	a, b, c int    // registers of a work item
	shape   string // PTX's
	factor  string // PTX's type of a and b
	Since   tensor.Cores
}

// products are mma.sync's shapes and types that one machine instruction computes (nvcc 11.8, sm_80;
// TestInlinePTX).
var products = []Product{
	{"16816", Float, 4, 2, 4, "m16n8k16", "f16", tensor.Ampere},
	{"16816", Half, 4, 2, 2, "m16n8k16", "f16", tensor.Ampere},
	{"16816", Float, 4, 2, 4, "m16n8k16", "bf16", tensor.Ampere},
	{"1688", Float, 2, 1, 4, "m16n8k8", "f16", tensor.Turing},
	{"1688", Half, 2, 1, 2, "m16n8k8", "f16", tensor.Turing},
	{"1688", Float, 2, 1, 4, "m16n8k8", "bf16", tensor.Ampere},
	{"1688.tf32", Float, 4, 2, 4, "m16n8k8", "tf32", tensor.Ampere},
	{"1684", Float, 2, 1, 4, "m16n8k4", "tf32", tensor.Ampere},
	{"16832", Int, 4, 2, 4, "m16n8k32", "8", tensor.Ampere},
	{"16816", Int, 2, 1, 4, "m16n8k16", "8", tensor.Ampere},
	{"8816", Int, 1, 1, 2, "m8n8k16", "8", tensor.Turing},
	{"884", Double, 1, 1, 2, "m8n8k4", "f64", tensor.Ampere},
}

// function is the name of the function that computes the product.
func (p *Product) function() string {
	return MatrixProduct + p.shape + "_" + p.factor + "_" + Scalar(p.Sum).String()
}

// ProductOf returns the matrix instruction that a function stands for, nil if it is none.
func ProductOf(function string) *Product {
	for i := range products {
		if products[i].function() == function {
			return &products[i]
		}
	}
	return nil
}

// matrix executes ldmatrix, stmatrix, mma and wgmma.
func (a *asmStatement) matrix(in *ptxInstruction) bool {
	switch in.words[0] {
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

func (a *asmStatement) matrixLoad(in *ptxInstruction) bool {
	if len(in.operands) != 2 || in.last(0) != "b16" || !in.has("m8n8") {
		return false
	}
	dsts := elementsOf(in.operands[0])
	n := len(dsts)
	if n != 1 && n != 2 && n != 4 {
		return false
	}
	p := a.address(in, in.operands[1], Scalar(UChar), idg.SpaceLocal)
	t := Scalar(UInt)
	if n > 1 {
		t = ctypes.CUDAVectorOf(UInt, int64(n))
	}
	if isInvalid(p) {
		a.failed = true
		return true
	}
	a.setAll(in, dsts, &BuiltinCall{Typed: ast.Of(t, a.pos), Builtin: &Builtin{Name: MatrixLoad, Class: Tensor}, Args: []Expr{p}})
	return true
}

// matrixStore executes stmatrix.
func (a *asmStatement) matrixStore(in *ptxInstruction) bool {
	if len(in.operands) != 2 || in.last(0) != "b16" || !in.has("m8n8") {
		return false
	}
	srcs := elementsOf(in.operands[1])
	if n := len(srcs); n != 1 && n != 2 && n != 4 {
		return false
	}
	args := append([]Expr{a.address(in, in.operands[0], Scalar(UChar), idg.SpaceLocal)}, a.values(in, srcs, Scalar(UInt))...)
	if isInvalid(args...) {
		a.failed = true
		return true
	}
	a.do(&BuiltinCall{Typed: ast.Of(Scalar(Void), a.pos), Builtin: &Builtin{Name: MatrixStore, Class: Tensor}, Args: args})
	return true
}

// matrixProduct executes mma.sync.aligned.shape.row.col.d.a.b.c.
func (a *asmStatement) matrixProduct(in *ptxInstruction) bool {
	if len(in.operands) != 4 || len(in.words) < 4 || in.has("sp") {
		return false
	}
	sum := ptxTypes[in.last(3)]
	factor := in.last(2)
	if bits := strings.TrimLeft(factor, "us"); bits == "8" {
		factor = "8"
	}
	if sum == nil || in.last(3) != in.last(0) {
		return false
	}
	var parts [4][]string
	for i, o := range in.operands {
		parts[i] = elementsOf(o)
	}
	for i := range products {
		p := &products[i]
		if p.Sum != sum.Kind || p.factor != factor || !in.has(p.shape) {
			continue
		}
		if len(parts[0]) != p.c || len(parts[1]) != p.a || len(parts[2]) != p.b || len(parts[3]) != p.c {
			return false
		}
		a.product(in, p, parts)
		return true
	}
	return false
}

// product computes the sum: words of factors, of which two halves of a sum are one too.
func (a *asmStatement) product(in *ptxInstruction, p *Product, parts [4][]string) {
	word, elem := Scalar(UInt), Scalar(p.Sum)
	if p.Sum == Double || p.factor == "tf32" {
		word = elem
	}
	if p.Sum == Half {
		elem = Scalar(UInt)
	}
	args := append(a.values(in, parts[1], word), a.values(in, parts[2], word)...)
	args = append(args, a.values(in, parts[3], elem)...)
	if isInvalid(args...) {
		a.failed = true
		return
	}
	a.setAll(in, parts[0], &BuiltinCall{Typed: ast.Of(ctypes.CUDAVectorOf(elem.Kind, int64(p.c)), a.pos), Builtin: &Builtin{Name: p.function(), Class: Tensor}, Args: args})
}
