// Each thread reserves entries of a queue: the last of a warp asks for all.
__global__ void enqueue(const int *cost, int *queue, int *tail, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int c = cost[i], lane = threadIdx.x % 32, sum = c;
        for (int d = 1; d < 32; d *= 2) {
            int other = __shfl_up_sync(0xffffffff, sum, d);
            if (lane >= d)
                sum += other;
        }
        int at = 0;
        if (lane == 31)
            at = atomicAdd(tail, sum);
        at = __shfl_sync(0xffffffff, at, 31) + sum - c;
        queue[at] = i;
    }
}
