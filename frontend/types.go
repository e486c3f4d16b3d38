package frontend

import (
	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
	"gpupipe/frontend/inlineptx"
	"gpupipe/frontend/tensor"
	"gpupipe/internal/diag"
)

// Pos is a position in the user's source text.
type Pos = diag.Pos

// Dialect is the language of the ast.
type Dialect = ast.Dialect

// The dialects. The zero value is invalid.
const (
	OpenCL = ast.OpenCL // OpenCL C 1.2
	CUDA   = ast.CUDA   // CUDA C
)

// The types, constants and operators of the tree are package ctypes', under this package's names too: the fields of
// its nodes are of these types, and whoever reads a tree, as lower does in 350 places, compares them with these
// constants. What computes with them (folding, conversions, sizes) has no second name.
type (
	Space = ctypes.Space
	Kind  = ctypes.Kind
	Type  = ctypes.Type
	Field = ctypes.Field
	Value = ctypes.Value
	Op    = ctypes.Op
)

// The kinds of types.
const (
	Void    = ctypes.Void
	Bool    = ctypes.Bool
	Char    = ctypes.Char
	UChar   = ctypes.UChar
	Short   = ctypes.Short
	UShort  = ctypes.UShort
	Int     = ctypes.Int
	UInt    = ctypes.UInt
	Long    = ctypes.Long
	ULong   = ctypes.ULong
	Half    = ctypes.Half
	Float   = ctypes.Float
	Double  = ctypes.Double
	Vector  = ctypes.Vector
	Pointer = ctypes.Pointer
	Array   = ctypes.Array
	Struct  = ctypes.Struct
	Union   = ctypes.Union
	Opaque  = ctypes.Opaque
)

// The operators of Unary and Binary expressions.
const (
	Neg    = ctypes.Neg
	BitNot = ctypes.BitNot
	Not    = ctypes.Not
	Add    = ctypes.Add
	Sub    = ctypes.Sub
	Mul    = ctypes.Mul
	Div    = ctypes.Div
	Rem    = ctypes.Rem
	And    = ctypes.And
	Or     = ctypes.Or
	Xor    = ctypes.Xor
	Shl    = ctypes.Shl
	Shr    = ctypes.Shr
	Eq     = ctypes.Eq
	Ne     = ctypes.Ne
	Lt     = ctypes.Lt
	Le     = ctypes.Le
	Gt     = ctypes.Gt
	Ge     = ctypes.Ge
	LogAnd = ctypes.LogAnd
	LogOr  = ctypes.LogOr
)

// The fragments of matrices are package tensor's, likewise.
type (
	TensorCores = tensor.Cores
	Fragment    = tensor.Fragment
	Factor      = tensor.Factor
)

// The generations of tensor cores.
const (
	NoTensorCores     = tensor.None
	VoltaTensorCores  = tensor.Volta
	TuringTensorCores = tensor.Turing
	AmpereTensorCores = tensor.Ampere
	HopperTensorCores = tensor.Hopper
)

// The types of the elements of factors.
const (
	HalfFactor   = tensor.Half
	BFloatFactor = tensor.BFloat
	TF32Factor   = tensor.TF32
	DoubleFactor = tensor.Double
	CharFactor   = tensor.Char
	UCharFactor  = tensor.UChar
)

// FragmentOf is [tensor.FragmentOf].
func FragmentOf(t *Type) *Fragment { return tensor.FragmentOf(t) }

// The matrix instructions of inline PTX are package inlineptx's, likewise.
type (
	Product    = inlineptx.Product
	GroupShape = inlineptx.GroupShape
)

// What the names of the functions of matrix instructions begin with.
const (
	MatrixLoad    = inlineptx.MatrixLoad
	MatrixStore   = inlineptx.MatrixStore
	MatrixProduct = inlineptx.MatrixProduct
	GroupProduct  = inlineptx.GroupProduct
)

// ProductOf is [inlineptx.ProductOf].
func ProductOf(function string) *Product { return inlineptx.ProductOf(function) }

// GroupShapeOf is [inlineptx.GroupShapeOf].
func GroupShapeOf(function string) *GroupShape { return inlineptx.GroupShapeOf(function) }

// Scalar is [ctypes.Scalar].
func Scalar(k Kind) *Type { return ctypes.Scalar(k) }

// VectorOf is [ctypes.VectorOf].
func VectorOf(k Kind, n int64) *Type { return ctypes.VectorOf(k, n) }

// PointerTo is [ctypes.PointerTo].
func PointerTo(elem *Type, s Space) *Type { return ctypes.PointerTo(elem, s) }

// ArrayOf is [ctypes.ArrayOf].
func ArrayOf(elem *Type, n int64) *Type { return ctypes.ArrayOf(elem, n) }

// NewStruct is [ctypes.NewStruct].
func NewStruct(k Kind, name string, fields []Field) *Type { return ctypes.NewStruct(k, name, fields) }
