// first: uncoalesced
// Lattice Boltzmann D2Q9, BGK collision, array of structures
#define Q 9
__global__ void collide(float *f, float omega, int nx, int ny)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    float *c = f + (y * nx + x) * Q;
    float rho = 0.f;
    for (int q = 0; q < Q; q++) rho += c[q];
    float ux = (c[1] - c[3] + c[5] - c[6] - c[7] + c[8]) / rho;
    float uy = (c[2] - c[4] + c[5] + c[6] - c[7] - c[8]) / rho;
    float usq = 1.5f * (ux * ux + uy * uy);
    const float w[Q] = {4.f/9, 1.f/9, 1.f/9, 1.f/9, 1.f/9, 1.f/36, 1.f/36, 1.f/36, 1.f/36};
    const int ex[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    for (int q = 0; q < Q; q++) {
        float eu = 3.f * (ex[q] * ux + ey[q] * uy);
        float feq = w[q] * rho * (1.f + eu + 0.5f * eu * eu - usq);
        c[q] += omega * (feq - c[q]);
    }
}
