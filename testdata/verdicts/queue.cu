// first: warp-aggregation
// Each thread reserves as many entries of a queue as it wants.
__global__ void enqueue(const int *cost, int *queue, int *tail, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int at = atomicAdd(tail, cost[i]);
        queue[at] = i;
    }
}
