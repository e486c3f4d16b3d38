// Package encoding is what text and typing agree on: how the keywords and types of OpenCL C and CUDA C, and what is C++
// in CUDA, are written as C that modernc.org/cc/v4 parses and that its tree keeps. The preludes and what rewrites a
// program before it is parsed write these names; typing reads them out of the tree. Nothing of it
// reaches a user: types print in OpenCL's words and parse errors are translated.
//
// # Address spaces
//
// Address spaces are _Nonnull, a type qualifier that cc keeps wherever one may
// stand, repeated as often as the space's number (the Qual constants). Among
// declaration specifiers (and SpecifierQualifierLists) the count belongs to
// the declared object or, for a pointer, to what it points to; in a Pointer's
// TypeQualifiers it belongs to the pointer itself.
//
//	__global float *__private p    _Nonnull float * _Nonnull _Nonnull _Nonnull _Nonnull p
//	read_only image2d_t img        _Nonnull x 8, then the opaque typedef image2d_t
//	read_only pipe int p           _Nonnull x 8, _Nonnull x 20, then int
//	float &r (CUDA)                float * _Nonnull x 16 r: a pointer that every use dereferences
//
// # Attributes
//
// Functions and objects are marked with attributes, found by AttributesOf:
//
//	__kernel, __global__           kl_kernel
//	__device__                     kl_device (on an object: it lives in global memory)
//	__managed__                    kl_managed (the same)
//	__launch_bounds__(a, b)        kl_launch_bounds(a, b)
//	reqd_work_group_size(x, y, z)  itself
//	int n = 5 (CUDA parameter)     kl_default(5); parse completes the calls itself
//
// # Types
//
// Types are typedefs of the prelude, to be recognised by their name where
// the declarator is of the prelude: the scalar names (uchar, size_t, half,
// uint32_t, ...) are true typedefs; vectors (float4), images, samplers, events
// and the like are typedefs of int that stand for the type of that name, and
// __kl_auto stands for the type of the initialiser (CUDA's auto) and __kl_braces for that
// which the context of a list in braces asks for. CUDA's dim3
// is a real struct and threadIdx, blockIdx, blockDim, gridDim and warpSize are
// extern objects of the prelude.
//
// Groups of work items (GroupTypes), pipelines and barriers (TypePipeline, TypeBarrier) are structs.
// true, false, NULL and the numeric limits are macros.
//
// # Functions
//
// Names with template arguments become names of their own with the arguments in front: TilePartition, WaitPrior,
// MakeAligned, WaitBulk, textures (TexturePrefix) and traits of types (TraitPrefix), where a type T is (T *)0.
//
// The constructs are those of the CUDA C++ Programming Guide, of libcu++ and of OpenCL C 1.2.
package encoding
