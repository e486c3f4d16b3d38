package prelude

import "strings"

// knownHeaders are system headers of which nothing is missing when they are taken as empty: what
// kernels use of them is built in, or they are the host program's.
var knownHeaders = func() map[string]bool {
	known := map[string]bool{}
	for _, name := range strings.Fields(`cuda.h cuda_runtime.h cuda_runtime_api.h device_launch_parameters.h
		device_functions.h math_constants.h math_functions.h mma.h cuda_pipeline.h
		cuda_pipeline_primitives.h cuda/barrier cuda/pipeline cooperative_groups.h
		cooperative_groups/memcpy_async.h hip/hip_runtime.h hip/hip_fp16.h hip/hip_bf16.h hip/hip_bfloat16.h
		assert.h cassert cfloat climits cmath cstddef cstdint cstdio cstdlib cstring float.h limits.h math.h
		stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h algorithm chrono fstream functional iomanip iostream
		memory numeric random sstream string utility vector bitset condition_variable deque exception filesystem
		future ios istream iterator list map mutex new ostream queue regex set stack stdexcept string_view thread
		typeinfo unordered_map unordered_set limits initializer_list concepts version
		cuda/std/limits cuda/std/cstdint cuda/std/cstddef cctype cerrno cinttypes csignal ctime ctype.h errno.h
		getopt.h inttypes.h omp.h pthread.h signal.h strings.h sys/stat.h sys/time.h sys/types.h time.h unistd.h
		cuda_profiler_api.h curand.h cusparse.h nvToolsExt.h nvtx3/nvToolsExt.h hip/hip_runtime_api.h`) {
		known[name] = true
	}
	return known
}()
