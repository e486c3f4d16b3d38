#ifndef KL_CURAND
#define KL_CURAND
struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

__device__ inline unsigned int curand(curandStateXORWOW *s) {
  unsigned int t = s->v[0] ^ (s->v[0] >> 2);
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
  s->d += 362437;
  return s->v[4] + s->d;
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW *s) {
  unsigned int low = (unsigned int)seed * 1228688033u, high = (unsigned int)(seed >> 32) * 2073658381u;
  s->v[0] = 123456789u + low;
  s->v[1] = 362436069u ^ low;
  s->v[2] = 521288629u + high;
  s->v[3] = 88675123u ^ high;
  s->v[4] = 5783321u + low;
  s->d = 6615241u + low + high;
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
}

__device__ inline uint4 kl_philox(uint4 c, uint2 k) {
  for (int round = 0; round < 10; round++) {
    unsigned int h0 = __umulhi(0xD2511F53u, c.x), h1 = __umulhi(0xCD9E8D57u, c.z);
    c = make_uint4(h1 ^ c.y ^ k.x, 0xCD9E8D57u * c.z, h0 ^ c.w ^ k.y, 0xD2511F53u * c.x);
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  return c;
}
__device__ inline void kl_philox_next(curandStatePhilox4_32_10 *s) {
  if (++s->ctr.x == 0)
    if (++s->ctr.y == 0)
      if (++s->ctr.z == 0) ++s->ctr.w;
  s->output = kl_philox(s->ctr, s->key);
}
__device__ inline unsigned int curand(curandStatePhilox4_32_10 *s) {
  unsigned int r = s->STATE == 0 ? s->output.x : s->STATE == 1 ? s->output.y : s->STATE == 2 ? s->output.z : s->output.w;
  if (++s->STATE == 4) {
    kl_philox_next(s);
    s->STATE = 0;
  }
  return r;
}
__device__ inline uint4 curand4(curandStatePhilox4_32_10 *s) {
  uint4 r = s->output;
  kl_philox_next(s);
  return r;
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStatePhilox4_32_10 *s) {
  unsigned long long n = offset / 4;
  s->ctr = make_uint4((unsigned int)n, (unsigned int)(n >> 32), (unsigned int)sequence, (unsigned int)(sequence >> 32));
  s->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  s->STATE = (unsigned int)offset & 3;
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
  s->output = kl_philox(s->ctr, s->key);
}

__device__ inline float kl_uniform(unsigned int x) { return x * 2.3283064e-10f + 1.1641532e-10f; }
__device__ inline float2 kl_boxmuller(unsigned int x, unsigned int y) {
  float u = kl_uniform(x), v = y * 1.46291807e-9f + 7.3145903e-10f, sine, cosine;
  float r = sqrtf(-2.0f * logf(u));
  __sincosf(v, &sine, &cosine);
  return make_float2(r * sine, r * cosine);
}
#define KL_CURAND_OF(State) \
__device__ inline float curand_uniform(State *s) { return kl_uniform(curand(s)); } \
__device__ inline double curand_uniform_double(State *s) { return curand(s) * 2.3283064365386963e-10 + 1.1641532182693481e-10; } \
__device__ inline float2 curand_normal2(State *s) { unsigned int x = curand(s); return kl_boxmuller(x, curand(s)); } \
__device__ inline float curand_normal(State *s) { \
  if (s->boxmuller_flag == 0) { \
    float2 n = curand_normal2(s); \
    s->boxmuller_extra = n.y; \
    s->boxmuller_flag = 1; \
    return n.x; \
  } \
  s->boxmuller_flag = 0; \
  return s->boxmuller_extra; \
} \
__device__ inline float curand_log_normal(State *s, float mean, float stddev) { return expf(mean + stddev * curand_normal(s)); } \
__device__ inline double2 curand_normal2_double(State *s) { \
  unsigned int a = curand(s), b = curand(s), c = curand(s); \
  unsigned long long x = a ^ (unsigned long long)b << 21, y = c ^ (unsigned long long)curand(s) << 21; \
  double v = y * 2.2204460492503131e-16 + 1.1102230246251565e-16; \
  double r = sqrt(-2.0 * log(x * 1.1102230246251565e-16 + 5.5511151231257827e-17)); \
  return make_double2(r * sinpi(v), r * cospi(v)); \
} \
__device__ inline double curand_normal_double(State *s) { \
  if (s->boxmuller_flag_double == 0) { \
    double2 n = curand_normal2_double(s); \
    s->boxmuller_extra_double = n.y; \
    s->boxmuller_flag_double = 1; \
    return n.x; \
  } \
  s->boxmuller_flag_double = 0; \
  return s->boxmuller_extra_double; \
} \
__device__ inline double curand_log_normal_double(State *s, double mean, double stddev) { return exp(mean + stddev * curand_normal_double(s)); }
KL_CURAND_OF(curandStateXORWOW)
KL_CURAND_OF(curandStatePhilox4_32_10)
__device__ inline float4 curand_uniform4(curandStatePhilox4_32_10 *s) {
  uint4 r = curand4(s);
  return make_float4(kl_uniform(r.x), kl_uniform(r.y), kl_uniform(r.z), kl_uniform(r.w));
}
__device__ inline float4 curand_normal4(curandStatePhilox4_32_10 *s) {
  uint4 r = curand4(s);
  float2 a = kl_boxmuller(r.x, r.y), b = kl_boxmuller(r.z, r.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
#endif
