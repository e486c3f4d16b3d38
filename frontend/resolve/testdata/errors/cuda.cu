// CUDA's own.
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <mma.h>
__global__ void memory(float **a) { a[0] = (float *)malloc(4); }
__global__ void copied(int *a) { __shared__ int s[4]; __pipeline_memcpy_async(s, a, 12); } // ERROR "__pipeline_memcpy_async: the size must be 4, 8 or 16"
__global__ void copied_some(int *a, int n) { __shared__ int s[4]; __pipeline_memcpy_async(s, a, n); } // ERROR "the size must be 4, 8 or 16"
__global__ void primitive(int *a) { __pipeline_arrive_on(a); } // ERROR "function __pipeline_arrive_on is not declared"
__global__ void library(int *a, int n) { __shared__ int s[4]; auto p = cuda::make_pipeline(); cuda::memcpy_async(s, a, n, p); }
__global__ void library_object(int *a, int n) { __shared__ int s[4]; cuda::memcpy_async(s, a, 4, n); } // ERROR "(?s)no function cuda::memcpy_async fits.*argument 4 is int, the parameter pipeline<S> &"
__global__ void bytes_of_group(char *a) { __shared__ char s[64]; auto g = cooperative_groups::this_thread_block(); cooperative_groups::memcpy_async(g, s, a, 64); } // ERROR "(?s)in words of less than 4 bytes.*aligned_size_t"
__global__ void factor(half *a) { nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> f; f.x[0] = a[0]; } // ERROR "member x of nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, .*> is not supported"
__global__ void bytes(float *a) { nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::row_major> f; nvcuda::wmma::load_matrix_sync(f, a, 16); } // ERROR "(?s)no function nvcuda::wmma::load_matrix_sync fits.*argument 2 is float .*, the parameter const half"
__global__ void no_layout(float *a) { nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f; nvcuda::wmma::load_matrix_sync(f, a, 16); } // ERROR "the layout of an accumulator in memory is needed"
__global__ void shapes(float *a) { nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f; nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 32, 8, 16, half, nvcuda::wmma::row_major> g; nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::row_major> h; nvcuda::wmma::mma_sync(f, g, h, f); } // ERROR "mma_sync: argument 2 is .*matrix_a, 32, 8, 16, .*, the parameter .*matrix_a, M, N, K, .* with M=16, N=16, K=16"
__global__ void roles(int *a) { __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> s; auto p = cuda::make_pipeline(cooperative_groups::this_thread_block(), &s, 3); } // ERROR "producers and consumers"
__global__ void dropping(int *a) { __shared__ cuda::barrier<cuda::thread_scope_block> b; b.arrive_and_drop(); } // ERROR "member arrive_and_drop of cuda::barrier<.*> is not supported"
__global__ void grid_barrier(cuda::barrier<cuda::thread_scope_device> *b) { b->arrive_and_wait(); } // ERROR "a barrier of several groups is"
__global__ void tries(int *a) { auto p = cuda::make_pipeline(); p.consumer_wait_for(3); } // ERROR "member consumer_wait_for of cuda::pipeline<.*> is not supported"
__global__ void index(int *a) { a[0] = threadIdx.w; } // ERROR "threadIdx has no member w"
__global__ void opencl_name(float *a) { a[0] = native_sin(a[0]); } // ERROR "function native_sin is not declared"
__global__ void conversion(float2 *a) { a[0] = a[1] + 1; a[0] = make_float2(1); } // ERROR "float2 needs 2 components, these are 1"
__device__ float half_of(float &x) { return x / 2; }
__global__ void value(float *a) { a[0] = half_of(3.0f); } // ERROR "argument 1 of half_of: a reference of type float & is needed, this is float"
__global__ void allocates(long *a) { a[0] = (long)malloc(8); }
__global__ void returns(int *a, int n) { static int calls; calls++; a[0] = n == 1 ? 0 : nullptr; } // ERROR "a value of type int is needed, this is std::nullptr_t"
template <typename T> __device__ T pick(T *p, int n) { return p[n]; }
__global__ void deduction(float *a) { a[0] = pick(1.0f, 2); } // ERROR "pick: argument 1 is float, the parameter T"
struct box { float v; __device__ float get() { return v; } };
__global__ void method(box *a) { a[0].v = a[1].put(); } // ERROR "box has no member put"
__global__ void fetch(float *a, cudaTextureObject_t t) { a[0] = tex2D(t, 1, 2); } // ERROR "the type of the pixels is not known"
__global__ void good(float *a) { assert(a); a[0] = 1; } // NOTE "assert is left out"
texture<float> read;
__global__ void sampled(float *a) { texture<float> local; a[0] = tex1Dfetch(read, 1); } // ERROR "objects of type cudaTextureObject_t are not supported"
