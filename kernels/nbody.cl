#ifndef LOCAL_SIZE
#define LOCAL_SIZE 128 // work items per group and bodies in a tile
#endif
#ifndef UNROLL
#define UNROLL 8 // unroll factor of the loop over a tile
#endif
#ifndef BODIES
#define BODIES 32768 // bodies in all, a multiple of LOCAL_SIZE
#endif
#ifndef SOURCES
#define SOURCES 2048 // bodies with a mass, a multiple of LOCAL_SIZE
#endif

// Gravitational acceleration of every body, all pairs, tiles of bodies in local memory.
// The first `sources` bodies have a mass, the others are test particles; x, y, z of a position are its
// place, w the mass. All lanes read the same body: a broadcast. softening is a squared length that keeps a
// body from accelerating itself. The gravitational constant is 1.
// idgen: local=LOCAL_SIZE global=BODIES arg.sources=SOURCES arg.softening=0.01f
__kernel void nbody(__global const float4 *position, __global float4 *acceleration,
                    const int sources, const float softening)
{
    __local float4 tile[LOCAL_SIZE];
    const int lid = get_local_id(0);
    const int i = get_global_id(0);
    const float4 self = position[i];
    float ax = 0.0f;
    float ay = 0.0f;
    float az = 0.0f;

    for (int start = 0; start < sources; start += LOCAL_SIZE) {
        tile[lid] = position[start + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll UNROLL
        for (int k = 0; k < LOCAL_SIZE; ++k) {
            const float4 other = tile[k];
            const float dx = other.x - self.x;
            const float dy = other.y - self.y;
            const float dz = other.z - self.z;
            const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
            const float pull = other.w * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    acceleration[i] = (float4)(ax, ay, az, 0.0f);
}
