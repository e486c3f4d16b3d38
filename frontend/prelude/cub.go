package prelude

import (
	_ "embed"
	"strings"
)

// CUB is CUDA's library of what the threads of a block do together. Kernels use it as templates of
// structs, whose code cub.cuh writes anew: the steps are those that CUB's documentation gives for
// the algorithm (CUB 2.2), so that the shuffles, barriers and accesses of shared memory
// are the library's. hipCUB has the same names for HIP.

//go:embed cub.cuh
var cubText string

// CUBHeader is what stands for a header of CUB or hipCUB that is not found; ok is false for others.
func CUBHeader(name string) (text string, ok bool) {
	switch {
	case strings.HasPrefix(name, "cub/"):
		return cubText, true
	case strings.HasPrefix(name, "hipcub/"):
		return strings.NewReplacer("namespace cub", "namespace hipcub", "cub::", "hipcub::", "KL_CUB", "KL_HIPCUB").Replace(cubText), true
	}
	return "", false
}
