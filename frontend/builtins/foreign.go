package builtins

// Names of the other language, and what says the same in the one that the source was read as.
var (
	cudaNames = map[string]string{
		"threadIdx": "get_local_id", "blockIdx": "get_group_id", "blockDim": "get_local_size",
		"gridDim":       "get_num_groups",
		"__syncthreads": "barrier(CLK_LOCAL_MEM_FENCE)", "__threadfence": "mem_fence",
		"__threadfence_block": "mem_fence",
		"atomicAdd":           "atomic_add", "atomicSub": "atomic_sub", "atomicMax": "atomic_max",
		"atomicMin": "atomic_min",
		"atomicAnd": "atomic_and", "atomicOr": "atomic_or", "atomicXor": "atomic_xor", "atomicCAS": "atomic_cmpxchg",
		"atomicExch": "atomic_xchg",
		"sqrtf":      "sqrt", "rsqrtf": "rsqrt", "expf": "exp", "logf": "log", "powf": "pow", "sinf": "sin",
		"cosf":  "cos",
		"tanhf": "tanh",
		"fabsf": "fabs", "fmaxf": "fmax", "fminf": "fmin", "fmaf": "fma", "floorf": "floor", "ceilf": "ceil",
		"__expf": "native_exp", "__logf": "native_log", "__sinf": "native_sin", "__cosf": "native_cos",
		"__fdividef":  "native_divide",
		"make_float2": "(float2)(x, y)", "make_float3": "(float3)(x, y, z)", "make_float4": "(float4)(x, y, z, w)",
		"make_int2": "(int2)(x, y)", "make_int4": "(int4)(x, y, z, w)",
	}
	openCLNames = map[string]string{
		"get_global_id": "blockIdx.x * blockDim.x + threadIdx.x", "get_local_id": "threadIdx",
		"get_group_id":   "blockIdx",
		"get_local_size": "blockDim", "get_num_groups": "gridDim", "get_global_size": "gridDim.x * blockDim.x",
		"__global": "left out", "__local": "__shared__", "__constant": "__constant__",
		"barrier": "__syncthreads()", "mem_fence": "__threadfence_block()", "CLK_LOCAL_MEM_FENCE": "__syncthreads()",
		"CLK_GLOBAL_MEM_FENCE": "__syncthreads()",
		"atomic_add":           "atomicAdd", "atomic_sub": "atomicSub", "atomic_max": "atomicMax",
		"atomic_min": "atomicMin",
		"atomic_inc": "atomicAdd", "atomic_dec": "atomicSub",
		"atomic_and": "atomicAnd", "atomic_or": "atomicOr", "atomic_xor": "atomicXor", "atomic_cmpxchg": "atomicCAS",
		"atomic_xchg": "atomicExch",
		"mad":         "fmaf", "native_exp": "__expf", "native_log": "__logf", "native_sin": "__sinf",
		"native_cos":  "__cosf",
		"native_sqrt": "sqrtf", "native_rsqrt": "rsqrtf", "native_divide": "__fdividef",
		"convert_float": "a cast", "convert_int": "a cast", "as_float": "__int_as_float", "as_int": "__float_as_int",
	}
)

// Foreign are names of the other language, and what says the same in this one: in CUDA, or in OpenCL C.
func Foreign(cuda bool) map[string]string {
	if cuda {
		return openCLNames
	}
	return cudaNames
}
