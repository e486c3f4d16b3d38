package frontend

import (
	"fmt"
	"strconv"
	"strings"
)

// defaultArchitecture is whose macros CUDA C has where no device is named.
const defaultArchitecture = "7.0"

// computeCapability reads what NVIDIA calls an architecture: "8.6" is 8 and 6.
func computeCapability(architecture string) (major, minor int, ok bool) {
	first, second, ok := strings.Cut(architecture, ".")
	major, err1 := strconv.Atoi(first)
	minor, err2 := strconv.Atoi(second)
	return major, minor, ok && err1 == nil && err2 == nil && major > 0 && minor >= 0 && minor < 10
}

// MajorGFX reads what AMD calls an architecture: "gfx90a" and "gfx1032" are 9 and 10, of
// which two more digits, hexadecimal ones, say the variant; 0 for anything else.
func MajorGFX(architecture string) int {
	digits, ok := strings.CutPrefix(architecture, "gfx")
	if !ok || len(digits) < 3 || !isIdentifier(architecture) {
		return 0
	}
	major, err := strconv.Atoi(digits[:len(digits)-2])
	if err != nil || major < 0 {
		return 0
	}
	return major
}

// architectureMacros are the macros by which compilers tell a program the GPU that they
// compile it for: nvcc's __CUDA_ARCH__ (CUDA C++ Programming Guide, Application
// Compatibility) and those of clang for AMD's GPUs (its AMDGPU Support; the size of a
// wavefront is the compiler's default: 32 lanes from gfx10 on). To CUDA C an AMD GPU
// is any other: HIP's header takes nvcc's macros away (hip.go).
func architectureMacros(d Dialect, architecture string) string {
	var b strings.Builder
	if gfx := MajorGFX(architecture); gfx > 0 {
		wavefront := 64
		if gfx >= 10 {
			wavefront = 32
		}
		fmt.Fprintf(&b, "#define __AMD__ 1\n#define __AMDGPU__ 1\n#define __AMDGCN__ 1\n#define __%s__ 1\n#define __GFX%d__ 1\n"+
			"#define __amdgcn_processor__ \"%s\"\n#define __AMDGCN_WAVEFRONT_SIZE %d\n", architecture, gfx, architecture, wavefront)
	}
	if d == CUDA {
		major, minor, ok := computeCapability(architecture)
		if !ok {
			major, minor, _ = computeCapability(defaultArchitecture)
		}
		fmt.Fprintf(&b, "#define __CUDA_ARCH__ %d\n", 100*major+10*minor)
	}
	return b.String()
}
