// Forces between all bodies, from global memory.
__global__ void nbody(const float4 *__restrict__ body, float3 *__restrict__ force, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 me = body[i];
    float3 f = make_float3(0.0f, 0.0f, 0.0f);
    #pragma unroll 16
    for (int j = 0; j < n; j++) {
        float4 other = body[j];
        float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        float d2 = dx * dx + dy * dy + dz * dz + 1e-6f;
        float inv = rsqrtf(d2);
        float s = other.w * inv * inv * inv;
        f.x += dx * s;
        f.y += dy * s;
        f.z += dz * s;
    }
    force[i] = f;
}
