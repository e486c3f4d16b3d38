#ifndef LENGTH
#define LENGTH 1048576 // elements of a vector
#endif

// Permutation out[perm[i]] = in[i]: coalesced loads and a scattered store.
// Where the store goes is data: the graph says that its addresses are unknown.
// perm holds every number from 0 to n - 1 once.
// idgen: local=256 groups=(LENGTH+255)/256 arg.n=LENGTH
__global__ void permute(const float *__restrict__ in, const int *__restrict__ perm,
                        float *__restrict__ out, const int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[perm[i]] = in[i];
}
