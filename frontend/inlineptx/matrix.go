package inlineptx

import (
	"gpupipe/frontend/ctypes"
	"gpupipe/internal/target"
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
	Name    string      // the machine's: "16816"
	Sum     ctypes.Kind // of the elements of the sum
	A, B, C int         // registers of a work item
	shape   string      // PTX's
	Factor  string      // PTX's type of a and b
	Since   target.TensorCores
}

// products are mma.sync's shapes and types that one machine instruction computes (nvcc 11.8, sm_80;
// TestInlinePTX).
var products = []Product{
	{"16816", ctypes.Float, 4, 2, 4, "m16n8k16", "f16", target.Ampere},
	{"16816", ctypes.Half, 4, 2, 2, "m16n8k16", "f16", target.Ampere},
	{"16816", ctypes.Float, 4, 2, 4, "m16n8k16", "bf16", target.Ampere},
	{"1688", ctypes.Float, 2, 1, 4, "m16n8k8", "f16", target.Turing},
	{"1688", ctypes.Half, 2, 1, 2, "m16n8k8", "f16", target.Turing},
	{"1688", ctypes.Float, 2, 1, 4, "m16n8k8", "bf16", target.Ampere},
	{"1688.tf32", ctypes.Float, 4, 2, 4, "m16n8k8", "tf32", target.Ampere},
	{"1684", ctypes.Float, 2, 1, 4, "m16n8k4", "tf32", target.Ampere},
	{"16832", ctypes.Int, 4, 2, 4, "m16n8k32", "8", target.Ampere},
	{"16816", ctypes.Int, 2, 1, 4, "m16n8k16", "8", target.Ampere},
	{"8816", ctypes.Int, 1, 1, 2, "m8n8k16", "8", target.Turing},
	{"884", ctypes.Double, 1, 1, 2, "m8n8k4", "f64", target.Ampere},
}

// Function is the name of the function that computes the product.
func (p *Product) Function() string {
	return MatrixProduct + p.shape + "_" + p.Factor + "_" + ctypes.Scalar(p.Sum).String()
}

// ProductOf returns the matrix instruction that a function stands for, nil if it is none.
func ProductOf(function string) *Product {
	for i := range products {
		if products[i].Function() == function {
			return &products[i]
		}
	}
	return nil
}

// Product is the matrix instruction of a sum and PTX's type of factors among those of the shape that mma's suffixes
// say, nil if no machine instruction computes it.
func (in *Instruction) Product(sum ctypes.Kind, factor string) *Product {
	for i := range products {
		if p := &products[i]; p.Sum == sum && p.Factor == factor && in.Has(p.shape) {
			return p
		}
	}
	return nil
}
