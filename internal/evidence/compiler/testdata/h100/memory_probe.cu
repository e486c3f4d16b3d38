// What L2 keeps between launches and sweeps, how groups start and end, what atomics cost.
//
//   memory_probe [--once] SET...      SET: residency starts trace atomics
//
// Prints CSV. With --once each case of residency is launched twice and a third time between
// cudaProfilerStart and cudaProfilerStop, for ncu --profile-from-start off.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>
#include <cuda_runtime.h>

extern "C" cudaError_t cudaProfilerStart(void);
extern "C" cudaError_t cudaProfilerStop(void);

static void check(cudaError_t e, int line)
{
    if (e == cudaSuccess) return;
    fprintf(stderr, "memory_probe.cu:%d: %s\n", line, cudaGetErrorString(e));
    exit(1);
}
#define CHECK(call) check(call, __LINE__)

static bool once;
static const char* set_name;

// go(k): the k-th launch of the case.
static void run(const std::string& name, double bytes, int groups, int threads, size_t shared, const void* function,
                const std::function<void(int)>& go)
{
    if (shared > 48 * 1024)
        CHECK(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared)));
    int k = 0;
    if (once) {
        go(k++); go(k++);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaProfilerStart());
        go(k++);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaProfilerStop());
        printf("%s,%s,%.0f\n", set_name, name.c_str(), bytes);
        return;
    }
    constexpr int kTimed = 9;
    static cudaEvent_t begin[kTimed], end[kTimed];
    if (!begin[0])
        for (int i = 0; i < kTimed; ++i) { CHECK(cudaEventCreate(&begin[i])); CHECK(cudaEventCreate(&end[i])); }
    for (int i = 0; i < 4; ++i) go(k++);
    for (int i = 0; i < kTimed; ++i) {
        CHECK(cudaEventRecord(begin[i]));
        go(k++);
        CHECK(cudaEventRecord(end[i]));
    }
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    std::vector<float> us;
    for (int i = 0; i < kTimed; ++i) {
        float ms;
        CHECK(cudaEventElapsedTime(&ms, begin[i], end[i]));
        us.push_back(ms * 1e3f);
    }
    std::sort(us.begin(), us.end());
    go(k++);
    CHECK(cudaEventRecord(begin[0]));
    for (int i = 0; i < kTimed; ++i) go(k++);
    CHECK(cudaEventRecord(end[0]));
    CHECK(cudaDeviceSynchronize());
    float ms;
    CHECK(cudaEventElapsedTime(&ms, begin[0], end[0]));
    cudaFuncAttributes a;
    CHECK(cudaFuncGetAttributes(&a, function));
    int resident = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, function, threads, shared));
    printf("%s,%s,%.0f,%d,%d,%zu,%d,%d,%.3f,%.3f,%.3f\n", set_name, name.c_str(), bytes, groups, threads, shared,
           a.numRegs, resident, us[kTimed / 2], us[0], ms * 1e3f / kTimed);
    fflush(stdout);
}

// ---- residency: arrays of n floats, a thread a float, groups of 256 in order of addresses unless said otherwise
__global__ void res_read(const float* a, float* out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    float v = i < n ? a[i] : 0;
    if (v == 12345.75f) out[i] = v;
}
__global__ void res_back(const float* a, float* out, int n)
{
    int i = (gridDim.x - 1 - blockIdx.x) * 256 + threadIdx.x;
    float v = i < n ? a[i] : 0;
    if (v == 12345.75f) out[i] = v;
}
__global__ void res_write(float* a, float v, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) a[i] = v;
}
__global__ void res_copy(const float* a, float* b, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) b[i] = a[i];
}
__global__ void res_inplace(float* a, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) a[i] = a[i] + 1.0f;
}
__global__ void res_triad(const float* a, const float* b, float* c, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) c[i] = a[i] + 3.0f * b[i];
}
// Each warp a line of its own, all lines once, in an order that no neighbour shares; the same order in each launch.
__global__ void res_permuted(const float* a, float* out, unsigned lines)
{
    unsigned w = (blockIdx.x * 256 + threadIdx.x) / 32;
    unsigned at = unsigned(w * 982451653ull % lines);
    float v = w < lines ? a[at * 32 + threadIdx.x % 32] : 0;
    if (v == 12345.75f) out[w] = v;
}
// Each warp a line at random (some twice, some never), another one in each launch.
__global__ void res_random(const float* a, float* out, unsigned lines, unsigned seed)
{
    unsigned w = (blockIdx.x * 256 + threadIdx.x) / 32;
    unsigned h = w * 2654435761u ^ seed;
    h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; h ^= h >> 16;
    unsigned at = unsigned(h * (unsigned long long)lines >> 32);
    float v = w < lines ? a[at * 32 + threadIdx.x % 32] : 0;
    if (v == 12345.75f) out[w] = v;
}
// One sector of each line.
__global__ void res_sector(const float* a, float* out, unsigned lines)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    float v = i < lines ? a[i * 32] : 0;
    if (v == 12345.75f) out[i] = v;
}
// Eight sweeps in one launch by groups that stay: the distance of reuse is the array.
__global__ void res_sweeps(const float* a, float* out, int n, int sweeps)
{
    float s = 0;
    for (int r = 0; r < sweeps; ++r)
        for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) s += a[i];
    if (s == 12345.75f) out[threadIdx.x] = s;
}

static float *A, *B, *C;

static void residency()
{
    for (double mb : {8., 16., 20., 24., 26., 28., 30., 32., 34., 36., 38., 40., 42., 44., 46., 48., 50., 52., 54., 56., 60.,
                      64., 66., 72., 80., 96., 120.}) {
        double bytes = mb * 1e6;
        int n = int(bytes / 4) / 1024 * 1024, g = n / 256;
        unsigned lines = n / 32;
#define RES(name, kernel, size, groups, ...) \
        run(name, size, groups, 256, 0, (const void*)kernel, [&](int k) { kernel<<<groups, 256>>>(__VA_ARGS__); })
        RES("read", res_read, 4. * n, g, A, B, n);
        run("read_to_and_fro", 4. * n, g, 256, 0, (const void*)res_back, [&](int k) {
            if (k & 1) res_back<<<g, 256>>>(A, B, n); else res_read<<<g, 256>>>(A, B, n);
        });
        RES("write", res_write, 4. * n, g, A, float(k), n);
        RES("inplace", res_inplace, 4. * n, g, A, n);
        int n2 = n / 2 / 256 * 256, n3 = n / 3 / 256 * 256;
        RES("copy", res_copy, 8. * n2, n2 / 256, A, B, n2);
        RES("triad", res_triad, 12. * n3, n3 / 256, A, B, C, n3);
        RES("permuted", res_permuted, 4. * n, g, A, B, lines);
        RES("random", res_random, 4. * n, g, A, B, lines, unsigned(k) * 7919u);
        RES("sectors", res_sector, 128. * lines, int(lines + 255) / 256, A, B, lines);
        RES("sweeps8", res_sweeps, 4. * n, 1056, A, B, n, 8);
    }
}

// ---- starts: a group's start, its replacement, the last groups
__global__ void start_store(float* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void start_empty(float* out) {}
__global__ void start_loads(const float* a, float* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] + 1;
}
// Each warp waits for a number of cycles.
__global__ void start_wait(float* out, int cycles)
{
    long long t = clock64();
    while (clock64() - t < cycles) {}
    if (cycles < 0) out[threadIdx.x] = 1;
}
// About R registers a thread.
template <int R>
__global__ void start_registers(float* out, float a, int n)
{
    float x[R];
    for (int k = 0; k < R; ++k) x[k] = threadIdx.x + k;
#pragma unroll 1
    for (int r = 0; r < n; ++r)
#pragma unroll
        for (int k = 0; k < R; ++k) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[k]) : "f"(a));
    float s = 0;
    for (int k = 0; k < R; ++k) s += x[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

static void starts()
{
    const int counts[] = {1, 33, 66, 131, 132, 133, 198, 264, 396, 528, 792, 1056, 1057, 1188, 1584, 2112, 3168, 4000, 4224, 8448, 33792};
    for (int t : {32, 64, 128, 256, 512, 1024})
        for (int g : counts) {
            if (double(g) * t > 33e6) continue;
#define ST(name, kernel, shared, ...) \
            run(name, 0, g, t, shared, (const void*)kernel, [&](int k) { kernel<<<g, t, shared>>>(__VA_ARGS__); })
            ST("empty", start_empty, 0, B);
            ST("store", start_store, 0, B);
            ST("loads", start_loads, 0, A, B);
            ST("wait2000", start_wait, 0, B, 2000);
        }
    for (int t : {64, 256, 1024})
        for (int g : {132, 264, 528, 1056, 2112, 4224, 8448})
            for (size_t shared : {size_t(8192), size_t(32768), size_t(100000), size_t(200000)}) {
                ST("empty", start_empty, shared, B);
                ST("wait2000", start_wait, shared, B, 2000);
            }
    for (int t : {64, 256})
        for (int g : {132, 264, 528, 1056, 2112, 4224, 8448}) {
            ST("registers24", start_registers<24>, 0, B, 0.5f, 1);
            ST("registers56", start_registers<56>, 0, B, 0.5f, 1);
            ST("registers112", start_registers<112>, 0, B, 0.5f, 1);
            ST("registers200", start_registers<200>, 0, B, 0.5f, 1);
        }
}

// ---- trace: when each group of a launch began and ended, by the clock of its unit and by the global timer
struct Row { long long begin, end; unsigned long long timer; int unit, pad; };
__global__ void traced(Row* rows, int cycles)
{
    long long t = clock64();
    unsigned long long g;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(g));
    while (clock64() - t < cycles) {}
    __syncthreads();
    if (threadIdx.x == 0) {
        int unit;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
        rows[blockIdx.x] = {t, clock64(), g, unit, 0};
    }
}
static void trace()
{
    printf("trace,threads,shared,cycles,group,unit,begin,end,timer_ns\n");
    for (int t : {32, 128, 256, 1024})
        for (int shared : {0, 40000})
            for (int cycles : {0, 1000, 8000}) {
                if (shared && t != 256) continue;
                const int g = 132 * 40;
                CHECK(cudaMemset(C, 0, g * sizeof(Row)));
                for (int k = 0; k < 3; ++k) traced<<<g, t, shared>>>((Row*)C, cycles);
                CHECK(cudaDeviceSynchronize());
                std::vector<Row> r(g);
                CHECK(cudaMemcpy(r.data(), C, g * sizeof(Row), cudaMemcpyDeviceToHost));
                unsigned long long first = r[0].timer;
                for (auto& x : r) first = std::min(first, x.timer);
                for (int i = 0; i < g; ++i) {
                    if (r[i].unit % 33 && i >= 400) continue;  // all of the first ones, then four units
                    printf("trace,%d,%d,%d,%d,%d,%lld,%lld,%llu\n", t, shared, cycles, i, r[i].unit, r[i].begin, r[i].end,
                           r[i].timer - first);
                }
            }
}

// ---- atomics: 1024 groups of 256, eight operations a thread
enum Op { kAdd, kAddOne, kMax, kExch, kCas };
template <class T, Op O, bool R>
__device__ __forceinline__ void operate(T* at, T v, T& sum)
{
    T old;
    if (O == kAdd) old = atomicAdd(at, v);
    if (O == kAddOne) old = atomicAdd(at, T(1));
    if (O == kMax) old = atomicMax((int*)at, int(v));
    if (O == kExch) old = atomicExch((unsigned*)at, unsigned(v));
    if (O == kCas) old = atomicCAS((unsigned*)at, unsigned(v), unsigned(v) + 1);
    if (R) sum += old;
}
__device__ __forceinline__ unsigned scramble(unsigned h)
{
    h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; h ^= h >> 16;
    return h;
}
// mode 0: word (lane / share) * stride of one place; 1: the same, a place of its own (4 KiB) for each warp;
// 2: at random below bins, words stride apart.
template <class T, Op O, bool R>
__global__ void at_global(T* bins, T* out, int mode, int share, int stride, unsigned bins_n, int n)
{
    unsigned i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = i / 32;
    T sum = 0;
    size_t at = size_t(lane / share) * stride + (mode == 1 ? size_t(warp) * (4096 / sizeof(T)) : 0);
#pragma unroll 1
    for (int r = 0; r < n; ++r) {
        if (mode == 2) at = size_t(scramble(i * 2654435761u + r * 97u) % bins_n) * stride;
        operate<T, O, R>(bins + at, T(lane + r), sum);
    }
    if (R && sum == T(123456789)) out[i] = sum;
}
template <class T, Op O, bool R>
__global__ void at_shared(T* out, int share, int stride, unsigned bins_n, int n)
{
    __shared__ T bins[4096];
    for (int k = threadIdx.x; k < 4096; k += 256) bins[k] = 0;
    __syncthreads();
    unsigned i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
    T sum = 0;
    unsigned at = (lane / share) * stride;
#pragma unroll 1
    for (int r = 0; r < n; ++r) {
        if (bins_n) at = scramble(i * 2654435761u + r * 97u) % bins_n * stride;
        operate<T, O, R>(bins + at % 4096, T(lane + r), sum);
    }
    __syncthreads();
    if (R) out[i] = sum;
    else if (bins[threadIdx.x] == T(123456789)) out[i] = 1;
}
static void atomics()
{
    float* P = A;
    auto global = [&](auto kernel, const char* op, auto* zero) {
        using T = std::remove_pointer_t<decltype(zero)>;
        auto go = [&](const std::string& what, int mode, int share, int stride, unsigned bins) {
            run(std::string("global_") + op + "_" + what, 0, 1024, 256, 0, (const void*)kernel, [&](int k) {
                kernel<<<1024, 256>>>((T*)P, (T*)B, mode, share, stride, bins, 8);
            });
        };
        for (int share : {1, 2, 4, 8, 16, 32}) {
            go("one_share" + std::to_string(share), 0, share, 1, 1);
            go("own_share" + std::to_string(share), 1, share, 1, 1);
        }
        go("one_stride8", 0, 1, 8, 1); go("one_stride32", 0, 1, 32, 1);
        go("own_stride2", 1, 1, 2, 1); go("own_stride8", 1, 1, 8, 1); go("own_stride16", 1, 1, 16, 1);
        for (unsigned bins : {2u, 8u, 32u, 256u, 4096u, 65536u, 1048576u, 16777216u})
            go("random" + std::to_string(bins), 2, 1, 1, bins);
        go("random256_stride8", 2, 1, 8, 256); go("random256_stride32", 2, 1, 32, 256);
        go("random4096_stride32", 2, 1, 32, 4096);
    };
    CHECK(cudaMemset(A, 0, 128 << 20));
    global(at_global<int, kAdd, false>, "add_s32", (int*)0);
    global(at_global<int, kAdd, true>, "add_s32_returned", (int*)0);
    global(at_global<int, kAddOne, false>, "one_s32", (int*)0);
    global(at_global<int, kMax, false>, "max_s32", (int*)0);
    global(at_global<float, kAdd, false>, "add_f32", (float*)0);
    global(at_global<float, kAdd, true>, "add_f32_returned", (float*)0);
    global(at_global<double, kAdd, false>, "add_f64", (double*)0);
    global(at_global<unsigned long long, kAdd, false>, "add_u64", (unsigned long long*)0);
    global(at_global<unsigned, kExch, true>, "exch_u32", (unsigned*)0);
    global(at_global<unsigned, kCas, true>, "cas_u32", (unsigned*)0);
    auto shared = [&](auto kernel, const char* op, auto* zero) {
        using T = std::remove_pointer_t<decltype(zero)>;
        auto go = [&](const std::string& what, int share, int stride, unsigned bins, int n) {
            run(std::string("shared_") + op + "_" + what, n, 1056, 256, 0, (const void*)kernel, [&](int k) {
                kernel<<<1056, 256>>>((T*)B, share, stride, bins, n);
            });
        };
        for (int n : {16, 64}) {  // the difference is 48 operations
            for (int share : {1, 2, 4, 8, 16, 32}) go("share" + std::to_string(share) + "_n" + std::to_string(n), share, 1, 0, n);
            for (int stride : {2, 4, 8, 16, 32}) go("stride" + std::to_string(stride) + "_n" + std::to_string(n), 1, stride, 0, n);
            for (unsigned bins : {2u, 8u, 32u, 256u, 4096u})
                go("random" + std::to_string(bins) + "_n" + std::to_string(n), 1, 1, bins, n);
        }
    };
    shared(at_shared<int, kAdd, false>, "add_s32", (int*)0);
    shared(at_shared<int, kAdd, true>, "add_s32_returned", (int*)0);
    shared(at_shared<int, kAddOne, false>, "one_s32", (int*)0);
    shared(at_shared<int, kMax, false>, "max_s32", (int*)0);
    shared(at_shared<float, kAdd, false>, "add_f32", (float*)0);
    shared(at_shared<unsigned long long, kAdd, false>, "add_u64", (unsigned long long*)0);
    shared(at_shared<unsigned, kExch, true>, "exch_u32", (unsigned*)0);
    shared(at_shared<unsigned, kCas, true>, "cas_u32", (unsigned*)0);
}

int main(int argc, char** argv)
{
    CHECK(cudaMalloc(&A, size_t(160) << 20));
    CHECK(cudaMalloc(&B, size_t(160) << 20));
    CHECK(cudaMalloc(&C, size_t(160) << 20));
    CHECK(cudaMemset(A, 0, size_t(160) << 20));
    for (int k = 0; k < 2000; ++k) res_inplace<<<131072, 256>>>(B, 131072 * 256);  // the clock of an idle device is low
    CHECK(cudaDeviceSynchronize());
    bool header = true;
    for (int i = 1; i < argc; ++i)
        if (!strcmp(argv[i], "--once")) once = true;
    for (int i = 1; i < argc; ++i) {
        if (argv[i][0] == '-') continue;
        if (header && !once && strcmp(argv[i], "trace"))
            printf("set,case,bytes,groups,threads,shared,registers,resident,median_us,min_us,train_us\n");
        header = false;
        set_name = argv[i];
        if (!strcmp(set_name, "residency")) residency();
        else if (!strcmp(set_name, "starts")) starts();
        else if (!strcmp(set_name, "trace")) trace();
        else if (!strcmp(set_name, "atomics")) atomics();
        else { fprintf(stderr, "no set %s\n", set_name); return 2; }
    }
    CHECK(cudaDeviceSynchronize());
    return 0;
}
