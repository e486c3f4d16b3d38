#ifndef BETA
#define BETA 8 // additions per cosine
#endif
#ifndef REPEAT
#define REPEAT 64 // cosines per work item
#endif

// Instruction mix: BETA additions, then one hardware cosine, again and again.
// Shows how the two pipelines of a compute unit share its issue slots. At full occupancy, with CPI c1
// of the addition and c2 of the cosine, additions per cycle are BETA/(BETA*c1 + c2) in one subsystem,
// min(1/c1, BETA/c2) in two, and min(1/c1, BETA/c2, BETA/(BETA+1)*IL) in two behind an issue limit IL.
// Source: A Eq. 43-45.
// Golden: 4.
// idgen: local=256 groups=1024
__kernel void instruction_mix(__global float *out, const float step)
{
    const int i = get_global_id(0);
    float r = (float)i;
#pragma unroll
    for (int k = 0; k < REPEAT; ++k) {
#pragma unroll
        for (int j = 0; j < BETA; ++j)
            r = r + step;
        r = native_cos(r);
    }
    out[i] = r;
}
