// first: divergence
__global__ void collatz(int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long v = i + 1;
    int s = 0;
    while (v != 1) { v = v & 1 ? 3 * v + 1 : v / 2; s++; }
    steps[i] = s;
}
int main() { int *d; cudaMalloc(&d, 4 << 20); collatz<<<4096, 256>>>(d, 1 << 20); }
