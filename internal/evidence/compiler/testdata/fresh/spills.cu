// Kernels that need more registers than they have: each keeps another kind of value alive.
#include <cuda_runtime.h>
#ifndef GROUPS
#define GROUPS 1
#endif
#define BOUND __launch_bounds__(256, GROUPS)

// taps: coefficients that a loop over samples reads, and a window that it shifts.
extern "C" __global__ void BOUND taps(const float *__restrict__ c, const float *__restrict__ x, float *y, int n) {
    float k[24], w[24];
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * n;
#pragma unroll
    for (int j = 0; j < 24; j++) { k[j] = c[j + threadIdx.x * 24]; w[j] = x[i + j]; }
    for (int t = 24; t < n; t++) {
        float s = 0;
#pragma unroll
        for (int j = 0; j < 24; j++) s += k[j] * w[j];
        y[i + t] = s;
#pragma unroll
        for (int j = 0; j < 23; j++) w[j] = w[j + 1];
        w[23] = x[i + t];
    }
}

// bodies: six of them in registers, with their accelerations, in a loop over all others.
extern "C" __global__ void BOUND bodies(const float4 *__restrict__ p, float4 *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 q[6];
    float ax[6] = {}, ay[6] = {}, az[6] = {};
#pragma unroll
    for (int k = 0; k < 6; k++) q[k] = p[i + k * n];
    for (int j = 0; j < n; j++) {
        float4 r = p[j];
#pragma unroll
        for (int k = 0; k < 6; k++) {
            float dx = r.x - q[k].x, dy = r.y - q[k].y, dz = r.z - q[k].z;
            float d = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = r.w * q[k].w * d * d * d;
            ax[k] += f * dx; ay[k] += f * dy; az[k] += f * dz;
        }
    }
#pragma unroll
    for (int k = 0; k < 6; k++) a[i + k * n] = make_float4(ax[k], ay[k], az[k], q[k].w);
}

// inverse4: the inverse of a matrix of doubles by cofactors, without a loop.
extern "C" __global__ void BOUND inverse4(const double *in, double *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    double m[16];
#pragma unroll
    for (int j = 0; j < 16; j++) m[j] = in[t + j * n];
    double s0 = m[0] * m[5] - m[4] * m[1], s1 = m[0] * m[6] - m[4] * m[2], s2 = m[0] * m[7] - m[4] * m[3];
    double s3 = m[1] * m[6] - m[5] * m[2], s4 = m[1] * m[7] - m[5] * m[3], s5 = m[2] * m[7] - m[6] * m[3];
    double c5 = m[10] * m[15] - m[14] * m[11], c4 = m[9] * m[15] - m[13] * m[11], c3 = m[9] * m[14] - m[13] * m[10];
    double c2 = m[8] * m[15] - m[12] * m[11], c1 = m[8] * m[14] - m[12] * m[10], c0 = m[8] * m[13] - m[12] * m[9];
    double d = s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0;
    out[t] = (m[5] * c5 - m[6] * c4 + m[7] * c3) * d;
    out[t + n] = (-m[1] * c5 + m[2] * c4 - m[3] * c3) * d;
    out[t + 2 * n] = (m[13] * s5 - m[14] * s4 + m[15] * s3) * d;
    out[t + 3 * n] = (-m[9] * s5 + m[10] * s4 - m[11] * s3) * d;
    out[t + 4 * n] = (-m[4] * c5 + m[6] * c2 - m[7] * c1) * d;
    out[t + 5 * n] = (m[0] * c5 - m[2] * c2 + m[3] * c1) * d;
    out[t + 6 * n] = (-m[12] * s5 + m[14] * s2 - m[15] * s1) * d;
    out[t + 7 * n] = (m[8] * s5 - m[10] * s2 + m[11] * s1) * d;
    out[t + 8 * n] = (m[4] * c4 - m[5] * c2 + m[7] * c0) * d;
    out[t + 9 * n] = (-m[0] * c4 + m[1] * c2 - m[3] * c0) * d;
    out[t + 10 * n] = (m[12] * s4 - m[13] * s2 + m[15] * s0) * d;
    out[t + 11 * n] = (-m[8] * s4 + m[9] * s2 - m[11] * s0) * d;
}

// chacha: a state of sixteen words and the one that it began with.
extern "C" __global__ void BOUND chacha(const uint4 *key, uint4 *out, int rounds) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned s[16], x[16];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        uint4 k = key[t * 4 + j];
        s[j * 4] = k.x; s[j * 4 + 1] = k.y; s[j * 4 + 2] = k.z; s[j * 4 + 3] = k.w;
    }
#pragma unroll
    for (int j = 0; j < 16; j++) x[j] = s[j];
#define ROT(v, n) ((v) << (n) | (v) >> (32 - (n)))
#define QUARTER(a, b, c, d) \
    x[a] += x[b]; x[d] = ROT(x[d] ^ x[a], 16); x[c] += x[d]; x[b] = ROT(x[b] ^ x[c], 12); \
    x[a] += x[b]; x[d] = ROT(x[d] ^ x[a], 8); x[c] += x[d]; x[b] = ROT(x[b] ^ x[c], 7);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        QUARTER(0, 4, 8, 12) QUARTER(1, 5, 9, 13) QUARTER(2, 6, 10, 14) QUARTER(3, 7, 11, 15)
        QUARTER(0, 5, 10, 15) QUARTER(1, 6, 11, 12) QUARTER(2, 7, 8, 13) QUARTER(3, 4, 9, 14)
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        out[t * 4 + j] = make_uint4(x[j * 4] + s[j * 4], x[j * 4 + 1] + s[j * 4 + 1], x[j * 4 + 2] + s[j * 4 + 2],
            x[j * 4 + 3] + s[j * 4 + 3]);
}

// sorted: a network that sorts 48 keys, without a loop.
extern "C" __global__ void BOUND sorted(const float *in, float *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float k[48];
#pragma unroll
    for (int j = 0; j < 48; j++) k[j] = in[t + j * n];
#pragma unroll
    for (int r = 0; r < 12; r++)
#pragma unroll
        for (int j = r & 1; j + 1 < 48; j += 2) {
            float a = fminf(k[j], k[j + 1]), b = fmaxf(k[j], k[j + 1]);
            k[j] = a; k[j + 1] = b;
        }
#pragma unroll
    for (int j = 0; j < 48; j++) out[t + j * n] = k[j];
}

// lattice19: distributions of a cell in space.
extern "C" __global__ void BOUND lattice19(const float *__restrict__ f, float *__restrict__ g, int n, float omega) {
    const int cx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
    const int cy[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
    const int cz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v[19], rho = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int j = 0; j < 19; j++) {
        v[j] = f[t + j * n];
        rho += v[j]; ux += cx[j] * v[j]; uy += cy[j] * v[j]; uz += cz[j] * v[j];
    }
    float r = 1.f / rho;
    ux *= r; uy *= r; uz *= r;
    float u2 = 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int j = 0; j < 19; j++) {
        float cu = 3 * (cx[j] * ux + cy[j] * uy + cz[j] * uz), w = j == 0 ? 1.f / 3 : j < 7 ? 1.f / 18 : 1.f / 36;
        g[t + j * n] = v[j] - omega * (v[j] - w * rho * (1 + cu + 0.5f * cu * cu - u2));
    }
}

// runge: four stages of a system of ten doubles.
extern "C" __global__ void BOUND runge(const double *in, double *out, int n, int steps, double h) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    double y[10], z[10], k[10], s[10];
#pragma unroll
    for (int j = 0; j < 10; j++) y[j] = in[t + j * n];
    for (int i = 0; i < steps; i++) {
#pragma unroll
        for (int j = 0; j < 10; j++) { z[j] = y[j]; s[j] = 0; }
#pragma unroll
        for (int q = 0; q < 4; q++) {
#pragma unroll
            for (int j = 0; j < 10; j++) k[j] = z[(j + 1) % 10] * z[(j + 9) % 10] - z[j];
#pragma unroll
            for (int j = 0; j < 10; j++) {
                s[j] += (q == 0 || q == 3 ? 1 : 2) * k[j];
                z[j] = y[j] + (q == 2 ? h : 0.5 * h) * k[j];
            }
        }
#pragma unroll
        for (int j = 0; j < 10; j++) y[j] += h / 6 * s[j];
    }
#pragma unroll
    for (int j = 0; j < 10; j++) out[t + j * n] = y[j];
}

// around: values that two loops leave alone and the code behind them reads.
extern "C" __global__ void BOUND around(const float *__restrict__ a, const float *__restrict__ b, float *c, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v[28], s[12] = {};
#pragma unroll
    for (int j = 0; j < 28; j++) v[j] = a[t + j * n] * b[j];
#pragma unroll 1
    for (int i = 0; i < n; i++)
#pragma unroll
        for (int j = 0; j < 12; j++) s[j] += a[i * 12 + j] * b[t + i];
#pragma unroll 1
    for (int i = 0; i < n; i++)
#pragma unroll
        for (int j = 0; j < 12; j++) s[j] = s[j] * b[i * 12 + j] + a[t + i];
#pragma unroll
    for (int j = 0; j < 28; j++) c[t + j * n] = v[j] * s[j % 12];
}

// counters: 32 of them, of which comparisons choose one.
extern "C" __global__ void BOUND counters(const unsigned char *__restrict__ in, int *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, h[32] = {};
    for (int i = 0; i < n; i++) {
        int v = in[t + i * 256];
#pragma unroll
        for (int j = 0; j < 32; j++) h[j] += (v & 31) == j ? v >> 5 : 0;
    }
#pragma unroll
    for (int j = 0; j < 32; j++) out[t + j * n] = h[j];
}

// mixed: a hash with twelve words of 64 bits.
extern "C" __global__ void BOUND mixed(const unsigned long long *in, unsigned long long *out, int rounds) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long v[12], m[8];
#pragma unroll
    for (int j = 0; j < 8; j++) m[j] = in[t * 8 + j];
#pragma unroll
    for (int j = 0; j < 12; j++) v[j] = m[j % 8] ^ 0x9e3779b97f4a7c15ull * (j + 1);
#define ROT64(v, n) ((v) >> (n) | (v) << (64 - (n)))
#pragma unroll 1
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            v[j] += v[j + 4] + m[2 * j]; v[j + 8] = ROT64(v[j + 8] ^ v[j], 32);
            v[j + 4] += v[j + 8]; v[j] = ROT64(v[j] ^ v[j + 4], 24);
            v[j] += v[(j + 1) % 4 + 4] + m[2 * j + 1]; v[j + 8] = ROT64(v[j + 8] ^ v[j], 16);
        }
#pragma unroll
    for (int j = 0; j < 12; j++) out[t * 12 + j] = v[j];
}

// cholesky7: a symmetric matrix in registers, factored and solved.
extern "C" __global__ void BOUND cholesky7(const float *in, const float *rhs, float *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float a[28], b[7];
#pragma unroll
    for (int j = 0; j < 28; j++) a[j] = in[t + j * n];
#pragma unroll
    for (int j = 0; j < 7; j++) b[j] = rhs[t + j * n];
#pragma unroll
    for (int j = 0; j < 7; j++) {
        float d = rsqrtf(a[j * (j + 1) / 2 + j]);
#pragma unroll
        for (int i = j; i < 7; i++) a[i * (i + 1) / 2 + j] *= d;
        b[j] *= d;
#pragma unroll
        for (int i = j + 1; i < 7; i++) {
            b[i] -= a[i * (i + 1) / 2 + j] * b[j];
#pragma unroll
            for (int k = j + 1; k <= i; k++) a[i * (i + 1) / 2 + k] -= a[i * (i + 1) / 2 + j] * a[k * (k + 1) / 2 + j];
        }
    }
#pragma unroll
    for (int j = 0; j < 7; j++) out[t + j * n] = b[j];
}

// branched: much is alive on one side of a branch in a loop, little on the other one.
extern "C" __global__ void BOUND branched(const float *__restrict__ a, float *c, int n, float limit) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v[20];
#pragma unroll
    for (int j = 0; j < 20; j++) v[j] = a[t + j * n];
    for (int i = 0; i < n; i++) {
        float x = a[t + i];
        if (x > limit) {
            float w[20];
#pragma unroll
            for (int j = 0; j < 20; j++) w[j] = a[i * 20 + j + t];
#pragma unroll
            for (int j = 0; j < 20; j++) v[j] += w[j] * w[(j + 7) % 20];
        } else
            v[0] += x;
    }
#pragma unroll
    for (int j = 0; j < 20; j++) c[t + j * n] = v[j];
}

// block6: a block of 6 by 6 doubles of a product, from shared memory.
extern "C" __global__ void BOUND block6(const double *__restrict__ a, const double *__restrict__ b, double *c, int n) {
    __shared__ double s[2][8][96];
    int t = threadIdx.x, tx = t % 16, ty = t / 16;
    double acc[6][6] = {};
    for (int k = 0; k < n; k += 8) {
        for (int j = t; j < 768; j += 256) {
            s[0][j / 96][j % 96] = a[(k + j / 96) * n + blockIdx.y * 96 + j % 96];
            s[1][j / 96][j % 96] = b[(k + j / 96) * n + blockIdx.x * 96 + j % 96];
        }
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 8; q++)
#pragma unroll
            for (int i = 0; i < 6; i++)
#pragma unroll
                for (int j = 0; j < 6; j++) acc[i][j] += s[0][q][ty * 6 + i] * s[1][q][tx * 6 + j];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 6; i++)
#pragma unroll
        for (int j = 0; j < 6; j++) c[(blockIdx.y * 96 + ty * 6 + i) * n + blockIdx.x * 96 + tx * 6 + j] = acc[i][j];
}

// fft16: a transform of sixteen complex numbers, with factors that are computed.
extern "C" __global__ void BOUND fft16(float2 *a, int stride, float angle) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float2 v[16];
#pragma unroll
    for (int j = 0; j < 16; j++) v[j] = a[t + j * stride];
#pragma unroll
    for (int s = 8; s > 0; s /= 2)
#pragma unroll
        for (int j = 0; j < 16; j++)
            if (!(j & s)) {
                float2 x = v[j], y = v[j + s];
                float c = __cosf(angle * (j % s)), w = __sinf(angle * (j % s));
                v[j] = make_float2(x.x + y.x, x.y + y.y);
                float dx = x.x - y.x, dy = x.y - y.y;
                v[j + s] = make_float2(dx * c - dy * w, dx * w + dy * c);
            }
#pragma unroll
    for (int j = 0; j < 16; j++) a[t + j * stride] = v[j];
}

// quads: wide loads of which all words live on, and wide stores.
extern "C" __global__ void BOUND quads(const float4 *__restrict__ a, float4 *c, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v[12];
#pragma unroll
    for (int j = 0; j < 12; j++) v[j] = a[t + j * n];
    for (int i = 0; i < n; i++) {
        float4 x = a[i];
#pragma unroll
        for (int j = 0; j < 12; j++) {
            v[j].x += x.x * v[(j + 1) % 12].y; v[j].y += x.y * v[(j + 2) % 12].z;
            v[j].z += x.z * v[(j + 3) % 12].w; v[j].w += x.w * v[(j + 4) % 12].x;
        }
    }
#pragma unroll
    for (int j = 0; j < 12; j++) c[t + j * n] = v[j];
}
