// The open cases that were timed on one H100, as far as each was recorded: sizes, launches and what a kernel does.

// Rows of three doubles written twice, and the same as three columns.
__global__ void aos_right(const double *in, double *o0, double *o1)
{
    long i = blockIdx.x * 256L + threadIdx.x;
    double s = in[i];
    o0[i * 3] = s; o0[i * 3 + 1] = s + 1; o0[i * 3 + 2] = s + 2;
    o1[i * 3] = s; o1[i * 3 + 1] = s * 2; o1[i * 3 + 2] = s * 3;
}
__global__ void aos_left(const double *in, double *o0, double *o1, int n)
{
    long i = blockIdx.x * 256L + threadIdx.x, N = n;
    double s = in[i];
    o0[i] = s; o0[i + N] = s + 1; o0[i + 2 * N] = s + 2;
    o1[i] = s; o1[i + N] = s * 2; o1[i + 2 * N] = s * 3;
}

// 256 MB read once, and eight times over.
__global__ void one_sweep(const float *a, float *b)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    float v = a[i];
    if (v == 12345.f) b[i] = v;
}
__global__ void by_remainder(const float *a, float *b)
{
    int i = (blockIdx.x % 262144) * 256 + threadIdx.x;
    float v = a[i];
    if (v == 12345.f) b[i] = v;
}

// A sector of each line eight times, and as many sectors beside each other.
__global__ void lines(const float *a, float *b)
{
    int i = (blockIdx.x * 256 + threadIdx.x) * 32 + blockIdx.y;
    float v = a[i];
    if (v == 12345.f) b[i] = v;
}
__global__ void dense(const float *a, float *b)
{
    int i = (blockIdx.x * 256 + threadIdx.x) * 8 + blockIdx.y;
    float v = a[i];
    if (v == 12345.f) b[i] = v;
}

// Updates of one word of shared memory by all lanes: by one, and by a value of each lane.
__global__ void shared_inc(int *o)
{
    __shared__ int s[4];
    if (threadIdx.x < 4) s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 32; i++) atomicAdd(&s[0], 1);
    __syncthreads();
    if (threadIdx.x == 0) o[blockIdx.x] = s[0];
}
__global__ void shared_add(int *o)
{
    __shared__ int s[4];
    if (threadIdx.x < 4) s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 32; i++) atomicAdd(&s[0], (int)threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) o[blockIdx.x] = s[0];
}

// One chain of computations, unrolled more and more.
template <int U> __global__ void icache(const float *x, float *y)
{
    float a = x[threadIdx.x], b = a + 1, c = a + 2, d = a + 3;
#pragma unroll U
    for (int i = 0; i < 512; i++) {
        a = a * b + c; b = b * c + d; c = c * d + a; d = d * a + b;
        a += i; b *= a; c -= b; d += c * 0.5f;
        a = fmaxf(a, d); b = fminf(b, c); c = a * a - b; d = b * b - a;
    }
    y[blockIdx.x * 128 + threadIdx.x] = a + b + c + d;
}

// One thread a group, and 256.
__global__ void gather(const float *x, const int *idx, float *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) o[i] = x[idx[i]];
}

// 256 words of constant memory, one of its own for each lane, and the same for all. What the second one reads was not
// recorded: not what LDC loads, which takes 1.99 cycles (64 us, measured 16).
__constant__ float table_const[1024];
__global__ void constant_lane(float *o)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    float s = 0;
    for (int k = 0; k < 256; k++) s += table_const[(threadIdx.x + k * 33) & 1023];
    o[i] = s;
}
__global__ void constant_same(float *o)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    float s = 0;
    for (int k = 0; k < 256; k++) s += table_const[k];
    o[i] = s;
}
