#ifndef LENGTH
#define LENGTH 1048576 // elements of a vector
#endif

// Permutation a[i] = b[c[i]]: a gathering read, coalesced or not as the contents of c say.
// The graph says that its addresses are unknown: give them with --contents c=FILE, or
// pipesim --set 'ld.global(b):addresses=scattered'.
// Source: V16 Listing 3.6
// idgen: local=256 groups=(LENGTH+255)/256
__global__ void permute(int *a, const int *b, const int *c)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[c[i]];
}
