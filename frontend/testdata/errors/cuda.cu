// CUDA's own.
__global__ void shuffle(float *a) { a[0] = __shfl_down_sync(0xffffffff, a[0], 1); } // ERROR "(?s)warp shuffles.*__shared__"
__global__ void vote(int *a) { a[0] = __ballot_sync(0xffffffff, a[0]); } // ERROR "warp votes"
__global__ void index(int *a) { a[0] = threadIdx.w; } // ERROR "threadIdx has no member w"
__global__ void opencl_name(float *a) { a[0] = native_sin(a[0]); } // ERROR "function native_sin is not declared"
__global__ void conversion(float2 *a) { a[0] = a[1] + 1; a[0] = make_float2(1); } // ERROR "float2 needs 2 components, these are 1"
__device__ float half_of(float &x) { return x / 2; }
__global__ void value(float *a) { a[0] = half_of(3.0f); } // ERROR "this expression has no address"
__global__ void clocks(long *a) { a[0] = clock64(); } // ERROR "(?s)reading the clock.*simulator"
__global__ void returns(int *a, int n) { static int calls; calls++; a[0] = n == 1 ? 0 : nullptr; } // ERROR "a value of type int is needed, this is void"
__global__ void good(float *a) { assert(a); a[0] = 1; } // NOTE "assert is left out"
