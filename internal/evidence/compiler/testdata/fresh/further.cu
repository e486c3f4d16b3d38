// Kernels that need more registers than they have, of kinds that neither spills.cu nor kinds.cu has.
#include <cuda_runtime.h>
#ifndef GROUPS
#define GROUPS 1
#endif
#define BOUND __launch_bounds__(256, GROUPS)

// lstm: the gates of four cells, with weights that stay in a loop over time.
extern "C" __global__ void BOUND lstm(const float *__restrict__ w, const float *__restrict__ x, float *y, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float k[4][5], b[4], h = 0, c = 0;
#pragma unroll
    for (int g = 0; g < 4; g++) {
        b[g] = w[t + (20 + g) * n];
#pragma unroll
        for (int j = 0; j < 5; j++) k[g][j] = w[t + (g * 5 + j) * n];
    }
    for (int i = 0; i < n; i++) {
        float s[4];
#pragma unroll
        for (int g = 0; g < 4; g++) {
            s[g] = b[g] + k[g][4] * h;
#pragma unroll
            for (int j = 0; j < 4; j++) s[g] += k[g][j] * x[i * 4 + j];
            s[g] = g == 2 ? s[g] / (1 + fabsf(s[g])) : __fdividef(1, 1 + __expf(-s[g]));
        }
        c = s[1] * c + s[0] * s[2];
        h = s[3] * c / (1 + fabsf(c));
        y[t + i * n] = h;
    }
}

// estrin: a polynomial of degree 31 in double precision at two points, by halves.
extern "C" __global__ void BOUND estrin(const double *__restrict__ c, const double *__restrict__ x, double *y, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    double k[32], s[2];
#pragma unroll
    for (int j = 0; j < 32; j++) k[j] = c[t + j * n];
#pragma unroll
    for (int p = 0; p < 2; p++) {
        double v = x[t + p * n], a[32];
#pragma unroll
        for (int j = 0; j < 32; j++) a[j] = k[j];
#pragma unroll
        for (int m = 16; m > 0; m /= 2) {
#pragma unroll
            for (int j = 0; j < m; j++) a[j] = a[2 * j] + v * a[2 * j + 1];
            v *= v;
        }
        s[p] = a[0];
    }
    y[t] = s[0];
    y[t + n] = s[1];
}

// blake2b: a round of twelve, with words of 64 bits.
extern "C" __global__ void BOUND blake2b(const unsigned long long *in, unsigned long long *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long v[16], m[8];
#pragma unroll
    for (int j = 0; j < 16; j++) v[j] = in[t + j * n];
#pragma unroll
    for (int j = 0; j < 8; j++) m[j] = in[t + (j + 16) * n];
#pragma unroll 1
    for (int r = 0; r < 12; r++) {
#pragma unroll
        for (int g = 0; g < 8; g++) {
            int i = g & 3, k = g >> 2;
            unsigned long long &a = v[i], &b = v[4 + (i + k) % 4], &c = v[8 + (i + 2 * k) % 4],
                               &d = v[12 + (i + 3 * k) % 4];
            a += b + m[g]; d ^= a; d = d >> 32 | d << 32; c += d; b ^= c; b = b >> 24 | b << 40;
            a += b + m[g ^ 1]; d ^= a; d = d >> 16 | d << 48; c += d; b ^= c; b = b >> 63 | b << 1;
        }
    }
#pragma unroll
    for (int j = 0; j < 8; j++) out[t + j * n] = v[j] ^ v[j + 8];
}

// strain: the product of three matrices of 3 by 3 and their invariants, of two elements.
extern "C" __global__ void BOUND strain(const float *__restrict__ f, const float *__restrict__ s, float *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float a[2][9], b[2][9], c[2][9];
#pragma unroll
    for (int e = 0; e < 2; e++)
#pragma unroll
        for (int j = 0; j < 9; j++) { a[e][j] = f[t + (e * 9 + j) * n]; b[e][j] = s[t + (e * 9 + j) * n]; }
#pragma unroll
    for (int e = 0; e < 2; e++) {
        float p[9];
#pragma unroll
        for (int i = 0; i < 3; i++)
#pragma unroll
            for (int j = 0; j < 3; j++)
                p[i * 3 + j] = a[e][i * 3] * b[e][j] + a[e][i * 3 + 1] * b[e][3 + j] + a[e][i * 3 + 2] * b[e][6 + j];
#pragma unroll
        for (int i = 0; i < 3; i++)
#pragma unroll
            for (int j = 0; j < 3; j++)
                c[e][i * 3 + j] = p[i * 3] * a[e][j * 3] + p[i * 3 + 1] * a[e][j * 3 + 1] + p[i * 3 + 2] * a[e][j * 3 + 2];
    }
#pragma unroll
    for (int j = 0; j < 9; j++) out[t + j * n] = c[0][j] * c[1][(j + 4) % 9] + a[0][j] * b[1][j] - a[1][j] * b[0][j];
}

// resample: weights of 8 by 4 taps that a loop over layers applies to what it loads.
extern "C" __global__ void BOUND resample(const float *__restrict__ w, const float *__restrict__ in, float *out,
                                          int n, int layers) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float k[32];
#pragma unroll
    for (int j = 0; j < 32; j++) k[j] = w[t + j * n];
    for (int l = 0; l < layers; l++) {
        float s = 0;
#pragma unroll
        for (int j = 0; j < 32; j++) s += k[j] * in[t + l * n * 4 + (j / 8) * n + j % 8];
        out[t + l * n] = s;
    }
}

// moments: sums of a window of 24 that slides by one.
extern "C" __global__ void BOUND moments(const float *__restrict__ in, float *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v[24], s1 = 0, s2 = 0, s3 = 0, s4 = 0;
#pragma unroll
    for (int j = 0; j < 24; j++) { v[j] = in[t + j * n]; s1 += v[j]; s2 += v[j] * v[j]; }
#pragma unroll 1
    for (int i = 24; i + 24 <= n; i += 24)
#pragma unroll
        for (int j = 0; j < 24; j++) {
            float x = in[t + (i + j) * n], d = x - v[j];
            s1 += d; s2 += d * (x + v[j]); s3 = fmaxf(s3, s2 - s1 * s1); s4 += v[(j + 12) % 24] * x;
            v[j] = x;
        }
    out[t] = s1 + s2 + s3 + s4;
#pragma unroll
    for (int j = 0; j < 24; j++) out[t + (j + 1) * n] = v[j];
}
