package prelude

import (
	"fmt"
	"strings"

	"gpupipe/frontend/ast"
	"gpupipe/internal/capability"
	"gpupipe/internal/target"
)

// architectureMacros are the macros by which compilers tell a program the GPU that they
// compile it for: nvcc's __CUDA_ARCH__ (CUDA C++ Programming Guide, Application
// Compatibility) and those of clang for AMD's GPUs (its AMDGPU Support). To CUDA C an AMD GPU
// is any other: HIP's header takes nvcc's macros away (hip.go).
func architectureMacros(d ast.Dialect, t *target.Target) string {
	var b strings.Builder
	gpu := t.Capability
	if gfx := capability.GFX(gpu); gfx > 0 {
		fmt.Fprintf(&b, "#define __AMD__ 1\n#define __AMDGPU__ 1\n#define __AMDGCN__ 1\n"+
			"#define __%s__ 1\n#define __GFX%d__ 1\n"+
			"#define __amdgcn_processor__ \"%s\"\n#define __AMDGCN_WAVEFRONT_SIZE %d\n", gpu, gfx, gpu, t.WarpSize)
	}
	if d == ast.CUDA {
		major, minor, ok := capability.Compute(gpu)
		if !ok {
			major, minor, _ = capability.Compute(target.DefaultCapability)
		}
		fmt.Fprintf(&b, "#define __CUDA_ARCH__ %d\n", 100*major+10*minor)
	}
	return b.String()
}
