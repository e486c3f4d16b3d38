// Integer kernels, control flow, atomics, private arrays. N: size or steps; I: the type.
#ifndef N
#define N 8
#endif
#ifndef I
#define I unsigned
#endif

extern "C" __global__ void mix(const I *in, I *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    I h = in[i];
    for (int r = 0; r < rounds; ++r) {
        h ^= h >> 13;
        h *= 0x5bd1e995;
        h ^= h << 15;
        h += r;
    }
    out[i] = h;
}

extern "C" __global__ void divide(const I *in, I *out, I d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    I v = in[i], s = 0;
    for (int k = 0; k < N; ++k) {
        s += v % 10;
        v /= d;
    }
    out[i] = s;
}

extern "C" __global__ void machine(const int *program, int *out, int n)
{
    int a = threadIdx.x, b = 1;
    for (int i = 0; i < n; ++i) {
        switch (program[i]) {
        case 0: a += b; break;
        case 1: a -= b; break;
        case 2: a *= b; break;
        case 3: a ^= b; break;
        case 4: b = a; break;
        case 5: b = ~b; break;
        default: ++b;
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = a + b;
}

extern "C" __global__ void bitonic(I *data, int j, int k)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
    if (other <= i)
        return;
    I a = data[i], b = data[other];
    if (((i & k) == 0) == (a > b)) {
        data[i] = b;
        data[other] = a;
    }
}

extern "C" __global__ void sort_shared(I *data)
{
    __shared__ I part[N * 32];
    int t = threadIdx.x;
    part[t] = data[blockIdx.x * N * 32 + t];
    __syncthreads();
    for (int k = 2; k <= N * 32; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int o = t ^ j;
            if (o > t && ((t & k) == 0) == (part[t] > part[o])) {
                I v = part[t];
                part[t] = part[o];
                part[o] = v;
            }
            __syncthreads();
        }
    data[blockIdx.x * N * 32 + t] = part[t];
}

extern "C" __global__ void insertion(I *data)
{
    I v[N];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < N; ++k)
        v[k] = data[i * N + k];
    for (int a = 1; a < N; ++a)
        for (int b = a; b > 0; --b)
            if (v[b] < v[b - 1]) {
                I x = v[b];
                v[b] = v[b - 1];
                v[b - 1] = x;
            }
    for (int k = 0; k < N; ++k)
        data[i * N + k] = v[k];
}

extern "C" __global__ void private_table(const I *in, I *out)
{
    I table[N];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < N; ++k)
        table[k] = 0;
    for (int k = 0; k < 64; ++k)
        ++table[in[i * 64 + k] % N];
    I best = 0;
    for (int k = 0; k < N; ++k)
        best = max(best, table[k]);
    out[i] = best;
}

extern "C" __global__ void search(const I *sorted, const I *keys, int *at, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, low = 0, high = n;
    I key = keys[i];
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    at[i] = low;
}

extern "C" __global__ void collatz(int *out, int first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, steps = 0;
    long long v = first + i;
    while (v > 1) {
        v = v % 2 == 0 ? v / 2 : 3 * v + 1;
        ++steps;
    }
    out[i] = steps;
}

extern "C" __global__ void popular(const I *in, I *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    I s = 0;
    for (int k = 0; k < N; ++k)
        s += __popc(in[i + k * n]) + __clz(in[i + k * n]);
    out[i] = s;
}

extern "C" __global__ void compact(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    int v = i < n ? in[i] : 0;
    unsigned mask = __ballot_sync(0xffffffffu, v > 0);
    int base = 0;
    if (lane == 0)
        base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (v > 0)
        out[base + __popc(mask & ((1u << lane) - 1))] = v;
}

extern "C" __global__ void swap_until(int *lock, int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int old = data[i % N], seen;
    do {
        seen = old;
        old = atomicCAS(&data[i % N], seen, max(seen, i));
    } while (old != seen);
    atomicMax(lock, old);
}
