// Loops whose unrolling is compared. A comment at a loop's head says what is counted: the operation, and how often an
// iteration of the source has it. Subscripts depend on the counter, so that no copy falls away.
#include "loops.h"

extern "C" __global__ void trip_5(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 5; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void trip_16(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 16; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void trip_32(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 32; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void trip_48(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 48; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void trip_49(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 49; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void trip_64(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 64; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void trip_100(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 100; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void trip_128(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 128; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void trip_144(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 144; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void trip_145(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 145; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void trip_200(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 200; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void trip_1000(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 1000; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void two_loads_16(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 16; ++i)  // loop: ld.global/2
        s += x[t + i * 128] * x[t + i * 128 + 64 * 1024];
    o[t] = s;
}

extern "C" __global__ void two_loads_40(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 40; ++i)  // loop: ld.global/2
        s += x[t + i * 128] * x[t + i * 128 + 64 * 1024];
    o[t] = s;
}

extern "C" __global__ void two_loads_60(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 60; ++i)  // loop: ld.global/2
        s += x[t + i * 128] * x[t + i * 128 + 64 * 1024];
    o[t] = s;
}

extern "C" __global__ void two_loads_96(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 96; ++i)  // loop: ld.global/2
        s += x[t + i * 128] * x[t + i * 128 + 64 * 1024];
    o[t] = s;
}

extern "C" __global__ void two_loads_128(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 128; ++i)  // loop: ld.global/2
        s += x[t + i * 128] * x[t + i * 128 + 64 * 1024];
    o[t] = s;
}

extern "C" __global__ void chain8_4(const float *x, float *o, float a)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 4; ++i)  // loop: ld.global
        {
            float v = x[t + i * 128];
            v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a;
            v = v * s + a; v = v * s + a; v = v * s + a;
            s = v;
        }
    o[t] = s;
}

extern "C" __global__ void chain8_8(const float *x, float *o, float a)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 8; ++i)  // loop: ld.global
        {
            float v = x[t + i * 128];
            v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a;
            v = v * s + a; v = v * s + a; v = v * s + a;
            s = v;
        }
    o[t] = s;
}

extern "C" __global__ void chain8_10(const float *x, float *o, float a)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 10; ++i)  // loop: ld.global
        {
            float v = x[t + i * 128];
            v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a;
            v = v * s + a; v = v * s + a; v = v * s + a;
            s = v;
        }
    o[t] = s;
}

extern "C" __global__ void chain8_12(const float *x, float *o, float a)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 12; ++i)  // loop: ld.global
        {
            float v = x[t + i * 128];
            v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a;
            v = v * s + a; v = v * s + a; v = v * s + a;
            s = v;
        }
    o[t] = s;
}

extern "C" __global__ void chain8_16(const float *x, float *o, float a)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 16; ++i)  // loop: ld.global
        {
            float v = x[t + i * 128];
            v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a;
            v = v * s + a; v = v * s + a; v = v * s + a;
            s = v;
        }
    o[t] = s;
}

extern "C" __global__ void chain8_32(const float *x, float *o, float a)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 32; ++i)  // loop: ld.global
        {
            float v = x[t + i * 128];
            v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a;
            v = v * s + a; v = v * s + a; v = v * s + a;
            s = v;
        }
    o[t] = s;
}

extern "C" __global__ void chain8_64(const float *x, float *o, float a)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 64; ++i)  // loop: ld.global
        {
            float v = x[t + i * 128];
            v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a;
            v = v * s + a; v = v * s + a; v = v * s + a;
            s = v;
        }
    o[t] = s;
}

extern "C" __global__ void madd_16(float *o, float a, float b)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 16; ++i)  // loop: fma
        s = s * a + b;
    o[t] = s;
}

extern "C" __global__ void madd_64(float *o, float a, float b)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 64; ++i)  // loop: fma
        s = s * a + b;
    o[t] = s;
}

extern "C" __global__ void madd_100(float *o, float a, float b)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 100; ++i)  // loop: fma
        s = s * a + b;
    o[t] = s;
}

extern "C" __global__ void madd_144(float *o, float a, float b)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 144; ++i)  // loop: fma
        s = s * a + b;
    o[t] = s;
}

extern "C" __global__ void madd_256(float *o, float a, float b)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 256; ++i)  // loop: fma
        s = s * a + b;
    o[t] = s;
}

extern "C" __global__ void pragma_const_unroll_1(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll 1
    for (int i = 0; i < 64; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void pragma_const_unroll_2(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll 2
    for (int i = 0; i < 64; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void pragma_const_unroll_4(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll 4
    for (int i = 0; i < 64; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void pragma_const_unroll_3(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll 3
    for (int i = 0; i < 64; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void pragma_const_unroll_16(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll 16
    for (int i = 0; i < 64; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void pragma_const_unroll(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll
    for (int i = 0; i < 64; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void pragma_const_nounroll(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma nounroll
    for (int i = 0; i < 64; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void pragma_run_unroll_1(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll 1
    for (int i = 0; i < n; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void pragma_run_unroll_2(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll 2
    for (int i = 0; i < n; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void pragma_run_unroll_4(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll 4
    for (int i = 0; i < n; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void pragma_run_unroll_8(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll 8
    for (int i = 0; i < n; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void pragma_run_unroll(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll
    for (int i = 0; i < n; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void pragma_big(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll
    for (int i = 0; i < 512; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void run_load(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void run_row(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i)  // loop: ld.global
        s += x[t * n + i];
    o[t] = s;
}

extern "C" __global__ void run_two(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i)  // loop: ld.global/2
        s += x[t + i * 128] * x[t + i * 128 + 64 * 1024];
    o[t] = s;
}

extern "C" __global__ void run_chain8(const float *x, float *o, float a, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i)  // loop: ld.global
        {
            float v = x[t + i * 128];
            v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a; v = v * s + a;
            v = v * s + a; v = v * s + a; v = v * s + a;
            s = v;
        }
    o[t] = s;
}

extern "C" __global__ void run_store(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i)  // loop: st.global
        o[t + i * 128] = x[t + i * 128] + 1.0f;
    
}

extern "C" __global__ void run_stride(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = t; i < n; i += blockDim.x)  // loop: ld.global
        s += x[i];
    o[t] = s;
}

extern "C" __global__ void run_grid(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x)  // loop: ld.global
        s += x[i];
    o[t] = s;
}

extern "C" __global__ void run_double(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 1; i < n; i *= 2)  // loop: ld.global
        s += x[t + i];
    o[t] = s;
}

extern "C" __global__ void run_half(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = n; i > 0; i /= 2)  // loop: ld.global
        s += x[t + i];
    o[t] = s;
}

extern "C" __global__ void run_down(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = n - 1; i >= 0; --i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void run_unsigned(const float *x, float *o, unsigned n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (unsigned i = 0; i < n; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void run_while(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    int i = 0;
    while (i < n) {  // loop: ld.global
        s += x[t + i * 128];
        ++i;
    }
    o[t] = s;
}

extern "C" __global__ void run_barrier(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    __shared__ float part[128];
    for (int i = 0; i < n; ++i)  // loop: ld.global
        {
            part[t] = x[t + i * 128];
            __syncthreads();
            s += part[127 - t];
            __syncthreads();
        }
    o[t] = s;
}

extern "C" __global__ void run_if(const float *x, float *o, int n, int m)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i)  // loop: ld.global
        if (i + t < m) s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void lane_bound(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < t; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void memory_bound(const int *r, const float *x, float *o)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = r[t]; i < r[t + 1]; ++i)  // loop: ld.global
        s += x[i];
    o[t] = s;
}

extern "C" __global__ void cap_8(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n && i < 8; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void cap_8_pragma(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll
    for (int i = 0; i < n && i < 8; ++i)  // loop: ld.global
        s += x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void cap_break_16(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 16; ++i)  // loop: ld.global
        { if (i >= n) break; s += x[t + i * 128]; }
    o[t] = s;
}

extern "C" __global__ void find(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i)  // loop: ld.global
        { float v = x[t + i * 128]; if (v < 0.0f) break; s += v; }
    o[t] = s;
}

extern "C" __global__ void find_pragma(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll
    for (int i = 0; i < n; ++i)  // loop: ld.global
        { float v = x[t + i * 128]; if (v < 0.0f) break; s += v; }
    o[t] = s;
}

extern "C" __global__ void find_16(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 16; ++i)  // loop: ld.global
        { float v = x[t + i * 128]; if (v < 0.0f) break; s += v; }
    o[t] = s;
}

extern "C" __global__ void do_while(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    int i = 0;
    do {  // loop: ld.global
        s += x[t + i * 128];
    } while (++i < n);
    o[t] = s;
}

extern "C" __global__ void call_sinf_16(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 16; ++i)  // loop: st.global
        o[t + i * 128] = s += sinf(x[t + i * 128]);  // sinf loads a table itself

}

extern "C" __global__ void call_expf_32(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 32; ++i)  // loop: ld.global
        s += expf(x[t + i * 128]);
    o[t] = s;
}

extern "C" __global__ void call_logf_16(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 16; ++i)  // loop: ld.global
        s += logf(x[t + i * 128]);
    o[t] = s;
}

extern "C" __global__ void call_sqrtf_32(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 32; ++i)  // loop: ld.global
        s += sqrtf(x[t + i * 128]);
    o[t] = s;
}

extern "C" __global__ void call_powf_5(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 5; ++i)  // loop: ld.global
        s += powf(x[t + i * 128], 1.7f);
    o[t] = s;
}

extern "C" __global__ void call_expf_fast_32(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 32; ++i)  // loop: ld.global
        s += __expf(x[t + i * 128]);
    o[t] = s;
}

extern "C" __global__ void call_rsqrtf_32(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 32; ++i)  // loop: ld.global
        s += rsqrtf(x[t + i * 128]);
    o[t] = s;
}

extern "C" __global__ void call_tanhf_8(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 8; ++i)  // loop: ld.global
        s += tanhf(x[t + i * 128]);
    o[t] = s;
}

extern "C" __global__ void call_fabsf_32(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 32; ++i)  // loop: ld.global
        s += fabsf(x[t + i * 128]);
    o[t] = s;
}

extern "C" __global__ void call_expf_run(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i)  // loop: ld.global
        s += expf(x[t + i * 128]);
    o[t] = s;
}

extern "C" __global__ void divide_16(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 16; ++i)  // loop: ld.global
        s += 1.0f / x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void divide_run(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i)  // loop: ld.global
        s += 1.0f / x[t + i * 128];
    o[t] = s;
}

extern "C" __global__ void double_32(const double *y, double *o)
{
    int t = threadIdx.x;
    float s = 0.0f;
    double d = s;
    for (int i = 0; i < 32; ++i)  // loop: ld.global
        d += y[t + i * 128];
    o[t] = d;
}

extern "C" __global__ void shuffle_5(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    s = x[t];
    for (int i = 16; i > 0; i /= 2)  // loop: shfl
        s += __shfl_down_sync(0xffffffffu, s, i);
    o[t] = s;
}

extern "C" __global__ void shuffle_run_pragma(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll
    for (int i = 0; i < n; ++i)  // loop: ld.global
        s += __shfl_xor_sync(0xffffffffu, x[t + i * 128], 1);
    o[t] = s;
}

extern "C" __global__ void shuffle_run(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i)  // loop: ld.global
        s += __shfl_xor_sync(0xffffffffu, x[t + i * 128], 1);
    o[t] = s;
}

extern "C" __global__ void atomic_run(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i)  // loop: atom
        atomicAdd(&o[i * 128 + t], x[t]);
    
}

extern "C" __global__ void shared_32(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    __shared__ float part[256];
    part[t] = x[t];
    part[t + 128] = x[t + 128];
    __syncthreads();
    for (int i = 0; i < 32; ++i)  // loop: ld.shared
        s += part[i + t];
    o[t] = s;
}

extern "C" __global__ void tree(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    __shared__ float part[128];
    part[t] = x[t];
    __syncthreads();
    for (int i = 64; i > 0; i >>= 1)  // loop: bar
        {
            if (t < i) part[t] += part[t + i];
            __syncthreads();
        }
    o[t] = part[0];
}

extern "C" __global__ void integers_run(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    unsigned h = t;
    for (int i = 0; i < n; ++i)  // loop: xor/2
        { h ^= h << 13; h ^= h >> 17; h += i; }
    o[t] = h;
}

extern "C" __global__ void switch_run(const float *x, float *o, int n)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; o[t + i++ * 128] = s)  // loop: st.global
        switch (i & 3) {
        case 0: s += x[t + i * 128]; break;
        case 1: s *= x[t + i * 128 + 64]; break;
        case 2: s -= x[t + i * 128 + 32]; break;
        default: s = s * s + x[t + i * 128 + 16];
        }

}

extern "C" __global__ void nest_4_4(const float *x, float *o, int n, int m)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 4; ++i) {  // loop: st.global
        for (int j = 0; j < 4; ++j)  // loop: ld.global
            s += x[t + (i * 64 + j) * 128];
        o[t + i * 128] = s;
    }
    
}

extern "C" __global__ void nest_3_20(const float *x, float *o, int n, int m)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 3; ++i) {  // loop: st.global
        for (int j = 0; j < 20; ++j)  // loop: ld.global
            s += x[t + (i * 64 + j) * 128];
        o[t + i * 128] = s;
    }
    
}

extern "C" __global__ void nest_20_3(const float *x, float *o, int n, int m)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 20; ++i) {  // loop: st.global
        for (int j = 0; j < 3; ++j)  // loop: ld.global
            s += x[t + (i * 64 + j) * 128];
        o[t + i * 128] = s;
    }
    
}

extern "C" __global__ void nest_n_4(const float *x, float *o, int n, int m)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i) {  // loop: st.global
        for (int j = 0; j < 4; ++j)  // loop: ld.global
            s += x[t + (i * 64 + j) * 128];
        o[t + i * 128] = s;
    }
    
}

extern "C" __global__ void nest_n_16(const float *x, float *o, int n, int m)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i) {  // loop: st.global
        for (int j = 0; j < 16; ++j)  // loop: ld.global
            s += x[t + (i * 64 + j) * 128];
        o[t + i * 128] = s;
    }
    
}

extern "C" __global__ void nest_8_n(const float *x, float *o, int n, int m)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 8; ++i) {  // loop: st.global
        for (int j = 0; j < n; ++j)  // loop: ld.global
            s += x[t + (i * 64 + j) * 128];
        o[t + i * 128] = s;
    }
    
}

extern "C" __global__ void nest_n_m(const float *x, float *o, int n, int m)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i) {  // loop: st.global
        for (int j = 0; j < m; ++j)  // loop: ld.global
            s += x[t + (i * 64 + j) * 128];
        o[t + i * 128] = s;
    }
    
}

extern "C" __global__ void nest_triangle(const float *x, float *o, int n, int m)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 6; ++i) {  // loop: st.global
        for (int j = 0; j < i; ++j)  // loop: ld.global
            s += x[t + (i * 64 + j) * 128];
        o[t + i * 128] = s;
    }
    
}

extern "C" __global__ void nest_pragma_2_4(const float *x, float *o, int n, int m)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll 2
    for (int i = 0; i < 16; ++i) {  // loop: st.global
#pragma unroll 4
        for (int j = 0; j < 16; ++j)  // loop: ld.global
            s += x[t + (i * 64 + j) * 128];
        o[t + i * 128] = s;
    }
    
}

extern "C" __global__ void nest_pragma_1_full(const float *x, float *o, int n, int m)
{
    int t = threadIdx.x;
    float s = 0.0f;
#pragma unroll 1
    for (int i = 0; i < n; ++i) {  // loop: st.global
#pragma unroll
        for (int j = 0; j < 32; ++j)  // loop: ld.global
            s += x[t + (i * 64 + j) * 128];
        o[t + i * 128] = s;
    }
    
}

extern "C" __global__ void nest_n_64(const float *x, float *o, int n, int m)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < n; ++i) {  // loop: st.global
        for (int j = 0; j < 64; ++j)  // loop: ld.global
            s += x[t + (i * 64 + j) * 128];
        o[t + i * 128] = s;
    }
    
}

extern "C" __global__ void nest_9_9(const float *x, float *o, int n, int m)
{
    int t = threadIdx.x;
    float s = 0.0f;
    for (int i = 0; i < 9; ++i) {  // loop: st.global
        for (int j = 0; j < 9; ++j)  // loop: ld.global
            s += x[t + (i * 64 + j) * 128];
        o[t + i * 128] = s;
    }
    
}
