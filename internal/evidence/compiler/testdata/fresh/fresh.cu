// Kernels that were written before anything was compared with them: registers, instructions and spills that were not
// looked at while the compiler was built.
#include <cuda_runtime.h>
#ifndef THREADS
#define THREADS 256
#endif
#ifndef GROUPS
#define GROUPS 1
#endif
#define BOUND __launch_bounds__(THREADS, GROUPS)

// lbm: one cell of a lattice with nine directions, each plane of its own.
extern "C" __global__ void BOUND lbm(const float *f, float *g, int nx, int ny, float omega) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= nx || y >= ny) return;
    int n = nx * ny, i = y * nx + x;
    int xm = x ? x - 1 : nx - 1, xp = x + 1 < nx ? x + 1 : 0;
    int ym = y ? y - 1 : ny - 1, yp = y + 1 < ny ? y + 1 : 0;
    float f0 = f[i], f1 = f[n + y * nx + xm], f2 = f[2 * n + ym * nx + x], f3 = f[3 * n + y * nx + xp];
    float f4 = f[4 * n + yp * nx + x], f5 = f[5 * n + ym * nx + xm], f6 = f[6 * n + ym * nx + xp];
    float f7 = f[7 * n + yp * nx + xp], f8 = f[8 * n + yp * nx + xm];
    float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
    float ux = (f1 + f5 + f8 - f3 - f6 - f7) / rho, uy = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
    float s = 1.f - 1.5f * (ux * ux + uy * uy), a = ux + uy, b = uy - ux;
    g[i] = f0 + omega * (rho * (4.f / 9) * s - f0);
    g[n + i] = f1 + omega * (rho / 9 * (s + 3 * ux + 4.5f * ux * ux) - f1);
    g[2 * n + i] = f2 + omega * (rho / 9 * (s + 3 * uy + 4.5f * uy * uy) - f2);
    g[3 * n + i] = f3 + omega * (rho / 9 * (s - 3 * ux + 4.5f * ux * ux) - f3);
    g[4 * n + i] = f4 + omega * (rho / 9 * (s - 3 * uy + 4.5f * uy * uy) - f4);
    g[5 * n + i] = f5 + omega * (rho / 36 * (s + 3 * a + 4.5f * a * a) - f5);
    g[6 * n + i] = f6 + omega * (rho / 36 * (s + 3 * b + 4.5f * b * b) - f6);
    g[7 * n + i] = f7 + omega * (rho / 36 * (s - 3 * a + 4.5f * a * a) - f7);
    g[8 * n + i] = f8 + omega * (rho / 36 * (s - 3 * b + 4.5f * b * b) - f8);
}

// kmeans: the nearest of k centres in four dimensions.
extern "C" __global__ void BOUND kmeans(const float4 *p, const float4 *c, int *label, float *dist, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = p[i];
    float best = 1e30f;
    int at = 0;
    for (int j = 0; j < k; j++) {
        float4 w = c[j];
        float dx = v.x - w.x, dy = v.y - w.y, dz = v.z - w.z, dw = v.w - w.w;
        float d = dx * dx + dy * dy + dz * dz + dw * dw;
        if (d < best) { best = d; at = j; }
    }
    label[i] = at;
    dist[i] = sqrtf(best);
}

// scan_block: a scan of a block by Hillis and Steele.
extern "C" __global__ void BOUND scan_block(const int *in, int *out, int *sums) {
    __shared__ int s[2][THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t, cur = 0;
    s[0][t] = in[i];
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        s[1 - cur][t] = t >= d ? s[cur][t] + s[cur][t - d] : s[cur][t];
        cur = 1 - cur;
        __syncthreads();
    }
    out[i] = s[cur][t];
    if (t == THREADS - 1) sums[blockIdx.x] = s[cur][t];
}

// jacobi27: all 27 neighbours in space.
extern "C" __global__ void BOUND jacobi27(const float *__restrict__ a, float *__restrict__ b, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y + 1;
    if (x >= nx - 1) return;
    for (int z = 1; z < nz - 1; z++) {
        float s = 0;
        for (int dz = -1; dz <= 1; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    s += a[((z + dz) * ny + y + dy) * nx + x + dx] * (1.f / (1 + dx * dx + dy * dy + dz * dz));
        b[(z * ny + y) * nx + x] = s;
    }
}

// sha: eight rounds of a hash with a state of eight words and a schedule of sixteen.
extern "C" __global__ void BOUND sha(const uint4 *in, uint4 *out, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned w[16], h[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int j = 0; j < 4; j++) {
        uint4 v = in[4 * i + j];
        w[4 * j] = v.x; w[4 * j + 1] = v.y; w[4 * j + 2] = v.z; w[4 * j + 3] = v.w;
    }
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int j = 0; j < 16; j++) {
            unsigned e = h[4], s1 = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7);
            unsigned t1 = h[7] + s1 + ((e & h[5]) ^ (~e & h[6])) + w[j];
            unsigned a = h[0], s0 = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10);
            unsigned t2 = s0 + ((a & h[1]) ^ (a & h[2]) ^ (h[1] & h[2]));
            h[7] = h[6]; h[6] = h[5]; h[5] = h[4]; h[4] = h[3] + t1;
            h[3] = h[2]; h[2] = h[1]; h[1] = h[0]; h[0] = t1 + t2;
            unsigned x = w[(j + 1) & 15], y = w[(j + 14) & 15];
            w[j] += w[(j + 9) & 15] + ((x >> 7 | x << 25) ^ (x >> 18 | x << 14) ^ x >> 3) +
                    ((y >> 17 | y << 15) ^ (y >> 19 | y << 13) ^ y >> 10);
        }
    }
    out[2 * i] = make_uint4(h[0], h[1], h[2], h[3]);
    out[2 * i + 1] = make_uint4(h[4], h[5], h[6], h[7]);
}

// fft8: a transform of eight points in registers, strided.
extern "C" __global__ void BOUND fft8(float2 *a, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 v[8];
#pragma unroll
    for (int j = 0; j < 8; j++) v[j] = a[i + j * stride];
#pragma unroll
    for (int half = 4; half > 0; half /= 2)
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (!(j & half)) {
                float2 p = v[j], q = v[j + half];
                v[j] = make_float2(p.x + q.x, p.y + q.y);
                float c = cospif((j & (half - 1)) / (float)half), s = sinpif((j & (half - 1)) / (float)half);
                float dx = p.x - q.x, dy = p.y - q.y;
                v[j + half] = make_float2(dx * c + dy * s, dy * c - dx * s);
            }
#pragma unroll
    for (int j = 0; j < 8; j++) a[i + j * stride] = v[j];
}

// csr: a row of a sparse matrix a thread, doubles.
extern "C" __global__ void BOUND csr(const int *ptr, const int *col, const double *val, const double *x, double *y, int n) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= n) return;
    double s = 0;
    for (int k = ptr[r], e = ptr[r + 1]; k < e; k++) s += val[k] * x[col[k]];
    y[r] = s;
}

// mandel: escape times.
extern "C" __global__ void BOUND mandel(unsigned char *out, int w, int h, int most, float scale) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float cx = (x - w * 0.5f) * scale, cy = (y - h * 0.5f) * scale, zx = 0, zy = 0;
    int k = 0;
    while (k < most && zx * zx + zy * zy < 4) {
        float t = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = t;
        k++;
    }
    out[y * w + x] = k * 255 / most;
}

// tile8: a product of matrices, 8 x 8 a thread, of tiles in shared memory.
extern "C" __global__ void BOUND tile8(const float *a, const float *b, float *c, int n) {
    __shared__ float sa[8][128], sb[8][128];
    int tx = threadIdx.x & 15, ty = threadIdx.x >> 4, row = blockIdx.y * 128, col = blockIdx.x * 128;
    float acc[8][8] = {};
    for (int k = 0; k < n; k += 8) {
        for (int j = threadIdx.x; j < 1024; j += 256) {
            sa[j & 7][j >> 3] = a[(row + (j >> 3)) * n + k + (j & 7)];
            sb[j >> 7][j & 127] = b[(k + (j >> 7)) * n + col + (j & 127)];
        }
        __syncthreads();
#pragma unroll
        for (int q = 0; q < 8; q++) {
            float ra[8], rb[8];
#pragma unroll
            for (int j = 0; j < 8; j++) { ra[j] = sa[q][ty * 8 + j]; rb[j] = sb[q][tx + 16 * j]; }
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++) acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) c[(row + ty * 8 + i) * n + col + tx + 16 * j] = acc[i][j];
}

// lj: forces of Lennard and Jones of a list of neighbours.
extern "C" __global__ void BOUND lj(const float4 *pos, const int *list, float4 *force, int n, int most, float cut2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = pos[i];
    float fx = 0, fy = 0, fz = 0, e = 0;
    for (int j = 0; j < most; j++) {
        float4 q = pos[list[j * n + i]];
        float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < cut2) {
            float inv = 1 / r2, r6 = inv * inv * inv, f = inv * r6 * (48 * r6 - 24);
            fx += dx * f; fy += dy * f; fz += dz * f; e += 4 * r6 * (r6 - 1);
        }
    }
    force[i] = make_float4(fx, fy, fz, e);
}

// median9: the median of nine by a network.
#define SORT2(a, b) { unsigned lo = min(a, b), hi = max(a, b); a = lo; b = hi; }
extern "C" __global__ void BOUND median9(const unsigned char *in, unsigned char *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= w - 1 || y >= h - 1) return;
    unsigned p[9];
    for (int j = 0; j < 9; j++) p[j] = in[(y + j / 3 - 1) * w + x + j % 3 - 1];
    SORT2(p[1], p[2]) SORT2(p[4], p[5]) SORT2(p[7], p[8]) SORT2(p[0], p[1]) SORT2(p[3], p[4]) SORT2(p[6], p[7])
    SORT2(p[1], p[2]) SORT2(p[4], p[5]) SORT2(p[7], p[8]) SORT2(p[0], p[3]) SORT2(p[5], p[8]) SORT2(p[4], p[7])
    SORT2(p[3], p[6]) SORT2(p[1], p[4]) SORT2(p[2], p[5]) SORT2(p[4], p[7]) SORT2(p[4], p[2]) SORT2(p[6], p[4])
    SORT2(p[4], p[2])
    out[y * w + x] = p[4];
}

// softmax: a row a warp.
extern "C" __global__ void BOUND softmax(const float *in, float *out, int cols) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    const float *r = in + (size_t)warp * cols;
    float m = -1e30f, s = 0;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, r[c]);
    for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
    for (int c = lane; c < cols; c += 32) s += __expf(r[c] - m);
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    for (int c = lane; c < cols; c += 32) out[(size_t)warp * cols + c] = __expf(r[c] - m) / s;
}

// layernorm: mean and variance of a row of 1024 a block, four a thread.
extern "C" __global__ void BOUND layernorm(const float4 *in, float4 *out, const float4 *gain, float eps) {
    __shared__ float part[2][THREADS / 32];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    float4 v = in[i];
    float s = v.x + v.y + v.z + v.w, q = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    for (int d = 16; d; d >>= 1) { s += __shfl_down_sync(~0u, s, d); q += __shfl_down_sync(~0u, q, d); }
    if (!(t & 31)) { part[0][t / 32] = s; part[1][t / 32] = q; }
    __syncthreads();
    s = q = 0;
    for (int w = 0; w < THREADS / 32; w++) { s += part[0][w]; q += part[1][w]; }
    float mean = s / (4 * THREADS), inv = rsqrtf(q / (4 * THREADS) - mean * mean + eps);
    float4 g = gain[t];
    out[i] = make_float4((v.x - mean) * inv * g.x, (v.y - mean) * inv * g.y, (v.z - mean) * inv * g.z,
                         (v.w - mean) * inv * g.w);
}

// binsearch: where a key belongs.
extern "C" __global__ void BOUND binsearch(const long long *keys, const long long *find, int *at, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    long long k = find[i];
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (keys[mid] < k) lo = mid + 1; else hi = mid;
    }
    at[i] = lo;
}

// lud: the factors of a small matrix in registers.
extern "C" __global__ void BOUND lud(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float m[6][6];
#pragma unroll
    for (int r = 0; r < 6; r++)
#pragma unroll
        for (int c = 0; c < 6; c++) m[r][c] = a[(r * 6 + c) * n + i];
#pragma unroll
    for (int k = 0; k < 6; k++) {
        float inv = __frcp_rn(m[k][k]);
#pragma unroll
        for (int r = k + 1; r < 6; r++) {
            m[r][k] *= inv;
#pragma unroll
            for (int c = k + 1; c < 6; c++) m[r][c] -= m[r][k] * m[k][c];
        }
    }
#pragma unroll
    for (int r = 0; r < 6; r++)
#pragma unroll
        for (int c = 0; c < 6; c++) a[(r * 6 + c) * n + i] = m[r][c];
}

// bilinear: an image resized, four channels.
extern "C" __global__ void BOUND bilinear(const uchar4 *in, uchar4 *out, int w, int h, int ow, int oh, float sx, float sy) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= ow || y >= oh) return;
    float fx = x * sx, fy = y * sy;
    int x0 = fx, y0 = fy, x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
    float ax = fx - x0, ay = fy - y0;
    uchar4 a = in[y0 * w + x0], b = in[y0 * w + x1], c = in[y1 * w + x0], d = in[y1 * w + x1];
#define MIX(k) (unsigned char)((1 - ay) * ((1 - ax) * a.k + ax * b.k) + ay * ((1 - ax) * c.k + ax * d.k) + 0.5f)
    out[y * ow + x] = make_uchar4(MIX(x), MIX(y), MIX(z), MIX(w));
}

// wave3: a wave in space, a column a thread, fourth order, doubles.
extern "C" __global__ void BOUND wave3(const double *u, double *v, int nx, int ny, int nz, double c) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 2, y = blockIdx.y * blockDim.y + threadIdx.y + 2;
    int plane = nx * ny, i = y * nx + x;
    double b2 = u[i], b1 = u[i + plane], m = u[i + 2 * plane], a1 = u[i + 3 * plane], a2;
    for (int z = 2; z < nz - 2; z++) {
        int j = i + z * plane;
        a2 = u[j + 2 * plane];
        double l = 7.5 * m - (4.0 / 3) * (b1 + a1 + u[j - 1] + u[j + 1] + u[j - nx] + u[j + nx]) +
                   (1.0 / 12) * (b2 + a2 + u[j - 2] + u[j + 2] + u[j - 2 * nx] + u[j + 2 * nx]);
        v[j] = 2 * m - v[j] - c * l;
        b2 = b1; b1 = m; m = a1; a1 = a2;
    }
}

// montgomery: products of numbers of 128 bits.
extern "C" __global__ void BOUND montgomery(const uint4 *a, const uint4 *b, uint4 *c, uint4 mod, unsigned inv, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 va = a[i], vb = b[i];
    unsigned x[4] = {va.x, va.y, va.z, va.w}, y[4] = {vb.x, vb.y, vb.z, vb.w}, m[4] = {mod.x, mod.y, mod.z, mod.w};
    for (int r = 0; r < rounds; r++) {
        unsigned t[6] = {};
#pragma unroll
        for (int j = 0; j < 4; j++) {
            unsigned long long carry = 0;
#pragma unroll
            for (int k = 0; k < 4; k++) {
                carry += (unsigned long long)x[k] * y[j] + t[k];
                t[k] = carry;
                carry >>= 32;
            }
            carry += t[4];
            t[4] = carry;
            t[5] = carry >> 32;
            unsigned q = t[0] * inv;
            carry = ((unsigned long long)q * m[0] + t[0]) >> 32;
#pragma unroll
            for (int k = 1; k < 4; k++) {
                carry += (unsigned long long)q * m[k] + t[k];
                t[k - 1] = carry;
                carry >>= 32;
            }
            carry += t[4];
            t[3] = carry;
            t[4] = t[5] + (carry >> 32);
        }
#pragma unroll
        for (int k = 0; k < 4; k++) x[k] = t[k];
    }
    c[i] = make_uint4(x[0], x[1], x[2], x[3]);
}

// interaction: 24 sums that a loop carries, of differences of pairs.
extern "C" __global__ void BOUND interaction(const float *a, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s[24], v[24];
#pragma unroll
    for (int j = 0; j < 24; j++) { s[j] = 0; v[j] = a[i * 24 + j]; }
    for (int k = 0; k < n; k++) {
        float w = a[k];
#pragma unroll
        for (int j = 0; j < 24; j++) s[j] += fabsf(v[j] - w) * v[(j + 7) % 24];
    }
#pragma unroll
    for (int j = 0; j < 24; j++) out[i * 24 + j] = s[j];
}

// tabled: twelve pairs of coefficients of an argument read once, used after a long loop.
extern "C" __global__ void BOUND tabled(const double *coef, const double *x, double *y, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double c[12], late[12], acc[4] = {0, 0, 0, 0};
#pragma unroll
    for (int j = 0; j < 12; j++) { c[j] = coef[j * n + i]; late[j] = x[j * n + i]; }
    for (int r = 0; r < rounds; r++) {
        double t = x[r];
#pragma unroll
        for (int j = 0; j < 12; j++) acc[j & 3] = acc[j & 3] * t + c[j];
    }
#pragma unroll
    for (int j = 0; j < 12; j++) y[j * n + i] = acc[j & 3] * late[j];
}
