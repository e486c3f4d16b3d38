// Kernels that compute. F: the type; N: steps or size; P: items of a thread.
#ifndef F
#define F float
#endif
#ifndef N
#define N 8
#endif
#ifndef P
#define P 1
#endif

extern "C" __global__ void nbody(const float4 *__restrict__ body, float4 *__restrict__ out, int n, float soft)
{
    float4 me[P];
    float3 a[P];
    for (int p = 0; p < P; ++p) {
        me[p] = body[(blockIdx.x * P + p) * blockDim.x + threadIdx.x];
        a[p] = make_float3(0, 0, 0);
    }
    __shared__ float4 tile[128];
    for (int j = 0; j < n; j += 128) {
        tile[threadIdx.x] = body[j + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; ++k) {
            float4 o = tile[k];
            for (int p = 0; p < P; ++p) {
                float dx = o.x - me[p].x, dy = o.y - me[p].y, dz = o.z - me[p].z;
                float inv = rsqrtf(dx * dx + dy * dy + dz * dz + soft), s = o.w * inv * inv * inv;
                a[p].x += s * dx, a[p].y += s * dy, a[p].z += s * dz;
            }
        }
        __syncthreads();
    }
    for (int p = 0; p < P; ++p)
        out[(blockIdx.x * P + p) * blockDim.x + threadIdx.x] = make_float4(a[p].x, a[p].y, a[p].z, 0);
}

__device__ F cumulative(F d)
{
    F k = 1 / (1 + F(0.2316419) * fabs(d));
    F c = k * (F(0.31938153) + k * (F(-0.356563782) + k * (F(1.781477937) + k * (F(-1.821255978) + k * F(1.330274429)))));
    c *= F(0.39894228) * exp(F(-0.5) * d * d);
    return d > 0 ? 1 - c : c;
}

extern "C" __global__ void options(const F *s, const F *x, const F *t, F *call, F *put, F r, F v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    F root = sqrt(t[i]), d1 = (log(s[i] / x[i]) + (r + F(0.5) * v * v) * t[i]) / (v * root), d2 = d1 - v * root;
    F e = x[i] * exp(-r * t[i]), a = cumulative(d1), b = cumulative(d2);
    call[i] = s[i] * a - e * b;
    put[i] = e * (1 - b) - s[i] * (1 - a);
}

extern "C" __global__ void mandelbrot(int *out, int w, F x0, F y0, F step, int most)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = 0;
    F a = x0 + x * step, b = y0 + y * step, re = 0, im = 0;
    while (i < most && re * re + im * im < 4) {
        F next = re * re - im * im + a;
        im = 2 * re * im + b;
        re = next;
        ++i;
    }
    out[y * w + x] = i;
}

extern "C" __global__ void polynomial(const F *x, F *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    F v = x[i], s = 1;
    for (int k = 0; k < N; ++k)
        s = s * v + F(1) / (k + 1);
    y[i] = s;
}

extern "C" __global__ void newton(const F *x, F *y, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    F v[P];
    for (int p = 0; p < P; ++p)
        v[p] = x[i * P + p];
    for (int r = 0; r < rounds; ++r)
        for (int p = 0; p < P; ++p)
            v[p] = v[p] - (v[p] * v[p] - 2) / (2 * v[p]);
    for (int p = 0; p < P; ++p)
        y[i * P + p] = v[p];
}

extern "C" __global__ void chains(F *y, F a, F b, int rounds)
{
    F v[N];
    for (int k = 0; k < N; ++k)
        v[k] = threadIdx.x + k;
    for (int r = 0; r < rounds; ++r)
        for (int k = 0; k < N; ++k)
            v[k] = v[k] * a + b;
    F s = 0;
    for (int k = 0; k < N; ++k)
        s += v[k];
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

extern "C" __global__ void waves(const F *x, F *y, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    F s = 0;
    for (int k = 1; k <= N; ++k)
        s += sin(f * k * x[i]) * exp(-x[i] * k);
    y[i] = s;
}

extern "C" __global__ void distances(const F *a, const F *b, int *nearest, int n)
{
    F me[N], best = F(1e30);
    int i = blockIdx.x * blockDim.x + threadIdx.x, found = 0;
    for (int d = 0; d < N; ++d)
        me[d] = a[i * N + d];
    for (int j = 0; j < n; ++j) {
        F s = 0;
        for (int d = 0; d < N; ++d) {
            F e = me[d] - b[j * N + d];
            s += e * e;
        }
        if (s < best)
            best = s, found = j;
    }
    nearest[i] = found;
}
