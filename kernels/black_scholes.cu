#ifndef OPTIONS
#define OPTIONS 1048576 // options to price, a multiple of 256
#endif

// Standard normal distribution function by the polynomial of Abramowitz and Stegun 26.2.17,
// absolute error below 7.5e-8.
__device__ float normal_distribution(const float x)
{
    const float t = 1.0f / (1.0f + 0.2316419f * fabsf(x));
    const float polynomial =
        t * (0.319381530f +
             t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
    const float tail = 0.398942280f * expf(-0.5f * x * x) * polynomial;
    return x > 0.0f ? 1.0f - tail : tail;
}

// Black-Scholes prices of European call and put options, one option per thread. Division and square root are
// rounded correctly here, with a check and a branch each, unless --fast-math is given; in OpenCL C they are not.
// Source: V16 3.10, by F. Black and M. Scholes, "The Pricing of Options and Corporate Liabilities", 1973.
// idgen: local=256 global=OPTIONS arg.rate=0.02f arg.volatility=0.3f
__global__ void black_scholes(const float *price, const float *strike, const float *years, float *call, float *put,
                              const float rate, const float volatility)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float s = price[i];
    const float x = strike[i];
    const float t = years[i];

    const float spread = volatility * sqrtf(t);
    const float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / spread;
    const float d2 = d1 - spread;
    const float n1 = normal_distribution(d1);
    const float n2 = normal_distribution(d2);
    const float discounted = x * expf(-rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
