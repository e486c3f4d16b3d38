// first: accidental-doubles
__kernel void mandel(__global int *out, int w, int h, int maxIter)
{
    int px = get_global_id(0), py = get_global_id(1);
    if (px >= w || py >= h) return;
    float cx = 3.0 * px / w - 2.0, cy = 2.0 * py / h - 1.0;
    float zx = 0, zy = 0;
    int it = 0;
    while (it < maxIter && zx * zx + zy * zy < 4.0) {
        float t = zx * zx - zy * zy + cx;
        zy = 2.0 * zx * zy + cy;
        zx = t;
        it++;
    }
    out[py * w + px] = it;
}
