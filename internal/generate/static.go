package generate

import (
	"gpupipe/frontend/ast"
	"gpupipe/idg"
	"gpupipe/internal/diag"
	"gpupipe/lower"
	"gpupipe/unroll"
)

// maxStaticLocal is what nvcc allows a kernel's arrays in local memory to have, in bytes, for
// all GPUs (CUDA C++ Programming Guide, Table 15, compute capability 7.x and 8.x: more must be dynamic).
const maxStaticLocal = 48 << 10

// StaticLocalBytes is what a kernel's arrays in local memory have, but for dynamic ones.
func StaticLocalBytes(k *lower.Kernel) (n int64) {
	for _, o := range k.Objects {
		if o.Space == idg.SpaceLocal {
			n += o.Size
		}
	}
	return n
}

// CheckStaticLocal warns of a kernel with more local memory than its compiler (0 = nvcc)
// compiles; nil if there is nothing to say.
func CheckStaticLocal(k *lower.Kernel, dialect ast.Dialect, compiler unroll.Compiler) *diag.Error {
	n := StaticLocalBytes(k)
	if dialect != ast.CUDA || compiler != 0 && compiler != unroll.NVCC || n <= maxStaticLocal {
		return nil
	}
	return diag.Warningf(k.Pos, "LAUNCH", "%d bytes of __shared__ arrays: nvcc compiles at most %d", n, maxStaticLocal).
		WithNote("declare what is larger as extern __shared__ and give its size with --dynamic-local")
}
