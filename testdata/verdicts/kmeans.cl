// first: uncoalesced, minor: tile
#define DIM 16
__kernel void assign(__global const float *points, __global const float *centroids, __global int *label,
                     int n, int k)
{
    int i = get_global_id(0);
    if (i >= n) return;
    float best = MAXFLOAT;
    int who = 0;
    for (int c = 0; c < k; c++) {
        float d = 0;
        for (int f = 0; f < DIM; f++) {
            float x = points[i * DIM + f] - centroids[c * DIM + f];
            d += x * x;
        }
        if (d < best) { best = d; who = c; }
    }
    label[i] = who;
}
