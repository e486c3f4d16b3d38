package resolve

import (
	"fmt"

	"gpupipe/frontend/ctypes"
	"gpupipe/idg"
)

// What the languages declare by themselves, beside their functions.

// The names of opaque types that are asked for by name.
const (
	typeSampler = "sampler_t"
	typeEvent   = "event_t"
)

const idgLocal = idg.SpaceLocal

// commonTypes are names of types of both languages.
var commonTypes = map[string]Kind{
	"size_t": ULong, "ptrdiff_t": Long, "intptr_t": Long, "uintptr_t": ULong, "half": Half,
	"uchar": UChar, "ushort": UShort, "uint": UInt, "ulong": ULong,
}

// openCLTypes and cudaTypes are those of one.
var (
	openCLTypes = map[string]Kind{
		"cl_mem_fence_flags": UInt, "memory_order": Int, "memory_scope": Int,
		"atomic_int": Int, "atomic_uint": UInt, "atomic_long": Long, "atomic_ulong": ULong, "atomic_float": Float, "atomic_double": Double,
		"atomic_size_t": ULong, "atomic_ptrdiff_t": Long, "atomic_intptr_t": Long, "atomic_uintptr_t": ULong, "atomic_flag": Int,
	}
	cudaTypes = map[string]Kind{
		"uint8_t": UChar, "int16_t": Short, "uint16_t": UShort, "int32_t": Int, "uint32_t": UInt, "int64_t": Long, "uint64_t": ULong,
		"ssize_t": Long, "__half": Half, "clock_t": Long, "cudaError_t": Int, "cudaGraphConditionalHandle": ULong,
		"cufftReal": Float, "cufftDoubleReal": Double,
	}
	// openCLOpaque are the types of OpenCL C that are no numbers.
	openCLOpaque = []string{"image1d_t", "image1d_array_t", "image1d_buffer_t", "image2d_t", "image2d_array_t", "image2d_depth_t", "image2d_array_depth_t",
		"image2d_msaa_t", "image2d_array_msaa_t", "image2d_msaa_depth_t", "image2d_array_msaa_depth_t", "image3d_t", "sampler_t", "event_t",
		"queue_t", "ndrange_t", "clk_event_t", "reserve_id_t"}
	cudaOpaque = []string{"cudaTextureObject_t", "cudaSurfaceObject_t", "cudaStream_t", "cudaEvent_t"}
)

// prelude declares the types and variables of the language.
func (c *checker) prelude() {
	add := func(name string, t *Type) {
		c.file.declare(&symbol{kind: symType, name: name, typ: plain(t), builtin: true, in: c.file})
	}
	for name, k := range commonTypes {
		add(name, Scalar(k))
	}
	for _, name := range vectorTypes(c.cfg.Dialect) {
		add(name, c.namedType(name))
	}
	if c.cfg.Dialect == OpenCL {
		for name, k := range openCLTypes {
			t := qtype{Type: Scalar(k)}
			t.isVolatile = len(name) > 7 && name[:7] == "atomic_"
			c.file.declare(&symbol{kind: symType, name: name, typ: t, builtin: true, in: c.file})
		}
		for _, name := range openCLOpaque {
			add(name, &Type{Kind: Opaque, Name: name})
		}
		return
	}
	for name, k := range cudaTypes {
		add(name, Scalar(k))
	}
	add("int8_t", signedChar)
	for _, name := range cudaOpaque {
		add(name, &Type{Kind: Opaque, Name: name})
	}
	half2 := c.vectorOf(Half, 2)
	bf2 := *ctypes.CUDAVectorOf(Half, 2)
	bf2.Elem, bf2.Name = bfloat16, "__nv_bfloat162"
	add("half2", half2)
	add("__half2", half2)
	add("__nv_bfloat16", bfloat16)
	add("nv_bfloat16", bfloat16)
	add("__nv_bfloat162", &bf2)
	add("nv_bfloat162", &bf2)
	dim3 := *c.vectorOf(UInt, 3)
	dim3.Name = "dim3"
	add("dim3", &dim3)
	for _, n := range []string{"cufftComplex", "cuComplex", "cuFloatComplex"} {
		add(n, c.namedType("float2"))
	}
	for _, n := range []string{"cufftDoubleComplex", "cuDoubleComplex"} {
		add(n, c.namedType("double2"))
	}
	add("CUtexObject", &Type{Kind: Opaque, Name: ctypes.Texture})
	add("CUsurfObject", &Type{Kind: Opaque, Name: ctypes.Surface})
	for name := range cudaIndices {
		c.indexVariable(name, &dim3)
	}
	c.indexVariable("warpSize", Scalar(Int))
}

func (c *checker) indexVariable(name string, t *Type) {
	c.file.declare(&symbol{kind: symObject, name: name, builtin: true, in: c.file, obj: &Object{Name: name, Type: t, Const: true}})
}

// The element types and lengths of OpenCL C's vectors, and the lengths of CUDA's.
var (
	openCLVectorElements = []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double", "bool"}
	openCLVectorLengths  = []int{2, 3, 4, 8, 16}
	cudaVectorLengths    = []int{1, 2, 3, 4}
)

// vectorTypes are the names of a dialect's vector types.
func vectorTypes(d Dialect) (names []string) {
	elements, lengths := openCLVectorElements, openCLVectorLengths
	if d == CUDA {
		elements, lengths = ctypes.CUDAVectorElements, cudaVectorLengths
	}
	for _, e := range elements {
		for _, n := range lengths {
			names = append(names, fmt.Sprintf("%s%d", e, n))
		}
	}
	return names
}
