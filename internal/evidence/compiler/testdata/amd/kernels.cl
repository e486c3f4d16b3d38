// Kernels in OpenCL for AMD's GPUs. F: the type; N: size or steps; T: tile; P: items of a work item.
#ifndef F
#define F float
#endif
#ifndef N
#define N 8
#endif
#ifndef T
#define T 16
#endif
#ifndef P
#define P 2
#endif

__kernel void star(__global const F *restrict in, __global F *restrict out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < N || y < N || x >= w - N || y >= h - N)
        return;
    F s = in[y * w + x];
    for (int d = 1; d <= N; ++d)
        s += in[y * w + x - d] + in[y * w + x + d] + in[(y - d) * w + x] + in[(y + d) * w + x];
    out[y * w + x] = s;
}

__kernel void registers(__global const F *restrict a, __global const F *restrict b, __global F *restrict c, int n)
{
    __local F as[T][T * P];
    __local F bs[T][T * P];
    int tx = get_local_id(0), ty = get_local_id(1);
    int row = get_group_id(1) * T * P, column = get_group_id(0) * T * P;
    F sum[P][P];
    for (int m = 0; m < P; ++m)
        for (int l = 0; l < P; ++l)
            sum[m][l] = 0;
    for (int k = 0; k < n; k += T) {
        for (int m = 0; m < P; ++m) {
            as[tx][ty + m * T] = a[(row + ty + m * T) * n + k + tx];
            bs[ty][tx + m * T] = b[(k + ty) * n + column + tx + m * T];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < T; ++i) {
            F left[P], right[P];
            for (int m = 0; m < P; ++m) {
                left[m] = as[i][ty + m * T];
                right[m] = bs[i][tx + m * T];
            }
            for (int m = 0; m < P; ++m)
                for (int l = 0; l < P; ++l)
                    sum[m][l] += left[m] * right[l];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int m = 0; m < P; ++m)
        for (int l = 0; l < P; ++l)
            c[(row + ty + m * T) * n + column + tx + l * T] = sum[m][l];
}

__kernel void tree(__global const F *in, __global F *out, int n)
{
    __local F part[T * 16];
    int t = get_local_id(0);
    F s = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        s += in[i];
    part[t] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = T * 8; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = part[0];
}

__kernel void scan(__global const F *in, __global F *out)
{
    __local F part[2][T * 16];
    int t = get_local_id(0), now = 0;
    part[0][t] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < T * 16; d *= 2) {
        part[1 - now][t] = t >= d ? part[now][t] + part[now][t - d] : part[now][t];
        now = 1 - now;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = part[now][t];
}

__kernel void histogram(__global const uchar *in, __global uint *out, int n)
{
    __local uint bins[256];
    bins[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[in[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[get_local_id(0)], bins[get_local_id(0)]);
}

__kernel void transpose(__global const F *in, __global F *out, int w, int h)
{
    __local F tile[T][T + 1];
    int x = get_global_id(0), y = get_global_id(1);
    tile[get_local_id(1)][get_local_id(0)] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * T + get_local_id(0);
    y = get_group_id(0) * T + get_local_id(1);
    out[y * h + x] = tile[get_local_id(0)][get_local_id(1)];
}

__kernel void matvec(__global const F *restrict a, __global const F *restrict x, __global F *restrict y, int n)
{
    int row = get_global_id(0);
    F s = 0;
    for (int k = 0; k < n; ++k)
        s += a[k * n + row] * x[k];
    y[row] = s;
}

__kernel void csr(__global const int *rows, __global const int *columns, __global const F *values,
                  __global const F *x, __global F *y, int n)
{
    int row = get_global_id(0);
    if (row >= n)
        return;
    F s = 0;
    for (int i = rows[row]; i < rows[row + 1]; ++i)
        s += values[i] * x[columns[i]];
    y[row] = s;
}

__kernel void nbody(__global const float4 *restrict body, __global float4 *restrict out, int n, float soft)
{
    float4 me = body[get_global_id(0)];
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; ++j) {
        float4 o = body[j];
        float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
        float inv = native_rsqrt(dx * dx + dy * dy + dz * dz + soft), s = o.w * inv * inv * inv;
        ax += s * dx;
        ay += s * dy;
        az += s * dz;
    }
    out[get_global_id(0)] = (float4)(ax, ay, az, 0);
}

__kernel void mandelbrot(__global int *out, int w, F x0, F y0, F step, int most)
{
    int x = get_global_id(0), y = get_global_id(1), i = 0;
    F a = x0 + x * step, b = y0 + y * step, re = 0, im = 0;
    while (i < most && re * re + im * im < 4) {
        F next = re * re - im * im + a;
        im = 2 * re * im + b;
        re = next;
        ++i;
    }
    out[y * w + x] = i;
}

__kernel void polynomial(__global const F *x, __global F *y)
{
    int i = get_global_id(0);
    F v = x[i], s = 1;
    for (int k = 0; k < N; ++k)
        s = s * v + (F)1 / (k + 1);
    y[i] = s;
}

__kernel void chains(__global F *y, F a, F b, int rounds)
{
    F v[N];
    for (int k = 0; k < N; ++k)
        v[k] = get_local_id(0) + k;
    for (int r = 0; r < rounds; ++r)
        for (int k = 0; k < N; ++k)
            v[k] = v[k] * a + b;
    F s = 0;
    for (int k = 0; k < N; ++k)
        s += v[k];
    y[get_global_id(0)] = s;
}

__kernel void distances(__global const F *a, __global const F *b, __global int *nearest, int n)
{
    F me[N], best = 1e30f;
    int i = get_global_id(0), found = 0;
    for (int d = 0; d < N; ++d)
        me[d] = a[i * N + d];
    for (int j = 0; j < n; ++j) {
        F s = 0;
        for (int d = 0; d < N; ++d) {
            F e = me[d] - b[j * N + d];
            s += e * e;
        }
        if (s < best) {
            best = s;
            found = j;
        }
    }
    nearest[i] = found;
}

__kernel void mix(__global const uint *in, __global uint *out, int rounds)
{
    uint h = in[get_global_id(0)];
    for (int r = 0; r < rounds; ++r) {
        h ^= h >> 13;
        h *= 0x5bd1e995;
        h ^= h << 15;
        h += r;
    }
    out[get_global_id(0)] = h;
}

__kernel void machine(__global const int *program, __global int *out, int n)
{
    int a = get_local_id(0), b = 1;
    for (int i = 0; i < n; ++i) {
        switch (program[i]) {
        case 0: a += b; break;
        case 1: a -= b; break;
        case 2: a *= b; break;
        case 3: a ^= b; break;
        case 4: b = a; break;
        default: ++b;
        }
    }
    out[get_global_id(0)] = a + b;
}

__kernel void bitonic(__global uint *data, int j, int k)
{
    uint i = get_global_id(0), other = i ^ j;
    if (other <= i)
        return;
    uint a = data[i], b = data[other];
    if (((i & k) == 0) == (a > b)) {
        data[i] = b;
        data[other] = a;
    }
}

__kernel void insertion(__global uint *data)
{
    uint v[N];
    int i = get_global_id(0);
    for (int k = 0; k < N; ++k)
        v[k] = data[i * N + k];
    for (int a = 1; a < N; ++a)
        for (int b = a; b > 0; --b)
            if (v[b] < v[b - 1]) {
                uint x = v[b];
                v[b] = v[b - 1];
                v[b - 1] = x;
            }
    for (int k = 0; k < N; ++k)
        data[i * N + k] = v[k];
}

__kernel void private_table(__global const uint *in, __global uint *out)
{
    uint table[N];
    int i = get_global_id(0);
    for (int k = 0; k < N; ++k)
        table[k] = 0;
    for (int k = 0; k < 64; ++k)
        ++table[in[i * 64 + k] % N];
    uint best = 0;
    for (int k = 0; k < N; ++k)
        best = best > table[k] ? best : table[k];
    out[i] = best;
}

__kernel void collatz(__global int *out, int first)
{
    int i = get_global_id(0), steps = 0;
    long v = first + i;
    while (v > 1) {
        v = v % 2 == 0 ? v / 2 : 3 * v + 1;
        ++steps;
    }
    out[i] = steps;
}

__kernel void fir(__global const F *restrict in, __constant F *taps, __global F *restrict out)
{
    int i = get_global_id(0) * P;
    for (int p = 0; p < P; ++p) {
        F s = 0;
        for (int k = 0; k < N; ++k)
            s += taps[k] * in[i + p + k];
        out[i + p] = s;
    }
}

__kernel void convolve(__global const F *restrict in, __constant F *taps, __global F *restrict out, int w, int size)
{
    int x = get_global_id(0), y = get_global_id(1) * P;
    F s[P];
    for (int p = 0; p < P; ++p)
        s[p] = 0;
    for (int r = 0; r < size; ++r)
        for (int c = 0; c < size; ++c)
            for (int p = 0; p < P; ++p)
                s[p] += taps[r * size + c] * in[(y + p + r) * w + x + c];
    for (int p = 0; p < P; ++p)
        out[(y + p) * w + x] = s[p];
}

__attribute__((reqd_work_group_size(T * 16, 1, 1)))
__kernel void pressure(__global const F *in, __global F *out, int rounds)
{
    F v[N * 4];
    int i = get_global_id(0);
    for (int k = 0; k < N * 4; ++k)
        v[k] = in[i + k * 1024];
    for (int r = 0; r < rounds; ++r)
        for (int k = 0; k < N * 4; ++k)
            v[k] = v[k] * v[(k + 1) % (N * 4)] + v[(k + 5) % (N * 4)];
    for (int k = 0; k < N * 4; ++k)
        out[i + k * 1024] = v[k];
}
