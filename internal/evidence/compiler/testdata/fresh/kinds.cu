// Kernels of other kinds than those of spills.cu that need more registers than they have.
#include <cuda_runtime.h>
#ifndef GROUPS
#define GROUPS 1
#endif
#define BOUND __launch_bounds__(256, GROUPS)

// horner: six polynomials, of which the coefficients stay in a loop, at the same points.
extern "C" __global__ void BOUND horner(const float *__restrict__ c, const float *__restrict__ x, float *y, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float k[36];
#pragma unroll
    for (int j = 0; j < 36; j++) k[j] = c[t + j * n];
    for (int i = 0; i < n; i++) {
        float v = x[i], s = 0;
#pragma unroll
        for (int p = 0; p < 6; p++) {
            float h = k[p * 6];
#pragma unroll
            for (int j = 1; j < 6; j++) h = h * v + k[p * 6 + j];
            s += h * h;
        }
        y[t + i * n] = s;
    }
}

// cmul4: the product of two complex matrices of 4 by 4.
extern "C" __global__ void BOUND cmul4(const float2 *a, const float2 *b, float2 *c, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float2 x[16], y[16];
#pragma unroll
    for (int j = 0; j < 16; j++) { x[j] = a[t + j * n]; y[j] = b[t + j * n]; }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float2 s = make_float2(0, 0);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                s.x += x[i * 4 + k].x * y[k * 4 + j].x - x[i * 4 + k].y * y[k * 4 + j].y;
                s.y += x[i * 4 + k].x * y[k * 4 + j].y + x[i * 4 + k].y * y[k * 4 + j].x;
            }
            c[t + (i * 4 + j) * n] = s;
        }
}

// columns: four columns of a stencil of nine planes, kept in registers along z.
extern "C" __global__ void BOUND columns(const float *__restrict__ u, float *v, int nx, int nz, float w0, float w1,
                                         float w2, float w3, float w4) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    float q[4][9];
#pragma unroll
    for (int c = 0; c < 4; c++)
#pragma unroll
        for (int z = 0; z < 9; z++) q[c][z] = u[x + c * nx * nz + z * nx];
    for (int z = 9; z < nz; z++) {
#pragma unroll
        for (int c = 0; c < 4; c++) {
            v[x + c * nx * nz + z * nx] = w0 * q[c][4] + w1 * (q[c][3] + q[c][5]) + w2 * (q[c][2] + q[c][6]) +
                                          w3 * (q[c][1] + q[c][7]) + w4 * (q[c][0] + q[c][8]);
#pragma unroll
            for (int k = 0; k < 8; k++) q[c][k] = q[c][k + 1];
            q[c][8] = u[x + c * nx * nz + z * nx];
        }
    }
}

// bitonic: a network for 16 keys with their values.
extern "C" __global__ void BOUND bitonic(const int2 *in, int2 *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int2 k[16];
#pragma unroll
    for (int j = 0; j < 16; j++) k[j] = in[t + j * n];
#pragma unroll
    for (int s = 2; s <= 16; s *= 2)
#pragma unroll
        for (int d = s / 2; d > 0; d /= 2)
#pragma unroll
            for (int j = 0; j < 16; j++)
                if ((j ^ d) > j && (k[j].x > k[j ^ d].x) == !(j & s)) {
                    int2 x = k[j];
                    k[j] = k[j ^ d];
                    k[j ^ d] = x;
                }
#pragma unroll
    for (int j = 0; j < 16; j++) out[t + j * n] = k[j];
}

// blake: sixteen words of a state and sixteen of a message in other orders each round.
extern "C" __global__ void BOUND blake(const unsigned *in, unsigned *out, int blocks) {
    const int p[4][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                          {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                          {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                          {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8}};
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h[8];
#pragma unroll
    for (int j = 0; j < 8; j++) h[j] = 0x6a09e667u + j * t;
    for (int b = 0; b < blocks; b++) {
        unsigned m[16], v[16];
#pragma unroll
        for (int j = 0; j < 16; j++) { m[j] = in[(t * blocks + b) * 16 + j]; v[j] = j < 8 ? h[j] : 0xbb67ae85u * j; }
#pragma unroll
        for (int r = 0; r < 4; r++)
#pragma unroll
            for (int g = 0; g < 8; g++) {
                int i = g & 3, k = g >> 2;
                unsigned &a = v[i], &x = v[4 + (i + k) % 4], &c = v[8 + (i + 2 * k) % 4], &d = v[12 + (i + 3 * k) % 4];
                a += x + m[p[r][2 * g]]; d = __funnelshift_r(d ^ a, d ^ a, 16); c += d;
                x = __funnelshift_r(x ^ c, x ^ c, 12);
                a += x + m[p[r][2 * g + 1]]; d = __funnelshift_r(d ^ a, d ^ a, 8); c += d;
                x = __funnelshift_r(x ^ c, x ^ c, 7);
            }
#pragma unroll
        for (int j = 0; j < 8; j++) h[j] ^= v[j] ^ v[j + 8];
    }
#pragma unroll
    for (int j = 0; j < 8; j++) out[t * 8 + j] = h[j];
}

// dct: rows, then columns of a block of 8 by 8.
extern "C" __global__ void BOUND dct(const float *in, float *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float b[64];
#pragma unroll
    for (int j = 0; j < 64; j++) b[j] = in[t + j * n];
#pragma unroll
    for (int pass = 0; pass < 2; pass++)
#pragma unroll
        for (int l = 0; l < 8; l++) {
            int o = pass ? l : l * 8, s = pass ? 8 : 1;
            float e[4], d[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                e[j] = b[o + j * s] + b[o + (7 - j) * s];
                d[j] = b[o + j * s] - b[o + (7 - j) * s];
            }
            b[o] = e[0] + e[1] + e[2] + e[3];
            b[o + 4 * s] = 0.7071f * (e[0] - e[1] - e[2] + e[3]);
            b[o + 2 * s] = 0.9239f * (e[0] - e[3]) + 0.3827f * (e[1] - e[2]);
            b[o + 6 * s] = 0.3827f * (e[0] - e[3]) - 0.9239f * (e[1] - e[2]);
            b[o + s] = 0.9808f * d[0] + 0.8315f * d[1] + 0.5556f * d[2] + 0.1951f * d[3];
            b[o + 3 * s] = 0.8315f * d[0] - 0.1951f * d[1] - 0.9808f * d[2] - 0.5556f * d[3];
            b[o + 5 * s] = 0.5556f * d[0] - 0.9808f * d[1] + 0.1951f * d[2] + 0.8315f * d[3];
            b[o + 7 * s] = 0.1951f * d[0] - 0.5556f * d[1] + 0.8315f * d[2] - 0.9808f * d[3];
        }
#pragma unroll
    for (int j = 0; j < 64; j++) out[t + j * n] = b[j];
}

// jacobi4: rotations of a symmetric matrix and its vectors.
extern "C" __global__ void BOUND jacobi4(const float *in, float *out, int n, int sweeps) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float a[4][4], v[4][4];
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) { a[i][j] = in[t + (i * 4 + j) * n]; v[i][j] = i == j; }
#pragma unroll 1
    for (int s = 0; s < sweeps; s++)
#pragma unroll
        for (int p = 0; p < 3; p++)
#pragma unroll
            for (int q = p + 1; q < 4; q++) {
                float th = 0.5f * (a[q][q] - a[p][p]) * __frcp_rn(a[p][q] + 1e-20f);
                float r = copysignf(1.f, th) * __frcp_rn(fabsf(th) + __fsqrt_rn(th * th + 1));
                float c = rsqrtf(r * r + 1), z = r * c;
#pragma unroll
                for (int k = 0; k < 4; k++) {
                    float x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - z * y; a[k][q] = z * x + c * y;
                }
#pragma unroll
                for (int k = 0; k < 4; k++) {
                    float x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - z * y; a[q][k] = z * x + c * y;
                    x = v[k][p]; y = v[k][q];
                    v[k][p] = c * x - z * y; v[k][q] = z * x + c * y;
                }
            }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) out[t + (i * 4 + j) * n] = a[i][j] + v[i][j];
}

// nearest: the fourteen smallest distances with their places, by insertion.
extern "C" __global__ void BOUND nearest(const float *__restrict__ d, int2 *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float k[14];
    int at[14];
#pragma unroll
    for (int j = 0; j < 14; j++) { k[j] = 3e38f; at[j] = -1; }
    for (int i = 0; i < n; i++) {
        float x = d[t + i * 256];
        int w = i;
#pragma unroll
        for (int j = 0; j < 14; j++) {
            bool less = x < k[j];
            float y = less ? k[j] : x;
            int z = less ? at[j] : w;
            k[j] = less ? x : k[j]; at[j] = less ? w : at[j];
            x = y; w = z;
        }
    }
#pragma unroll
    for (int j = 0; j < 14; j++) out[t + j * n] = make_int2(at[j], __float_as_int(k[j]));
}

// align: a row of scores of an alignment, and what is open in it.
extern "C" __global__ void BOUND align(const unsigned char *__restrict__ a, const unsigned char *__restrict__ b,
                                       int *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    int h[16], e[16];
    unsigned char c[16];
#pragma unroll
    for (int j = 0; j < 16; j++) { h[j] = 0; e[j] = -9; c[j] = a[t + j * n]; }
    for (int i = 0; i < n; i++) {
        int x = b[t + i * 256], diag = 0, f = -9, left = 0;
#pragma unroll
        for (int j = 0; j < 16; j++) {
            e[j] = max(e[j] - 1, h[j] - 3);
            f = max(f - 1, left - 3);
            int s = max(max(diag + (c[j] == x ? 2 : -1), 0), max(e[j], f));
            diag = h[j];
            left = h[j] = s;
            best = max(best, s);
        }
    }
    out[t] = best;
}

// bigmul: the product of numbers of 320 bits, modulo 2^320, again and again.
extern "C" __global__ void BOUND bigmul(const unsigned *in, unsigned *out, int n, int rounds) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a[10], b[10], r[10];
#pragma unroll
    for (int j = 0; j < 10; j++) { a[j] = in[t + j * n]; b[j] = in[t + (j + 10) * n]; }
#pragma unroll 1
    for (int q = 0; q < rounds; q++) {
#pragma unroll
        for (int j = 0; j < 10; j++) r[j] = 0;
#pragma unroll
        for (int i = 0; i < 10; i++) {
            unsigned long long c = 0;
#pragma unroll
            for (int j = 0; i + j < 10; j++) {
                c += (unsigned long long)a[i] * b[j] + r[i + j];
                r[i + j] = (unsigned)c;
                c >>= 32;
            }
        }
#pragma unroll
        for (int j = 0; j < 10; j++) { b[j] = a[j] ^ r[j]; a[j] = r[j]; }
    }
#pragma unroll
    for (int j = 0; j < 10; j++) out[t + j * n] = a[j] + b[j];
}

// kalman: a state of four doubles and its covariance, in a loop over measurements.
extern "C" __global__ void BOUND kalman(const double *__restrict__ z, double *out, int n, double dt, double q,
                                        double r) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    double x[4] = {}, p[4][4] = {};
#pragma unroll
    for (int i = 0; i < 4; i++) p[i][i] = 1 + t;
    for (int k = 0; k < n; k++) {
        x[0] += dt * x[2]; x[1] += dt * x[3];
#pragma unroll
        for (int j = 0; j < 4; j++) { p[0][j] += dt * p[2][j]; p[1][j] += dt * p[3][j]; }
#pragma unroll
        for (int j = 0; j < 4; j++) { p[j][0] += dt * p[j][2]; p[j][1] += dt * p[j][3]; p[j][j] += q; }
        double s00 = p[0][0] + r, s11 = p[1][1] + r, s01 = p[0][1], d = s00 * s11 - s01 * s01;
        double y0 = z[t + k * n] - x[0], y1 = z[t + k * n + 1] - x[1], g[4][2];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            g[i][0] = (p[i][0] * s11 - p[i][1] * s01) * d;
            g[i][1] = (p[i][1] * s00 - p[i][0] * s01) * d;
            x[i] += g[i][0] * y0 + g[i][1] * y1;
        }
        double a[4], b[4];
#pragma unroll
        for (int j = 0; j < 4; j++) { a[j] = p[0][j]; b[j] = p[1][j]; }
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++) p[i][j] -= g[i][0] * a[j] + g[i][1] * b[j];
    }
#pragma unroll
    for (int i = 0; i < 4; i++) out[t + i * n] = x[i] + p[i][i];
}

// buffered: a tile of 4 by 8 sums whose next loads are on their way.
extern "C" __global__ void BOUND buffered(const float4 *__restrict__ a, const float4 *__restrict__ b, float4 *c,
                                          int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float s[4][8] = {};
    float4 x = a[t], y0 = b[t], y1 = b[t + n];
    for (int k = 1; k < n; k++) {
        float4 nx = a[t + k * n], n0 = b[t + 2 * k * n], n1 = b[t + (2 * k + 1) * n];
        float u[4] = {x.x, x.y, x.z, x.w}, v[8] = {y0.x, y0.y, y0.z, y0.w, y1.x, y1.y, y1.z, y1.w};
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 8; j++) s[i][j] += u[i] * v[j];
        x = nx; y0 = n0; y1 = n1;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        c[t + 2 * i * n] = make_float4(s[i][0], s[i][1], s[i][2], s[i][3]);
        c[t + (2 * i + 1) * n] = make_float4(s[i][4], s[i][5], s[i][6], s[i][7]);
    }
}

// functions: values that live through exponentials and sines.
extern "C" __global__ void BOUND functions(const float *in, float *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v[26], s = 0;
#pragma unroll
    for (int j = 0; j < 26; j++) { v[j] = in[t + j * n]; s += v[j]; }
#pragma unroll
    for (int j = 0; j < 26; j++) v[j] = expf(v[j] - s) + v[(j + 3) % 26] * __sinf(v[j] * s);
#pragma unroll
    for (int j = 0; j < 26; j++) out[t + j * n] = v[j] * v[(j + 11) % 26] + s;
}

// cases: sums of which each iteration of a loop changes those of one case.
extern "C" __global__ void BOUND cases(const float *__restrict__ x, const int *__restrict__ kind, float *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float s[28];
#pragma unroll
    for (int j = 0; j < 28; j++) s[j] = x[t + j * n];
    for (int i = 0; i < n; i++) {
        float v = x[i], w = x[i + n];
        switch (kind[i]) {
        case 0: for (int j = 0; j < 28; j += 4) s[j] += v * s[j + 1]; break;
        case 1: for (int j = 1; j < 28; j += 4) s[j] += w * s[j + 2]; break;
        case 2: for (int j = 2; j < 28; j += 4) s[j] = fmaxf(s[j], v * w); break;
        default: s[3] += v;
        }
    }
#pragma unroll
    for (int j = 0; j < 28; j++) out[t + j * n] = s[j];
}
