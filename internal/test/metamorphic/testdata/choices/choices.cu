// Kernels of which a launch decides much: what is executed, where, and how often. Their code is the same for all.

// Only mode 1 needs many registers.
// idgen: local=128 groups=64 arg.mode=0
__global__ void path_of_argument(const float *in, float *out, int mode)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = in[i];
    if (mode == 1) {
        float v[24];
#pragma unroll
        for (int k = 0; k < 24; k++)
            v[k] = in[i + 1024 * k];
#pragma unroll
        for (int k = 0; k < 24; k++)
            sum += v[k] * v[(k + 7) % 24];
    }
    out[i] = sum;
}

// The contents of a buffer say which way all work items go.
// idgen: local=128 groups=64
__global__ void path_of_contents(const int *__restrict__ flags, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (flags[0] == 0)
        out[i] = in[i];
    else
        out[i] = in[i] * in[i + 1024] + in[i + 2048] * in[i + 3072] + in[i + 4096];
}

// The first warp does all the work.
// idgen: local=128 groups=64
__global__ void path_of_warp(const float *in, float *out)
{
    __shared__ float s[128];
    s[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 32) {
        float a = s[threadIdx.x], b = s[threadIdx.x + 32], c = s[threadIdx.x + 64], d = s[threadIdx.x + 96];
        out[blockIdx.x * 32 + threadIdx.x] = a * b + b * c + c * d + d * a;
    }
}

// The subscripts are constants where the loops are unrolled, so that the array is in registers.
// idgen: local=128 groups=64
__global__ void array_by_constant(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[8], sum = 0;
    for (int k = 0; k < 8; k++)
        v[k] = in[i + 1024 * k];
    for (int k = 0; k < 8; k++)
        sum += v[k] * v[7 - k];
    out[i] = sum;
}

// The subscript is an argument: the array is in memory.
// idgen: local=128 groups=64 arg.at=3
__global__ void array_by_argument(const float *in, float *out, int at)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[8];
#pragma unroll
    for (int k = 0; k < 8; k++)
        v[k] = in[i + 1024 * k];
    out[i] = v[at & 7];
}

// The same for a subscript that counts to an argument.
// idgen: local=128 groups=64 arg.n=6
__global__ void array_by_counter(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[8];
    for (int k = 0; k < n; k++)
        v[k & 7] = in[i + 1024 * k];
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += v[k & 7] * v[(k + 1) & 7];
    out[i] = sum;
}

// The same for a subscript that the contents of a buffer decide.
// idgen: local=128 groups=64
__global__ void array_by_contents(const int *__restrict__ order, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[4] = {in[i], in[i + 1024], in[i + 2048], in[i + 3072]};
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; k++)
        sum = sum * 0.5f + v[order[k] & 3];
    out[i] = sum;
}

// A loop that is entered for one kind of argument only.
// idgen: local=128 groups=64 arg.n=64
__global__ void loop_of_argument(const float *__restrict__ in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0, b = 0, c = 0, d = 0;
    for (int k = 0; k < n; k += 4) {
        a += in[i + k];
        b += in[i + k + 1] * a;
        c += in[i + k + 2] * b;
        d += in[i + k + 3] * c;
    }
    out[i] = a + b + c + d;
}

// At most eight iterations, which an argument decides.
// idgen: local=128 groups=64 arg.n=5
__global__ void bounded_loop(const float *__restrict__ in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n && k < 8; k++)
        sum += in[i + 1024 * k];
    out[i] = sum;
}

// The stride is the size of the group.
// idgen: local=128 groups=64
__global__ void loop_of_group_size(const float *__restrict__ in, float *out)
{
    float sum = 0;
    for (int k = threadIdx.x; k < 512; k += blockDim.x)
        sum += in[blockIdx.x * 512 + k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// One of four operations, which an argument chooses.
// idgen: local=128 groups=64 arg.op=2
__global__ void operation_of_argument(const float *in, float *out, int op)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i], y = in[i + 1024];
    switch (op) {
    case 0: x = x + y; break;
    case 1: x = sqrtf(x * x + y * y); break;
    case 2: x = x / y; break;
    default: x = expf(x) * in[i + 2048]; break;
    }
    out[i] = x;
}
