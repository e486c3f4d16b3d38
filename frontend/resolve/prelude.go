package resolve

import (
	"fmt"

	"gpupipe/frontend/ast"
	"gpupipe/frontend/ctypes"
)

// What the languages declare by themselves, beside their functions.

// The names of opaque types that are asked for by name.
const (
	typeSampler = "sampler_t"
	typeEvent   = "event_t"
)

// commonTypes are names of types of both languages.
var commonTypes = map[string]ctypes.Kind{
	"size_t": ctypes.ULong, "ptrdiff_t": ctypes.Long, "intptr_t": ctypes.Long, "uintptr_t": ctypes.ULong,
	"half":  ctypes.Half,
	"uchar": ctypes.UChar, "ushort": ctypes.UShort, "uint": ctypes.UInt, "ulong": ctypes.ULong,
}

// openCLTypes and cudaTypes are those of one.
var (
	openCLTypes = map[string]ctypes.Kind{
		"cl_mem_fence_flags": ctypes.UInt, "memory_order": ctypes.Int, "memory_scope": ctypes.Int,
		"atomic_int": ctypes.Int, "atomic_uint": ctypes.UInt, "atomic_long": ctypes.Long, "atomic_ulong": ctypes.ULong,
		"atomic_float": ctypes.Float, "atomic_double": ctypes.Double,
		"atomic_size_t": ctypes.ULong, "atomic_ptrdiff_t": ctypes.Long, "atomic_intptr_t": ctypes.Long,
		"atomic_uintptr_t": ctypes.ULong, "atomic_flag": ctypes.Int,
	}
	cudaTypes = map[string]ctypes.Kind{
		"uint8_t": ctypes.UChar, "int16_t": ctypes.Short, "uint16_t": ctypes.UShort, "int32_t": ctypes.Int,
		"uint32_t": ctypes.UInt, "int64_t": ctypes.Long, "uint64_t": ctypes.ULong,
		"ssize_t": ctypes.Long, "off_t": ctypes.Long, "__half": ctypes.Half, "clock_t": ctypes.Long,
		"cudaError_t":                ctypes.Int,
		"cudaGraphConditionalHandle": ctypes.ULong,
		"cufftReal":                  ctypes.Float, "cufftDoubleReal": ctypes.Double,
		"float_t": ctypes.Float, "double_t": ctypes.Double,
	}
	// openCLOpaque are the types of OpenCL C that are not numbers.
	openCLOpaque = []string{"image1d_t", "image1d_array_t", "image1d_buffer_t", "image2d_t", "image2d_array_t",
		"image2d_depth_t", "image2d_array_depth_t",
		"image2d_msaa_t", "image2d_array_msaa_t", "image2d_msaa_depth_t", "image2d_array_msaa_depth_t", "image3d_t",
		"sampler_t", "event_t",
		"queue_t", "ndrange_t", "clk_event_t", "reserve_id_t"}
	cudaOpaque = []string{"cudaTextureObject_t", "cudaSurfaceObject_t", "cudaStream_t", "cudaEvent_t"}
)

// prelude declares the types and variables of the language.
func (c *checker) prelude() {
	add := func(name string, t *ctypes.Type) {
		c.file.declare(&symbol{kind: symType, name: name, typ: plain(t), builtin: true, in: c.file})
	}
	for name, k := range commonTypes {
		add(name, ctypes.Scalar(k))
	}
	for _, name := range vectorTypes(c.cfg.Dialect) {
		add(name, c.namedType(name))
	}
	if c.cfg.Dialect == ast.OpenCL {
		for name, k := range openCLTypes {
			t := qtype{Type: ctypes.Scalar(k)}
			t.isVolatile = len(name) > 7 && name[:7] == "atomic_"
			c.file.declare(&symbol{kind: symType, name: name, typ: t, builtin: true, in: c.file})
		}
		for _, name := range openCLOpaque {
			add(name, &ctypes.Type{Kind: ctypes.Opaque, Name: name})
		}
		return
	}
	for name, k := range cudaTypes {
		add(name, ctypes.Scalar(k))
	}
	add("int8_t", signedChar)
	for _, name := range cudaOpaque {
		add(name, &ctypes.Type{Kind: ctypes.Opaque, Name: name})
	}
	half2 := c.vectorOf(ctypes.Half, 2)
	bfloat162 := ctypes.CUDAVectorOf(ctypes.BFloat, 2)
	add("half2", half2)
	add("__half2", half2)
	add("__nv_bfloat16", bfloat16)
	add("nv_bfloat16", bfloat16)
	add("__nv_bfloat162", bfloat162)
	add("nv_bfloat162", bfloat162)
	dim3 := *c.vectorOf(ctypes.UInt, 3)
	dim3.Name = "dim3"
	add("dim3", &dim3)
	for _, n := range []string{"cufftComplex", "cuComplex", "cuFloatComplex"} {
		add(n, c.namedType("float2"))
	}
	for _, n := range []string{"cufftDoubleComplex", "cuDoubleComplex"} {
		add(n, c.namedType("double2"))
	}
	add("CUtexObject", &ctypes.Type{Kind: ctypes.Opaque, Name: ctypes.Texture})
	add("CUsurfObject", &ctypes.Type{Kind: ctypes.Opaque, Name: ctypes.Surface})
	for name := range cudaIndices {
		c.indexVariable(name, &dim3)
	}
	c.indexVariable("warpSize", ctypes.Scalar(ctypes.Int))
}

func (c *checker) indexVariable(name string, t *ctypes.Type) {
	c.file.declare(&symbol{kind: symObject, name: name, builtin: true, in: c.file,
		obj: &ast.Object{Name: name, Type: t, Const: true}})
}

// The element types and lengths of OpenCL C's vectors, and the lengths of CUDA's.
var (
	openCLVectorElements = []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float",
		"double", "bool"}
	openCLVectorLengths = []int{2, 3, 4, 8, 16}
	cudaVectorLengths   = []int{1, 2, 3, 4}
)

// vectorTypes are the names of a dialect's vector types.
func vectorTypes(d ast.Dialect) (names []string) {
	elements, lengths := openCLVectorElements, openCLVectorLengths
	if d == ast.CUDA {
		elements, lengths = ctypes.CUDAVectorElements, cudaVectorLengths
	}
	for _, e := range elements {
		for _, n := range lengths {
			names = append(names, fmt.Sprintf("%s%d", e, n))
		}
	}
	return names
}
