// first: uncoalesced
// Particles as an array of structures: move them.
struct Particle { float x, y, z, vx, vy, vz, mass, charge; };
__global__ void advance(Particle *p, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].x += p[i].vx * dt;
        p[i].y += p[i].vy * dt;
        p[i].z += p[i].vz * dt;
    }
}
