#ifndef OPTIONS
#define OPTIONS 1048576 // options to price, a multiple of 256
#endif

// Standard normal distribution function by the polynomial of Abramowitz and Stegun 26.2.17,
// absolute error below 7.5e-8.
float normal_distribution(const float x)
{
    const float t = 1.0f / (1.0f + 0.2316419f * fabs(x));
    const float polynomial =
        t * (0.319381530f +
             t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
    const float tail = 0.398942280f * exp(-0.5f * x * x) * polynomial;
    return x > 0.0f ? 1.0f - tail : tail;
}

// Black-Scholes prices of European call and put options, one option per work item.
// Three coalesced reads and two writes around a long mix of arithmetic, division, square root, exponential and
// logarithm. rate and volatility are per year, years is the time to expiry.
// Source: F. Black and M. Scholes, "The Pricing of Options and Corporate Liabilities", 1973.
// idgen: local=256 global=OPTIONS arg.rate=0.02f arg.volatility=0.3f
__kernel void black_scholes(__global const float *price, __global const float *strike,
                            __global const float *years, __global float *call,
                            __global float *put, const float rate, const float volatility)
{
    const int i = get_global_id(0);
    const float s = price[i];
    const float x = strike[i];
    const float t = years[i];

    const float spread = volatility * sqrt(t);
    const float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / spread;
    const float d2 = d1 - spread;
    const float n1 = normal_distribution(d1);
    const float n2 = normal_distribution(d2);
    const float discounted = x * exp(-rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
