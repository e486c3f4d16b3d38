// CUDA's own.
__global__ void memory(float **a) { a[0] = (float *)malloc(4); } // ERROR "(?s)memory allocation.*buffer"
__global__ void pipeline(int *a) { __pipeline_commit(); a[0] = 0; } // ERROR "asynchronous copies"
__global__ void index(int *a) { a[0] = threadIdx.w; } // ERROR "threadIdx has no member w"
__global__ void opencl_name(float *a) { a[0] = native_sin(a[0]); } // ERROR "function native_sin is not declared"
__global__ void conversion(float2 *a) { a[0] = a[1] + 1; a[0] = make_float2(1); } // ERROR "float2 needs 2 components, these are 1"
__device__ float half_of(float &x) { return x / 2; }
__global__ void value(float *a) { a[0] = half_of(3.0f); } // ERROR "this expression has no address"
__global__ void clocks(long *a) { a[0] = clock64(); } // ERROR "(?s)reading the clock.*simulator"
__global__ void returns(int *a, int n) { static int calls; calls++; a[0] = n == 1 ? 0 : nullptr; } // ERROR "a value of type int is needed, this is void"
template <typename T> __device__ T pick(T *p, int n) { return p[n]; }
__global__ void deduction(float *a) { a[0] = pick(1.0f, 2); } // ERROR "pick: no template of this name fits these arguments"
struct box { float v; __device__ float get() { return v; } };
__global__ void method(box *a) { a[0].v = a[1].put(); } // ERROR "struct box has no member function put"
__global__ void fetch(float *a, cudaTextureObject_t t) { a[0] = tex2D(t, 1, 2); } // ERROR "the type of the pixels is not known"
__global__ void good(float *a) { assert(a); a[0] = 1; } // NOTE "assert is left out"
